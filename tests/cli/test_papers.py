"""``graphzsl study papers``: what people see, what programs read."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from graphzsl.cli import main
from graphzsl.ilsvrc import claims, systems, table, tables
from tests.ilsvrc.papers.page import PAGE


def _run(*arguments: str, code: int = 0) -> Result:
    done = CliRunner(env={"COLUMNS": "100"}).invoke(main, ["study", "papers", *arguments])
    assert done.exit_code == code, done.output
    return done


def _rows(*arguments: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in _run(*arguments, "--format", "jsonl").stdout.splitlines()]


def test_all_tables_are_listed() -> None:
    rows = _rows()
    assert [row["table"] for row in rows] == [each.name for each in tables()]
    by_name = {row["table"]: row for row in rows}
    assert by_name["goz-table-3"]["claims"] == 4
    assert by_name["gbu-table-4"]["ids"] == ["X29", "X30", "X32"]
    shown = _run("--format", "table").stdout
    assert "devise-table-1" in shown
    assert "Frome" not in shown, "the name says the paper"


def test_one_table_for_programs() -> None:
    rows = _rows("show", "x29")
    of_paper = [row for row in rows if row["source"] == "paper"]
    for row, printed in zip(of_paper, table("gbu-table-4").rows(), strict=True):
        assert row == {"table": "gbu-table-4", "source": "paper", **printed}
    ours = [row for row in rows if row["source"] == "graphzsl"]
    assert ours[0] == {
        "table": "gbu-table-4",
        "source": "graphzsl",
        "method": "SYNC",
        "mean_rank": 1.0,
    }
    said = [row for row in rows if row["source"] == "claim"]
    assert rows[-len(said) :] == said
    assert [{key: value for key, value in row.items() if key != "source"} for row in said] == _rows(
        "show", "X29", "--claims"
    )
    assert {row["verdict"] for row in said} == {"supported", "not supported"}
    text = _run("show", "X29", "--format", "csv").stdout
    read = list(csv.DictReader(io.StringIO(text)))
    assert len(read) == len(rows)
    assert (read[0]["2-hops"], read[0]["mean_rank"], read[-1]["2-hops"]) == ("7.63", "", "")


def test_one_table_for_people() -> None:
    shown = _run("show", "I33", "--format", "table").stdout
    assert "ilsvrc-entries: " in shown
    assert "(Russakovsky et al. 2015," in shown
    assert "Computed here:" in shown
    assert "not supported" in shown.split("Claims:")[1]
    assert max(map(len, shown.splitlines())) <= 100
    assert "In part: what the text prints" in _run("show", "X15", "--format", "table").stdout
    shown = _run("show", "X32", "--format", "table").stdout
    assert [name for name in ("gbu-table-3: ", "gbu-table-4: ", "gbu-table-5: ") if name in shown]


def test_claims_with_their_verdicts(tmp_path: Path) -> None:
    rows = _rows("claims", "X30")
    assert [(row["claim"], row["verdict"]) for row in rows] == [
        ("populated-is-easier", "supported"),
        ("five-thousand-are-hard", "supported"),
    ]
    about = _rows("show", "X30", "--claims")
    assert rows == about[:2], "those of the id stand first"
    assert {row["id"] for row in about[2:]} == {"X29", "X32"}
    # a table by its name has them in their order
    assert _rows("show", "gbu-table-4", "--claims")[0]["id"] == "X29"
    row = _rows("claims", "I20")[0]
    assert row["found"].startswith("2.63 by the table's 21,121 images")
    not_supported = _rows("claims", "--unsupported")
    assert {row["verdict"] for row in not_supported} == {"not supported"}
    assert 0 < len(not_supported) < len(claims())
    # the page has the same numbers in the same words
    readings = sum(row["place"] == "a reading" for row in not_supported)
    sentence = (
        f"The printed numbers do not support {len(not_supported) - readings} claims of the papers,"
        f" and {readings} readings of ours."
    )
    assert _run("claims", "--unsupported").stderr.splitlines()[-1] == sentence
    page = PAGE.read_text(encoding="utf-8")
    assert sentence in page
    section = page.split("<!-- claims: begins -->")[1].split("<!-- claims: ends -->")[0]
    assert section.count("\n| ") - 1 == len(not_supported) - readings
    saved = tmp_path / "claims.csv"
    _run("claims", "gbu-table-2", "--save", str(saved))
    assert saved.read_text().startswith("id,claim,table,place,statement,verdict,found\nX25,")
    nothing = _run("claims", "d09", "--format", "jsonl")
    assert (nothing.stdout, nothing.stderr) == ("", "No claim about D09 is held here.\n")
    assert _run("claims", "X21", "--unsupported", "--format", "jsonl").stderr == "", (
        "it has one, which is supported"
    )


def test_systems_by_id_paper_and_state() -> None:
    rows = _rows("systems", "d09", "X20")
    assert [(row["id"], row["where"]) for row in rows] == [
        ("D09", ["graphzsl audit -k", "graphzsl.audit.measures.precisions"]),
        ("X20", ["graphzsl.metrics.per_class"]),
    ]
    assert rows[1]["tests"] == ["audit/test_evaluation.py"]
    assert len(_rows("systems")) == 171
    assert {row["id"][0] for row in _rows("systems", "p")} == {"P"}
    partly = _rows("systems", "G", "--state", "partly")
    assert [row["id"] for row in partly] == [
        each.id for each in systems("partly") if each.id[0] == "G"
    ]


@pytest.mark.parametrize(
    ("arguments", "message", "code"),
    [
        (["show", "D09"], "D09 (hierarchical precision hp@k) has no printed table here.", 1),
        (["show", "D10"], "`graphzsl study papers claims D10` has what is said of it.", 1),
        (["show", "d9"], "There is no table 'd9'. Did you mean D09", 1),
        (["show", "gbu-tabel-4"], "no table 'gbu-tabel-4'. Did you mean gbu-table-4", 1),
        (["claims", "X2"], "There is no table 'X2'. Did you mean", 1),
        (["systems", "X99"], "There is no id 'X99'.", 1),
        (["systems", "Q"], "There is no paper with the letter 'Q'", 1),
        (["--format", "csv", "show", "X29"], "--format stands before show, where", 2),
        (["sho", "X29"], "Did you mean 'graphzsl study papers show'", 2),
    ],
)
def test_what_is_wrong_is_said(arguments: list[str], message: str, code: int) -> None:
    said = _run(*arguments, code=code).stderr
    assert message in said
    assert "Traceback" not in said
