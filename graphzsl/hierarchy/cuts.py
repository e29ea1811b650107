"""The superclass of every class for a cut through the hierarchy: nodes that are given, those of a
depth, or about as many as are wanted."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from graphzsl.common.errors import DataError
from graphzsl.common.files import check_result, manifest_path, write_manifest
from graphzsl.common.wording import called
from graphzsl.hierarchy.class_lists import check_distinct
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.search import row_of
from graphzsl.hierarchy.trees import tree_of
from graphzsl.sources.tables import write_table

#: The columns of ``Assigned.rows``.
CUT_COLUMNS = ("wnid", "index", "superclass", "superclass_name", "superclass_index", "name")


@dataclass(frozen=True)
class Assigned:
    """Superclasses [C] of C classes, in their order.

    ``alone`` are the classes that have no node of the cut above them, and are superclasses of their
    own.
    """

    classes: list[str]
    superclasses: list[str]
    alone: list[str]

    def rows(self, names: dict[str, str]) -> list[tuple[str | int | None, ...]]:
        """``CUT_COLUMNS``: positions of the class, and of the superclass among all that are used,
        sorted by wnid."""
        index = {wnid: place for place, wnid in enumerate(sorted(set(self.superclasses)))}
        return [
            (wnid, place, above, names.get(above), index[above], names.get(wnid))
            for place, (wnid, above) in enumerate(zip(self.classes, self.superclasses, strict=True))
        ]


def assign_superclasses(
    hierarchy: Hierarchy, classes: Sequence[str], cut: Sequence[str], alone: bool = True
) -> Assigned:
    """The superclass of every class: the node of the cut at or above it with the fewest edges to
    it; of several the one with the most classes, then the smallest wnid.

    Args:
        hierarchy: where nodes may have several parents.
        classes: C wnids, each once.
        cut: the superclasses to choose from, each once.
        alone: a class with no node of the cut at or above it is its own superclass, else an error.

    Raises:
        DataError: no class, no node in the cut, one of them twice or not a node, or a class
            without a superclass.
    """
    check_distinct(hierarchy, classes)
    check_distinct(hierarchy, cut, "superclasses")
    nodes = np.sort(hierarchy.positions(cut))
    # 1 + edges; the columns are in the order of wnids
    ways = hierarchy.ancestor_distances(hierarchy.positions(classes))[:, nodes].tocoo()
    size = np.bincount(ways.col, minlength=len(nodes))
    order = np.lexsort((ways.col, -size[ways.col], ways.data, ways.row))
    rows, first = np.unique(ways.row[order], return_index=True)
    found = dict(zip(rows.tolist(), nodes[ways.col[order][first]].tolist(), strict=True))
    without = [wnid for place, wnid in enumerate(classes) if place not in found]
    if without and not alone:
        more = f", nor have {len(without) - 1:,} others" if len(without) > 1 else ""
        raise DataError(
            f"{called(without[0], hierarchy.names)} has no superclass at or above it{more}. Add one"
            " to the cut, or let such classes be their own."
        )
    superclasses = [
        hierarchy.wnids[found[place]] if place in found else wnid
        for place, wnid in enumerate(classes)
    ]
    return Assigned(list(classes), superclasses, without)


def cut_at_depth(hierarchy: Hierarchy, classes: Sequence[str], depth: int) -> list[str]:
    """The ancestors of classes, and classes, whose shortest way to a root has ``depth`` edges;
    sorted. Every class that is at least as deep is at or below one. DataError where there are
    none."""
    part = hierarchy.trimmed(set(classes))
    found = [part.wnids[place] for place in np.flatnonzero(part.min_depth == depth)]
    if not found:
        raise DataError(
            f"No class is {depth} edges below a root: the deepest is {int(part.min_depth.max())}."
        )
    return found


def cut_of_size(hierarchy: Hierarchy, classes: Sequence[str], number: int) -> list[str]:
    """At most ``number`` nodes with all classes at or below them; sorted.

    In the tree of shortest ways (``tree_of``) the roots are divided again and again: the node with
    the most classes at or below it (ties by wnid) gives way to its children, and to itself where it
    is a class, unless that would make more than ``number``. DataError where there are more roots.
    """
    tree, _ = tree_of(hierarchy, classes, "shortest")
    own = set(classes)
    sizes = np.asarray(
        tree.ancestor_or_self_matrix[tree.positions(sorted(own))].sum(axis=0)
    ).ravel()
    roots = np.flatnonzero(np.diff(tree.up.indptr) == 0).tolist()
    if len(roots) > number:
        raise DataError(f"The classes have {len(roots):,} roots, which is more than {number:,}.")
    count, kept = len(roots), []
    waiting = [(-int(sizes[root]), root) for root in roots]
    heapq.heapify(waiting)
    while waiting:
        _, node = heapq.heappop(waiting)
        children = row_of(tree.down, node).tolist()
        stays = tree.wnids[node] in own
        grown = count - 1 + len(children) + stays
        if not children or grown > number:
            kept.append(node)
            continue
        count = grown
        if stays:
            kept.append(node)
        for child in children:
            heapq.heappush(waiting, (-int(sizes[child]), child))
    return sorted(tree.wnids[node] for node in kept)


def write_superclasses(
    hierarchy: Hierarchy,
    classes: Sequence[str],
    path: Path,
    *,
    cut: Sequence[str] | None = None,
    depth: int | None = None,
    number: int | None = None,
    alone: bool = True,
    **metadata: Any,
) -> Assigned:
    """Write ``assign_superclasses`` as a table of ``CUT_COLUMNS``, with a manifest beside it.

    One of ``cut``, ``depth`` (``cut_at_depth``) and ``number`` (``cut_of_size``) says what the
    superclasses are; ``metadata`` goes into the manifest. DataError as they do, and for a manifest
    that is something else.
    """
    if cut is None and depth is not None:
        cut = cut_at_depth(hierarchy, classes, depth)
    elif cut is None:
        assert number is not None
        cut = cut_of_size(hierarchy, classes, number)
    assigned = assign_superclasses(hierarchy, classes, cut, alone)
    check_result(manifest_path(path), "superclasses")
    write_table(path, CUT_COLUMNS, assigned.rows(dict(hierarchy.names)))
    chosen = {"cut": list(cut), "depth": depth, "number": number, "alone": assigned.alone}
    facts = {"hierarchy": dict(hierarchy.provenance), **chosen}
    write_manifest(path, "superclasses", **metadata, **facts)
    return assigned
