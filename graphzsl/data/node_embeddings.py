"""Embeddings of the nodes of a graph that have none of their own, by a stated rule."""

from __future__ import annotations

import numpy as np

from graphzsl.data.class_matrix import ClassMatrix, Matrix
from graphzsl.data.subgraph import Subgraph
from graphzsl.hierarchy.search import row_of as neighbours_of

#: What a manifest says of nodes that got an embedding.
RULE = (
    "mean of the own embeddings of its descendants; without such a descendant, of its hypernyms',"
    " or else of its hyponyms'"
)


def embed_all_nodes(graph: Subgraph, embeddings: ClassMatrix) -> ClassMatrix:
    """Give every node of a graph an embedding.

    A node without one takes the mean of those of its descendants that have one of their own, each
    once, however many ways lead to it. Without such a descendant it takes the mean of its
    hypernyms', from the top down, or else of its hyponyms', from below. A node that no way connects
    to an embedding stays without.

    Args:
        graph: edges from child to parent.
        embeddings: [C, S] of some of its nodes, and perhaps of others.

    Returns:
        The embeddings of ``embeddings``, then those of the other nodes in the graph's order;
        ``metadata["filled"]`` counts these and says the rule. The same object where no node gets
        one.

    Raises:
        DataError: the graph has a cycle.
    """
    missing = [wnid for wnid in graph.wnids if wnid not in embeddings.index]
    if not missing:
        return embeddings
    hierarchy = graph.hierarchy
    own = [wnid for wnid in graph.wnids if wnid in embeddings.index]
    below = hierarchy.descendant_matrix[hierarchy.positions(missing)]
    below = below[:, hierarchy.positions(own)].astype(np.float32)
    counts = np.asarray(below.sum(axis=1)).ravel()
    sums = below @ embeddings.rows(own)
    row_of: dict[str, Matrix] = dict(zip(own, embeddings.rows(own), strict=True))
    row_of |= {wnid: sums[row] / counts[row] for row, wnid in enumerate(missing) if counts[row] > 0}
    while _take(graph, row_of, up=True) or _take(graph, row_of, up=False):
        pass
    filled = [wnid for wnid in missing if wnid in row_of]
    if not filled:
        return embeddings
    values = np.concatenate([embeddings.values, np.stack([row_of[wnid] for wnid in filled])])
    metadata = {**embeddings.metadata, "filled": {"nodes": len(filled), "rule": RULE}}
    return ClassMatrix([*embeddings.wnids, *filled], values.astype(np.float32), metadata)


def take_from_hypernyms(graph: Subgraph, row_of: dict[str, Matrix]) -> list[str]:
    """Give every node without a row the mean of its hypernyms', in place and from the top down;
    returns the nodes that got one, in the graph's order. A node whose hypernyms have none stays
    without."""
    taken = _take(graph, row_of, up=True)
    return [wnid for wnid in graph.wnids if wnid in taken]


def _take(graph: Subgraph, row_of: dict[str, Matrix], *, up: bool) -> set[str]:
    """Give nodes without a row the mean of their hypernyms', from the top down, or of their
    hyponyms', from below."""
    hierarchy = graph.hierarchy
    near, taken = hierarchy.up if up else hierarchy.down, set()
    for position in hierarchy.order if up else hierarchy.order[::-1]:
        wnid = hierarchy.wnids[position]
        if wnid in row_of:
            continue
        others = [hierarchy.wnids[other] for other in neighbours_of(near, position)]
        if known := [row_of[other] for other in others if other in row_of]:
            row_of[wnid] = np.asarray(np.mean(known, axis=0), dtype=np.float32)
            taken.add(wnid)
    return taken
