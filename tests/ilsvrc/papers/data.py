"""Verdicts of claims and rows beside the tables, computed and written into graphzsl/ilsvrc/papers:
``python -m tests.ilsvrc.papers.data`` writes both anew."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from itertools import groupby
from pathlib import Path

from graphzsl.ilsvrc import CLAIM_COLUMNS, claims, tables
from graphzsl.ilsvrc.papers import Claim
from graphzsl.ilsvrc.papers.claimed import PATH
from graphzsl.ilsvrc.papers.printed import FOLDER, Row
from tests.ilsvrc.papers.claimed import verdict
from tests.ilsvrc.papers.computed import computed

#: Line of a table's file from which on its rows are computed.
BEGINS = "# python -m tests.ilsvrc.papers.data writes what follows\n"


def judged(claim: Claim) -> Claim:
    """The claim with the verdict that the printed numbers have."""
    found = verdict(claim)
    return replace(claim, supported=found.supported, found=found.found)


def lines_of_claims(listed: Iterable[Claim]) -> str:
    """Claims as the lines of their table."""
    rows = [
        dict(zip(CLAIM_COLUMNS, CLAIM_COLUMNS, strict=True)),
        *(claim.row() for claim in listed),
    ]
    return "".join("\t".join(row[column] for column in CLAIM_COLUMNS) + "\n" for row in rows)


def lines_of_rows(rows: Iterable[Row]) -> str:
    """Rows as arrays of tables in TOML, one for those with the same columns."""
    parts = []
    for columns, listed in groupby(rows, key=tuple):
        lines = "".join(f"  [{', '.join(map(_cell, row.values()))}],\n" for row in listed)
        names = json.dumps(columns)
        parts.append(f"[[computed]]\ncolumns = {names}\nrows = [\n{lines}]\n")
    return "\n".join(parts)


def _cell(value: str | float | None) -> str:
    # of a printed number repr has the digits of a float: the text has those that are printed
    return getattr(value, "text", None) or json.dumps("-" if value is None else value)


def text_with_rows(path: Path, rows: list[Row]) -> str:
    """The text of a table's file with these rows as the computed ones."""
    head = path.read_text(encoding="utf-8").partition(BEGINS)[0].rstrip("\n") + "\n"
    return f"{head}\n{BEGINS}{lines_of_rows(rows)}" if rows else head


if __name__ == "__main__":
    PATH.write_text(lines_of_claims(map(judged, claims())), encoding="utf-8")
    for each in tables():
        file = FOLDER / f"{each.name}.toml"
        file.write_text(text_with_rows(file, computed(each)), encoding="utf-8")
