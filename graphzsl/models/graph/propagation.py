"""Averages of a graph network over a hierarchy: sparse operators [V, V] whose rows sum to 1, or are
empty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from scipy import sparse

from graphzsl.data.class_matrix import ClassMatrix, Matrix
from graphzsl.data.subgraph import Subgraph

Operator: TypeAlias = Any  #: a scipy.sparse.csr_array [V, V]


@dataclass(frozen=True)
class Layer:
    """One graph convolution: ``operators`` are the Â_k; ``bias`` is added after them, before them,
    or not at all."""

    operators: tuple[Operator, ...]
    width: int
    dropout: float
    bias: str = "after"
    attention: bool = False


def seen_rows(layers: Sequence[Layer], outputs: np.ndarray) -> list[np.ndarray]:
    """The positions of the rows of every level that ``outputs`` (positions) depend on, inputs
    first."""
    rows = [outputs]
    for layer in reversed(layers):
        indices = [operator[rows[0]].indices for operator in layer.operators]
        rows.insert(0, np.unique(np.concatenate(indices)))
    return rows


def adjacency(graph: Subgraph) -> Operator:
    """A + I [V, V], A with both directions of every edge; an edge of two types counts once."""
    child, parent = graph.edge_index
    loops = np.arange(len(graph.wnids))
    return _ones(
        np.concatenate([child, parent, loops]),
        np.concatenate([parent, child, loops]),
        len(graph.wnids),
    )


def random_walk(graph: Subgraph) -> Operator:
    """Â = D⁻¹(A + I); rows sum to 1."""
    return row_normalised(adjacency(graph))


def symmetric(graph: Subgraph) -> Operator:
    """Â = D^-½ (A + I) D^-½ (Kipf & Welling 2017)."""
    matrix = adjacency(graph)
    scale = sparse.diags_array(1 / np.sqrt(matrix.sum(axis=1)))
    return sparse.csr_array(scale @ matrix @ scale).astype(np.float32)


def ancestors_by_distance(graph: Subgraph, groups: int | None) -> list[Operator]:
    """0/1 matrices [V, V] of (node, ancestor) pairs: group d holds the ancestors at distance d, the
    last all farther ones too.

    ``groups`` K gives K + 1 of them, from distance 0 (the node itself); None gives one with every
    ancestor and the node. Distances are shortest ways up.
    """
    count = len(graph.wnids)
    child, parent = graph.edge_index
    up = _ones(child, parent, count)
    level = seen = sparse.csr_array(sparse.eye_array(count, dtype=np.float32, format="csr"))
    levels = [level]
    while level.nnz:
        reached = _binary(level @ up)
        level = _binary(reached - reached.multiply(seen))
        if level.nnz:
            levels.append(level)
            seen = _binary(seen + level)
    if groups is None:
        return [seen]
    joined = levels[: groups + 1]
    for level in levels[groups + 1 :]:
        joined[groups] = _binary(joined[groups] + level)
    return joined


def row_normalised(matrix: Operator) -> Operator:
    """D⁻¹ A; an empty row stays empty."""
    sums = matrix.sum(axis=1)
    scale = sparse.diags_array(np.divide(1, sums, out=np.zeros(len(sums)), where=sums > 0))
    return sparse.csr_array(scale @ matrix).astype(np.float32)


def smoothed(
    graph: Subgraph, semantics: ClassMatrix, powers: Sequence[int], wnids: Sequence[str]
) -> Matrix:
    """[len(wnids), len(powers) · S]: rows of Âᵖ E for every power p, beside each other, Â the
    random walk.

    Only nodes within max(powers) edges of the wnids enter.
    """
    walk = random_walk(graph)
    positions = graph.positions(wnids)
    rows = [np.unique(positions)]
    for _ in range(max(powers)):
        rows.append(np.unique(walk[rows[-1]].indices))
    values = node_embeddings(graph, semantics, rows[-1])
    power_of = {}
    inner = rows[-1]
    for power in range(max(powers) + 1):
        if power in powers:
            power_of[power] = values[np.searchsorted(inner, positions)]
        if power < max(powers):
            outer = rows[max(powers) - power - 1]
            values, inner = walk[outer][:, inner] @ values, outer
    return np.concatenate([power_of[power] for power in powers], axis=1)


def node_embeddings(graph: Subgraph, semantics: ClassMatrix, positions: np.ndarray) -> Matrix:
    """[len(positions), S] embeddings of nodes; DataError where one has none."""
    return semantics.rows([graph.wnids[position] for position in positions])


def _ones(rows: np.ndarray, columns: np.ndarray, count: int) -> Operator:
    return _binary(
        sparse.coo_array((np.ones(len(rows), np.float32), (rows, columns)), shape=(count, count))
    )


def _binary(matrix: sparse.sparray) -> Operator:
    binary = sparse.csr_array(matrix)
    binary.eliminate_zeros()
    binary.data = np.ones_like(binary.data, dtype=np.float32)
    binary.sort_indices()
    return binary
