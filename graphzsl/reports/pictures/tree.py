"""Content of a picture of the hierarchy: a tree of classes and their ancestors, the roles of the
classes, and values of them, as columns that a page can hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from graphzsl.common.errors import DataError
from graphzsl.common.wording import called, counted
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.trees import TREE_RULES, Dropped, tree_of
from graphzsl.reports.pictures.roles import ABOVE, CLASS_ROLES, NOTHING

if TYPE_CHECKING:
    from graphzsl.hierarchy.closest import Closest
    from graphzsl.hierarchy.lexicon import Lexicon

#: The rule by which a synset keeps one of its parents: that of `graphzsl export tree`.
RULE = "shortest"
#: Closest training classes that are named.
TIES = 20
#: The scale of shares is that of synsets with one in so many of the valued classes, or more: boxes
#: that are high enough for a name.
LARGE = 40
#: What the one root above several is called.
ROOTS = "all roots"
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Values:
    """A number of each class, to colour by. A synset that is above classes has the mean of those
    at or below it.

    Args:
        label: what it is, for the legend: ``accuracy (hit@1)``.
        of_class: wnid -> value; classes that are not there are unknown.
        kind: how it is written: a share in per cent, a whole number, or a number.
        logarithmic: the colours go by its logarithm; 0 has the lowest colour.
        weights: wnid -> how much its value counts in a mean; 1 of what is not there.
    """

    label: str
    of_class: Mapping[str, float]
    kind: Literal["share", "count", "number"] = "number"
    logarithmic: bool = False
    weights: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class PictureTree:
    """The tree of a picture; made by ``picture_tree``.

    Args:
        wnids: [V] the synsets: those of the tree, every one before what is below it, then those
            that have no place in it.
        parents: [V] the place of each one's parent in the tree; -1 for the root, -2 for a synset
            that has no place in it.
        names: wnid -> name, as far as they are known.
        roles: [V] of each synset: Unseen, Training, Candidate or Class for a class; Ancestor for
            what is above one that is no mere candidate; empty for the others.
        below: role -> [V] how many classes of it are at or below each synset in the hierarchy, a
            class that is there by several ways counted once.
        means: key -> [V] the mean of the classes at or below that have a value; nan for none.
        domains: key -> the values of the first and the last colour. Of a share they are whole per
            cents around the means of large branches (``LARGE``), so that branches differ in colour
            wherever they lie; values beyond have the colour of that end.
        values: key -> what it is, and of each class.
        dropped: the edges of the hierarchy that the tree does not have.
        facts: label -> wnid -> what else is known of a class, to read.
        closest: wnid -> the closest training classes of an unseen class.
        instances: single things (persons, places) among the synsets.
        words: wnid -> the words of a synset.
        glosses: wnid -> its definition.
    """

    wnids: list[str]
    parents: list[int]
    names: Mapping[str, str]
    roles: list[str]
    below: Mapping[str, Ints]
    means: Mapping[str, npt.NDArray[np.float64]]
    domains: Mapping[str, tuple[float, float]]
    values: Mapping[str, Values] = field(default_factory=dict)
    dropped: Sequence[Dropped] = ()
    facts: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    closest: Mapping[str, Closest] = field(default_factory=dict)
    instances: frozenset[str] = frozenset()
    words: Mapping[str, Sequence[str]] = field(default_factory=dict)
    glosses: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        classes = sum(role in CLASS_ROLES for role in self.roles)
        synsets = counted(len(self.wnids), "synset")
        return f"<PictureTree: {counted(classes, 'class', 'classes')}, {synsets}>"

    @property
    def rule(self) -> str:
        """Sentence or two about the edges of the hierarchy that the tree leaves out."""
        if not self.dropped:
            return "Every synset here has one parent: the tree is the hierarchy."
        lost = len({edge.child for edge in self.dropped if edge.kept})
        without = sum(parent == -2 for parent in self.parents)
        text = (
            f"A synset with several parents stands below {TREE_RULES[RULE]} (ties: the smaller"
            f" wnid). {counted(len(self.dropped), 'edge')} of the hierarchy"
            f" {'is' if len(self.dropped) == 1 else 'are'} not in the tree, for"
            f" {counted(lost, 'synset')} with another parent; the neighbourhood shows all of them."
        )
        if without:
            text += (
                f" {counted(without, 'synset')}, whose children all have another parent, "
                f"{'has' if without == 1 else 'have'} no box: the search finds"
                f" {'it' if without == 1 else 'them'}."
            )
        return (
            f"{text} Where a box says that it has 2 of 5 classes, the others stand below another"
            " parent. Means, and counts in the details, are of the hierarchy with all of its edges."
        )

    def columns(self) -> dict[str, Any]:
        """All of it as plain lists, one entry per synset, for JSON."""
        place = {wnid: position for position, wnid in enumerate(self.wnids)}
        shown = [role for role in CLASS_ROLES if role in self.below]
        kinds = [*shown, ABOVE, NOTHING]
        columns: dict[str, Any] = {
            "wnid": self.wnids,
            "parent": self.parents,
            "name": [self.names.get(wnid, "") for wnid in self.wnids],
            "kinds": kinds,
            "role": [kinds.index(role) for role in self.roles],
            "below": {role: self.below[role].tolist() for role in shown},
            "more": [
                [place[edge.child], place[edge.parent]]
                for edge in self.dropped
                if edge.child in place and edge.parent in place
            ],
            "values": [
                {
                    "key": key,
                    "label": values.label,
                    "kind": values.kind,
                    "logarithmic": values.logarithmic,
                    "domain": self.domains[key],
                    "mean": [None if np.isnan(each) else _short(each) for each in self.means[key]],
                    "own": {
                        str(place[wnid]): _short(value)
                        for wnid, value in values.of_class.items()
                        if wnid in place
                    },
                }
                for key, values in self.values.items()
            ],
            "facts": {
                label: {str(place[wnid]): text for wnid, text in of.items() if wnid in place}
                for label, of in self.facts.items()
            },
            # hops, how many are so close, and the places of the first of them
            "closest": {
                str(place[wnid]): [
                    each.hops,
                    len(each.closest),
                    *(place[other] for other in each.closest[:TIES] if other in place),
                ]
                for wnid, each in self.closest.items()
                if wnid in place
            },
            "instance": [place[wnid] for wnid in sorted(self.instances) if wnid in place],
        }
        if self.words:
            columns["words"] = ["; ".join(self.words.get(wnid, ())) for wnid in self.wnids]
        if self.glosses:
            columns["gloss"] = [self.glosses.get(wnid, "") for wnid in self.wnids]
        return columns


def picture_tree(
    hierarchy: Hierarchy,
    roles: Mapping[str, str],
    values: Mapping[str, Values] | None = None,
    facts: Mapping[str, Mapping[str, Any]] | None = None,
    root: str | None = None,
    lexicon: Lexicon | None = None,
    closest: Mapping[str, Closest] | None = None,
) -> PictureTree:
    """The tree of classes and their ancestors in a hierarchy, for ``icicle_fragment`` and
    ``picture``.

    A synset with several parents keeps the one with the shortest way to a root, ties by wnid
    (``hierarchy.trees``). Counts and means are of the hierarchy itself.

    Args:
        hierarchy: any; all of WordNet for a picture of ImageNet's classes.
        roles: class -> Unseen, Training, Candidate, or Class where there are no others.
        values: key -> numbers of classes to colour by. Numbers of synsets that are no classes here
            are left out.
        facts: label -> wnid -> text or number, to read of a class.
        root: only what is at or below this synset.
        lexicon: whose words and glosses are shown; without it names are.
        closest: class -> its closest training classes, to read of it.

    Raises:
        DataError: no class, one that is not a node, none at or below the root, or a role that there
            is not.

    >>> from graphzsl.reports.pictures.tree import Values, picture_tree
    >>> edges = [("cat", "animal"), ("dog", "animal"), ("oak", "plant"), ("animal", "thing"),
    ...          ("plant", "thing")]
    >>> accuracy = Values("accuracy", {"cat": 0.5, "dog": 1.0, "oak": 0.2}, "share")
    >>> roles = dict.fromkeys(accuracy.of_class, "Class")
    >>> tree = picture_tree(gz.Hierarchy.from_edges(edges), roles, {"accuracy": accuracy})
    >>> tree
    <PictureTree: 3 classes, 6 synsets>
    >>> tree.wnids, tree.means["accuracy"].round(2).tolist()
    (['thing', 'animal', 'cat', 'dog', 'plant', 'oak'], [0.57, 0.75, 0.5, 1.0, 0.2, 0.2])
    """
    if strange := sorted(set(roles.values()) - {*CLASS_ROLES}):
        raise DataError(
            f"There is no role {strange[0]!r} of classes. Choose one of {', '.join(CLASS_ROLES)}."
        )
    hierarchy.positions(roles)
    part = hierarchy if root is None else _at_or_below(hierarchy, root)
    classes = [wnid for wnid in roles if wnid in part.index]
    if root is not None and not classes:
        raise DataError(
            f"No class of the picture is at or below {called(root, hierarchy.names)}. Choose a"
            " synset that is above some.",
            argument="root",
        )
    tree, dropped = tree_of(part, classes, RULE)
    wnids, parents = _in_order(tree, set(classes))
    shown = set(wnids)
    outside = sorted({edge.child for edge in dropped} - shown | {e.parent for e in dropped} - shown)
    wnids, parents = [*wnids, *outside], [*parents, *[-2] * len(outside)]
    given = {
        key: replace(
            each,
            of_class={wnid: value for wnid, value in each.of_class.items() if wnid in part.index},
        )
        for key, each in (values or {}).items()
    }
    below, means, domains = _counts(part, classes, roles, given, wnids)
    special = sum((below[role] for role in below if role != "Candidate"), np.zeros(len(wnids)))
    words: dict[str, list[str]] = {}
    glosses: dict[str, str] = {}
    instances: frozenset[str] = frozenset()
    if lexicon is not None:
        known = {wnid: lexicon.index[wnid] for wnid in wnids if wnid in lexicon.index}
        words = {wnid: lexicon.words_of(at) for wnid, at in known.items()}
        glosses = {wnid: lexicon.gloss(at) for wnid, at in known.items()}
        instances = frozenset(wnid for wnid, at in known.items() if lexicon.instances[at])
    return PictureTree(
        wnids,
        parents,
        {wnid: hierarchy.names[wnid] for wnid in wnids if wnid in hierarchy.names} | {"": ROOTS},
        [
            roles[wnid] if wnid in roles else ABOVE if special[at] else NOTHING
            for at, wnid in enumerate(wnids)
        ],
        below,
        means,
        domains,
        given,
        dropped,
        facts or {},
        closest or {},
        instances,
        words,
        glosses,
    )


def _at_or_below(hierarchy: Hierarchy, root: str) -> Hierarchy:
    """The part of a hierarchy at and below a node."""
    wnids = sorted(hierarchy.subtree([root]))
    kept = hierarchy.positions(wnids)
    return Hierarchy(
        wnids,
        {wnid: position for position, wnid in enumerate(wnids)},
        hierarchy.up[kept][:, kept].tocsr(),
        hierarchy.names,
    )


def _in_order(tree: Hierarchy, classes: set[str]) -> tuple[list[str], list[int]]:
    """The nodes of a tree, every one before those below it, siblings with more classes first (ties
    by wnid), and the place of each one's parent. Several roots have one above them, whose wnid is
    empty."""
    children: dict[str, list[str]] = {}
    for child, parent in zip(*(ends.tolist() for ends in tree.up.nonzero()), strict=True):
        children.setdefault(tree.wnids[parent], []).append(tree.wnids[child])
    lines = tree.ancestor_or_self_matrix[tree.positions(classes)]
    size = dict(zip(tree.wnids, np.asarray(lines.sum(axis=0)).ravel().tolist(), strict=True))

    def ordered(nodes: Iterable[str]) -> list[str]:
        return sorted(nodes, key=lambda wnid: (-size[wnid], wnid))

    roots = ordered(tree.wnids[at] for at in np.flatnonzero(np.diff(tree.up.indptr) == 0))
    wnids, parents = ([""], [-1]) if len(roots) > 1 else ([], [])
    waiting = [(wnid, len(wnids) - 1) for wnid in reversed(roots)]
    while waiting:
        wnid, parent = waiting.pop()
        wnids.append(wnid)
        parents.append(parent)
        here = len(wnids) - 1
        waiting += [(child, here) for child in reversed(ordered(children.get(wnid, ())))]
    return wnids, parents


def _counts(
    part: Hierarchy,
    classes: Sequence[str],
    roles: Mapping[str, str],
    values: Mapping[str, Values],
    wnids: Sequence[str],
) -> tuple[dict[str, Ints], dict[str, npt.NDArray[np.float64]], dict[str, tuple[float, float]]]:
    """Classes of each role, and means of each value, at or below every synset of a picture, and the
    values of the first and the last colour."""
    lines = part.ancestor_or_self_matrix[part.positions(classes)].astype(np.float64)
    place = np.array([part.index.get(wnid, -1) for wnid in wnids], dtype=np.int64)

    def summed(of_classes: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        total: npt.NDArray[np.float64] = np.asarray(of_classes @ lines)
        # the root above several roots has all of them below it
        return np.asarray(np.where(place >= 0, total[place], of_classes.sum()))

    own = np.array([roles[wnid] for wnid in classes])
    below = {
        role: summed((own == role).astype(np.float64)).astype(np.int64)
        for role in CLASS_ROLES
        if (own == role).any()
    }
    means, domains = {}, {}
    for key, each in values.items():
        weights = np.array(
            [each.weights.get(wnid, 1.0) if wnid in each.of_class else 0.0 for wnid in classes]
        )
        number = summed(weights)
        given = np.array([each.of_class.get(wnid, 0.0) for wnid in classes], dtype=float)
        means[key] = np.where(number > 0, summed(weights * given) / np.maximum(number, 1), np.nan)
        held = summed((weights > 0).astype(np.float64))
        is_large = held >= max(1.0, held.max(initial=0) / LARGE)
        domains[key] = _domain(each, 100 * means[key][is_large])
    return below, means, domains


def _domain(values: Values, of_large: npt.NDArray[np.float64]) -> tuple[float, float]:
    """The values of the first and the last colour: of a share by the per cents ``of_large``
    branches, else the smallest and the largest one (above 0 on a logarithmic scale)."""
    if values.kind == "share":
        ends = np.floor(of_large.min(initial=100) + 1e-9), np.ceil(of_large.max(initial=0) - 1e-9)
        return (float(ends[0]) / 100, float(ends[1]) / 100) if ends[0] < ends[1] else (0.0, 1.0)
    known = [value for value in values.of_class.values() if value > 0 or not values.logarithmic]
    return (float(min(known)), float(max(known))) if known else (0.0, 1.0)


def _short(value: float) -> float:
    """Six digits: what a page shows has fewer."""
    return float(f"{float(value):.6g}")
