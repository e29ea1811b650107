"""Accuracy relative to a supervised model, and samples to tune on: by hand and against scipy's
bootstrap."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from graphzsl.audit import relative_means, relative_rows
from graphzsl.benchmark.sample_selection import tuning_rows
from graphzsl.common import DataError, sha256
from graphzsl.data import Samples, load_samples, save_samples
from tests.command import run
from tests.schemas import fitting

LABELS = [*["a"] * 4, *["b"] * 2, *["c"] * 3]
ZERO_SHOT = np.array([1, 0, 0, 1, 1, 0, 1, 0, 0], dtype=bool)
SUPERVISED = np.array([1, 1, 1, 0, 1, 1, 0, 0, 0], dtype=bool)


def test_relative_accuracies_by_hand() -> None:
    rows = relative_rows(LABELS, ZERO_SHOT, SUPERVISED, rounds=200)
    assert [(row["wnid"], row["samples"]) for row in rows] == [("a", 4), ("b", 2), ("c", 3)]
    assert [row["zero_shot"] for row in rows] == pytest.approx([2 / 4, 1 / 2, 1 / 3])
    assert [row["supervised"] for row in rows] == pytest.approx([3 / 4, 1, 0])
    assert [row["relative"] for row in rows] == [pytest.approx(2 / 3), 0.5, None]
    assert rows[2]["low"] is rows[2]["high"] is None
    of_means, of_ratios = relative_means(rows, rounds=200)
    assert (of_means["measure"], of_means["classes"]) == ("ratio of means", 3)
    assert of_means["relative"] == pytest.approx((1 / 2 + 1 / 2 + 1 / 3) / (3 / 4 + 1))
    assert (of_ratios["measure"], of_ratios["classes"]) == ("mean of ratios", 2)
    assert of_ratios["relative"] == pytest.approx((2 / 3 + 1 / 2) / 2)
    with pytest.raises(DataError, match="never right"):
        relative_means([rows[2]])


def test_intervals_of_relative_accuracy_against_scipy() -> None:
    rng = np.random.default_rng(0)
    supervised = rng.random(400) < 0.8
    zero_shot = rng.random(400) < np.where(supervised, 0.5, 0.2)
    (row,) = relative_rows(["a"] * 400, zero_shot, supervised, rounds=4000)
    options: dict[str, Any] = {
        "paired": True,
        "vectorized": False,
        "n_resamples": 3000,
        "method": "percentile",
    }

    def ratio(z: np.ndarray, s: np.ndarray) -> float:
        return float(z.mean() / s.mean())

    own = stats.bootstrap((zero_shot, supervised), ratio, rng=0, **options).confidence_interval
    assert (row["low"], row["high"]) == pytest.approx((own.low, own.high), abs=0.01)
    labels = [f"c{i % 40}" for i in range(400)]
    rows = relative_rows(labels, zero_shot, supervised, rounds=100)
    z, s = (np.array([row[key] for row in rows]) for key in ("zero_shot", "supervised"))
    of_means, of_ratios = relative_means(rows, rounds=4000)
    over = stats.bootstrap((z, s), ratio, rng=0, **options).confidence_interval
    assert (of_means["low"], of_means["high"]) == pytest.approx((over.low, over.high), abs=0.01)
    mean = stats.bootstrap(
        (z / s,), np.mean, rng=0, n_resamples=3000, method="percentile"
    ).confidence_interval
    assert (of_ratios["low"], of_ratios["high"]) == pytest.approx((mean.low, mean.high), abs=0.01)


def test_both_accuracies_are_of_the_same_resampled_classes() -> None:
    """Half as right in every class: the ratio is 1/2 whichever classes are drawn, though their
    accuracies differ."""
    rows = [
        {"zero_shot": accuracy / 2, "supervised": accuracy} for accuracy in (0.1, 0.4, 0.9, 1.0)
    ]
    for found in relative_means(rows, rounds=200):
        assert (found["low"], found["relative"], found["high"]) == pytest.approx((0.5, 0.5, 0.5))


def _audit(folder: Path, name: str, right: np.ndarray) -> str:
    lines = [f"{label},{label if hit else 'd'}" for label, hit in zip(LABELS, right, strict=True)]
    (folder / f"{name}.csv").write_text("\n".join(lines) + "\n")
    out = str(folder / f"{name}.json")
    run("audit", str(folder / f"{name}.csv"), "--rounds", "50", "--out", out)
    return out


def test_relative_accuracy_from_the_command_line(tmp_path: Path) -> None:
    files = [_audit(tmp_path, name, right) for name, right in (("z", ZERO_SHOT), ("s", SUPERVISED))]
    of_means, of_ratios = run("evaluate", "relative", *files, "--rounds", "100")
    assert of_means["relative"] == pytest.approx((4 / 3) / (7 / 4))
    assert of_ratios["relative"] == pytest.approx(7 / 12)
    rows = run("evaluate", "relative", *files, "--each", "--rounds", "100")
    assert [row["relative"] for row in rows] == [pytest.approx(2 / 3), 0.5, None]


@pytest.mark.parametrize("seed", range(4))
def test_tuning_samples_are_the_same_share_of_every_class(seed: int) -> None:
    labels = [f"c{i % 100}" for i in range(5000)]
    tune = tuning_rows(labels, 0.1, seed)
    assert tune.sum() == 500
    assert set(
        Counter(label for label, chosen in zip(labels, tune, strict=True) if chosen).values()
    ) == {5}
    assert (tune == tuning_rows(labels, 0.1, seed)).all()
    assert (tune != tuning_rows(labels, 0.1, seed + 1)).any()


def test_fractions_go_to_the_classes_with_the_largest() -> None:
    """A share of 0.25 of 10, 7 and 3: 2.5, 1.75 and 0.75; 5 in all, so the whole 2 + 1 + 0 and one
    each for 7 and 3."""
    labels = ["a"] * 10 + ["b"] * 7 + ["c"] * 3
    for seed in range(5):
        tune = tuning_rows(labels, 0.25, seed)
        assert Counter(label for label, chosen in zip(labels, tune, strict=True) if chosen) == {
            "a": 2,
            "b": 2,
            "c": 1,
        }
    chosen = {
        tuple(np.flatnonzero(tuning_rows(["a", "b", "c", "d"], 0.5, seed))) for seed in range(20)
    }
    assert len(chosen) > 3, "equal fractions are drawn, not taken in the order of their names"
    for share in (0.0, 0.01, 1.0):
        with pytest.raises(DataError, match="leaves a part empty"):
            tuning_rows(labels, share)


def test_splitting_samples_from_the_command_line(tmp_path: Path) -> None:
    labels = [f"n{i % 4:08d}" for i in range(80)]
    features = np.arange(160, dtype=np.float32).reshape(80, 2)
    save_samples(Samples(features, labels, {}), tmp_path / "f.npz")
    rows = run(
        "split",
        "samples",
        "split",
        str(tmp_path / "f.npz"),
        "--share",
        "0.25",
        "--seed",
        "3",
        "--out",
        str(tmp_path / "parts"),
    )
    assert [(row["part"], row["samples"], row["classes"]) for row in rows] == [
        ("tuning", 20, 4),
        ("report", 60, 4),
    ]
    parts = [load_samples(tmp_path / "parts" / f"{name}.npz") for name in ("tuning", "report")]
    assert (
        sorted(np.concatenate([part.features[:, 0] for part in parts]).tolist())
        == features[:, 0].tolist()
    )
    for part in parts:
        assert [labels[int(x) // 2] for x in part.features[:, 0]] == part.labels
    manifest = fitting(tmp_path / "parts" / "manifest.json", "samples split")
    assert (manifest["share"], manifest["seed"], manifest["stratified_by"]) == (0.25, 3, "class")
    assert manifest["source"]["sha256"] == sha256(tmp_path / "f.npz")
    assert manifest["files"]["report.npz"] == sha256(tmp_path / "parts" / "report.npz")
    listed = "image,wnid\n" + "".join(f'"{i}, a.jpg",{label}\n' for i, label in enumerate(labels))
    (tmp_path / "val.csv").write_text(listed)
    run("split", "samples", "split", str(tmp_path / "val.csv"), "--out", str(tmp_path / "lists"))
    found = [
        list(csv.reader((tmp_path / "lists" / f"{n}.csv").open()))[1:] for n in ("tuning", "report")
    ]
    assert [len(part) for part in found] == [8, 72]
    assert sorted(map(tuple, found[0] + found[1])) == sorted(
        (f"{i}, a.jpg", label) for i, label in enumerate(labels)
    )
