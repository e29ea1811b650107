"""Relations, predictions and the whole evaluation against loops and networkx on the mini
WordNet."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import networkx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphzsl import metrics
from graphzsl.audit import Predictions, read_predictions
from graphzsl.audit.class_table import class_rows
from graphzsl.audit.evaluate import evaluate, measures_of
from graphzsl.audit.evaluation_options import EvaluationOptions as Options
from graphzsl.common import DataError, ModelError
from graphzsl.common.errors import SplitError
from graphzsl.data import CLASSIFIERS, ClassMatrix, Samples
from graphzsl.hierarchy import Hierarchy
from graphzsl.hierarchy.hcorrect import hcorrect_sets
from graphzsl.metrics.significance import Friedman, Paired, paired_bootstrap
from graphzsl.models.base.zero_shot_model import ZeroShotModel
from graphzsl.models.runs.predict import predict
from tests.audit.kinds import ranked
from tests.mini import MiniWordNet
from tests.problems import mini_subgraph


@pytest.fixture(scope="module")
def hierarchy() -> Hierarchy:
    mini = MiniWordNet()
    graph = mini_subgraph()
    populations = [mini.populations.get(wnid) for wnid in graph.wnids]
    return replace(graph, manifest={"whole": True}, populations=populations).hierarchy


@pytest.fixture(scope="module")
def upward(hierarchy: Hierarchy) -> networkx.DiGraph:
    wnids = hierarchy.wnids
    return networkx.DiGraph([(wnids[a], wnids[b]) for a, b in mini_subgraph().edge_index.T])


def test_outcomes_and_ancestors(hierarchy: Hierarchy, upward: networkx.DiGraph) -> None:
    wnids = hierarchy.wnids
    for true in wnids:
        above = networkx.descendants(upward, true) if true in upward else set()
        assert hierarchy.ancestors(true) == above
        for found in wnids[::5]:
            expected = "correct" if found == true else "parent" if found in above else "unrelated"
            if (
                expected == "unrelated"
                and found in upward
                and true in networkx.descendants(upward, found)
            ):
                expected = "child"
            assert hierarchy.outcome(true, found) == expected


def test_heights_and_lowest_common_ancestors(
    hierarchy: Hierarchy, upward: networkx.DiGraph
) -> None:
    classes = hierarchy.wnids[::3]
    members = set(classes).union(*(hierarchy.ancestors(c) for c in classes))
    trimmed = upward.subgraph(members)
    heights = hierarchy.heights_among(classes)
    assert set(heights) == members
    for node in members:
        below = networkx.ancestors(trimmed, node) if node in trimmed else set()
        longest = max(
            (max(map(len, networkx.all_simple_paths(trimmed, leaf, node))) - 1 for leaf in below),
            default=0,
        )
        assert heights[node] == longest
    full = hierarchy.heights_among()
    assert all(full[node] >= height for node, height in heights.items())
    for one in classes[:6]:
        for other in classes[:6]:
            common = (hierarchy.ancestors(one) | {one}) & (hierarchy.ancestors(other) | {other})
            expected = (
                0 if one == other else min(heights[node] for node in common) if common else None
            )
            if expected is None:
                with pytest.raises(DataError, match="no common ancestor"):
                    hierarchy.lca_height(one, other, heights)
            else:
                assert (
                    hierarchy.lca_height(one, other, heights)
                    == expected
                    == hierarchy.lca_height(other, one, heights)
                )


def _hcorrect(
    hierarchy: Hierarchy, valid: list[str], ks: list[int]
) -> dict[int, dict[str, list[str]]]:
    found: dict[int, dict[str, list[str]]] = {k: {} for k in ks}
    for row in hcorrect_sets(hierarchy, valid, valid, ks):
        found[row.k][row.wnid] = row.members
    return found


def test_hcorrect_sets_against_a_search(hierarchy: Hierarchy, upward: networkx.DiGraph) -> None:
    undirected = upward.to_undirected()
    valid = [wnid for wnid in hierarchy.wnids[::2] if wnid in undirected]
    found = _hcorrect(hierarchy, valid, [1, 3, 6])
    for label in valid:
        hops = networkx.single_source_shortest_path_length(undirected, label)
        for k in (1, 3, 6):
            radius, members = -1, set()
            while len(members) < min(k, sum(v in hops for v in valid)):
                radius += 1
                members = {v for v in valid if hops.get(v, 99) <= radius}
            assert set(found[k][label]) == members
    assert all(found[1][label] == [label] for label in valid)
    with pytest.raises(SplitError, match="not a valid label"):
        list(hcorrect_sets(hierarchy, ["n99999999"], valid, [2]))
    hops = hierarchy.hops_from(valid[:2])
    assert hops[valid[0]] == 0
    for wnid in valid:
        lengths = [
            networkx.shortest_path_length(undirected, t, wnid)
            for t in valid[:2]
            if networkx.has_path(undirected, t, wnid)
        ]
        assert hops.get(wnid) == min(lengths, default=None)


def _model(wnids: list[str], seed: int = 0) -> ZeroShotModel:
    values = np.random.default_rng(seed).normal(size=(len(wnids), 5)).astype(np.float32)
    return ZeroShotModel(ClassMatrix(wnids, values, {"kind": CLASSIFIERS}))


def _samples(wnids: list[str], each: int = 3, seed: int = 1) -> Samples:
    labels = [wnid for row, wnid in enumerate(wnids) for _ in range(each + row % 3)]
    return Samples(
        np.random.default_rng(seed).normal(size=(len(labels), 4)).astype(np.float32),
        labels,
        {"features": "random"},
    )


def test_an_evaluated_run_against_loops(hierarchy: Hierarchy) -> None:
    wnids = [w for w in hierarchy.wnids if hierarchy.ancestors(w)][::2]
    model, samples = _model(wnids), _samples(wnids)
    predictions = predict(model, samples)
    result = evaluate(
        predictions,
        Options(hierarchy, train=hierarchy.wnids[:3], rounds=50),
        split="made up",
    )
    scores = model.scores(samples.features)
    heights, full = hierarchy.heights_among(wnids), hierarchy.heights_among()
    valid = _hcorrect(hierarchy, wnids, [5])[5]
    by_class: dict[str, dict[str, list[float]]] = {}
    for label, row in zip(samples.labels, scores, strict=True):
        order = sorted(range(len(wnids)), key=lambda column: -row[column])
        first = wnids[order[0]]
        values = by_class.setdefault(label, {})
        for name, value in {
            "hit@2": label in [wnids[c] for c in order[:2]],
            "correct": hierarchy.outcome(label, first) == "correct",
            "parent": hierarchy.outcome(label, first) == "parent",
            "child": hierarchy.outcome(label, first) == "child",
            "unrelated": hierarchy.outcome(label, first) == "unrelated",
            "lca_height@1": hierarchy.lca_height(label, first, heights),
            "lca_height@5": min(hierarchy.lca_height(label, wnids[c], heights) for c in order[:5]),
            "lca_height_wordnet@1": hierarchy.lca_height(label, first, full),
            "hp@5": len({wnids[c] for c in order[:5]} & set(valid[label])) / 5,
            "mean_rank": order.index(wnids.index(label)) + 1,
        }.items():
            values.setdefault(name, []).append(float(value))
    for name in next(iter(by_class.values())):
        expected = np.mean([np.mean(values[name]) for values in by_class.values()])
        assert result["metrics"][name]["per_class"] == pytest.approx(expected), name
        every = [value for values in by_class.values() for value in values[name]]
        assert result["metrics"][name]["per_sample"] == pytest.approx(np.mean(every)), name
    shares = [
        result["metrics"][name]["per_class"] for name in ("correct", "parent", "child", "unrelated")
    ]
    assert sum(shares) == pytest.approx(1)
    assert result["semantic_interval"]["per_class"] == pytest.approx(
        [shares[0] + shares[1], sum(shares[:3])]
    )
    groups = result["groups"]
    assert sum(group["samples"] for group in groups["hops"]) == len(samples.labels)
    assert sum(group["classes"] for group in groups["population"]) == len(wnids)
    assert {group["group"] for group in groups["population"]} >= {"unknown"}
    weighted = sum(group["hit@1"] * group["classes"] for group in groups["hops"]) / len(wnids)
    assert weighted == pytest.approx(result["metrics"]["hit@1"]["per_class"])
    assert result["split"] == "made up"
    assert "generalized" not in result
    json.dumps(result, allow_nan=False)


def test_the_generalized_setting_against_loops(hierarchy: Hierarchy) -> None:
    wnids = hierarchy.wnids[:20]
    model, samples = _model(wnids), _samples(wnids)
    seen = wnids[5:13]
    predictions = predict(model, samples, seen)
    assert predictions.seen == seen
    assert predictions.candidates[:8] == seen
    found = evaluate(predictions, Options(rounds=50))
    scores = model.scores(samples.features)
    right = {True: {}, False: {}}  # type: ignore[var-annotated]
    for label, row in zip(samples.labels, scores, strict=True):
        right[label in seen].setdefault(label, []).append(wnids[int(row.argmax())] == label)
    ts, tr = (
        np.mean([np.mean(values) for values in right[side].values()]) for side in (False, True)
    )
    figures = found["generalized"]["hit@1"]["per_class"]
    assert (figures["ts"], figures["tr"]) == pytest.approx((ts, tr))
    assert figures["h"] == pytest.approx(2 * ts * tr / (ts + tr) if ts + tr else 0)
    assert found["metrics"]["hit@1"]["per_class"] == pytest.approx(ts), (
        "metrics are of unseen classes"
    )
    assert found["samples"] == sum(label not in seen for label in samples.labels)
    # the curve, by taking γ off the seen scores
    sides = predictions.sides
    assert sides is not None
    curve = []
    for gamma in [-np.inf, *np.sort(sides.margin) + 1e-9]:
        accuracy = {True: {}, False: {}}  # type: ignore[var-annotated]
        for label, row in zip(samples.labels, scores, strict=True):
            adjusted = {w: s - (gamma if w in seen else 0) for w, s in zip(wnids, row, strict=True)}
            accuracy[label in seen].setdefault(label, []).append(
                max(adjusted, key=adjusted.__getitem__) == label
            )
        curve.append(
            [np.mean([np.mean(v) for v in accuracy[side].values()]) for side in (True, False)]
        )
    points = np.array(curve)
    expected = np.trapezoid(points[:, 1], -points[:, 0])
    assert found["generalized"]["ausuc"] == pytest.approx(expected, abs=1e-6)
    single = evaluate(
        predictions.subset(np.array([label in seen for label in samples.labels])),
        Options(rounds=10),
    )
    assert "generalized" not in single, "seen samples alone are one side"


@pytest.mark.parametrize("exported", [False, True])
def test_metrics_of_a_generalized_run_are_those_of_its_unseen_samples(
    hierarchy: Hierarchy, exported: bool
) -> None:
    """hCorrectSets too: among valid labels that are the unseen classes, or exported for the unseen
    classes alone."""
    wnids = hierarchy.wnids[:20]
    seen = wnids[5:13]
    predictions = predict(_model(wnids), _samples(wnids), seen)
    unseen = sorted(set(predictions.labels) - set(seen))
    sets = _hcorrect(hierarchy, unseen, [2, 5]) if exported else {}
    against = Options(hierarchy, hcorrect=sets, valid=unseen, train=seen, rounds=20)
    alone = evaluate(
        replace(
            predictions.subset(np.array([name not in seen for name in predictions.labels])), seen=[]
        ),
        against,
    )
    for measures in (None, measures_of(predictions, against)):
        found = evaluate(predictions, against, measures)
        assert found["metrics"] == alone["metrics"]
        assert found["hp_valid_set"] == alone["hp_valid_set"]
        assert "hp@5" in found["metrics"]
    rows = {
        row["wnid"]: row
        for row in class_rows(
            predictions, hierarchy, seen, measures=measures_of(predictions, against)
        )
    }
    assert all((rows[wnid]["hp@2"] is None) == (wnid in seen) for wnid in rows)
    assert np.mean([rows[wnid]["hp@2"] for wnid in unseen]) == pytest.approx(
        alone["metrics"]["hp@2"]["per_class"]
    )


@given(st.integers(0, 10_000), st.integers(2, 40))
@settings(max_examples=100, deadline=None)
def test_the_curve_is_monotone_and_its_area_bounded(seed: int, n: int) -> None:
    random = np.random.default_rng(seed)
    margin = random.integers(-3, 4, n).astype(float)
    seen_hit, unseen_hit = random.random(n) < 0.5, random.random(n) < 0.5
    curve = metrics.seen_unseen_curve(margin, seen_hit, unseen_hit, np.full(n, 1 / n))
    assert (np.diff(curve[:, 0]) <= 1e-12).all()
    assert (np.diff(curve[:, 1]) >= -1e-12).all()
    assert curve[0, 1] == 0
    assert curve[-1, 0] == pytest.approx(0)
    assert 0 <= metrics.area_under(curve) <= seen_hit.mean() * unseen_hit.mean() + 1e-9


def test_a_missing_class_is_an_error_or_a_miss() -> None:
    model = _model(["a", "b", "c"])
    samples = _samples(["a", "z"], each=2)
    with pytest.raises(ModelError, match="z has samples but is not a candidate"):
        predict(model, samples)
    found = evaluate(predict(model, samples, missing="miss"), Options(rounds=10))
    assert found["not_candidates"] == 1
    assert found["metrics"]["hit@20"]["per_class"] == 0.5, "z is never found, a always is"


def test_predictions_from_outside_are_those_from_inside(
    tmp_path: Path, hierarchy: Hierarchy
) -> None:
    wnids = hierarchy.wnids[:12]
    model, samples = _model(wnids), _samples(wnids)
    inside = predict(model, samples)
    scores = model.scores(samples.features)
    np.savez(
        tmp_path / "x.npz", scores=scores, classes=np.array(wnids), labels=np.array(samples.labels)
    )
    outside = read_predictions(tmp_path / "x.npz")
    lines = ["label,first,second"]
    for label, row in zip(samples.labels, inside.top[:, :5], strict=True):
        lines.append(",".join([label, *(wnids[column] for column in row)]))
    (tmp_path / "x.csv").write_text("\n".join(lines))
    listed = read_predictions(tmp_path / "x.csv", wnids)
    mine, theirs, table = (
        evaluate(each, Options(hierarchy, rounds=20)) for each in (inside, outside, listed)
    )
    assert mine["metrics"] == theirs["metrics"]
    assert table["lists"] == "the first 5"
    assert set(mine["metrics"]) - set(table["metrics"]) == {
        "hit@10",
        "hit@20",
        "hp@10",
        "mean_rank",
    }
    for name in table["metrics"]:
        assert table["metrics"][name] == mine["metrics"][name]


def test_scores_from_outside_in_the_generalized_setting(
    tmp_path: Path, hierarchy: Hierarchy
) -> None:
    wnids = hierarchy.wnids[:12]
    model, samples = _model(wnids), _samples(wnids)
    np.savez(
        tmp_path / "x.npz",
        scores=model.scores(samples.features),
        classes=np.array(wnids),
        labels=np.array(samples.labels),
    )
    inside = evaluate(predict(model, samples, wnids[3:7]), Options(rounds=10))
    outside = evaluate(read_predictions(tmp_path / "x.npz", seen=wnids[3:7]), Options(rounds=10))
    assert inside["generalized"] == outside["generalized"]
    assert inside["metrics"] == outside["metrics"]


def test_lists_of_class_numbers(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("label,first,second\n0,0,1\n2,1,0\n")
    found = read_predictions(tmp_path / "p.csv", ["a", "b", "c"], numbered=True)
    assert found.labels == ["a", "c"]
    assert found.rank.tolist() == [1, 3]
    (tmp_path / "p.csv").write_text("0,3\n")
    with pytest.raises(DataError, match=r"p\.csv:1: '3' is not a position from 0 to 2"):
        read_predictions(tmp_path / "p.csv", ["a", "b", "c"], numbered=True)


def test_bad_predictions_are_named(tmp_path: Path) -> None:
    def refused(text: str, message: str, classes: list[str] | None = None) -> None:
        (tmp_path / "p.csv").write_text(text)
        with pytest.raises(DataError, match=message):
            read_predictions(tmp_path / "p.csv", classes)

    refused("a,b\nb\n", r"p\.csv:2: expected the true class and at least one prediction")
    refused("a,b,b\n", r"p\.csv:1: b is predicted twice")
    refused("a,q\n", r"p\.csv:1: the predicted class .q. is none of the 2 candidates", ["a", "b"])
    refused("label,first\n", "holds no prediction")
    with pytest.raises(DataError, match="does not exist"):
        read_predictions(tmp_path / "none.csv")
    good = {"scores": np.eye(2), "classes": np.array(["a", "b"]), "labels": np.array(["a", "b"])}
    for change, message in (
        ({"scores": np.eye(3)}, r"2 labels do not fit scores of shape \(3, 3\)"),
        ({"scores": np.ones((2, 3))}, "there are 3 columns of scores for 2 candidates"),
        (
            {"scores": np.array([[1.0, np.nan], [0, 1]])},
            r"a score of sample 0 \(a\) is not a number",
        ),
        ({"classes": np.array(["a", "a"])}, "a is there twice: class 0 and class 1"),
    ):
        np.savez(tmp_path / "p.npz", **{**good, **change})
        with pytest.raises(DataError, match=message):
            read_predictions(tmp_path / "p.npz")
    np.savez(tmp_path / "p.npz", scores=np.eye(2))
    with pytest.raises(DataError, match="Expected scores"):
        read_predictions(tmp_path / "p.npz")
    np.savez(tmp_path / "p.npz", **{**good, "labels": np.array(["a", {"b": 1}], dtype=object)})
    with pytest.raises(DataError, match=r"p\.npz: labels is an array of Python objects"):
        read_predictions(tmp_path / "p.npz")


def test_paired_and_ranked_comparisons() -> None:
    random = np.random.default_rng(0)
    a, b = random.random(400) < 0.7, random.random(400) < 0.5
    found = Paired.from_hits(a, b).statistics()
    assert found["both"] + found["only_first"] == a.sum()
    assert found["p"] < 0.001
    assert Paired.from_hits(a, a).mcnemar() == {"z": 0.0, "p": 1.0, "p_one_sided": 1.0}
    low, high = paired_bootstrap(a.astype(float), b.astype(float), rounds=4000)
    assert low < a.mean() - b.mean() < high
    assert low > 0
    with pytest.raises(DataError, match="cannot be paired"):
        Paired.from_hits(a, b[1:])
    with pytest.raises(DataError, match="at least 2 observations"):
        Friedman.from_scores(["a", "b", "c"], np.ones((1, 3)))


@pytest.mark.parametrize(
    ("models", "observations", "level", "expected"),
    [
        (4, 14, 0.05, 1.25),  # the example of Demšar (2006), section 3.2.4, with q = 2.569
        (10, 4, 0.05, 3.164 * np.sqrt(10 * 11 / 24)),  # q of its table 5 (a)
        (3, 6, 0.10, 2.052 * np.sqrt(3 * 4 / 36)),
    ],
)
def test_nemenyis_critical_difference_is_the_published_one(
    models: int, observations: int, level: float, expected: float
) -> None:
    scores = np.random.default_rng(0).normal(size=(observations, models))
    found = Friedman.from_scores([*"abcdefghij"[:models]], scores)
    assert found.critical_difference(level) == pytest.approx(expected, abs=0.005)


def test_predictions_are_kept_for_pairing(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    model, samples = _model(["a", "b", "c"]), _samples(["a", "b"])
    predictions = predict(model, samples)
    predictions.save(tmp_path / "x.parquet")
    table = pq.read_table(tmp_path / "x.parquet").to_pydict()
    assert table["label"] == samples.labels
    assert table["rank"] == predictions.rank.tolist()
    assert table["predicted"] == [
        model.wnids[c] for c in model.scores(samples.features).argmax(axis=1)
    ]
    assert isinstance(predictions, Predictions)


def test_lists_of_one_place_have_no_figures_of_five(hierarchy: Hierarchy, tmp_path: Path) -> None:
    """A class that is not in a list of one place has rank 2 there, which is no hit among five."""
    wnids = hierarchy.wnids[:8]
    one = ranked([[wnids[0]]] * 8, wnids, wnids)
    against = Options(hierarchy, rounds=5, train=hierarchy.wnids[20:22])
    measures = measures_of(one, against)
    result = evaluate(one, against, measures)
    assert {int(name.partition("@")[2]) for name in result["metrics"] if "@" in name} == {1}
    for kind in ("hops", "population"):
        rows = result["groups"][kind]
        assert not any("hit@5" in row for row in rows), kind
        assert sum(row["hit@1"] * row["classes"] for row in rows) == 1
    assert not any(
        "@5" in name for row in class_rows(one, hierarchy, (), 0.95, measures) for name in row
    )
    with pytest.raises(DataError, match=r"hit@5 needs longer lists: the predictions hold 1 place"):
        one.hits(5)
    five = ranked([wnids[:5]] * 8, wnids, wnids)
    result = evaluate(five, against)
    assert {"hit@5", "hp@5", "lca_height@5"} <= result["metrics"].keys()
    assert sum(row["hit@5"] * row["classes"] for row in result["groups"]["hops"]) == 5
    few = Predictions.from_scores(np.eye(3), wnids[:3], wnids[:3])
    assert "lca_height@5" not in evaluate(few, against)["metrics"], "there are three candidates"
