"""Embeddings of the nodes of a graph that have none of their own, by a stated rule."""

from __future__ import annotations

import numpy as np

from graphzsl.data.class_matrix import ClassMatrix, Matrix
from graphzsl.data.subgraph import Subgraph
from graphzsl.errors import DataError
from graphzsl.hierarchy.search import row_of as parents_of
from graphzsl.wording import some

#: What a manifest says of nodes that got an embedding.
RULE = (
    "mean of the own embeddings of its descendants; without such a descendant, mean of its"
    " hypernyms'"
)


def embed_all_nodes(graph: Subgraph, embeddings: ClassMatrix) -> ClassMatrix:
    """Give every node of a graph an embedding.

    A node without one takes the mean of those of its descendants that have one of their own, each
    once, however many ways lead to it; without such a descendant the mean of its hypernyms', from
    the top down.

    Args:
        graph: edges from child to parent.
        embeddings: [C, S] of some of its nodes, and perhaps of others.

    Returns:
        The embeddings of ``embeddings``, then those of the other nodes in the graph's order;
        ``metadata["filled"]`` counts these and says the rule. The same object where none lacks one.

    Raises:
        DataError: a node is connected to none with an embedding, or the graph has a cycle.
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
    take_from_hypernyms(graph, row_of)
    if bare := [wnid for wnid in missing if wnid not in row_of]:
        raise DataError(
            f"{some(bare)} and what is above and below it have no class embedding"
            f" ({len(bare):,} nodes of the graph). Embed them, or give a graph without them."
        )
    values = np.concatenate([embeddings.values, np.stack([row_of[wnid] for wnid in missing])])
    metadata = {**embeddings.metadata, "filled": {"nodes": len(missing), "rule": RULE}}
    return ClassMatrix([*embeddings.wnids, *missing], values.astype(np.float32), metadata)


def take_from_hypernyms(graph: Subgraph, row_of: dict[str, Matrix]) -> list[str]:
    """Give every node without a row the mean of its hypernyms', in place and from the top down;
    returns the nodes that got one, in the graph's order.

    A node whose hypernyms have none, or whose mean is nothing but zeros, stays without.
    """
    hierarchy = graph.hierarchy
    taken = set()
    for position in hierarchy.order:
        wnid = hierarchy.wnids[position]
        if wnid in row_of:
            continue
        parents = [hierarchy.wnids[parent] for parent in parents_of(hierarchy.up, position)]
        known = [row_of[parent] for parent in parents if parent in row_of]
        if known and np.any(mean := np.mean(known, axis=0)):
            row_of[wnid] = np.asarray(mean, dtype=np.float32)
            taken.add(wnid)
    return [wnid for wnid in graph.wnids if wnid in taken]
