"""The papers' tables as they are shipped, and files that are none."""

from __future__ import annotations

import json
import pickle
from copy import deepcopy
from pathlib import Path

import pytest

from graphzsl.cli.columns import Cell, formatted
from graphzsl.common import DataError, SettingsError
from graphzsl.ilsvrc import ours, systems, table, tables
from graphzsl.ilsvrc.papers.coverage import PAPERS
from graphzsl.ilsvrc.papers.printed import read_table
from tests.ilsvrc.papers.cells import column_of, row_of

GOOD = """ids = ["X29"]
paper = "Xian et al. 2017"
place = "Table 4"
title = "t"
columns = ["method", "all"]
rows = [["A", 1.5], ["B", "-"]]
"""


def test_every_table_says_what_it_is() -> None:
    known = {each.id: each for each in systems()}
    for each in tables():
        assert each.paper in PAPERS.values()
        assert {known[one].paper for one in each.ids} == {each.paper}, each.name
        assert each.place
        assert each.title
        assert len({tuple(row) for row in each.rows()}) == 1, "all rows have the same columns"
        for row in ours(each):
            assert row.keys() & {*each.rows()[0], "step", "labels", "branch"}


def test_a_table_is_found_by_name_and_by_id() -> None:
    assert table("X29") is table("GBU-table-4") is tables("x29")[0]
    assert [each.name for each in tables("X32")] == ["gbu-table-3", "gbu-table-4", "gbu-table-5"]
    assert tables("X22")[0].name == "gbu-table-5"
    assert tables("D09") == []
    with pytest.raises(DataError, match=r"no id 'X299'\. Did you mean X29"):
        tables("X299")
    with pytest.raises(DataError, match=r"no table 'gbu-tabel-4'\. Did you mean gbu-table-4"):
        table("gbu-tabel-4")


def test_cells_by_row_and_column() -> None:
    printed = table("goz-table-2")
    assert row_of(printed, method="GCN-6")["hit@5"] == 27.19
    assert column_of(printed, "hit@1")[:2] == [1.2, 10.65]
    frame = printed.to_frame()
    assert frame.shape == (7, 6)
    assert frame["hit@1"].tolist() == column_of(printed, "hit@1")


def test_a_dash_is_an_empty_cell(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_text(GOOD)
    assert read_table(path).rows() == [{"method": "A", "all": 1.5}, {"method": "B", "all": None}]


def test_numbers_have_the_digits_that_are_printed() -> None:
    """GBU Table 4: CMT has 5.10, ALE 2.00; ILSVRC Table 8: 16.42 [16.04, 16.80], section 6.1 32.0.
    They are numbers all the same."""
    cmt = row_of(table("gbu-table-4"), method="CMT")["most_500"]
    assert (formatted(cmt), cmt, cmt / 2) == (Cell("5.10", True), 5.1, 2.55)
    assert formatted(row_of(table("X29"), method="ALE")["most_5000"]).text == "2.00"
    assert formatted(row_of(table("ilsvrc-entries"), value=16.42)["high"]).text == "16.80"
    assert formatted(row_of(table("ilsvrc-gains"), entry="algorithms alone")["end"]).text == "32.0"
    assert json.dumps(row_of(table("X29"), method="CMT")["most_500"]) == "5.1"
    assert formatted(deepcopy(cmt)).text == formatted(pickle.loads(pickle.dumps(cmt))).text
    assert table("X29").to_frame()["most_500"].dtype == float


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("place", "palce", r"a\.toml: 'palce' is not a key; known are ids, paper"),
        ('place = "Table 4"\n', "", r"a\.toml: place is missing"),
        ('["B", "-"]', '["B"]', "row 2 of the rows has 1 cell, and there are 2 columns"),
        ('"method", "all"', '"all", "all"', "need columns, each with a name of its own"),
        ("rows = ", "[[computed]]\nrows = ", r"a\.toml: rows is missing"),
        ("rows = ", "computed = [{rows = [[1]]}]\nrows = ", "computed rows need columns"),
        ("rows = ", "measured = [{rows = [[1]]}]\nrows = ", "measured rows need columns"),
    ],
)
def test_what_is_wrong_is_named(old: str, new: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_text(GOOD.replace(old, new))
    with pytest.raises(DataError, match=message):
        read_table(path)


def test_what_is_no_toml_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_text(GOOD + "= 1\n")
    with pytest.raises(SettingsError, match=r"a\.toml:7: not valid TOML"):
        read_table(path)
