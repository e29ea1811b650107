"""Easiest and hardest classes, the best of several entries, accuracy by bin: hand calculations."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from graphzsl.common import DataError
from graphzsl.data import save_subgraph
from graphzsl.ilsvrc import by_bin_within, distribution, extremes, numeric_bins, optimistic
from graphzsl.ilsvrc.class_properties.accuracy import by_bin, hardest_with_mean, kept_by_scale
from tests.command import run
from tests.mini import MiniWordNet
from tests.problems import mini_subgraph

MINI = MiniWordNet()


def test_the_optimistic_accuracy_is_the_best_of_any_entry() -> None:
    entries = {"one": {"a": 0.5, "b": 0.9, "c": 1.0}, "two": {"a": 0.7, "b": 0.1, "c": 1.0}}
    found = optimistic(entries)
    assert found == {"a": (0.7, ["two"]), "b": (0.9, ["one"]), "c": (1.0, ["one", "two"])}
    spread = distribution({wnid: value for wnid, (value, _) in found.items()})
    assert (spread["classes"], spread["min"], spread["max"], spread["always_right"]) == (
        3,
        0.7,
        1.0,
        1,
    )
    assert (spread["mean"], spread["range"], spread["median"]) == pytest.approx(
        ((0.7 + 0.9 + 1) / 3, 0.3, 0.9)
    )
    with pytest.raises(DataError, match="not about the same classes: c is in one"):
        optimistic({"one": entries["one"], "two": {"a": 1.0, "b": 0.0}})


def test_extremes_order_ties_by_name() -> None:
    easiest, hardest = extremes({"c": 0.2, "a": 0.9, "b": 0.9, "d": 0.1}, 2)
    assert (easiest, hardest) == (["a", "b"], ["d", "c"])


def test_the_hardest_classes_with_a_mean() -> None:
    """The means of 1, 1 2, … are 1, 1.5, 2, …, 5.5; from above 10, 9.5, 9, …; of three tenths the
    mean is a tenth, which adding does not hit."""
    values = {f"c{number:02}": float(number) for number in range(1, 11)}
    assert hardest_with_mean(values, 3.0, True) == ["c01", "c02", "c03", "c04", "c05"]
    assert len(hardest_with_mean(values, 3.49, True)) == 5
    assert hardest_with_mean(values, 9.0, False) == ["c10", "c09", "c08"]
    assert len(hardest_with_mean(values, 9.01, False)) == 2
    assert hardest_with_mean(values, 0.5, True) == []
    assert len(hardest_with_mean(values, 6.0, True)) == 10
    assert hardest_with_mean(dict.fromkeys("bca", 0.1), 0.1, True) == ["a", "b", "c"]


def test_bins_of_a_number_share_equal_values() -> None:
    # thirds are 1 1 | 1 2 | 7 9, and the third 1 belongs with the others
    values = {"a": 1, "b": 1, "c": 1, "d": 2, "e": 9, "f": 7}
    assert numeric_bins(values, 3) == {"1": ["a", "b", "c"], "2": ["d"], "7 to 9": ["e", "f"]}
    assert numeric_bins({"a": 3, "b": 1, "c": 3}, 5) == {"1": ["b"], "3": ["a", "c"]}
    assert [len(m) for m in numeric_bins({f"c{i}": float(i) for i in range(20)}, 4).values()] == [
        5,
        5,
        5,
        5,
    ]


def test_normalising_discards_the_largest_until_the_means_agree() -> None:
    small, large = np.array([1.0, 2, 3, 4]), np.array([10.0, 1, 2, 5, 2])
    kept = kept_by_scale([small, large])
    assert sorted(kept[0].tolist()) == [0, 1, 2, 3], "the smallest mean, 2.5, keeps its classes"
    # the mean of 1, 2, 2, 5 is 2.5; all five have 4
    assert sorted(large[kept[1]].tolist()) == [1, 2, 2, 5]
    # nothing below 4 can be reached: the nearest is the smallest alone
    assert kept_by_scale([np.array([1.0, 1]), np.array([6.0, 4])])[1].tolist() == [1]


def test_equal_scales_discard_nothing() -> None:
    """0.1 has no exact sum in binary: the mean of 12 of them is another double than that of 15."""
    kept = kept_by_scale([np.full(12, 0.1), np.full(15, 0.1)])
    assert [len(each) for each in kept] == [12, 15]
    values = {f"{side}{i}": i % 2 for side in "ab" for i in range(12)}
    bins = {side: [wnid for wnid in values if wnid[0] == side] for side in "ab"}
    rows, small = by_bin(values, bins, dict.fromkeys(values, 0.1), rounds=50)
    assert small == []
    assert [(row["classes"], row["discarded"], row["accuracy"]) for row in rows] == [
        (12, 0, 0.5),
        (12, 0, 0.5),
    ]


def _kept_exactly(tenths: list[list[int]]) -> list[int]:
    """Number of classes that every bin keeps, in fractions."""
    means = [
        [Fraction(sum(part[:n]), 10 * n) for n in range(1, len(part) + 1)]
        for part in map(sorted, tenths)
    ]
    goal = min(of_bin[-1] for of_bin in means)
    nearest = [min(abs(mean - goal) for mean in of_bin) for of_bin in means]
    return [
        max(n for n, mean in enumerate(of_bin, 1) if abs(mean - goal) == least)
        for of_bin, least in zip(means, nearest, strict=True)
    ]


def test_scales_in_tenths_are_discarded_as_in_fractions() -> None:
    """Of 1,200 bins many reach the goal, or two distances from it, exactly."""
    rng = np.random.default_rng(0)
    for _ in range(400):
        tenths = [rng.integers(1, 6, size=rng.integers(5, 16)).tolist() for _ in range(3)]
        kept = kept_by_scale([np.array(part) / 10 for part in tenths])
        assert [len(each) for each in kept] == _kept_exactly(tenths), tenths


def _values() -> tuple[dict[str, float], dict[str, list[str]]]:
    rng = np.random.default_rng(1)
    bins = {
        "small": [f"s{i}" for i in range(40)],
        "large": [f"l{i}" for i in range(60)],
        "tiny": ["t1", "t2", "t3", "t4"],
    }
    return {wnid: float(rng.beta(5, 2)) for members in bins.values() for wnid in members}, bins


def test_means_by_bin_and_their_intervals() -> None:
    values, bins = _values()
    rows, small = by_bin(values, bins, rounds=4000)
    assert small == ["tiny"], "fewer than 5 classes"
    for row in rows:
        own = np.array([values[wnid] for wnid in bins[row["bin"]]])
        assert (row["classes"], row["accuracy"]) == (len(own), pytest.approx(own.mean()))
        reference = stats.bootstrap(
            (own,), np.mean, n_resamples=4000, method="percentile", random_state=0
        ).confidence_interval
        assert (row["low"], row["high"]) == pytest.approx(
            (reference.low, reference.high), abs=0.006
        )
    with pytest.raises(DataError, match="No bin has 5 classes"):
        by_bin(values, {"tiny": bins["tiny"]})


def test_bins_are_normalised_in_every_round() -> None:
    """Accuracy is 1 for scales up to 5 and 0 above: normalised bins agree, others do not."""
    scale = {f"a{i}": float(1 + i % 5) for i in range(20)} | {
        f"b{i}": float(1 + i % 10) for i in range(40)
    }
    values = {wnid: float(number <= 5) for wnid, number in scale.items()}
    bins = {side: [wnid for wnid in scale if wnid[0] == side] for side in "ab"}
    plain, _ = by_bin(values, bins, rounds=500)
    assert [row["accuracy"] for row in plain] == [1, 0.5]
    rows, _ = by_bin(values, bins, scale, rounds=500)
    # b keeps four of each of 1 to 5: their mean is 3, that of a
    assert [
        (row["classes"], row["discarded"], row["scale_mean"], row["accuracy"]) for row in rows
    ] == [
        (20, 0, 3, 1),
        (20, 20, 3, 1),
    ]
    assert rows[0]["low"] == rows[0]["high"] == 1
    assert rows[1]["low"] > plain[1]["high"]
    (alone,), small = by_bin(values, bins, scale | dict.fromkeys(bins["a"], 1.0), rounds=100)
    assert small == ["b"], "b keeps its four classes of scale 1, too few to show"
    assert alone["bin"] == "a"


def test_accuracy_from_the_command_line(tmp_path: Path) -> None:
    names = [row.wnid for row in MINI.rows][5:35]
    one = {wnid: place / 30 for place, wnid in enumerate(names)}
    two = {wnid: 1 - value for wnid, value in one.items()}
    for file, values in (("one.csv", one), ("two.csv", two)):
        text = "wnid,name,hit@1,hops\n" + "".join(
            f"{w},{w}-name,{v!r},{i % 2}\n" for i, (w, v) in enumerate(values.items())
        )
        (tmp_path / file).write_text(text)
    both = [str(tmp_path / "one.csv"), str(tmp_path / "two.csv")]
    rows = {row["entry"]: row for row in run("study", "ilsvrc", "accuracy", *both)}
    assert rows["one"]["mean"] == pytest.approx(np.mean(list(one.values())))
    assert rows["optimistic"]["mean"] == pytest.approx(
        np.mean([max(one[w], two[w]) for w in names])
    )
    easiest, hardest = run("study", "ilsvrc", "accuracy", both[0], "--extremes", "1")
    assert (easiest["side"], easiest["wnid"], easiest["name"]) == (
        "easiest",
        names[-1],
        f"{names[-1]}-name",
    )
    assert (hardest["wnid"], hardest["accuracy"]) == (names[0], 0)
    ordered = run("study", "ilsvrc", "accuracy", *both, "--each")
    assert [row["accuracy"] for row in ordered] == sorted(max(one[w], two[w]) for w in names)
    bins = run("study", "ilsvrc", "accuracy-by", both[0], "--by", "hops", "--rounds", "200")
    assert [(row["bin"], row["accuracy"]) for row in bins] == [
        ("0", pytest.approx(np.mean([one[w] for w in names[::2]]))),
        ("1", pytest.approx(np.mean([one[w] for w in names[1::2]]))),
    ]
    inside = run(
        *("study", "ilsvrc", "accuracy-by", both[0], "--by", "hops", "--within", "hit@1"),
        *("--bins", "2", "--rounds", "50"),
    )
    assert [(row["within"], row["within_bin"], row["bin"], row["classes"]) for row in inside] == [
        ("hit@1", "0 to 0.4666666667", "0", 8),
        ("hit@1", "0 to 0.4666666667", "1", 7),
        ("hit@1", "0.5 to 0.9666666667", "0", 7),
        ("hit@1", "0.5 to 0.9666666667", "1", 8),
    ]
    (said,) = run(
        "study", "ilsvrc", "accuracy-by", both[0], "--by", "hops", "--within", "hops", code=2
    )
    assert "--within hops is what --by is" in said["said"]
    (tmp_path / "be.csv").write_text(
        "wnid,name,scale_share,small_share\n"
        + "".join(f"{w},x,{i % 2 / 2},{i % 3 / 3}\n" for i, w in enumerate(names))
    )
    boxes = str(tmp_path / "be.csv")
    rows = run(
        "study", "ilsvrc", "accuracy-by", both[0], "--by", f"{boxes}:small_share", "--rounds", "50"
    )
    assert [row["classes"] for row in rows] == [10, 10, 10]
    few = ("--by", "hops", "--rounds", "50", "--normalise")
    rows = run("study", "ilsvrc", "accuracy-by", both[0], *few, boxes)
    assert [(row["classes"], row["scale_mean"]) for row in rows] == [(15, 0), (15, 0.5)]
    (said,) = run("study", "ilsvrc", "accuracy-by", both[0], *few, both[1], code=1)
    assert "two.csv has no column scale_share or value" in said["said"]
    (tmp_path / "alien.csv").write_text("n99999999,1\n")
    alien = str(tmp_path / "alien.csv")
    for more in (("--by", alien), (*few, alien)):
        (said,) = run("study", "ilsvrc", "accuracy-by", both[0], *more, code=1)
        assert "alien.csv has none of the 30 classes of" in said["said"]
        assert f"such as {names[0]}; it has n99999999. Give a table" in said["said"]
    correlated = run("study", "ilsvrc", "correlate", both[0], both[1], "--rounds", "200")
    assert correlated[0]["coefficient"] == pytest.approx(-1), "two files need no database"
    (said,) = run("study", "ilsvrc", "accuracy", both[0], "--column", "hit@5", code=1)
    assert "no column hit@5; it has wnid, name, hit@1, hops" in said["said"]


def test_leaked_classes_beside_clean_ones(tmp_path: Path) -> None:
    """A column of texts has a bin for each: of six leaked classes the mean is 0.9, of five clean
    ones 0.5, and of one without a relation nothing is counted. Equal values have no spread."""
    wnids = [f"n{number:08}" for number in range(12)]
    relations = ["same"] * 6 + ["apart"] * 5 + [""]
    table, overlap = tmp_path / "classes.csv", tmp_path / "overlap.csv"
    table.write_text(
        "wnid,hit@1,samples\n"
        + "".join(
            f"{w},{0.9 if r == 'same' else 0.5},9\n" for w, r in zip(wnids, relations, strict=True)
        )
    )
    overlap.write_text(
        "class,wnid,relation\n"
        + "".join(f"c,{w},{r}\n" for w, r in zip(wnids, relations, strict=True))
    )
    asked = ("study", "ilsvrc", "accuracy-by", str(table), "--rounds", "1000", "--by")
    rows = run(*asked, f"{overlap}:relation")
    assert [(row["bin"], row["classes"], row["accuracy"]) for row in rows] == [
        ("apart", 5, 0.5),
        ("same", 6, pytest.approx(0.9)),
    ]
    assert rows[0]["low"] == rows[0]["high"] == 0.5
    with overlap.open("a") as file:
        file.write(f"c,{wnids[0]},apart\n")
    (said,) = run(*asked, f"{overlap}:relation", code=1)
    assert f"overlap.csv:14: {wnids[0]}" in said["said"]
    # a column with a number is one of numbers, in which a text is an error
    overlap.write_text(f"class,wnid,size\nc,{wnids[0]},2\nc,{wnids[1]},large\n")
    (said,) = run(*asked, f"{overlap}:size", code=1)
    assert "must be a number, not 'large'" in said["said"]


def test_natural_and_man_made_from_a_folder(tmp_path: Path) -> None:
    """The roots of the bins are WordNet's: a hierarchy of 6 living things, 7 artifacts and 2 of
    neither."""
    graph = mini_subgraph()
    below = {"n00004258": 6, "n00021939": 7, "n00001740": 2}
    wnids = [f"n{90000000 + i:08d}" for i in range(15)]
    parents = [parent for parent, count in below.items() for _ in range(count)]
    nodes = sorted({*wnids, *below, "n00019128", "n09287968"})
    edges = np.array(
        [
            [nodes.index(child), nodes.index(parent)]
            for child, parent in zip(wnids, parents, strict=True)
        ]
    ).T
    blank = [""] * len(nodes)
    graph = replace(
        graph,
        wnids=nodes,
        names=blank,
        words=[[] for _ in nodes],
        glosses=blank,
        edge_index=edges,
        class_sets={},
        manifest={"kind": "subgraph", "whole": True},
    )
    save_subgraph(graph, tmp_path / "whole")
    (tmp_path / "t.csv").write_text(
        "".join(f"{w},{float(p == 'n00004258')}\n" for w, p in zip(wnids, parents, strict=True))
    )
    rows = run(
        "study",
        "ilsvrc",
        "accuracy-by",
        str(tmp_path / "t.csv"),
        "--wordnet",
        str(tmp_path / "whole"),
        "--rounds",
        "100",
    )
    assert [(row["bin"], row["classes"], row["accuracy"]) for row in rows] == [
        ("natural", 6, 1),
        ("man-made", 7, 0),
    ]


def test_bins_within_bins_are_normalised_apart() -> None:
    """Natural classes are right up to a scale of 5, man-made ones up to 2; rigid ones are smaller
    in both."""
    scale: dict[str, float] = {}
    for side, sizes in (("nr", (1, 5)), ("nd", (1, 10)), ("mr", (1, 2)), ("md", (1, 4))):
        scale |= {f"{side}{i}": float(1 + i % sizes[1]) for i in range(20)}
    values = {w: float(s <= (5 if w[0] == "n" else 2)) for w, s in scale.items()}
    inner = {name: [w for w in scale if w[1] == name] for name in "rd"}
    outer = {name: [w for w in scale if w[0] == name] for name in "nm"} | {"other": ["x1"]}
    rows, small = by_bin_within(values, inner, outer, scale, rounds=100)
    assert small == ["other"]
    assert [
        (row["within_bin"], row["bin"], row["classes"], row["scale_mean"], row["accuracy"])
        for row in rows
    ] == [
        ("n", "r", 20, 3, 1),
        ("n", "d", 10, 3, 1),
        ("m", "r", 20, 1.5, 1),
        ("m", "d", 10, 1.5, 1),
    ]
    plain, _ = by_bin_within(values, inner, None, scale, rounds=100)
    assert plain == by_bin(values, inner, scale, rounds=100)[0]
    inner["f"] = ["nd0", "md0"]
    assert by_bin_within(values, inner, outer, scale, rounds=10)[1] == ["n / f", "m / f", "other"]
    with pytest.raises(DataError, match="No bin has 5 classes"):
        by_bin_within(values, inner, {"other": ["x1"]}, scale)
