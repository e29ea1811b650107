"""Every node of a graph gets an embedding: networkx finds the descendants again."""

from __future__ import annotations

import networkx
import numpy as np
import pytest

from graphzsl.common import DataError
from graphzsl.data import EMBEDDINGS, ClassMatrix, Subgraph
from graphzsl.data.node_embeddings import RULE, embed_all_nodes
from tests.problems import mini_problem, mini_subgraph


def test_a_node_without_an_embedding_has_the_mean_of_its_descendants() -> None:
    """A diamond, worked out by hand: the class below both sides counts once; what has no descendant
    has its hypernym's."""
    edges = np.array([[1, 2, 3, 3, 4, 5], [0, 0, 1, 2, 2, 4]])
    graph = Subgraph(["top", "left", "right", "low", "other", "leaf"], [], [], [], edges, {}, {})
    given = ClassMatrix.from_rows({"low": [2.0, 0.0], "other": [0.0, 4.0], "elsewhere": [9, 9]})
    filled = embed_all_nodes(graph, given)
    expected = {
        "top": [1, 2],
        "left": [2, 0],
        "right": [1, 2],
        "low": [2, 0],
        "other": [0, 4],
        "leaf": [0, 4],
        "elsewhere": [9, 9],
    }
    assert {name: filled.rows([name])[0].tolist() for name in filled.wnids} == expected
    assert filled.metadata == {"kind": EMBEDDINGS, "filled": {"nodes": 4, "rule": RULE}}
    assert given.wnids == ["low", "other", "elsewhere"]
    assert embed_all_nodes(graph, filled) is filled


def test_the_mini_wordnet_against_networkx() -> None:
    task, _ = mini_problem()
    graph = mini_subgraph()
    given = task.semantics.among([*task.train, *task.candidates])
    own = set(given.wnids)
    down = networkx.DiGraph((graph.wnids[p], graph.wnids[c]) for c, p in graph.edge_index.T)
    down.add_nodes_from(graph.wnids)
    filled = embed_all_nodes(graph, given)
    assert set(filled.wnids) == set(graph.wnids)
    with_descendants = 0
    for wnid in own.symmetric_difference(graph.wnids):
        below = sorted(own & networkx.descendants(down, wnid))
        sources = below or list(down.predecessors(wnid))
        mean = (given if below else filled).rows(sources).mean(axis=0)
        assert filled.rows([wnid])[0] == pytest.approx(mean, abs=1e-5), wnid
        with_descendants += bool(below)
    assert 0 < with_descendants < len(graph.wnids) - len(own)


def test_what_no_way_connects_to_an_embedding_stays_without() -> None:
    """c stands alone; e is above nothing that has an embedding of its own, but above d, which takes
    its other hypernym's."""
    graph = Subgraph(list("abcde"), [], [], [], np.array([[0, 3, 3], [1, 1, 4]]), {}, {})
    filled = embed_all_nodes(graph, ClassMatrix.from_rows({"a": [3.0]}))
    assert dict(zip(filled.wnids, filled.values.tolist(), strict=True)) == {
        name: [3.0] for name in "abde"
    }
    assert filled.metadata["filled"]["nodes"] == 3
    whole = ClassMatrix.from_rows({name: [1.0] for name in "abde"})
    assert embed_all_nodes(graph, whole) is whole, "c alone lacks one"


def test_a_graph_with_a_cycle_is_refused() -> None:
    ring = Subgraph(list("abc"), [], [], [], np.array([[0, 1, 2], [1, 2, 0]]), {}, {})
    with pytest.raises(DataError, match="cycle"):
        embed_all_nodes(ring, ClassMatrix.from_rows({"a": [1.0]}))
