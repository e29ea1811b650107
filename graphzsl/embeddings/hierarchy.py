"""Class embeddings from the hierarchy alone: what its structure says of how alike two classes
are."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from graphzsl.common.errors import DataError
from graphzsl.common.files import manifest
from graphzsl.common.progress import step
from graphzsl.common.wording import counted
from graphzsl.data.class_matrix import EMBEDDINGS, ClassMatrix, Matrix, unit_rows
from graphzsl.data.subgraph import Subgraph
from graphzsl.hierarchy.distances import information_content
from graphzsl.hierarchy.graph import Hierarchy

#: Shorter than this, a row of length one has lost all but rounding in the truncation.
_LOST = 1e-3


def embed_hierarchy(
    graph: Subgraph, dimensions: int = 300, seed: int = 0
) -> tuple[ClassMatrix, list[str]]:
    """[C, S] L2-normalised vectors of the nodes from their ancestors, and the nodes that have none.

    Row a of ``ancestor_vectors`` has an entry for every node at or above a. Two rows multiply to 1
    plus the information of their lowest common ancestor, divided by the geometric mean of what the
    two nodes have themselves: Lin's similarity with that mean in place of the arithmetic one, and 1
    more for every node so that the root has a vector. Where nodes have several parents, all common
    ancestors count. A truncated singular value decomposition brings the rows to ``dimensions``.

    Similarities by path, Lin or Jiang and Conrath, as Akata et al. list them, form a dense square
    of all nodes that is no product of vectors: it has negative eigenvalues. This one is a product
    of sparse rows, which the decomposition only shortens.

    Args:
        graph: its nodes are embedded; information is counted in them, each once.
        dimensions: length of a vector.
        seed: where the decomposition starts.

    Raises:
        DataError: not fewer dimensions than nodes, or a hierarchy with a cycle.

    Reference:
        Akata et al. 2015, Evaluation of Output Embeddings, section 4.3 (embeddings from a
        hierarchy); Tsochantaridis et al. 2005 (a class as the indicator of its ancestors);
        Resnik 1995; Lin 1998.
    """
    hierarchy = graph.hierarchy
    if dimensions >= len(hierarchy.wnids):
        raise DataError(
            f"The graph has {len(hierarchy.wnids):,} nodes; an embedding must have fewer"
            f" dimensions, not {dimensions}.",
            argument="dimensions",
        )
    count = counted(len(hierarchy.wnids), "node")
    with step(f"weighing the ancestors of {count}"):
        rows_of_nodes = ancestor_vectors(hierarchy)
    with step(f"bringing {count} to {counted(dimensions, 'dimension')}"):
        values, share = _truncated(rows_of_nodes, dimensions, seed)
    lengths = np.linalg.norm(values, axis=1)
    usable = np.flatnonzero(lengths > _LOST)
    row_of = {hierarchy.wnids[row]: row for row in usable.tolist()}
    wnids = [wnid for wnid in graph.wnids if wnid in row_of]
    missing = [wnid for wnid in graph.wnids if wnid not in row_of]
    metadata = manifest(
        EMBEDDINGS,
        semantics="hierarchy",
        model="ancestors weighted by information, truncated SVD",
        dimensions=dimensions,
        kept=share,
        seed=seed,
        missing=missing,
        graph=graph.manifest.get("queries"),
        sources=graph.manifest.get("sources"),
    )
    rows = unit_rows(values[[row_of[wnid] for wnid in wnids]]).astype(np.float32)
    return ClassMatrix(wnids, rows, metadata), missing


def ancestor_vectors(hierarchy: Hierarchy) -> sparse.csr_array:
    """[V, V] L2-normalised rows: node a has √w(x) for each node x at or above it, 0 elsewhere.

    w is 1 + IC for a root, and for any other node what its information exceeds that of its most
    informed parent by; in a tree, the product of the rows of a and b is (1 + IC(x)) / √((1 + IC(a))
    (1 + IC(b))), x their lowest common ancestor.
    """
    content = information_content(hierarchy, {})
    up = hierarchy.up.tocoo()
    above = np.full(len(content), -1.0)  # a root has nothing above it
    np.maximum.at(above, up.row, content[up.col])
    weights = sparse.diags_array(np.sqrt(np.maximum(content - above, 0.0)))
    rows = sparse.csr_array(hierarchy.ancestor_or_self_matrix.astype(np.float64) @ weights)
    lengths = np.sqrt(rows.multiply(rows).sum(axis=1))
    return sparse.csr_array(sparse.diags_array(1 / lengths) @ rows)


def _truncated(rows: sparse.csr_array, dimensions: int, seed: int) -> tuple[Matrix, float]:
    """([N, dimensions] U diag(s) of the largest singular values, the share of the squares of all
    that they have); signs are such that the largest entry of each column is positive."""
    start = np.random.default_rng(seed).normal(size=rows.shape[0])
    left, singular, _ = sparse.linalg.svds(rows, k=dimensions, v0=start)
    order = np.argsort(-singular)
    values = left[:, order] * singular[order]
    largest = values[np.abs(values).argmax(axis=0), np.arange(dimensions)]
    # rows have length one: the squares of all singular values sum to their number
    share = float((singular**2).sum() / rows.shape[0])
    return values * np.where(largest < 0, -1.0, 1.0), share
