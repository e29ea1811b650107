"""Random-walk smoothing of class embeddings over a subgraph, restricted to the rows that are asked for."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import sparse

from graphzsl.class_matrix import ClassMatrix, Matrix
from graphzsl.errors import ModelError
from graphzsl.subgraph import Subgraph


def random_walk(graph: Subgraph) -> sparse.csr_array:
    """Â [V, V] = D⁻¹(A + I), A with both directions of every edge; rows sum to 1."""
    count = len(graph.wnids)
    child, parent = graph.edge_index
    loops = np.arange(count)
    rows, columns = np.concatenate([child, parent, loops]), np.concatenate([parent, child, loops])
    matrix = sparse.coo_array((np.ones(len(rows), np.float32), (rows, columns)), shape=(count, count)).tocsr()
    matrix.data[:] = 1  # an edge that is both hypernym and instance hypernym counts once
    return sparse.csr_array(sparse.diags_array(1 / matrix.sum(axis=1)) @ matrix).astype(np.float32)


def smoothed(graph: Subgraph, semantics: ClassMatrix, powers: Sequence[int], wnids: Sequence[str]) -> Matrix:
    """[len(wnids), len(powers) · S]: rows of Âᵖ E for every power p, beside each other.

    Only nodes within max(powers) edges of the wnids enter; ModelError names one of them without an embedding.
    """
    walk = random_walk(graph)
    positions = graph.positions(wnids)
    rows = [positions]
    for _ in range(max(powers)):
        rows.append(np.unique(walk[rows[-1]].indices))
    values = node_embeddings(graph, semantics, rows[-1])
    found = {}
    inner = rows[-1]
    for power in range(max(powers) + 1):
        if power in powers:
            found[power] = values[np.searchsorted(inner, positions)]
        if power < max(powers):
            outer = np.unique(rows[max(powers) - power - 1])
            values, inner = walk[outer][:, inner] @ values, outer
    return np.concatenate([found[power] for power in powers], axis=1)


def node_embeddings(graph: Subgraph, semantics: ClassMatrix, positions: np.ndarray) -> Matrix:
    """[len(positions), S] embeddings of nodes; ModelError when one has none."""
    wnids = [graph.wnids[position] for position in positions]
    missing = [wnid for wnid in wnids if wnid not in semantics.index]
    if missing:
        raise ModelError(
            f"The graph model looks at {len(missing):,} nodes without a class embedding, e.g. {missing[0]}. Embed all nodes "
            "of the subgraph, or export a smaller one."
        )
    return semantics.rows(wnids)
