"""Metrics of boxes against loops over the paper's formulas, scikit-learn, and counts by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score

from graphzsl.ilsvrc.boxes.metrics import chance, matching, precision
from graphzsl.ilsvrc.boxes.metrics.overlap import coverage, overlaps, pair_blocks, pairs, thresholds
from graphzsl.metrics import bootstrap_interval, interval_of_counts


def _boxes(random: np.random.Generator, count: int, most: int = 12) -> np.ndarray:
    corners = random.integers(0, most, (count, 2))
    return np.concatenate([corners, corners + random.integers(1, most, (count, 2))], axis=1) * 1.0


def _overlap(one: np.ndarray, other: np.ndarray) -> float:
    """Cells of a grid in both over cells in either."""
    cells = [
        {(x, y) for x in range(int(b[0]), int(b[2])) for y in range(int(b[1]), int(b[3]))}
        for b in (one, other)
    ]
    return len(cells[0] & cells[1]) / len(cells[0] | cells[1])


@given(st.integers(0, 10_000))
@settings(max_examples=50, deadline=None)
def test_overlap_counts_cells(seed: int) -> None:
    random = np.random.default_rng(seed)
    one, other = _boxes(random, 5), _boxes(random, 5)
    expected = [_overlap(a, b) for a, b in zip(one, other, strict=True)]
    assert overlaps(one, other) == pytest.approx(expected, abs=1e-12)


def test_coverage_is_the_share_inside() -> None:
    one, region = np.array([[0.0, 0, 4, 2]]), np.array([[2.0, 0, 100, 100]])
    assert coverage(one, region).tolist() == [0.5]


def test_thresholds_of_the_paper() -> None:
    """A box of 10 × 10 needs 0.25; only boxes below about 25 × 25 need less than 0.5, exactly those
    with a side of less than 10 / (√2 - 1) = 24.14 when they are square."""
    sides = np.array([10, 24.1, 24.2, 400])
    boxes = np.stack([sides * 0, sides * 0, sides, sides], axis=1)
    found = thresholds(boxes)
    assert found[0] == 0.25
    assert found[1] < 0.5
    assert found[2:].tolist() == [0.5, 0.5]
    # 20 × 5 is 100 pixels that may become 30 × 15
    assert thresholds(np.array([[3.0, 3, 23, 8]])).tolist() == [100 / 450]


@given(st.integers(0, 10_000))
@settings(max_examples=50, deadline=None)
def test_pairs_are_those_of_two_loops(seed: int) -> None:
    random = np.random.default_rng(seed)
    first, second = random.integers(0, 5, 9), random.integers(0, 5, 7)
    found = list(zip(*(each.tolist() for each in pairs(first, second)), strict=True))
    assert found == [(i, j) for i in range(9) for j in range(7) if first[i] == second[j]]


@given(st.integers(0, 10_000))
@settings(max_examples=50, deadline=None)
def test_localization_error_is_the_paper_s_minimum_of_maxima(seed: int) -> None:
    random = np.random.default_rng(seed)
    images, classes = 4, random.integers(0, 3, 4)
    owner = np.concatenate([np.arange(images), random.integers(0, images, 3)])
    truth = _boxes(random, len(owner))
    image = random.integers(0, images, 12)
    guessed, boxes = random.integers(0, 3, 12), _boxes(random, 12)
    boxes[::2] = truth[[np.flatnonzero(owner == each)[0] for each in image[::2]]]
    by_class = guessed != classes[image]
    by_box = matching.box_errors(boxes, image, truth, owner)
    found = matching.image_errors(by_class | by_box, image, images)
    for each in range(images):
        errors = [
            max(
                int(guessed[j] != classes[each]),
                min(
                    int(not _overlap(boxes[j], truth[k]) > 0.5)
                    for k in np.flatnonzero(owner == each)
                ),
            )
            for j in np.flatnonzero(image == each)
        ]
        assert found[each] == min(errors, default=1)


def test_half_is_not_enough_to_localize_and_enough_to_detect() -> None:
    """Localization needs more than 0.5, detection and chance performance at least their
    threshold."""
    whole, half = np.array([[0.0, 0, 100, 100]]), np.array([[0.0, 0, 100, 50]])
    one = np.zeros(1, np.int64)
    assert matching.box_errors(half, one, whole, one).tolist() == [True]
    assert _match_image(whole, half, np.ones(1)).tolist() == [0]
    assert chance.chance_performance(np.concatenate([whole, half])) == 1


def test_ranks_follow_scores_then_the_order_of_the_file() -> None:
    images = np.array([1, 0, 1, 1, 0])
    scores = np.array([0.5, math.nan, 0.9, 0.5, math.nan])
    assert matching.ranks_in_images(images, scores).tolist() == [1, 0, 0, 2, 1]


def _match_image(boxes: np.ndarray, detections: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """[D] the box that each detection of one class in one image matches, -1 for none."""
    order = np.argsort(-scores, kind="stable")
    rows = np.repeat(np.arange(len(detections)), len(boxes))
    columns = np.tile(np.arange(len(boxes)), len(detections))
    found = overlaps(detections[order][rows], boxes[columns])
    enough = found >= thresholds(boxes)[columns]
    matched = np.empty(len(detections), np.int64)
    matched[order] = matching.greedy_matches(
        rows[enough], columns[enough], found[enough], len(detections)
    )
    return matched


def _algorithm_2(boxes: np.ndarray, detections: np.ndarray, scores: np.ndarray) -> list[int]:
    """The paper's text as a loop."""
    free, found = set(range(len(boxes))), [-1] * len(detections)
    needed = thresholds(boxes)
    for j in sorted(range(len(detections)), key=lambda j: -scores[j]):
        enough = {
            k: _overlap(boxes[k], detections[j])
            for k in sorted(free)
            if _overlap(boxes[k], detections[j]) >= needed[k]
        }
        if enough:
            found[j] = max(enough, key=lambda k: enough[k])
            free.remove(found[j])
    return found


