"""Array searches against networkx, on random graphs."""

from __future__ import annotations

import networkx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphzsl.common import DataError
from graphzsl.hierarchy import Hierarchy
from graphzsl.hierarchy.search import closest_sources, hop_distances, label_shells
from tests.problems import mini_subgraph

EDGES = st.lists(
    st.tuples(st.integers(0, 14), st.integers(0, 14)).filter(lambda e: e[0] != e[1]),
    min_size=1,
    max_size=40,
)


def _names(edges: list[tuple[int, int]]) -> list[tuple[str, str]]:
    """Edges up, which close no cycle, whichever way they were drawn."""
    return [(f"n{max(edge):08d}", f"n{min(edge):08d}") for edge in edges]


@given(EDGES, st.integers(1, 4), st.integers(1, 12), st.randoms())
@settings(max_examples=150, deadline=None)
def test_searches_are_breadth_first(
    edges: list[tuple[int, int]], sources: int, k: int, random
) -> None:  # type: ignore[no-untyped-def]
    pairs = _names(edges)
    hierarchy = Hierarchy.from_edges(pairs, [f"n{i:08d}" for i in range(15)])
    adjacency, positions = hierarchy.adjacency, hierarchy.positions
    graph = networkx.Graph(pairs)
    graph.add_nodes_from(hierarchy.wnids)
    chosen = random.sample(hierarchy.wnids, sources)
    away = {s: networkx.single_source_shortest_path_length(graph, s) for s in hierarchy.wnids}
    hops, inherited = closest_sources(adjacency, positions(chosen))
    assert np.array_equal(hops, hop_distances(adjacency, positions(chosen)))
    dense = inherited.toarray()
    for position, wnid in enumerate(hierarchy.wnids):
        distances = [away[s].get(wnid, 99) for s in chosen]
        assert hops[position] == (min(distances) if min(distances) < 99 else -1)
        ties = [d == min(distances) < 99 for d in distances]
        assert (dense[position] > 0).tolist() == ties

    valid = random.sample(hierarchy.wnids, 8)
    for wnid, shells in zip(
        valid, label_shells(adjacency, positions(valid), positions(valid), k, block=3), strict=True
    ):
        found = [sorted(hierarchy.wnids[p] for p in shell) for shell in shells]
        reachable = sorted(away[wnid].values())
        expected, radius = [[wnid]], 0
        while sum(map(len, expected)) < k and radius < reachable[-1]:
            radius += 1
            expected.append(sorted(v for v in valid if away[wnid].get(v) == radius))
        assert found == expected
        flat = [member for shell in found for member in shell]
        assert len(flat) == len(set(flat))
        assert len(flat) >= min(k, sum(v in away[wnid] for v in valid))


def test_nodes_without_edges_can_be_added() -> None:
    hierarchy = Hierarchy.from_edges([("a", "b")], ["c"])
    assert hierarchy.wnids == ["a", "b", "c"]
    assert hierarchy.adjacency.nnz == 2


def test_positions_name_a_class_that_is_not_a_node() -> None:
    """A list with a class left out would shift every class after it."""
    hierarchy = Hierarchy.from_edges([("a", "b")], ["c"])
    assert hierarchy.positions(["c", "a"]).tolist() == [2, 0]
    with pytest.raises(DataError, match="n99999999 is not a node of the hierarchy"):
        hierarchy.positions(["a", "n99999999", "c"])


def test_hops_from_a_class_that_is_not_a_node() -> None:
    hierarchy = mini_subgraph().hierarchy
    with pytest.raises(DataError, match="n99999999 is not a node of the hierarchy"):
        hierarchy.hops_from(["n00001001", "n99999999"])
