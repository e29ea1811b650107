"""The table of classes of a run, and where false negatives fall: hand calculations on the mini
WordNet."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy import stats

from graphzsl.audit import Predictions, as_predictions, read_predictions
from graphzsl.audit.class_table import class_rows, wilson_interval, write_class_table
from graphzsl.audit.evaluate import evaluate, measures_of
from graphzsl.audit.evaluation_options import EvaluationOptions as Options
from graphzsl.audit.outcomes import false_negatives_on_training
from graphzsl.common import DataError
from graphzsl.data import save_subgraph
from graphzsl.hierarchy import Hierarchy
from graphzsl.names import class_name_column, class_values
from tests.command import run
from tests.mini import MiniWordNet
from tests.problems import mini_subgraph

MINI = MiniWordNet()


@pytest.fixture(scope="module")
def hierarchy() -> Hierarchy:
    graph = mini_subgraph()
    populations = [MINI.populations.get(wnid) for wnid in graph.wnids]
    return replace(graph, manifest={"whole": True}, populations=populations).hierarchy


def listed(*lines: tuple[str, ...]) -> Predictions:
    """Lines of names: the true class, then the predicted ones."""
    wnids = [MINI.named(*line) for line in lines]
    candidates = sorted({name for line in wnids for name in line})
    depth = max(len(line) - 1 for line in wnids)
    return as_predictions(
        [line[1:] for line in wnids], [line[0] for line in wnids], candidates, depth
    )


#: poodle: right, dog (parent), toy poodle (child), toy poodle (child); oak: tree, oak second, then
#: four others.
LINES = (
    ("poodle", "poodle", "dog"),
    ("poodle", "dog", "poodle"),
    ("poodle", "toy_poodle", "cat"),
    ("poodle", "toy_poodle", "poodle"),
    ("oak", "tree", "oak"),
    ("oak", "cat", "tree"),
    ("oak", "oak"),
)


def test_a_row_for_each_class_by_hand(hierarchy: Hierarchy) -> None:
    rows = {
        row["name"].partition(".")[0]: row
        for row in class_rows(listed(*LINES), hierarchy, MINI.named("horse", "maple"))
    }
    poodle, oak = rows["poodle"], rows["oak"]
    assert set(rows) == {"poodle", "oak"}
    assert (poodle["samples"], poodle["hit@1"]) == (4, 0.25)
    assert [poodle[kind] for kind in ("correct", "parent", "child", "unrelated")] == [
        0.25,
        0.25,
        0.5,
        0,
    ]
    assert (poodle["wrong"], poodle["wrong_share"]) == (MINI["toy_poodle"], 0.5)
    assert poodle["wrong_name"] == "toy_poodle.n.01"
    # poodle - dog - domestic animal - horse
    assert (poodle["hops"], poodle["population"]) == (3, 110)
    assert (poodle["closest"], poodle["closest_name"]) == (MINI["horse"], "horse.n.01")
    assert poodle["closest_ties"] == 1
    # entity, object, living thing, animal, domestic animal, chordate, mammal, dog; the short way is
    # by domestic animal
    assert (poodle["ancestors"], poodle["depth"]) == (8, 6)
    assert (oak["samples"], oak["hit@1"]) == (3, pytest.approx(1 / 3))
    assert [oak[kind] for kind in ("correct", "parent", "child", "unrelated")] == pytest.approx(
        [1 / 3, 1 / 3, 0, 1 / 3]
    )
    assert oak["wrong"] == min(MINI.named("tree", "cat")), (
        "of two equally frequent ones the smaller wnid"
    )
    assert oak["hops"] == 2  # oak - tree - maple
    assert "hit@5" not in poodle, "lists of two say nothing about five"


def test_classes_without_a_hierarchy_have_accuracies_alone() -> None:
    (row,) = class_rows(listed(("oak", "tree", "oak"), ("oak", "oak")))
    assert (row["hit@1"], row["wrong"], row["samples"]) == (0.5, MINI["tree"], 2)
    assert not {"name", "parent", "hops", "closest", "population"} & row.keys()


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_intervals_are_wilson_score_intervals(level: float) -> None:
    for right, samples in ((0, 1), (1, 1), (3, 7), (50, 50), (49, 50), (0, 50)):
        reference = stats.binomtest(right, samples).proportion_ci(level, method="wilson")
        low, high = wilson_interval([right], [samples], level)
        assert (low[0], high[0]) == pytest.approx((reference.low, reference.high), abs=1e-12)
    # of these middle and half differ in their last digit
    numbers = np.arange(1, 61)
    assert (wilson_interval(np.zeros(60), numbers, level)[0] == 0).all()
    assert (wilson_interval(numbers, numbers, level)[1] == 1).all()


def test_a_tie_is_the_same_outcome_in_the_table_and_in_the_run(
    hierarchy: Hierarchy, tmp_path: Path
) -> None:
    """Oak, tree (its parent) and cat share the largest score: the worst of them, unrelated, counts
    everywhere."""
    names = MINI.named("oak", "tree", "cat", "horse")
    scores = np.array([[1.0, 1.0, 1.0, 0.0], [1.0, 1.0, 0.0, 0.0]])
    np.savez(tmp_path / "s.npz", scores=scores, classes=names, labels=[names[0], names[0]])
    tied = read_predictions(tmp_path / "s.npz")
    assert tied.predicted(hierarchy) == [names[2], names[1]]
    assert tied.predicted() == [
        names[1],
        names[1],
    ], "without a hierarchy the first by position that is wrong"
    (row,) = class_rows(tied, hierarchy)
    found = evaluate(tied, Options(hierarchy, rounds=5))["metrics"]
    assert [row[kind] for kind in ("hit@1", "correct", "parent", "child", "unrelated")] == [
        0,
        0,
        0.5,
        0,
        0.5,
    ]
    for kind in ("hit@1", "correct", "parent", "child", "unrelated"):
        assert row[kind] == found[kind]["per_class"], kind
    tied.save(tmp_path / "s.parquet", hierarchy)
    assert pq.read_table(tmp_path / "s.parquet")["predicted"].to_pylist() == [names[2], names[1]]


def test_tables_are_read_back(tmp_path: Path, hierarchy: Hierarchy) -> None:
    rows = class_rows(listed(*LINES), hierarchy, MINI.named("horse"))
    for name in ("t.parquet", "t.csv"):
        manifest = write_class_table(rows, tmp_path / name, tmp_path / name, 0.95)
        assert (manifest["interval"], manifest["classes"]) == ("Wilson", 2)
        assert class_values(tmp_path / name) == {
            MINI["poodle"]: 0.25,
            MINI["oak"]: pytest.approx(1 / 3),
        }
        assert class_values(tmp_path / name, "population") == {
            MINI["poodle"]: 110,
            MINI["oak"]: 410,
        }
        assert class_name_column(tmp_path / name) == {
            MINI["poodle"]: "poodle.n.01",
            MINI["oak"]: "oak.n.01",
        }
        with pytest.raises(DataError, match="no column hit@9; it has wnid, name, samples"):
            class_values(tmp_path / name, "hit@9")
    (tmp_path / "v.csv").write_text(f"wnid,value\n{MINI['oak']},0.5\n")
    assert class_values(tmp_path / "v.csv") == {MINI["oak"]: 0.5}
    with pytest.raises(DataError, match=r"must end in \.parquet or \.csv"):
        write_class_table(rows, tmp_path / "t.txt", tmp_path / "t.txt", 0.95)
    (tmp_path / "bad.parquet").write_text("no")
    with pytest.raises(DataError, match="Expected a table of classes"):
        class_values(tmp_path / "bad.parquet")
    (tmp_path / "bad.csv").write_text(f"wnid,samples,hit@1\n{MINI['oak']},3,often\n")
    with pytest.raises(DataError, match=r"bad\.csv:2: hit@1 of .* must be a number"):
        class_values(tmp_path / "bad.csv")
    for wrong in (b"1", "1_0", [1.0]):
        table = pa.table({"wnid": [MINI["oak"]], "samples": [3], "hit@1": [wrong]})
        pq.write_table(table, tmp_path / "bad.parquet")
        with pytest.raises(DataError, match=r"bad\.parquet.* hit@1 of .* must be a number"):
            class_values(tmp_path / "bad.parquet")


def test_metrics_are_compared_over_the_classes_of_a_run(
    hierarchy: Hierarchy, tmp_path: Path
) -> None:
    """Mean ranks of three classes by hand, in a run with a seen class: 3/2, 1 and 3; hit@1 orders
    them as 1/2, 1 and 0."""
    names = MINI.named("oak", "cat", "horse", "dog")
    scores = np.array([[4, 3, 2, 1], [3, 4, 2, 1], [1, 4, 2, 3], [4, 3, 2, 1]], dtype=float)
    np.savez(
        tmp_path / "s.npz",
        scores=scores,
        classes=names,
        labels=[names[0], names[0], names[1], names[2]],
    )
    found = replace(read_predictions(tmp_path / "s.npz"), seen=[names[2]])
    against = Options(hierarchy, rounds=5)
    measures = measures_of(found, against)
    rows = {row["wnid"]: row for row in class_rows(found, hierarchy, measures=measures)}
    assert [(rows[wnid]["hit@1"], rows[wnid]["mean_rank"]) for wnid in names[:3]] == [
        (0.5, 1.5),
        (1, 1),
        (0, 3),
    ]
    assert [rows[wnid]["hit@2"] for wnid in names[:3]] == [1, 1, 0]
    assert rows[names[1]]["lca_height@1"] == 0
    assert "correct" in rows[names[0]]
    assert evaluate(found, against, measures)["metrics"] == evaluate(found, against)["metrics"]
    assert evaluate(found, against)["metrics"]["mean_rank"]["per_class"] == 1.25, (
        "of the unseen classes alone"
    )
    table = tmp_path / "r.classes.parquet"
    write_class_table(list(rows.values()), table, table, 0.95)
    pairs = {(row["metric"], row["other"]): row for row in run("evaluate", "agreement", str(table))}
    assert (
        pairs["hit@1", "mean_rank"]["kendall_tau"],
        pairs["hit@1", "mean_rank"]["same_order"],
    ) == (1, True)
    assert pairs["hit@1", "hit@2"]["same_order"] is False
    assert ("hit@1", "lca_height@1") in pairs


def test_every_evaluation_writes_the_table(tmp_path: Path) -> None:
    save_subgraph(
        replace(mini_subgraph(), manifest={"kind": "subgraph", "whole": True}), tmp_path / "whole"
    )
    lines = [",".join(MINI.named(*line)) for line in LINES]
    (tmp_path / "p.csv").write_text("\n".join(lines) + "\n")
    common = (
        "audit",
        str(tmp_path / "p.csv"),
        "--wordnet",
        str(tmp_path / "whole"),
        "--rounds",
        "50",
    )
    run(*common, "--out", str(tmp_path / "run.json"))
    table = pq.read_table(tmp_path / "run.classes.parquet").to_pylist()
    assert {row["name"]: row["hit@1"] for row in table} == {
        "poodle.n.01": 0.25,
        "oak.n.01": pytest.approx(1 / 3),
    }
    result = json.loads((tmp_path / "run.json").read_text())
    assert result["class_table"]["file"] == "run.classes.parquet"
    assert np.mean([row["hit@1"] for row in table]) == pytest.approx(
        result["metrics"]["hit@1"]["per_class"]
    )
    run(*common, "--out", str(tmp_path / "two.json"), "--classes-table", str(tmp_path / "two.csv"))
    assert class_values(tmp_path / "two.csv")[MINI["poodle"]] == 0.25
    assert not (tmp_path / "two.classes.parquet").exists()
    (said,) = run(
        *common,
        "--out",
        str(tmp_path / "3.json"),
        "--classes-table",
        str(tmp_path / "3.txt"),
        code=2,
    )
    assert "3.txt must end in .parquet or .csv" in said["said"]


def test_false_negatives_on_training_classes_by_hand(hierarchy: Hierarchy) -> None:
    """poodle: dog (FN, training), toy poodle (FN, unseen), cat (training, no FN); oak: tree (FN,
    training)."""
    labels = MINI.named("poodle", "poodle", "poodle", "poodle", "oak")
    predicted = MINI.named("dog", "toy_poodle", "cat", "poodle", "tree")
    found = false_negatives_on_training(
        labels, predicted, MINI.named("dog", "cat", "tree"), hierarchy
    )
    assert (found["false_negatives"], found["on_training_classes"]) == (3, 2)
    assert found["per_sample"] == pytest.approx(2 / 3)
    # poodle: 2 of 4 are FN, 1 of 4 on a training class; oak: 1 and 1. (1/4 + 1) / (2/4 + 1)
    assert found["per_class"] == pytest.approx(1.25 / 1.5)
    none = false_negatives_on_training(labels[3:4], predicted[3:4], MINI.named("dog"), hierarchy)
    assert (none["false_negatives"], none["per_class"], none["per_sample"]) == (0, None, None)


def test_false_negatives_on_training_classes_where_predictions_tie(hierarchy: Hierarchy) -> None:
    """The first sample ties between dog (FN, training), toy poodle (FN, unseen) and cat: at random
    2/3 of an FN, 1/3 on a training class. The second is one for certain: (1/3 + 1) / (2/3 + 1)."""
    labels, training = MINI.named("poodle", "oak"), MINI.named("dog", "cat", "tree")
    predicted = MINI.named("cat", "tree")
    tied = {0: MINI.named("dog", "toy_poodle", "cat")}
    found = false_negatives_on_training(labels, predicted, training, hierarchy, tied)
    assert found["per_sample"] == 1, "the worst outcome of the tie is no FN"
    expected = found["expected_under_random_ties"]
    assert expected["per_sample"] == pytest.approx(0.8)
    assert expected["per_class"] == pytest.approx(0.8), "one sample a class"
    two = {0: MINI.named("dog", "toy_poodle")}
    found = false_negatives_on_training(labels[:1], MINI.named("dog"), training, hierarchy, two)
    assert (found["per_class"], found["expected_under_random_ties"]["per_class"]) == (1, 0.5)
    assert "expected_under_random_ties" not in false_negatives_on_training(
        labels, predicted, training, hierarchy, {}
    )


def test_a_tie_for_the_first_place_is_found_in_scores(hierarchy: Hierarchy) -> None:
    names = MINI.named("dog", "toy_poodle", "cat", "poodle")
    scores = [[2.0, 2.0, 1.0, 0.0], [1.0, 0.0, 3.0, 0.0]]
    found = Predictions.from_scores(scores, names, MINI.named("poodle", "poodle"))
    tied = {row: [found.candidates[c] for c in each] for row, each in found.tied_first.items()}
    assert tied == {0: MINI.named("dog", "toy_poodle")}
    generalized = Predictions.from_scores(
        [*scores, [5.0, 0.0, 0.0, 0.0]],
        names,
        MINI.named("poodle", "poodle", "dog"),
        seen=MINI.named("dog"),
    )
    share = evaluate(generalized, Options(hierarchy, rounds=20))["generalized"][
        "false_negatives_on_training"
    ]
    assert share["per_sample"] == 0, "a child is a worse outcome than a parent"
    assert share["expected_under_random_ties"]["per_sample"] == 0.5


def test_a_generalized_run_says_where_its_false_negatives_fall(hierarchy: Hierarchy) -> None:
    found = listed(*LINES, ("dog", "poodle", "dog"), ("tree", "tree"))
    found = replace(found, seen=MINI.named("dog", "tree", "cat"))
    result = evaluate(found, Options(hierarchy, rounds=20))["generalized"][
        "false_negatives_on_training"
    ]
    # unseen samples alone: FN are poodle -> dog, toy poodle twice, oak -> tree; dog and tree are
    # training classes
    assert (result["false_negatives"], result["on_training_classes"]) == (4, 2)
    assert result["per_sample"] == 0.5
    # poodle: 3/4 FN, 1/4 on training; oak: 1/3 and 1/3
    assert result["per_class"] == pytest.approx((1 / 4 + 1 / 3) / (3 / 4 + 1 / 3))
    assert "false_negatives_on_training" not in evaluate(found, Options(rounds=20))["generalized"]
