"""One tie rule for every metric, against a search through all orders of tied candidates."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise, permutations, product
from pathlib import Path
from typing import Any

import networkx
import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphzsl import metrics
from graphzsl.audit import Predictions, as_predictions, read_predictions
from graphzsl.audit.evaluate import evaluate
from graphzsl.audit.evaluation_options import EvaluationOptions as Options
from graphzsl.models.runs.predict import predict
from tests.problems import mini_subgraph

GRAPH = mini_subgraph()
RELATIONS = replace(GRAPH, manifest={"whole": True}).hierarchy
UPWARD = networkx.DiGraph([(GRAPH.wnids[a], GRAPH.wnids[b]) for a, b in GRAPH.edge_index.T])
#: Nodes that reach one root, so that any two of them have a common ancestor.
ROOT = max(
    (node for node in UPWARD if not UPWARD[node]),
    key=lambda node: len(networkx.ancestors(UPWARD, node)),
)
NODES = sorted(networkx.ancestors(UPWARD, ROOT))
#: From best to worst.
ORDER = ["correct", "parent", "child", "unrelated"]
C = 6


def _given(
    folder: Path, scores: Any, classes: list[str], labels: list[str], seen: Any = ()
) -> Predictions:
    np.savez(
        folder / "given.npz",
        scores=np.array(scores, float),
        classes=np.array(classes),
        labels=np.array(labels),
    )
    return read_predictions(folder / "given.npz", seen=seen)


def _orders(row: np.ndarray) -> Iterator[list[int]]:
    """Every order of the columns that the scores allow."""
    tied = [
        np.flatnonzero(row == value).tolist() for value in sorted(set(row.tolist()), reverse=True)
    ]
    for parts in product(*(permutations(part) for part in tied)):
        yield [column for part in parts for column in part]


def _outcome(true: str, found: str) -> str:
    if true == found:
        return "correct"
    if found in networkx.descendants(UPWARD, true):
        return "parent"
    return "child" if found in networkx.ancestors(UPWARD, true) else "unrelated"


def _height_of(graph: networkx.DiGraph, one: str, other: str) -> int:
    """Smallest longest way down from a common ancestor; edges go up."""
    if one == other:
        return 0
    common = (networkx.descendants(graph, one) | {one}) & (
        networkx.descendants(graph, other) | {other}
    )
    down = graph.reverse()
    return min(
        networkx.dag_longest_path_length(down.subgraph(networkx.descendants(down, a) | {a}))
        for a in common
    )


def _hcorrect(label: str, classes: list[str], k: int) -> set[str]:
    hops = networkx.single_source_shortest_path_length(UPWARD.to_undirected(), label)
    for radius in range(len(NODES)):
        found = {name for name in classes if hops.get(name, 10**6) <= radius}
        if len(found) >= k:
            return found
    raise AssertionError("no such set")


def _sample(row: np.ndarray, label: str, classes: list[str]) -> dict[str, tuple[float, float]]:
    """Metric -> (worst, mean) over every order, from the definitions."""
    above = {node for name in classes for node in networkx.descendants(UPWARD, name)} | set(classes)
    trimmed = UPWARD.subgraph(above)
    height = {name: _height_of(trimmed, label, name) for name in classes}
    full = {name: _height_of(UPWARD, label, name) for name in classes}
    correct = {k: _hcorrect(label, classes, k) for k in (2, 5)}
    outcome = {name: _outcome(label, name) for name in classes}
    values: dict[str, list[float]] = {}
    outcomes = []
    for order in _orders(row):
        names = [classes[column] for column in order]
        place = names.index(label)
        for name, value in {
            **{f"hit@{k}": float(place < k) for k in (1, 2, 5, 10)},
            **{f"hp@{k}": len(set(names[:k]) & correct[k]) / k for k in (2, 5)},
            "mean_rank": place + 1,
            "lca_height@1": height[names[0]],
            "lca_height@5": min(height[name] for name in names[:5]),
            "lca_height_wordnet@1": full[names[0]],
        }.items():
            values.setdefault(name, []).append(value)
        outcomes.append(outcome[names[0]])
    found = {}
    for name, every in values.items():
        worst = max(every) if "height" in name or "rank" in name else min(every)
        found[name] = (worst, sum(every) / len(every))
    worst_outcome = max(outcomes, key=ORDER.index)
    for name in ORDER:
        found[name] = (float(worst_outcome == name), outcomes.count(name) / len(outcomes))
    return found


@given(st.integers(0, 10**6), st.integers(1, 3), st.integers(1, 3))
@settings(max_examples=30, deadline=None)
def test_every_metric_against_all_orders(
    tmp_path_factory: pytest.TempPathFactory, seed: int, n: int, v: int
) -> None:
    random = np.random.default_rng(seed)
    classes = sorted(random.choice(NODES, C, replace=False).tolist())
    scores = random.integers(0, v, (n, C)).astype(float)
    labels = random.choice(classes, n).tolist()
    found = evaluate(
        _given(tmp_path_factory.mktemp("x"), scores, classes, labels),
        Options(RELATIONS, rounds=10),
    )["metrics"]
    oracle = [_sample(row, label, classes) for row, label in zip(scores, labels, strict=True)]
    assert set(found) == {*oracle[0], "hit@20"}
    for name in oracle[0]:
        worst, mean = np.array([sample[name] for sample in oracle]).T
        assert found[name]["per_sample"] == pytest.approx(worst.mean()), name
        differs = ~np.isclose(worst, mean)
        assert ("expected_under_random_ties" in found[name]) == differs.any(), name
        if differs.any():
            expected = found[name]["expected_under_random_ties"]
            assert expected["per_sample"] == pytest.approx(mean.mean()), name
            assert expected["tied_samples"] == pytest.approx(differs.mean()), name
            by_class = [
                np.mean([m for m, y in zip(mean, labels, strict=True) if y == c])
                for c in sorted(set(labels))
            ]
            assert expected["per_class"] == pytest.approx(np.mean(by_class)), name
    assert found["hit@1"] == found["correct"]


@given(st.integers(0, 10**6), st.integers(1, 12), st.integers(1, 4))
@settings(max_examples=50, deadline=None)
def test_both_sides_of_the_seen_unseen_curve(
    tmp_path_factory: pytest.TempPathFactory, seed: int, n: int, v: int
) -> None:
    """With γ between the margins a sample is right where its side's best candidate is the true
    class in every order."""
    random = np.random.default_rng(seed)
    classes, seen = list("abcdef"), list("abc")
    scores = random.integers(0, v, (n + 2, C)).astype(float)
    labels = ["a", "e", *random.choice(classes, n).tolist()]
    found = evaluate(
        _given(tmp_path_factory.mktemp("x"), scores, classes, labels, seen),
        Options(rounds=5),
    )["generalized"]
    sides = {True: [0, 1, 2], False: [3, 4, 5]}
    margins = scores[:, :3].max(axis=1) - scores[:, 3:].max(axis=1)
    curves: dict[str, list[tuple[float, float]]] = {"worst": [], "mean": []}
    for gamma in sorted({-99.0, *(margins + 0.5)}):
        accuracy: dict[str, dict[bool, dict[str, list[float]]]] = {
            k: {True: {}, False: {}} for k in curves
        }
        for row, label, margin in zip(scores, labels, margins, strict=True):
            columns = sides[bool(margin > gamma)]
            firsts = [classes[columns[order[0]]] == label for order in _orders(row[columns])]
            for kind, value in (("worst", min(firsts)), ("mean", sum(firsts) / len(firsts))):
                accuracy[kind][label in seen].setdefault(label, []).append(float(value))
        for kind, curve in curves.items():
            seen_accuracy, unseen_accuracy = (
                float(np.mean([np.mean(values) for values in accuracy[kind][side].values()]))
                for side in (True, False)
            )
            curve.append((seen_accuracy, unseen_accuracy))
    area = {
        kind: sum((a[0] - b[0]) * (a[1] + b[1]) / 2 for a, b in pairwise(curve))
        for kind, curve in curves.items()
    }
    assert found["ausuc"] == pytest.approx(area["worst"])
    assert found.get("expected_under_random_ties", found)["ausuc"] == pytest.approx(area["mean"])
    for kind, key in (("worst", None), ("mean", "expected_under_random_ties")):
        for side, name in ((False, "ts"), (True, "tr")):
            values: dict[str, list[float]] = {}
            for row, label in zip(scores, labels, strict=True):
                if (label in seen) == side:
                    firsts = [classes[order[0]] == label for order in _orders(row)]
                    share = float(min(firsts)) if kind == "worst" else sum(firsts) / len(firsts)
                    values.setdefault(label, []).append(share)
            given_here = found["hit@1"].get(key, found["hit@1"]) if key else found["hit@1"]
            assert given_here["per_class"][name] == pytest.approx(
                np.mean([np.mean(v) for v in values.values()])
            )


def test_constant_scores_are_worth_nothing(tmp_path: Path) -> None:
    classes = NODES[:C]
    labels = classes[:4]
    found = evaluate(
        _given(tmp_path, np.zeros((4, C)), classes, labels, classes[:2]),
        Options(RELATIONS, rounds=10),
    )
    assert found["metrics"]["hit@1"]["per_class"] == found["metrics"]["correct"]["per_class"] == 0
    assert found["metrics"]["hit@1"]["expected_under_random_ties"] == pytest.approx(
        {"per_class": 1 / 6, "per_sample": 1 / 6, "tied_samples": 1}
    )
    assert found["generalized"]["ausuc"] == 0
    assert found["generalized"]["curve"] == [[0, 0], [0, 0]]
    # Seen samples are right with chance 1/2 on their side, unseen ones with chance 1/4: the
    # triangle below (1/2, 0), (0, 1/4).
    assert found["generalized"]["expected_under_random_ties"]["ausuc"] == pytest.approx(
        1 / 2 * 1 / 4 / 2
    )
    assert found["ties"] == metrics.TIES_RULE


def test_the_semantic_interval_and_the_groups_follow_the_rule(tmp_path: Path) -> None:
    """One sample: its class, its parent and something unrelated tie for the first place."""
    true = next(node for node in NODES if any(parent in NODES for parent in UPWARD[node]))
    parent = next(node for node in UPWARD[true] if node in NODES)
    other = next(node for node in NODES if _outcome(true, node) == "unrelated")
    result = evaluate(
        _given(tmp_path, [[1, 1, 1]], [true, parent, other], [true]),
        Options(RELATIONS, rounds=5, train=[parent]),
    )
    assert result["semantic_interval"]["per_class"] == [0, 0]
    assert result["semantic_interval"]["expected_under_random_ties"]["per_class"] == pytest.approx(
        [2 / 3, 2 / 3]
    )
    assert result["false_negative_ratio"]["per_class"] is None
    assert result["false_negative_ratio"]["expected_under_random_ties"][
        "per_class"
    ] == pytest.approx(1)
    (group,) = result["groups"]["hops"]
    assert (group["group"], group["hit@1"], group["hit@5"]) == ("1", 0, 1)
    assert group["expected_under_random_ties"] == pytest.approx({"hit@1": 1 / 3})
    both = evaluate(
        _given(tmp_path, [[1, 1, 0]], [true, parent, other], [true]),
        Options(RELATIONS, rounds=5),
    )
    assert both["semantic_interval"]["per_class"] == [1, 1], "the worst of the tied is the parent"
    assert both["metrics"]["parent"]["expected_under_random_ties"]["per_class"] == 0.5


def test_expected_values_of_a_long_tie_by_hand() -> None:
    """5 of 8 tied places: C(n, 5) / C(8, 5) = C(n, 5) / 56 is the chance that the minimum is among
    the n largest."""
    worst, mean = metrics.tied_minimum(9.0, np.array([1.0, 2, 2, 3, 4, 4, 4, 7]), 5)
    at_least = {1: 56 / 56, 2: 21 / 56, 3: 1 / 56}  # 8, 7 and 5 values; C(7, 5) = 21
    assert worst == 3
    assert mean == pytest.approx(1 * at_least[1] + (2 - 1) * at_least[2] + (3 - 2) * at_least[3])
    assert metrics.tied_minimum(2.0, np.array([4.0, 5, 6]), 1) == (2, 2)
    assert metrics.tied_precision(1, 2, 4, 3, 5) == pytest.approx((2 / 5, (1 + 3 * 2 / 4) / 5))
    assert metrics.expected_hits(np.array([2, 2, 2, 9]), np.array([6, 6, 6, 10]), 4).tolist() == [
        0.5,
        0.5,
        0.5,
        0,
    ]


def test_ties_are_kept_by_blocks_and_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tie of 30 candidates goes on beyond the list of 20; equal ties are kept once."""
    classes = [f"n{i:08d}" for i in range(40)]
    scores = np.zeros((6, 40))
    scores[:, :5] = [3, 2, 2, 2, 1]
    scores[:3, 5:10] = -1
    found = _given(tmp_path, scores, classes, [classes[7]] * 3 + [classes[12]] * 3)
    assert found.ties is not None
    assert [len(group) for group in found.ties.groups] == [30, 35]
    expected = evaluate(found, Options(rounds=5))["metrics"]
    assert "expected_under_random_ties" not in expected["hit@5"], (
        "only the five better ones are first"
    )
    # 0 of the first three samples' (they score less), and (10 - 5) / 35 of the others
    assert expected["hit@10"]["expected_under_random_ties"]["per_class"] == pytest.approx(
        (0 + 5 / 35) / 2
    )
    assert expected["mean_rank"]["expected_under_random_ties"]["per_class"] == pytest.approx(
        (38 + 23) / 2
    )
    part = found.subset(np.array([False] * 3 + [True] * 3))
    alone = evaluate(part, Options(rounds=5))["metrics"]
    assert alone["hit@10"]["expected_under_random_ties"]["per_class"] == pytest.approx(5 / 35)
    assert found.predicted() == [classes[0]] * 6