@given(st.integers(0, 10_000), st.integers(0, 5), st.integers(0, 9))
@settings(max_examples=150, deadline=None)
def test_matching_is_algorithm_2(seed: int, objects: int, count: int) -> None:
    random = np.random.default_rng(seed)
    boxes, detections = _boxes(random, objects, 6), _boxes(random, count, 6)
    scores = random.integers(0, 4, count) / 4
    found = _match_image(boxes, detections, scores)
    assert found.tolist() == _algorithm_2(boxes, detections, scores)


def test_a_detection_takes_the_best_box_and_leaves_none_for_a_second() -> None:
    """Two objects side by side, three detections of the first: the best one takes it, the second,
    which overlaps the second object by 1/3 alone, and the third get nothing."""
    boxes = np.array([[0.0, 0, 40, 40], [20, 0, 60, 40]])
    detections = np.array([[0.0, 0, 40, 38], [0, 0, 40, 40], [0, 0, 40, 30]])
    assert _match_image(boxes, detections, np.array([0.9, 0.5, 0.4])).tolist() == [
        0,
        -1,
        -1,
    ]


@given(st.integers(0, 10_000), st.integers(1, 30), st.booleans())
@settings(max_examples=100, deadline=None)
def test_average_precision_without_interpolation_is_scikit_learn_s(
    seed: int, count: int, ties: bool
) -> None:
    random = np.random.default_rng(seed)
    hits = random.random(count) < 0.5
    hits[0] = True
    scores = random.integers(0, 4, count) * 1.0 if ties else random.random(count)
    curve = precision.precision_recall(scores, hits, hits.sum())
    found = precision.average_precision(*curve, "none")
    assert found == pytest.approx(average_precision_score(hits, scores), abs=1e-12)


def test_the_four_definitions_by_hand() -> None:
    """Four objects; detections hit, miss, hit, hit: recall 1/4, 1/4, 2/4, 3/4 with precision 1,
    1/2, 2/3, 3/4. Made to fall with recall that is 1, 3/4, 3/4, 3/4."""
    scores, hits = np.array([0.9, 0.8, 0.7, 0.6]), np.array([True, False, True, True])
    curve = precision.precision_recall(scores, hits, 4)
    assert curve[0].tolist() == [0.25, 0.25, 0.5, 0.75]
    assert curve[1] == pytest.approx([1, 1 / 2, 2 / 3, 3 / 4])
    expected = {
        "all": (1 + 3 / 4 + 3 / 4) / 4,
        "none": (1 + 2 / 3 + 3 / 4) / 4,
        # recall 0, .1, .2 at precision 1; .3 to .7 at 3/4; .8, .9, 1 at none
        "11": (3 * 1 + 5 * 3 / 4) / 11,
        # 0 to .25 are 26 levels, .26 to .75 are 50
        "101": (26 * 1 + 50 * 3 / 4) / 101,
    }
    assert {*expected} == {*precision.INTERPOLATIONS}
    for name, value in expected.items():
        assert precision.average_precision(*curve, name) == pytest.approx(value), name
    assert precision.average_precision(np.empty(0), np.empty(0)) == 0


