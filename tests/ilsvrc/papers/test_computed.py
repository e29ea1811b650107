"""Rows beside the printed tables: those that are shipped are computed again, and some by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.spatial.distance import cosine as cosine_distance
from scipy.special import chdtrc

from graphzsl.cli.columns import formatted
from graphzsl.common import DataError
from graphzsl.data.packaged_vectors import packaged_vectors
from graphzsl.ilsvrc import ours, table, tables
from graphzsl.ilsvrc.papers import PrintedTable, system
from graphzsl.ilsvrc.papers.printed import FOLDER, read_table
from tests.ilsvrc.papers import language
from tests.ilsvrc.papers.computed import computed
from tests.ilsvrc.papers.data import text_with_rows


def _differs(printed: PrintedTable) -> bool:
    """Answer whether the computed rows of a table are others than its cells have."""
    rows, again = list(printed.computed), computed(printed)
    if [list(row) for row in rows] != [list(row) for row in again]:
        return True
    # other machines may round the last digit in another way
    return any(
        row != pytest.approx(other, rel=1e-9) for row, other in zip(rows, again, strict=True)
    )


@pytest.mark.parametrize("printed", tables(), ids=lambda printed: printed.name)
def test_rows_are_those_that_follow_from_the_table(printed: PrintedTable) -> None:
    assert not _differs(printed), "write them anew: python -m tests.ilsvrc.papers.data"
    path = FOLDER / f"{printed.name}.toml"
    assert text_with_rows(path, list(printed.computed)) == path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("gbu-table-4", '["ESZSL", 3.0]', '["ESZSL", 3.1]'),
        ("gbu-table-4", '["SYNC", 1.0]', '["SYNCH", 1.0]'),
        ("gbu-table-4", '"chi2"', '"chi"'),
        ("gbu-table-1", '["aPY", 15339, 15339, 0.2', '["aPY", 15339, 15339, 0.3'),
        ("ilsvrc-table-2", "[2011, 1379413]", "[2012, 1379413]"),
    ],
)
def test_a_wrong_row_is_noticed(name: str, old: str, new: str, tmp_path: Path) -> None:
    text = (FOLDER / f"{name}.toml").read_text(encoding="utf-8")
    assert text.count(old) == 1
    path = tmp_path / f"{name}.toml"
    path.write_text(text.replace(old, new), encoding="utf-8")
    assert _differs(read_table(path))


def _row(name: str, **cells: Any) -> dict[str, Any]:
    (found,) = [
        row for row in ours(table(name)) if all(row.get(key) == cells[key] for key in cells)
    ]
    return found


def test_sizes_of_the_data_sets() -> None:
    """12,900 + 1,440 and 10,320 + 2,580 + 1,440 are 14,340; 2,580 of 12,900 are a fifth."""
    assert _row("gbu-table-1", data_set="SUN") == {
        "data_set": "SUN",
        "ss_images": 14_340,
        "ps_images": 14_340,
        "held_out_share": 0.2,
        "size_by_images": "medium",
        "size_by_classes": "medium",
    }
    rows = ours(table("gbu-table-1"))
    assert [row["ps_images"] for row in rows] == [14_340, 11_788, 30_475, 15_339]


def test_points_between_two_accuracies() -> None:
    assert _row("gbu-table-2", method="SSE", data_set="AWA")["points"] == -11.4
    assert _row("gbu-table-2", method="SSE", data_set="SUN")["points"] == 0.5


def test_ranks_and_harmonic_means() -> None:
    """2 · 23.7 · 62.8 / (23.7 + 62.8) = 34.41; ALE is 2nd, 1st, 2nd and 3rd of 11 on h."""
    ale = _row("gbu-table-5", method="ALE")
    assert ale["cub_h"] == pytest.approx(34.41, abs=0.005)
    assert ale["mean_rank_h"] == 2.0
    assert _row("gbu-table-5", method="DAP")["awa_h"] == 0
    sync = _row("gbu-table-3", method="SYNC")
    assert (sync["mean_rank_ps"], sync["mean_rank_ss"]) == (5.25, 2.875)


def test_friedmans_test_stands_below_the_ranks() -> None:
    """12 / (9 · 8 · 9) ΣR² - 3 · 9 · 9 of the rank sums on ImageNet is 47.472; three pairs of
    methods share a rank, which divides it by 1 - 3 · 6 / (9 · 8 · 63)."""
    sums = (9, 27, 28, 43, 43.5, 48, 53.5, 72)
    *ranks, test = ours(table("gbu-table-4"))
    assert [row["mean_rank"] for row in ranks] == pytest.approx([each / 9 for each in sums])
    plain = 12 / (9 * 8 * 9) * sum(each**2 for each in sums) - 3 * 9 * 9
    assert test["method"] == "Friedman's test"
    assert test["chi2"] == pytest.approx(plain / (1 - 3 * 6 / (9 * 8 * 63)))
    assert round(test["chi2"], 2) == 47.66
    assert test["p"] == pytest.approx(chdtrc(7, test["chi2"]))
    splits = _row("gbu-table-3", method="Friedman's test")
    assert [round(splits[name], 3) for name in ("chi2_ss", "chi2_ps")] == [23.157, 22.733]
    assert [round(splits[name], 5) for name in ("p_ss", "p_ps")] == [0.00585, 0.00683]


def test_outcomes() -> None:
    """34.2 / 10.3 = 3.32; 3.6 + 2.3 = 5.9, and 3.7 more are 9.6."""
    one = {"model": "GCN", "task": "generalized", "split": "1-hop"}
    assert _row("goz-table-3", **one)["ratio"] == pytest.approx(3.3204, abs=5e-5)
    row = _row("goz-semantic-accuracy", split="2-hops")
    assert (row["low"], row["high"]) == pytest.approx((5.9, 9.6))


def test_people_and_a_network() -> None:
    """(46 + 30) / 1,500 = 5.07 % and (72 + 30) / 1,500 = 6.8 %; z by the formula of two pooled
    proportions, (72 - 46) / √118 for pairs."""
    row = _row("ilsvrc-table-9", annotator="A1")
    assert (row["person_error"], row["network_error"]) == pytest.approx((76 / 15, 6.8))
    assert row["z"] == pytest.approx(2.009, abs=5e-4)
    assert row["p"] == pytest.approx(0.02225, abs=5e-6)
    assert row["mcnemar_z"] == pytest.approx(26 / 118**0.5)
    assert row["mcnemar_p"] == pytest.approx(0.0105, abs=5e-5)


def test_boxes_per_image() -> None:
    """Of validation by both numbers of images that the paper has, as the page has them."""
    rows = ours(table("ilsvrc-table-4"))
    assert [(row["part"], row["images_by"], row["boxes_per_image"]) for row in rows] == [
        ("training", "table, 395,909", 345_854 / 395_909),
        ("training", "table, 456,567", 478_807 / 456_567),
        ("validation", "table, 21,121", 55_501 / 21_121),
        ("validation", "text, 20,121", 55_501 / 20_121),
        ("PASCAL training", "table, 5,717", 13_609 / 5_717),
        ("PASCAL validation", "table, 5,823", 15_787 / 5_823),
    ]
    said = system("I20").ours or ""
    for row in rows[2:4]:
        source, images = row["images_by"].split(", ")
        assert f"{row['boxes_per_image']:.2f} by the {source}'s {images}" in said


def test_shares_of_mistakes() -> None:
    """22 of 102 are 21.57 %, 28 of 76 36.84 %."""
    for entry, kind, share in (
        ("GoogLeNet", "small or thin objects", 21.57),
        ("human", "fine-grained recognition", 36.84),
    ):
        row = _row("ilsvrc-error-types", entry=entry, type=kind)
        assert row["share"] == pytest.approx(share, abs=0.005)


def test_images_of_a_year() -> None:
    """1,229,413 + 50,000 + 100,000."""
    assert _row("ilsvrc-table-2", year=2011)["images"] == 1_379_413


def test_ratios_and_gains() -> None:
    assert _row("ilsvrc-gains", entry="algorithms alone") == {
        "entry": "algorithms alone",
        "points": 5.7,
    }
    times = [row["times_better"] for row in ours(table("ilsvrc-ratios"))]
    assert times[:5] == pytest.approx([4.209, 1.680, 2.448, 1.324, 1.942], abs=5e-4)


def test_intervals_of_classification_and_localization() -> None:
    """The normal interval, p ± 3.2905 √(p (1 - p) / N), is close to the bootstrap's."""
    rows = ours(table("ilsvrc-entries"))
    assert len(rows) == 21 + 15
    assert formatted(rows[11]["value"]).text == "11.20", "as it is printed"
    for row in rows:
        p = row["value"] / 100
        half = 3.2905 * (p * (1 - p) / 100_000) ** 0.5 * 100
        assert (row["low"], row["high"]) == pytest.approx(
            (row["value"] - half, row["value"] + half), abs=0.05
        )


