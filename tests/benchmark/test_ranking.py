"""Classes ranked by their distance to the training classes, and levels cut out of the ranking."""

from __future__ import annotations

import math
from collections.abc import Callable

import networkx
import numpy as np
import pytest

from graphzsl.benchmark.ranking import KINDS, OF, Ranking, cut, rank
from graphzsl.common.errors import SplitError
from graphzsl.hierarchy import Hierarchy
from tests.mini import TRAIN, MiniWordNet

MINI = MiniWordNet()
DAG = Hierarchy.from_edges(MINI.edges())
TRAINING = MINI.named(*TRAIN)
CANDIDATES = [wnid for wnid in MINI.universe() if wnid not in TRAINING]


def test_by_hand() -> None:
    """Hops to the nearest of horse and oak: pony 1, maple 2 over tree, cat and zebra 2, car 7 over
    object."""
    train = MINI.named("horse", "oak")
    candidates = MINI.named("car", "zebra", "cat", "maple", "pony")
    found = rank(DAG, candidates, train, "path", "nearest")
    assert found.wnids == [MINI["pony"], *sorted(MINI.named("maple", "cat", "zebra")), MINI["car"]]
    assert found.distances.tolist() == [1, 2, 2, 2, 7]
    assert found.rank[MINI["car"]] == 5
    # in sum: pony is 7 from oak, maple 6 from horse
    total = rank(DAG, MINI.named("pony", "maple"), train, "path", "total")
    assert dict(zip(total.wnids, total.distances.tolist(), strict=True)) == {
        MINI["pony"]: 1 + 7,
        MINI["maple"]: 2 + 6,
    }


def _path() -> Callable[[str, str], float]:
    graph = networkx.Graph(MINI.edges())
    lengths = dict(networkx.all_pairs_shortest_path_length(graph))
    return lambda one, other: lengths[one][other]


def _lin() -> Callable[[str, str], float]:
    content = {
        wnid: -math.log((1 + len(DAG.descendants(wnid))) / len(DAG.wnids)) for wnid in DAG.wnids
    }

    def distance(one: str, other: str) -> float:
        common = (DAG.ancestors(one) | {one}) & (DAG.ancestors(other) | {other})
        return 1 - 2 * max(content[wnid] for wnid in common) / (content[one] + content[other])

    return distance


@pytest.mark.parametrize("of", OF)
@pytest.mark.parametrize(("by", "pairs"), [("path", _path), ("lin", _lin)])
def test_against_all_pairs(
    by: str, pairs: Callable[[], Callable[[str, str], float]], of: str
) -> None:
    distance, reduce = pairs(), {"nearest": min, "total": sum}[of]
    expected = {wnid: reduce(distance(wnid, other) for other in TRAINING) for wnid in CANDIDATES}
    found = rank(DAG, CANDIDATES, TRAINING, by, of)
    assert found.distances == pytest.approx([expected[wnid] for wnid in found.wnids], abs=1e-8)
    assert found.wnids == sorted(CANDIDATES, key=lambda wnid: (round(expected[wnid], 9), wnid))


@pytest.mark.parametrize("of", OF)
@pytest.mark.parametrize("by", KINDS)
def test_every_kind_ranks_every_candidate(by: str, of: str) -> None:
    found = rank(DAG, CANDIDATES, TRAINING, by, of)
    assert sorted(found.wnids) == sorted(CANDIDATES)
    assert (np.diff(found.distances) >= 0).all()
    assert rank(DAG, CANDIDATES[::-1], TRAINING[::-1], by, of).wnids == found.wnids


def test_what_nothing_joins_has_no_rank() -> None:
    apart = Hierarchy.from_edges([("a", "top"), ("b", "top")], ["alone"])
    assert rank(apart, ["a", "alone"], ["b"], "path", "nearest").wnids == ["a"]
    assert rank(apart, ["a", "alone"], ["b"], "path", "total").wnids == ["a"]
    assert rank(apart, ["a", "alone"], ["b"], "ancestor-path", "nearest").wnids == ["a"]


def _ranking(count: int) -> Ranking:
    return Ranking([f"c{place:02}" for place in range(count)], np.arange(count, dtype=float))


@pytest.mark.parametrize(
    ("count", "levels", "size", "bounds"),
    [
        (10, 2, 3, [(0, 3), (7, 10)]),
        (10, 1, 4, [(0, 4)]),
        (11, 3, 2, [(0, 2), (4, 6), (9, 11)]),
        (6, 3, 2, [(0, 2), (2, 4), (4, 6)]),
        (5, 2, None, [(0, 3), (3, 5)]),
    ],
)
def test_levels_are_spread_evenly(
    count: int, levels: int, size: int | None, bounds: list[tuple[int, int]]
) -> None:
    found = cut(_ranking(count), [f"L{place}" for place in range(levels)], size)
    assert [(level.start, level.stop) for level in found] == bounds
    assert [(level.nearest, level.farthest) for level in found] == [
        (start, stop - 1) for start, stop in bounds
    ]
    assert [level.wnids[0] for level in found] == [f"c{start:02}" for start, _ in bounds]


def test_too_few_classes_make_no_levels() -> None:
    with pytest.raises(SplitError, match="5 candidates do not make 2 levels of 3"):
        cut(_ranking(5), ["a", "b"], 3)
    with pytest.raises(SplitError, match="1 candidates do not make 2 levels"):
        cut(_ranking(1), ["a", "b"])