def test_what_is_kept_as_predicted_is_right_where_the_rank_is_one(tmp_path: Path) -> None:
    given_here = _given(
        tmp_path,
        [[1, 1, 0], [1, 1, 0], [2, 1, 1], [0, 0, 0]],
        ["a", "b", "c"],
        ["a", "b", "a", "c"],
    )
    given_here.save(tmp_path / "x.parquet")
    table = pq.read_table(tmp_path / "x.parquet").to_pydict()
    assert table == {
        "label": ["a", "b", "a", "c"],
        "predicted": ["b", "a", "a", "a"],
        "rank": [2, 2, 1, 3],
    }


def test_lists_hold_no_ties() -> None:
    listed = as_predictions([["a", "b"], ["b"]], ["a", "a"], ["a", "b", "c"], 2)
    found = evaluate(listed, Options(rounds=5))
    assert listed.ties is None
    assert found["ties"] == metrics.LISTS_RULE
    assert not any("expected_under_random_ties" in value for value in found["metrics"].values())
    json.dumps(found, allow_nan=False)


def test_blocks_of_samples_share_their_ties(monkeypatch: pytest.MonkeyPatch) -> None:
    from graphzsl.data import CLASSIFIERS, ClassMatrix, Samples
    from graphzsl.models.base.zero_shot_model import ZeroShotModel

    wnids = [f"n{i:08d}" for i in range(30)]
    rows = np.repeat(np.random.default_rng(0).normal(size=(2, 4)), [24, 6], axis=0).astype(
        np.float32
    )
    model = ZeroShotModel(ClassMatrix(wnids, rows, {"kind": CLASSIFIERS}))
    features = np.random.default_rng(1).normal(size=(50, 3)).astype(np.float32)
    samples = Samples(features, [wnids[i % 30] for i in range(50)], {})
    whole = predict(model, samples)
    monkeypatch.setattr("graphzsl.audit.scored_blocks._BLOCK_BYTES", 30 * 4 * 7)
    parts = predict(model, samples)
    assert whole.ties is not None
    assert parts.ties is not None
    assert {len(group) for group in whole.ties.groups} <= {24, 6}
    assert len(parts.ties.groups) == len(whole.ties.groups) <= 2
    assert (
        evaluate(whole, Options(rounds=5))["metrics"]
        == evaluate(parts, Options(rounds=5))["metrics"]
    )


