"""Judgements: precision, audits by depth, annotators, types of mistakes; by hand, by scipy, and as
the paper prints them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from scipy import stats

from graphzsl.audit import (
    NearMistakes,
    annotator_rows,
    error_types,
    precision_by_class,
    precision_by_depth,
    precision_of_entries,
    unjudged_predictions,
)
from graphzsl.audit.error_types import NEAR, NONE
from graphzsl.audit.judged import paired_row, precision_row, settled
from graphzsl.common import DataError
from graphzsl.hierarchy import Hierarchy
from graphzsl.ilsvrc import table
from graphzsl.metrics.significance import Paired
from graphzsl.sources import Judgements, read_mistakes
from graphzsl.sources.judgements import Judgement, LabelledMistake
from tests.mini import MiniWordNet

MINI = MiniWordNet()
DAG = Hierarchy.from_edges(MINI.edges())


def _judged(*rows: tuple[str, str, str, int]) -> Judgements:
    """Of (entry, image, class, right)."""
    found = [
        Judgement(image, label, entry, bool(right), line)
        for line, (entry, image, label, right) in enumerate(rows, 2)
    ]
    return Judgements(Path("judged.csv"), found)


def test_five_wrong_of_1500_are_the_printed_precision() -> None:
    """Section 3.1.3: 99.7 %."""
    row = precision_row(1495, 1500)
    assert round(100 * row["precision"], 1) == 99.7
    interval = stats.binomtest(1495, 1500).proportion_ci(0.95, method="wilson")
    assert (row["low"], row["high"]) == pytest.approx((interval.low, interval.high))
    assert precision_row(0, 0)["precision"] is None


def test_a_majority_settles_and_a_tie_is_wrong() -> None:
    rows = _judged(
        ("", "a", "x", 1),
        ("", "a", "x", 0),
        ("", "b", "x", 1),
        ("", "b", "x", 1),
        ("", "b", "x", 0),
    )
    assert settled(rows.rows) == {("", "a", "x"): False, ("", "b", "x"): True}


def test_precision_of_entries_bounds_what_nobody_judged() -> None:
    judgements = _judged(("", "a", "x", 1), ("", "b", "x", 0), ("", "c", "y", 1))
    entries = {
        "mine": [("a", "x"), ("b", "x"), ("d", "z"), ("c", "x")],
        "other": [("a", "x"), ("c", "y")],
        "new": [("e", "x")],
    }
    mine, other, new = precision_of_entries(judgements, entries)
    # a is right and b wrong; d and the x of c are not judged
    assert (mine["predictions"], mine["judged"], mine["right"]) == (4, 2, 1)
    assert (mine["precision"], mine["least_share"], mine["most_share"]) == (0.5, 0.25, 0.75)
    assert (other["precision"], other["least_share"], other["most_share"]) == (1, 1, 1)
    assert (new["precision"], new["least_share"], new["most_share"]) == (None, 0, 1)
    assert unjudged_predictions(judgements, entries) == [("c", "x"), ("d", "z"), ("e", "x")]
    own = precision_of_entries(
        _judged(("m", "a", "x", 1), ("m", "b", "x", 0), ("o", "a", "x", 1)), {}
    )
    assert [(row["entry"], row["judged"], row["precision"]) for row in own] == [
        ("m", 2, 0.5),
        ("o", 1, 1),
    ]
    classes = precision_by_class(judgements)
    assert [(row["wnid"], row["judged"], row["precision"]) for row in classes] == [
        ("x", 2, 0.5),
        ("y", 1, 1),
    ]


def test_precision_by_depth() -> None:
    place_of = {"x": ("r", 0), "z": ("r", 2), "y": ("r", 2), "u": ("s", 1)}
    rows = precision_by_depth(
        _judged(("", "1", "x", 1), ("", "2", "y", 1), ("", "3", "y", 0), ("", "4", "z", 1)),
        place_of,
    )
    assert [
        (row["root"], row["depth"], row["classes"], row["judged"], row["right"]) for row in rows
    ] == [("r", 0, 1, 1, 1), ("r", 2, 2, 3, 2), ("all", None, 3, 4, 3)]
    with pytest.raises(DataError, match=r"judged\.csv:2: w is not a class at or below the roots"):
        precision_by_depth(_judged(("", "1", "w", 1)), place_of)


def test_results_of_made_up_judgements_say_so() -> None:
    """Every row of every function, and no row where people judged."""
    people = _judged(("m", "1", "x", 1), ("o", "1", "x", 0))
    for judgements in (people, replace(people, simulated=True)):
        found = [
            precision_of_entries(judgements, {}),
            precision_of_entries(judgements, {"mine": [("1", "x")]}),
            precision_by_class(judgements),
            precision_by_depth(judgements, {"x": ("r", 0)}),
            annotator_rows(judgements),
        ]
        said = {row.get("simulated") for rows in found for row in rows}
        assert said == ({True} if judgements.simulated else {None})


def test_two_annotators_of_the_paper() -> None:
    """Section 6.4.1: of 204 images 174, 19, 6 and 5, in per cent 85, 9, 3 and 2; the optimistic
    error is printed as 2.4."""
    row = paired_row(Paired(174, 19, 6, 5))
    shares = [row[f"{name}_share"] for name in ("both", "only_first", "only_second", "neither")]
    assert [round(100 * share) for share in shares] == [85, 9, 3, 2]
    assert row["optimistic_error"] == 5 / 204 == pytest.approx(0.0245, abs=1e-4)
    assert (row["error_first"], row["error_second"]) == (11 / 204, 24 / 204)


def test_annotators_are_compared_on_their_common_images() -> None:
    rows = annotator_rows(
        _judged(
            *(
                ("A", "1", "", 1),
                ("A", "2", "", 0),
                ("A", "3", "", 1),
                ("A", "4", "", 0),
                ("A", "5", "", 1),
            ),
            *(
                ("B", "2", "", 0),
                ("B", "3", "", 0),
                ("B", "4", "", 1),
                ("B", "5", "", 0),
                ("B", "9", "", 1),
            ),
            ("C", "1", "", 1),
            ("C", "9", "", 0),
        )
    )
    assert [(row["first"], row["second"], row["images"]) for row in rows] == [
        ("A", "B", 4),
        ("A", "C", 1),
        ("B", "C", 1),
    ]
    assert [rows[0][name] for name in ("both", "only_first", "only_second", "neither")] == [
        0,
        2,
        1,
        1,
    ]
    with pytest.raises(DataError, match=r"judged\.csv:3: A labelled 1 on line 2 already"):
        annotator_rows(_judged(("A", "1", "", 1), ("A", "1", "", 1)))
    with pytest.raises(DataError, match="is about one annotator"):
        annotator_rows(_judged(("A", "1", "", 1)))
    with pytest.raises(DataError, match="A and B have no image in common"):
        annotator_rows(_judged(("A", "1", "", 1), ("B", "2", "", 1)))


def _mistake(
    image: str, kind: str, true: str = "", predicted: str = "", entry: str = ""
) -> LabelledMistake:
    return LabelledMistake(
        entry, image, kind, true and MINI[true], predicted and MINI[predicted], 2
    )


def test_types_of_mistakes_are_counted() -> None:
    rows = error_types(
        [
            _mistake("1", "small"),
            _mistake("1", "filter"),
            _mistake("2", "small"),
            _mistake("3", ""),
            _mistake("9", "filter", entry="other"),
        ]
    )
    assert [(row["entry"], row["type"], row["count"], row["mistakes"]) for row in rows] == [
        (None, "small", 2, 3),
        (None, "filter", 1, 3),
        (None, NONE, 1, 3),
        ("other", "small", 0, 1),
        ("other", "filter", 1, 1),
    ]
    assert rows[0]["share"] == pytest.approx(2 / 3)


def test_types_of_simulated_mistakes_say_so(tmp_path: Path) -> None:
    """From the table that says so, without the caller's doing."""
    path = tmp_path / "m.csv"
    for cell in ("yes", "no"):
        path.write_text(f"image,type,simulated\n1,small,{cell}\n2,,{cell}\n")
        marked = [row.get("simulated", False) for row in error_types(read_mistakes(path))]
        assert marked == [cell == "yes"] * 2


