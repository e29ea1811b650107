"""The eight accuracies of the error attribution from one run: every one by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from graphzsl.audit import paired_samples, read_run_samples
from graphzsl.benchmark import (
    accuracies_of,
    attribute,
    configurations,
    read_configurations,
    read_flags,
)
from graphzsl.benchmark.sample_selection import ProbedSamples, write_flags
from graphzsl.common import DataError
from graphzsl.data import save_subgraph
from tests.command import run
from tests.mini import MiniWordNet
from tests.problems import mini_subgraph

MINI = MiniWordNet()

#: true class, first prediction, outcome, good sample
SAMPLES = (
    ("poodle", "poodle", "correct", True),
    ("poodle", "dog", "parent", True),
    ("poodle", "oak", "unrelated", False),
    ("poodle", "poodle", "correct", False),
    ("tree", "oak", "child", True),
    ("tree", "poodle", "unrelated", True),
    ("tree", "tree", "correct", True),
    ("tree", "poodle", "unrelated", False),
)
#: sample, semantic, structural -> accuracy: poodle alone has good semantics
PER_CLASS = {
    (0, 0, 0): (2 / 4 + 1 / 4) / 2,
    (0, 0, 1): (3 / 4 + 2 / 4) / 2,
    (0, 1, 0): 2 / 4,
    (0, 1, 1): 3 / 4,
    (1, 0, 0): (1 / 2 + 1 / 3) / 2,
    (1, 0, 1): (2 / 2 + 2 / 3) / 2,
    (1, 1, 0): 1 / 2,
    (1, 1, 1): 2 / 2,
}
PER_SAMPLE = {**PER_CLASS, (0, 0, 0): 3 / 8, (0, 0, 1): 5 / 8, (1, 0, 0): 2 / 5, (1, 0, 1): 4 / 5}
LABELS = MINI.named(*(sample[0] for sample in SAMPLES))
GOOD = np.array([sample[3] for sample in SAMPLES])


@pytest.mark.parametrize(("per", "expected"), [("class", PER_CLASS), ("sample", PER_SAMPLE)])
def test_eight_accuracies_by_hand(per: str, expected: dict[tuple[int, ...], float]) -> None:
    rows = configurations(
        LABELS, [sample[2] for sample in SAMPLES], GOOD, MINI.named("poodle"), per
    )
    assert accuracies_of(rows) == pytest.approx(expected)
    counts = {(row["sample"], row["semantic"]): (row["samples"], row["classes"]) for row in rows}
    assert counts == {(0, 0): (8, 2), (0, 1): (4, 1), (1, 0): (5, 2), (1, 1): (2, 1)}


def test_impacts_of_the_eight_by_hand() -> None:
    rows = {row["part"]: row["impact"] for row in attribute(PER_CLASS)}
    assert rows["sample"] == pytest.approx((1 / 24 + 5 / 24 + 0 + 1 / 4) / 4)
    assert rows["semantic"] == pytest.approx((1 / 8 + 1 / 8 + 1 / 12 + 1 / 6) / 4)
    assert rows["structural"] == pytest.approx((1 / 4 + 1 / 4 + 5 / 12 + 1 / 2) / 4)
    assert (rows["correct with every flaw"], rows["model error"]) == (0.375, 0)


def test_a_configuration_without_samples_is_an_error() -> None:
    kinds = [sample[2] for sample in SAMPLES]
    with pytest.raises(DataError, match="No sample is left with sample=1, semantic=0"):
        configurations(LABELS, kinds, np.zeros(8, dtype=bool), MINI.named("poodle"))
    with pytest.raises(DataError, match="No sample is left with sample=0, semantic=1"):
        configurations(LABELS, kinds, GOOD, MINI.named("cat"))
    with pytest.raises(DataError, match="do not fit together"):
        configurations(LABELS, kinds, GOOD[1:], MINI.named("poodle"))


def test_flags_follow_the_samples_of_a_run(tmp_path: Path) -> None:
    path = tmp_path / "flags.csv"
    asked, right = np.array([2, 3, 1, 0]), np.array([2, 1, 1, 0])
    write_flags(path, ["a", "b", "a", "c"], ProbedSamples(asked, right, 3))
    assert path.read_text().splitlines()[:3] == [
        "row,wnid,asked,right,good",
        "0,a,2,2,1",
        "1,b,3,1,0",
    ]
    assert read_flags(path, ["a", "b", "a", "c"]).tolist() == [True, False, True, False]
    assert read_flags(path, ["a", "a", "c"]).tolist() == [
        True,
        True,
        False,
    ], "a run about fewer classes"
    with pytest.raises(DataError, match="first difference is at sample 0"):
        read_flags(path, ["b", "a", "a"])
    with pytest.raises(
        DataError, match="its 2 samples of the run's classes are not the run's 3 samples"
    ):
        read_flags(path, ["a", "a", "a"])
    path.write_text("wnid,good\na,maybe\n")
    with pytest.raises(DataError, match=r"flags.csv:2: good must be 0 or 1"):
        read_flags(path, ["a"])
    path.write_text("wnid,fine\na,1\n")
    with pytest.raises(DataError, match="no column is called good"):
        read_flags(path, ["a"])


def _run_files(folder: Path) -> None:
    save_subgraph(
        replace(mini_subgraph(), manifest={"kind": "subgraph", "whole": True}), folder / "whole"
    )
    lines = [f"{label},{MINI[sample[1]]}" for label, sample in zip(LABELS, SAMPLES, strict=True)]
    (folder / "p.csv").write_text("\n".join(lines) + "\n")
    run(
        "audit",
        str(folder / "p.csv"),
        "--rounds",
        "50",
        "--out",
        str(folder / "run.json"),
    )
    flags = [f"{label},{int(sample[3])}" for label, sample in zip(LABELS, SAMPLES, strict=True)]
    (folder / "flags.csv").write_text("\n".join(["wnid,good", *flags]) + "\n")
    (folder / "primary.txt").write_text(MINI["poodle"] + "\n")


def test_attribution_of_a_run_from_the_command_line(tmp_path: Path) -> None:
    _run_files(tmp_path)
    source, table = str(tmp_path / "run.json"), tmp_path / "eight.csv"
    given = (
        "--good-samples",
        str(tmp_path / "flags.csv"),
        "--good-classes",
        str(tmp_path / "primary.txt"),
        "--wordnet",
        str(tmp_path / "whole"),
    )
    rows = run("evaluate", "attribute", source, *given, "--configurations", str(table))
    found, factors = read_configurations(table)
    assert factors == ["sample", "semantic", "structural"]
    assert found == pytest.approx(PER_CLASS)
    assert {row["part"]: row["impact"] for row in rows}["structural"] == pytest.approx(17 / 48)
    assert run("evaluate", "attribute", str(table)) == [pytest.approx(row) for row in rows]
    rows = run(
        "evaluate", "attribute", str(tmp_path / "run.samples.parquet"), *given, "--per", "sample"
    )
    assert rows[0]["impact"] == pytest.approx(3 / 8)
    (said,) = run("evaluate", "attribute", source, code=2)
    assert "A run needs --good-samples" in said["said"]
    (said,) = run("evaluate", "attribute", str(table), *given, code=2)
    assert "belong to a run" in said["said"]


def test_runs_are_read_by_their_json_or_samples(tmp_path: Path) -> None:
    _run_files(tmp_path)
    one, other = paired_samples(tmp_path / "run.json", tmp_path / "run.samples.parquet")
    assert one.labels == other.labels == LABELS
    assert one.predicted == MINI.named(*(sample[1] for sample in SAMPLES))
    assert (one.rank == 1).tolist() == [sample[2] == "correct" for sample in SAMPLES]
    (tmp_path / "other.csv").write_text(f"{MINI['oak']},{MINI['oak']}\n")
    run(
        "audit",
        str(tmp_path / "other.csv"),
        "--rounds",
        "50",
        "--out",
        str(tmp_path / "other.json"),
    )
    with pytest.raises(DataError, match="cannot be paired"):
        paired_samples(tmp_path / "run.json", tmp_path / "other.json")
    (tmp_path / "bare.json").write_text("{}")
    with pytest.raises(DataError, match=r"bare\.json is not a run"):
        read_run_samples(tmp_path / "bare.json")
    (tmp_path / "other.samples.parquet").unlink()
    with pytest.raises(DataError, match=r"other\.samples\.parquet does not exist"):
        read_run_samples(tmp_path / "other.json")
    with pytest.raises(
        DataError, match=r"flags\.csv: not a Parquet file.*Expected the samples of a run"
    ):
        read_run_samples(tmp_path / "flags.csv")


def test_a_shared_first_place_is_no_right_prediction(tmp_path: Path) -> None:
    scores = np.array([[1.0, 1.0, 0.0], [2.0, 1.0, 0.0]])
    names = MINI.named("poodle", "oak", "tree")
    np.savez(tmp_path / "s.npz", scores=scores, classes=names, labels=[names[0]] * 2)
    run(
        "audit",
        str(tmp_path / "s.npz"),
        "--rounds",
        "50",
        "--out",
        str(tmp_path / "tied.json"),
    )
    found = read_run_samples(tmp_path / "tied.json")
    assert found.rank.tolist() == [2, 1]
    assert found.predicted[0] != names[0]
    assert found.predicted[1] == names[0]
