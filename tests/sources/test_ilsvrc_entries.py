"""Entries of ILSVRC: what the paper computes from its tables, computed again."""

from __future__ import annotations

import pytest

from graphzsl.ilsvrc import table
from graphzsl.sources import submission_size
from tests.command import run

ENTRIES = table("ilsvrc-entries").rows()


def test_printed_ratios_follow_from_the_values() -> None:
    rows = [
        row for row in run("study", "ilsvrc", "entries", "--ratios") if row["printed"] is not None
    ]
    assert {(row["task"], row["from_year"]): row["printed"] for row in rows} == {
        ("cls", 2010): 4.2,
        ("loc", 2011): 1.7,
        ("cls", 2012): 2.4,
        ("loc", 2012): 1.3,
        ("det", 2013): 1.9,
    }
    for row in rows:
        assert row["times_better"] == pytest.approx(row["printed"], abs=0.05), row


def test_a_printed_ratio_takes_outside_data_for_provided() -> None:
    """33.5 is of an entry with outside data; from the provided 34.2 the ratio is 1.35."""
    (row,) = [row for row in run("study", "ilsvrc", "entries", "--ratios") if row["remark"]]
    assert (row["from"], row["data"]) == (33.5, "outside, then provided")
    best = {
        (row["task"], row["year"], row["data"]): row["value"]
        for row in ENTRIES
        if row["place"] == 1
    }
    one, other = best["loc", 2012, "provided"], best["loc", 2014, "provided"]
    provided = round(one, 1) / round(other, 1)
    assert provided == pytest.approx(1.35, abs=0.005)


def test_a_printed_gain_is_of_values_before_rounding() -> None:
    rows = run("study", "ilsvrc", "entries", "--gains")
    assert [row["entry"] for row in rows] == ["UvA", "RCNN", "NEC", "UvA", "algorithms alone"]
    known = [row for row in rows if row["points"] is not None]
    assert [(row["points"], row["printed"]) for row in known] == [(5.7, 5.8)]


def test_intervals_lie_around_their_values_and_winners_apart() -> None:
    for row in ENTRIES:
        if row["low"] is not None:
            assert row["low"] < row["value"] < row["high"]
    # the winner and the next of 2014 in classification do not overlap (section 6.2)
    first, second = (
        row
        for row in ENTRIES
        if (row["task"], row["year"], row["data"]) == ("cls", 2014, "provided") and row["place"]
    )
    assert first["high"] < second["low"]


def test_winners_are_those_of_the_tables() -> None:
    """Tables 5 to 7, one digit: classification from 2010, localization from 2011, detection from
    2013; with outside data the best of detection in 2014."""
    best = {
        task: [
            round(row["value"], 1)
            for row in ENTRIES
            if (row["task"], row["data"], row["place"]) == (task, "provided", 1)
        ]
        for task in ("cls", "loc", "det")
    }
    assert best == {
        "cls": [28.2, 25.8, 16.4, 11.7, 6.7],
        "loc": [42.5, 34.2, 30.0, 25.3],
        "det": [22.6, 37.2],
    }
    outside = [
        row["value"]
        for row in ENTRIES
        if (row["task"], row["data"], row["place"]) == ("det", "outside", 1)
    ]
    assert outside == [20.90, 43.93]


def test_table_8_has_all_entries_with_an_interval() -> None:
    """21 of classification, 15 of localization, 17 of detection: 5 + 2 of 2013, 5 + 5 of 2014."""
    tasks = [row["task"] for row in ENTRIES if row["low"] is not None]
    assert {task: tasks.count(task) for task in tasks} == {"cls": 21, "loc": 15, "det": 17}


def test_teams_of_tables_5_to_7() -> None:
    """Rows with a value in each column, counted by hand; > 60 is all that is printed of 13."""
    teams = table("ilsvrc-tables-5-7").rows()
    for task, of_year in (
        ("cls", {2010: 11, 2011: 4, 2012: 7, 2013: 19, 2014: 25}),
        ("loc", {2011: 2, 2012: 4, 2013: 2, 2014: 25}),
        ("det", {2013: 9, 2014: 15}),
    ):
        years = [row["year"] for row in teams if row[task] is not None]
        assert {year: years.count(year) for year in years} == of_year, task
    assert [row["loc"] for row in teams].count(">60") == 13


def test_size_of_a_submission() -> None:
    assert submission_size(40_000, 200, 10) == (80_000_000, 2_240_000_000)
    assert submission_size(3, 5, 7, 11) == (3 * 5 * 7, 3 * 5 * 7 * 11)


def test_submissions_grow_with_images_and_with_classes() -> None:
    """40 thousand images × 1,000 classes × 10 boxes are 400 million; twice as many of either are
    800 million, of 28 bytes each."""
    rows = run(
        "study", "ilsvrc", "submission", "--categories", "1000", "--boxes", "10,1", "--growth"
    )
    assert [(row["images"], row["classes"], row["boxes"], row["gigabytes"]) for row in rows] == [
        (40_000, 1000, 10, 11.2),
        (40_000, 1000, 1, 1.12),
        (80_000, 1000, 10, 22.4),
        (80_000, 1000, 1, 2.24),
        (40_000, 2000, 10, 22.4),
        (40_000, 2000, 1, 2.24),
    ]
    assert [row["detections"] for row in rows[::2]] == [400_000_000, 800_000_000, 800_000_000]
    (row,) = run(
        "study", "ilsvrc", "submission", "--boxes", "10", "--bytes", "14", "--images", "20000"
    )
    assert (row["detections"], row["bytes"]) == (40_000_000, 560_000_000)