def test_detections_of_one_score_come_in_together() -> None:
    """A hit and a miss of one score are precision 1/2, in whatever order they stand."""
    for hits in ([True, False], [False, True]):
        curve = precision.precision_recall(np.ones(2), np.array(hits), 1)
        assert precision.average_precision(*curve) == 0.5


def test_rounds_of_few_images_are_the_bootstrap_itself() -> None:
    """Every draw of three images, weighed and computed anew from copies of their detections."""
    scores = np.array([0.9, 0.8, 0.7, 0.6, 0.5])
    hits = np.array([True, False, True, True, False])
    image, positives = np.array([0, 1, 1, 2, 2]), np.array([1, 2, 1])
    weights = precision.draws(3, 40, seed=1)
    assert (weights.sum(axis=0) == 3).all()
    for name in precision.INTERPOLATIONS:
        drawn = precision.resampled_precision(scores, hits, image, positives, weights, name)
        for round_, found in enumerate(drawn):
            times = weights[:, round_].astype(int)
            copies = np.repeat(np.arange(5), times[image])
            curve = precision.precision_recall(
                scores[copies], hits[copies], (times * positives).sum()
            )
            assert found == pytest.approx(precision.average_precision(*curve, name), abs=1e-6)


def test_groups_and_steps_change_the_interval_little() -> None:
    """Simulated: 4,000 images in 1,000 groups and 256 steps against images and all scores."""
    random = np.random.default_rng(0)
    images = 4000
    image = random.integers(0, images, 12_000)
    hits = random.random(12_000) < 0.4
    scores = random.random(12_000) + 0.4 * hits
    objects = np.bincount(image[hits], minlength=images) + (random.random(images) < 0.3)
    rounds = 400

    def spread(groups: int) -> tuple[float, float]:
        positives = np.bincount(np.arange(images) % groups, objects, groups).astype(np.int64)
        weights = precision.draws(groups, rounds)
        drawn = precision.resampled_precision(scores, hits, image % groups, positives, weights)
        return float(drawn.mean()), float(drawn.std())

    exact = np.empty(rounds)
    for at, times in enumerate(precision.draws(images, rounds, 5).T.astype(int)):
        copies = np.repeat(np.arange(len(image)), times[image])
        curve = precision.precision_recall(scores[copies], hits[copies], (times * objects).sum())
        exact[at] = precision.average_precision(*curve)
    mean, deviation = spread(precision.GROUPS)
    assert mean == pytest.approx(exact.mean(), abs=0.001)
    assert deviation == pytest.approx(exact.std(), rel=0.15)


def test_a_round_without_the_class_says_nothing() -> None:
    positives, weights = np.array([1, 0]), np.array([[0, 1], [2, 1]], np.float32)
    found = precision.resampled_precision(
        np.array([0.9]), np.array([True]), np.zeros(1, np.int64), positives, weights
    )
    assert math.isnan(found[0])
    assert found[1] == 1


@given(st.integers(0, 10_000), st.integers(2, 9))
@settings(max_examples=50, deadline=None)
def test_chance_performance_is_equation_6(seed: int, count: int) -> None:
    boxes = _boxes(np.random.default_rng(seed), count, 6)
    expected = sum(
        _overlap(boxes[i], boxes[j]) >= 0.5 for i in range(count) for j in range(count) if i != j
    ) / (count * (count - 1))
    assert chance.chance_performance(boxes) == pytest.approx(expected)
    assert math.isnan(chance.chance_performance(boxes[:1]))


def test_chance_performance_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    boxes = _boxes(np.random.default_rng(0), 50, 6)
    whole = chance.chance_performance(boxes)
    monkeypatch.setattr(chance, "_AT_ONCE", 70)
    assert chance.chance_performance(boxes) == whole


def test_clutter_of_the_paper() -> None:
    """Ping-pong ball: 758 windows on average, 9.57."""
    assert chance.clutter(758) == pytest.approx(9.57, abs=0.005)


