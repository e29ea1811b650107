"""Metrics against naive loops and closed forms."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphzsl import metrics
from graphzsl.audit import as_predictions
from graphzsl.audit.evaluate import evaluate
from graphzsl.audit.evaluation_options import EvaluationOptions as Options
from graphzsl.audit.measures import precisions
from graphzsl.common import ModelError
from graphzsl.data import CLASSIFIERS, ClassMatrix, Samples
from graphzsl.metrics import bootstrap
from graphzsl.metrics.means import accuracy_by_candidates
from graphzsl.models.base.zero_shot_model import ZeroShotModel
from graphzsl.models.runs.predict import predict


def _problem(seed: int, n: int, c: int, ties: bool) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    scores = random.integers(0, 4, (n, c)).astype(float) if ties else random.normal(size=(n, c))
    return scores, random.integers(0, c, n)


@given(
    st.integers(0, 10_000), st.integers(1, 12), st.integers(1, 9), st.booleans(), st.integers(1, 12)
)
@settings(max_examples=200, deadline=None)
def test_ranks_and_lists_against_loops(seed: int, n: int, c: int, ties: bool, k: int) -> None:
    scores, truth = _problem(seed, n, c, ties)
    rank = metrics.ranks(scores, truth)
    top = metrics.ranked(scores, truth, k).top
    for row in range(n):
        assert rank[row] == sum(score >= scores[row, truth[row]] for score in scores[row])
        order = sorted(range(c), key=lambda column: (-scores[row, column], column))
        assert top[row].tolist() == order[:k]
    shuffled = np.random.default_rng(seed).permutation(c)
    assert np.array_equal(rank, metrics.ranks(scores[:, shuffled], np.argsort(shuffled)[truth])), (
        "candidates have no order"
    )


@given(
    st.integers(0, 10_000),
    st.integers(1, 40),
    st.integers(1, 90),
    st.one_of(st.integers(1, 5), st.integers(1, 100)),
    st.sampled_from([np.float32, np.float64]),
    st.integers(1, 200),
    st.sampled_from([1, 64, 1 << 20]),
    st.sampled_from([1, 2, 7, 64]),
    st.sampled_from([1, 4, 1000]),
)
@settings(max_examples=500, deadline=None)
def test_the_first_candidates_are_those_of_a_full_sort(
    seed: int, n: int, c: int, k: int, kind: type, values: int, block: int, group: int, few: int
) -> None:
    """Few distinct values, so that ties lie across the border, and many; blocks of one row, some
    and all; groups of any size; and any number of candidates that is called few."""
    random = np.random.default_rng(seed)
    levels = np.array([-np.inf, -1.5, -0.0, 0.0, 2.0], dtype=kind)[:values]
    scores = random.choice(np.append(levels, random.normal(size=values)).astype(kind), (n, c))
    truth = random.integers(-1, c, n)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("graphzsl.metrics.ranking._BLOCK", block)
        patch.setattr("graphzsl.metrics.ranking._SMALLEST_GROUP", group)
        patch.setattr("graphzsl.metrics.ranking._GROUPS", 1 if block == 64 else 5)
        patch.setattr("graphzsl.metrics.ranking._FEW", few)
        found = metrics.ranked(scores, truth, k)
        assert np.array_equal(metrics.ranks(scores, truth), found.rank)
    assert found.top.dtype == np.int64
    assert np.array_equal(found.top, np.argsort(-scores, axis=1, kind="stable")[:, :k])
    for row, column in enumerate(truth):
        ordered = sorted(scores[row], reverse=True)
        assert found.goes_on[row] == (k < c and ordered[min(k, c) - 1] in ordered[k:])
        if column < 0:
            assert (found.rank[row], found.better[row]) == (c + 1, c)
        else:
            true = scores[row, column]
            assert found.rank[row] == sum(score >= true for score in scores[row])
            assert found.better[row] == sum(score > true for score in scores[row])


@pytest.mark.parametrize("candidates", [2039, 2040, 2041, 4099])
def test_many_candidates_are_counted_whole(candidates: int) -> None:
    """Sums of 255 words of eight comparisons fill a byte: what lies beyond counts too."""
    scores = np.zeros((3, candidates), np.float32)
    scores[1] = np.arange(candidates)
    scores[2, ::2] = 1
    found = metrics.ranked(scores, np.array([5, 5, 5]), 20)
    assert found.rank.tolist() == [candidates, candidates - 5, candidates]
    assert found.better.tolist() == [0, candidates - 6, -(-candidates // 2)]


@pytest.mark.parametrize("kind", [np.uint8, np.int8, np.int64])
def test_integers_are_ranked_as_what_they_are(kind: type) -> None:
    """Unsigned, the smallest, and two that are one number in float64."""
    least, most = np.iinfo(kind).min, np.iinfo(kind).max
    scores = np.array([[least, most - 1, most, most - 1]], kind)
    found = metrics.ranked(scores, np.array([1]), 4)
    assert found.top.tolist() == [[2, 1, 3, 0]]
    assert (found.rank.tolist(), found.better.tolist()) == ([3], [1])


def test_ties_count_against_the_model() -> None:
    assert metrics.ranks(np.zeros((1, 5)), np.array([2])).tolist() == [5]
    with pytest.raises(ValueError, match="NaN"):
        metrics.ranks(np.array([[np.nan, 1.0]]), np.array([0]))


def test_hierarchical_precision_by_hand() -> None:
    """The hCorrectSet {d, a, z} of d; z is not a candidate."""
    lists = as_predictions([["d", "b", "a"], ["c", "a", "b"]], ["d", "d"], list("abcd"), 3)
    assert precisions(lists, {"d": ["d", "a", "z"]}, 3).worst.tolist() == pytest.approx(
        [2 / 3, 1 / 3]
    )
    assert precisions(lists, {"d": ["d"]}, 1).worst.tolist() == [1, 0]
    short = as_predictions([["a"]], ["d"], list("abcd"), 3)
    assert precisions(short, {"d": ["d", "a", "b"]}, 3).worst.tolist() == pytest.approx([1 / 3]), (
        "a list may end early"
    )


def test_per_class_weighs_classes_equally() -> None:
    values, truth = np.array([1.0, 1, 0, 1]), np.array([5, 5, 5, 2])
    assert metrics.per_class(values, truth).tolist() == pytest.approx([1, 2 / 3])
    assert values.mean() == 0.75


def test_bootstrap_by_counts_is_the_bootstrap() -> None:
    values = np.array([0.0, 1, 2, 2, 5, 9])
    draws = np.random.default_rng(0).choice(values, (40_000, 6)).mean(axis=1)
    found = metrics.bootstrap_interval(values, rounds=40_000, seed=3)
    assert found == pytest.approx(tuple(np.quantile(draws, [0.025, 0.975])), abs=0.06)


def _evaluated(block: int | None, monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    if block:
        monkeypatch.setattr("graphzsl.audit.scored_blocks._BLOCK_BYTES", block)
    random = np.random.default_rng(0)
    wnids = [f"n{i:08d}" for i in range(30)]
    model = ZeroShotModel(
        ClassMatrix(wnids, random.normal(size=(30, 9)).astype(np.float32), {"kind": CLASSIFIERS})
    )
    samples = Samples(
        random.normal(size=(100, 8)).astype(np.float32),
        [wnids[i] for i in random.integers(0, 30, 100)],
        {},
    )
    sets = {
        k: {w: wnids[max(0, i - k) : i + k] or [w] for i, w in enumerate(wnids)} for k in (2, 5)
    }
    return evaluate(predict(model, samples), Options(hcorrect=sets), split="test")


def test_an_interval_of_many_distinct_values_is_that_of_the_central_limit() -> None:
    """Values are drawn one by one there; with few distinct ones, how often each is drawn."""
    values = np.random.default_rng(1).normal(3.0, 2.0, 4000)
    assert len(np.unique(values)) > bootstrap._FEW
    low, high = metrics.bootstrap_interval(values, rounds=4000)
    half = 1.96 * values.std() / np.sqrt(len(values))
    assert low == pytest.approx(values.mean() - half, abs=0.05 * half)
    assert high == pytest.approx(values.mean() + half, abs=0.05 * half)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bootstrap, "_FEW", len(values))
        counted = metrics.bootstrap_interval(values, rounds=4000)
    assert counted != (low, high), "other random numbers"
    assert counted == pytest.approx((low, high), abs=0.1 * half)


def test_blocks_do_not_change_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, parts = _evaluated(None, monkeypatch), _evaluated(30 * 4 * 7, monkeypatch)
    assert whole["metrics"] == parts["metrics"]
    found = whole["metrics"]
    assert isinstance(found, dict)
    assert (
        found["hit@1"]["per_sample"]
        <= found["hit@2"]["per_sample"]
        <= found["hit@20"]["per_sample"]
    )
    assert whole["candidates"] == 30
    assert whole["split"] == "test"
    assert {"hit@1", "hit@20", "hp@2", "hp@5", "mean_rank"} <= set(found)


def test_a_sample_without_a_candidate_is_an_error() -> None:
    model = ZeroShotModel(ClassMatrix(["a"], np.ones((1, 3), np.float32), {}))
    with pytest.raises(ModelError, match="b has samples but is not a candidate"):
        predict(model, Samples(np.ones((1, 2), np.float32), ["b"], {}))
    with pytest.raises(ModelError, match="do not fit classifiers of 2"):
        predict(model, Samples(np.ones((1, 5), np.float32), ["a"], {}))


@given(st.integers(0, 10_000), st.booleans(), st.integers(1, 5))
@settings(max_examples=40, deadline=None)
def test_accuracy_among_fewer_candidates_is_the_mean_over_all_sets(
    seed: int, ties: bool, size: int
) -> None:
    scores, truth = _problem(seed, 12, 5, ties)
    truth[:5] = range(5)
    of_sets = []
    for chosen in combinations(range(5), size):
        of_class = [
            np.mean(
                [
                    all(scores[row, c] < scores[row, true] for c in chosen if c != true)
                    for row in np.flatnonzero(truth == true)
                ]
            )
            for true in chosen
        ]
        of_sets.append(np.mean(of_class))
    (row,) = accuracy_by_candidates(scores, truth, [size], draws=300)
    assert row["accuracy"] == pytest.approx(np.mean(of_sets))
    assert min(of_sets) - 1e-9 <= row["low"] <= row["high"] <= max(of_sets) + 1e-9
    if size in (1, 5):
        assert [row["low"], row["high"]] == pytest.approx([row["accuracy"]] * 2)
    assert row["chance"] == 1 / size


def test_the_interval_of_fewer_candidates_is_that_of_random_sets() -> None:
    """Classes 0 and 2 are always right, class 1 never: of the three pairs two have an accuracy of
    1/2 and the other 1."""
    scores = np.array([[3.0, 1, 1], [2, 1, 2], [1, 1, 3]])
    (row,) = accuracy_by_candidates(scores, np.arange(3), [2], draws=500)
    assert (row["accuracy"], row["low"], row["high"]) == pytest.approx((2 / 3, 0.5, 1))
    (half,) = accuracy_by_candidates(scores, np.arange(3), [2], draws=500, level=0.2)
    assert half["low"] == half["high"] == 0.5
    with pytest.raises(ValueError, match="every candidate needs a sample"):
        accuracy_by_candidates(scores, np.array([0, 1, 1]), [2])
