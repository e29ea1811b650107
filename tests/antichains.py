"""Whether classes are an antichain: no class is an ancestor of another."""

from __future__ import annotations

from collections.abc import Sequence

from graphzsl.hierarchy import Hierarchy


def is_antichain(hierarchy: Hierarchy, wnids: Sequence[str]) -> bool:
    """Whether no class is an ancestor of another."""
    return not hierarchy.related(hierarchy.positions(wnids)).nnz
