"""Sections of docs/reproduction.md on every id and on claims, from systems.tsv and claims.tsv of
graphzsl/ilsvrc/papers; ``python -m tests.ilsvrc.papers.page`` writes both anew."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from graphzsl.ilsvrc import claims, systems, table, unsupported
from graphzsl.ilsvrc.papers import Claim, System

PAGE = Path(__file__).resolve().parents[3] / "docs" / "reproduction.md"
HEAD = "| id | what | here | where | test | published | ours |\n|---|---|---|---|---|---|---|\n"
_HERE = {"here": "yes", "partly": "in part", "not here": "no"}


def lines_of_systems() -> str:
    """A table per paper, a line per id."""
    parts = []
    for paper, listed in groupby(systems(), key=lambda each: each.paper):
        lines = "".join(map(_line, listed))
        parts.append(f"### {paper}\n\n{HEAD}{lines}")
    return "\n".join(parts)


def _line(each: System) -> str:
    state = _HERE[each.state] + (f": {each.why}" if each.why else "")
    where = ", ".join(f"`{place}`" for place in each.places) or "–"
    tests = ", ".join(f"`{test}`" for test in each.tests) or "–"
    cells = (each.what, state, where, tests, each.published or "–", each.ours or "–")
    return f"| {each.id} | {' | '.join(map(_plain, cells))} |\n"


def lines_of_claims() -> str:
    """Number of claims and readings that the printed numbers do not support, and a line per claim
    of a paper."""
    found, said = unsupported(claims())
    head = "| id | where the paper says it | what it says, in our words | what the numbers say |\n"
    return (
        f"{said} `graphzsl study papers claims --unsupported` lists both; these are the claims:\n\n"
        + head
        + "|---|---|---|---|\n"
        + "".join(_line_of_claim(claim) for claim in found if claim.place is not None)
    )


def _line_of_claim(claim: Claim) -> str:
    place = f"{table(claim.tables[0]).paper}, {claim.place}"
    cells = (place, claim.statement, claim.verdict().found)
    return f"| {claim.system} | {' | '.join(map(_plain, cells))} |\n"


def _plain(text: str) -> str:
    """A cell: a star would begin emphasis."""
    return text.replace("*", r"\*")


#: Name of a section between marks -> what writes it.
SECTIONS = {"systems": lines_of_systems, "claims": lines_of_claims}


def page_with_sections(text: str) -> str:
    """The page with both sections in their places."""
    for name, lines in SECTIONS.items():
        begins, ends = f"<!-- {name}: begins -->\n", f"<!-- {name}: ends -->\n"
        before, _, rest = text.partition(begins)
        _, found, after = rest.partition(ends)
        if not found:
            raise ValueError(f"{PAGE} has no {begins.strip()} before {ends.strip()}.")
        text = f"{before}{begins}\n{lines()}\n{ends}{after}"
    return text


if __name__ == "__main__":
    PAGE.write_text(page_with_sections(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
