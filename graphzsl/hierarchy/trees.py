"""A tree from a hierarchy in which nodes have several parents: one parent is kept by a rule, the
other edges are named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl.common.errors import DataError, SettingsError
from graphzsl.common.files import check_result, manifest_path, write_json, write_manifest
from graphzsl.common.wording import called
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.search import row_of
from graphzsl.sources.tables import write_table

#: Rule -> the parent that is kept; ties by smaller wnid.
TREE_RULES = {
    "shortest": "the parent with the shortest way to a root",
    "longest": "the parent with the longest way to a root",
    "first": "the parent of smallest wnid",
    "populous": "the parent with the most classes at or below it, then the shortest way to a root",
}


@dataclass(frozen=True)
class Dropped:
    """An edge that a tree has no room for, and the parent that its child kept."""

    child: str
    parent: str
    kept: str


def tree_of(
    hierarchy: Hierarchy, classes: Sequence[str], rule: str = "shortest"
) -> tuple[Hierarchy, list[Dropped]]:
    """The hierarchy of the classes and their ancestors with one parent per node.

    Nodes are those of ``Hierarchy.trimmed``; roots, which have no parent, stay roots. A node that
    keeps no class below it, because all of its children keep another parent, is dropped with its
    edges.

    Args:
        hierarchy: with any number of parents per node.
        classes: at least one, each once.
        rule: which parent is kept, one of ``TREE_RULES``.

    Returns:
        The tree (a forest where there are several roots), which knows the names of its nodes, and
        the edges of the trimmed hierarchy that it does not have, sorted. ``kept`` is the parent in
        the tree, and empty where the child itself is dropped.

    Raises:
        DataError: no class, or one that is not a node.
        SettingsError: there is no such rule.

    >>> from graphzsl.hierarchy.trees import tree_of
    >>> edges = [("dog", "canine"), ("dog", "pet"), ("canine", "animal"), ("cat", "pet"),
    ...          ("pet", "animal")]
    >>> tree, dropped = tree_of(gz.Hierarchy.from_edges(edges), ["dog", "cat"])
    >>> tree
    <Hierarchy: 5 nodes, 4 edges>
    >>> dropped
    [Dropped(child='dog', parent='pet', kept='canine')]
    """
    if rule not in TREE_RULES:
        raise SettingsError(f"There is no rule {rule!r}. Choose one of {', '.join(TREE_RULES)}.")
    if not classes:
        raise DataError("There are no classes, so there is no tree of them.")
    part = hierarchy.trimmed(set(classes))
    kept = _kept(part, classes, rule)
    edges = {child: parent for child, parent in enumerate(kept) if parent >= 0}
    alive = _above(part, classes, edges)
    wnids = part.wnids
    dropped = [
        Dropped(
            wnids[child],
            wnids[parent],
            wnids[edges[child]] if child in alive and child in edges else "",
        )
        for child, parent in zip(*(ends.tolist() for ends in part.up.nonzero()), strict=True)
        if child not in alive or edges[child] != parent
    ]
    tree = Hierarchy.from_edges(
        ((wnids[child], wnids[parent]) for child, parent in edges.items() if child in alive),
        (wnids[node] for node in alive),
        **_facts(hierarchy, [wnids[node] for node in alive], rule),
    )
    return tree, sorted(dropped, key=lambda edge: (edge.child, edge.parent))


def contracted(tree: Hierarchy, classes: Sequence[str]) -> Hierarchy:
    """``Hierarchy.pruned``, with provenance: nodes that are no classes and have a single child are
    left out."""
    facts = {**tree.provenance, "contracted": True}
    return replace(tree.pruned(set(classes)), provenance=facts)


def nested(tree: Hierarchy, classes: Sequence[str]) -> dict[str, Any]:
    """The tree as one object per node: ``wnid``, ``name``, ``index`` (the place of a class in the
    list; None for others) and ``children``, by wnid. DataError where there are several roots."""
    roots = [
        wnid for wnid, count in zip(tree.wnids, np.diff(tree.up.indptr), strict=True) if not count
    ]
    if len(roots) > 1:
        shown = ", ".join(called(wnid, tree.names) for wnid in roots[:3])
        raise DataError(
            f"The tree has {len(roots):,} roots ({shown}{', …' if len(roots) > 3 else ''}), and"
            " nested JSON has one. Write a table, or leave the classes below the other roots out."
        )
    place = {wnid: position for position, wnid in enumerate(classes)}
    objects: dict[str, dict[str, Any]] = {
        wnid: {
            "wnid": wnid,
            "name": tree.names.get(wnid),
            "index": place.get(wnid),
            "children": [],
        }
        for wnid in tree.wnids
    }
    for child, parent in zip(*tree.up.nonzero(), strict=True):
        objects[tree.wnids[parent]]["children"].append(objects[tree.wnids[child]])
    return objects[roots[0]]


def edge_rows(tree: Hierarchy) -> list[tuple[str | None, ...]]:
    """(child, parent, name of the child, of the parent) of every edge, sorted."""
    names = tree.names
    pairs = ((tree.wnids[c], tree.wnids[p]) for c, p in zip(*tree.up.nonzero(), strict=True))
    return [(*pair, *(names.get(wnid) for wnid in pair)) for pair in sorted(pairs)]


def write_tree(
    hierarchy: Hierarchy,
    classes: Sequence[str],
    path: Path,
    rule: str = "shortest",
    *,
    contract: bool = False,
    dropped: Path | None = None,
    **metadata: Any,
) -> tuple[Hierarchy, list[Dropped]]:
    """Write ``tree_of``, with a manifest beside it: ``edge_rows`` as a table, or ``nested`` where
    the file is JSON.

    With ``contract`` the tree is ``contracted``; ``dropped`` is a table to write of the edges that
    it does not have; ``metadata`` goes into the manifest. Returns the tree and these edges.
    DataError as ``tree_of`` and ``nested``, and for a manifest that is something else.
    """
    tree, left_out = tree_of(hierarchy, classes, rule)
    if contract:
        tree = contracted(tree, classes)
    check_result(manifest_path(path), "tree")
    if path.suffix == ".json":
        write_json(path, nested(tree, classes))
    else:
        write_table(path, ("child", "parent", "child_name", "parent_name"), edge_rows(tree))
    facts = {
        "hierarchy": dict(hierarchy.provenance),
        "rule": rule,
        "kept": TREE_RULES[rule],
        "contracted": contract,
        "nodes": len(tree.wnids),
        "edges": int(tree.up.nnz),
        "edges_left_out": len(left_out),
    }
    write_manifest(path, "tree", **metadata, **facts)
    if dropped:
        ends = ((edge.child, edge.parent, edge.kept) for edge in left_out)
        columns = ("child", "parent", "kept", "child_name", "parent_name", "kept_name")
        rows = ((*wnids, *map(hierarchy.names.get, wnids)) for wnids in ends)
        write_table(dropped, columns, rows)
    return tree, left_out


def _kept(part: Hierarchy, classes: Sequence[str], rule: str) -> list[int]:
    """[V] the parent that each node keeps; -1 for a root. Positions are in the order of wnids."""
    zero = np.zeros(len(part.wnids), dtype=np.int64)
    first: npt.NDArray[Any]
    second: npt.NDArray[Any]
    if rule == "populous":
        lines = part.ancestor_or_self_matrix[part.positions(classes)]
        first, second = -np.asarray(lines.sum(axis=0)).ravel(), part.min_depth
    else:
        depths: Mapping[str, Any] = {
            "shortest": lambda: part.min_depth,
            "longest": lambda: -part.max_depth,
            "first": lambda: zero,
        }
        first, second = depths[rule](), zero
    return [
        min(parents, key=lambda parent: (first[parent], second[parent], parent))
        if (parents := row_of(part.up, node).tolist())
        else -1
        for node in range(len(part.wnids))
    ]


def _above(part: Hierarchy, classes: Sequence[str], edges: Mapping[int, int]) -> set[int]:
    """The classes, and what is above them along these edges."""
    alive: set[int] = set()
    for node in part.positions(classes).tolist():
        while node not in alive:
            alive.add(node)
            if node not in edges:
                break
            node = edges[node]
    return alive


def _facts(hierarchy: Hierarchy, wnids: Sequence[str], rule: str) -> dict[str, Mapping[str, Any]]:
    given = {key: hierarchy.provenance[key] for key in hierarchy.provenance if key != "whole"}
    return {
        "names": {wnid: hierarchy.names[wnid] for wnid in wnids if wnid in hierarchy.names},
        "provenance": {**given, "rule": rule} if given else {},
    }