def test_the_hierarchy_finds_fine_grained_confusions() -> None:
    mistakes = [
        _mistake("1", "", "toy_poodle", "standard_poodle"),  # siblings: their parent is 1 high
        _mistake("2", "", "toy_poodle", "beagle"),  # over dog, 2 high
        _mistake("3", "small", "toy_poodle", "oak"),
        _mistake("4", ""),
    ]
    leaves = MINI.named("toy_poodle", "standard_poodle", "beagle", "oak")
    for height, near in ((1, 1), (2, 2)):
        rows = error_types(mistakes, NearMistakes(DAG, height, leaves))
        assert {row["type"]: row["count"] for row in rows} == {
            "small": 1,
            NEAR: near,
            NONE: 3 - near,
        }


def test_printed_shares_follow_from_the_counts() -> None:
    """Section 6.4.2. 22 of 102 are 21.6 %, printed as 21."""
    rows = [
        (row["entry"], row["type"], 100 * row["count"] / row["mistakes"], row["printed_percent"])
        for row in table("ilsvrc-error-types").rows()
        if row["printed_percent"] is not None
    ]
    assert len(rows) == 9
    off = [(entry, kind) for entry, kind, share, printed in rows if round(share) != printed]
    assert off == [("GoogLeNet", "small or thin objects")]
    assert all(abs(share - printed) < 1 for _, _, share, printed in rows)