@pytest.mark.parametrize("gated", [False, True])
def test_candidates_with_equal_rows_tie_exactly(gated: bool) -> None:
    """A matrix product rounds by position, most of all where rows or samples are no multiple of
    what a processor takes at once: without care scores of equal rows differ. Behind a detector of
    novel samples, for which every sample here is novel, too."""
    from graphzsl.data import CLASSIFIERS, ClassMatrix, Samples
    from graphzsl.models.base.novelty import Threshold
    from graphzsl.models.base.zero_shot_model import ZeroShotModel

    random = np.random.default_rng(0)
    wnids = [f"n{i:08d}" for i in range(15)]
    rows = random.normal(size=(3, 1281)).astype(np.float32)[np.arange(15) % 3]
    features = random.normal(size=(15, 1280)).astype(np.float32)
    one = np.ones(1, np.float32)
    gate = Threshold(
        ["seen"],
        np.zeros((1, 1280), np.float32),
        one,
        np.zeros((1, 1280), np.float32),
        one,
        one * np.inf,
    )
    model = ZeroShotModel(
        ClassMatrix(wnids, rows, {"kind": CLASSIFIERS}), gate=gate if gated else None
    )
    for count in (1, 2, 3, 7, 15):
        found = predict(model, Samples(features[:count], wnids[:count], {}))
        assert found.ties is not None
        each = (found.rank - found.ties.better).tolist()
        assert each == [5] * count, "each row is that of five classes"
        assert {len(columns) for _, _, columns in found.ties.crossing(1)} == {5}