def test_labels_in_wikipedia(monkeypatch: pytest.MonkeyPatch) -> None:
    """A label occurs at most as often as its rarest word; hyphens and apostrophes part words."""
    counts = {"crane": 900, "lamb": 700, "quarters": 30, "hsv-1": 40, "hsv": 25, "1": 9_000}
    monkeypatch.setattr(language, "occurrences", lambda: counts)
    labels = ("crane", "crane fly", "lamb's-quarters", "hsv-1", "'s")
    assert [language.most_occurrences(label) for label in labels] == [900, 0, 30, 40, 0]
    assert language.in_letters(labels) == {"crane"}
    found = language._shares("five", [0, 19, 20, 49, 99])
    assert found == {
        "labels": "five",
        "number": 5,
        "below_20": 40.0,
        "below_50": 80.0,
        "below_100": 100.0,
    }


def test_words_of_leaf_classes() -> None:
    """4,279 labels of artifacts, 1,580 of animals and 1,228 of plants, of 11,092; 871 of the
    artifacts, 437 of the animals and 545 of the plants occur fewer than 50 times, counted by
    another script from the lines of the package's file."""
    start = "of one word, leaf classes"
    rows = {row["labels"]: row for row in ours(table("goz-frequencies"))}
    for name, number, rare in (
        ("", 11_092, 2_805),
        (", animal", 1_580, 437),
        (", plant", 1_228, 545),
        (", artifact", 4_279, 871),
    ):
        row = rows[start + name]
        assert (row["number"], row["below_50"]) == (number, pytest.approx(100 * rare / number))


def test_similar_words() -> None:
    """Cosines are SciPy's; 1, 2, 3 and 6 have the mean 3 and √(14 / 3) as their deviation."""
    vectors = packaged_vectors("glove-6b-50d")
    around = np.mean([vectors[word] for word in ("aristocrat", "female", "england")], axis=0)
    for meaning, vector in (("aristocrat", around), ("chess piece", vectors["chessman"])):
        row = _row("goz-meanings", meaning=meaning)
        assert row["cosine"] == pytest.approx(
            1 - cosine_distance(vectors["queen"], vector), abs=1e-6
        )
    assert language._mean(np.array([1.0, 2, 3, 6]), "mean") == {
        "mean": 3.0,
        "se": pytest.approx((14 / 3) ** 0.5 / 2),
    }


def test_what_was_measured_and_what_has_nothing() -> None:
    measured = ours(table("devise-table-1"))
    assert measured[0]["k2"] == 6.3
    assert ours(table("poodle-table-1")) == []


def test_rows_of_other_cells_are_refused() -> None:
    printed = table("gbu-table-4")
    for other in (replace(printed, cells=printed.cells[1:]), replace(printed, name="mine")):
        with pytest.raises(DataError, match="has other cells than the table that is shipped"):
            ours(other)