def test_first_windows_by_hand() -> None:
    """Image 0: the second window is right; image 1: the only right one is beyond those that count;
    image 2 has none."""
    box = np.array([[0.0, 0, 10, 10]])
    windows = np.array([[50.0, 50, 60, 60], [0, 0, 10, 9], [0, 0, 10, 10], [30, 30, 40, 40]])
    found = chance.first_windows(
        windows,
        np.array([0, 1, 2, 0]),
        np.array([0, 0, 1, 2]),
        np.repeat(box, 3, axis=0),
        np.arange(3),
        3,
        most=2,
    )
    assert found.tolist() == [2, 3, 3]


def test_first_windows_in_blocks_are_those_of_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulated: never more than 50 pairs at once, and the same windows."""
    random = np.random.default_rng(0)
    windows, boxes = _boxes(random, 120), _boxes(random, 30)
    image, owner = np.repeat(np.arange(4), 30), random.integers(0, 4, 30)
    ranks = np.tile(random.permutation(30), 4)
    expected = [
        min(
            (
                int(ranks[w]) + 1
                for w in np.flatnonzero(image == m)
                if ranks[w] < 20
                and any(_overlap(windows[w], boxes[b]) >= 0.5 for b in np.flatnonzero(owner == m))
            ),
            default=21,
        )
        for m in range(4)
    ]
    sizes: list[int] = []

    def counting(one: np.ndarray, other: np.ndarray) -> np.ndarray:
        sizes.append(len(one))
        return overlaps(one, other)

    monkeypatch.setattr(chance, "_AT_ONCE", 50)
    monkeypatch.setattr(chance, "overlaps", counting)
    found = chance.first_windows(windows, ranks, image, boxes, owner, 4, most=20)
    assert found.tolist() == expected
    assert max(sizes) <= 50 < sum(sizes)


def test_neighbours_overlap_or_touch_in_their_group() -> None:
    boxes = np.array([[0.0, 0, 10, 10], [10, 5, 20, 9], [0, 0, 10, 10], [21, 0, 30, 10]])
    groups = np.array([0, 0, 1, 0])
    assert chance.neighbours(boxes, groups).tolist() == [1, 1, 0, 0]
    assert chance.neighbours(boxes, groups, gap=1).tolist() == [1, 2, 0, 1]


def test_overlapping_pairs_are_of_one_image_and_above_the_threshold() -> None:
    boxes = np.array([[0.0, 0, 10, 10], [0, 0, 10, 8], [0, 0, 10, 5], [0, 0, 10, 10]])
    (block,) = chance.overlapping(boxes, np.array([0, 0, 0, 1]))
    first, second, found = block
    # the half is not above 0.5 of the whole
    assert list(zip(first.tolist(), second.tolist(), strict=True)) == [(0, 1), (1, 2)]
    assert found == pytest.approx([0.8, 0.625])


def test_counts_give_the_interval_of_their_values() -> None:
    """ILSVRC's published interval of SuperVision, 16.42 [16.04, 16.80] at 99.9 %, from two
    counts."""
    values = np.array([0.0] * 6 + [1.0] * 4)
    assert interval_of_counts(np.array([0.0, 1]), np.array([6, 4])) == bootstrap_interval(values)
    counts = np.array([100_000 - 16_420, 16_420])
    low, high = interval_of_counts(np.array([0.0, 1]), counts, 20_000, 0.999)
    assert (100 * low, 100 * high) == pytest.approx((16.04, 16.80), abs=0.06)


def test_pairs_come_in_blocks_inside_an_image_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """300 boxes of one image make 90,000 pairs; the same are found, few at once."""
    random = np.random.default_rng(0)
    low = random.uniform(0, 50, (300, 2))
    boxes, image = np.hstack([low, low + 30]), np.repeat([0, 1], [290, 10])
    whole = [np.concatenate(each) for each in zip(*chance.overlapping(boxes, image), strict=True)]
    near = chance.neighbours(boxes, image)
    monkeypatch.setattr(chance, "_AT_ONCE", 1000)
    blocks = list(pair_blocks(image, image, 1000))
    assert max(len(rows) for rows, _ in blocks) <= 1000
    assert len(blocks) > 80
    parts = [np.concatenate(each) for each in zip(*chance.overlapping(boxes, image), strict=True)]
    for one, other in zip(whole, parts, strict=True):
        np.testing.assert_array_equal(one, other)
    np.testing.assert_array_equal(chance.neighbours(boxes, image), near)
