"""True and predicted classes as given, checked and turned into positions of nodes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from graphzsl.common.class_entries import Entry, check_ordered
from graphzsl.common.errors import DataError
from graphzsl.common.frames import in_order_of
from graphzsl.common.wording import counted
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.resolver import resolve_entries, resolve_nodes

Positions = npt.NDArray[np.int64]
#: Names of nodes, or numbers of classes; [N], and [N, K] for lists.
Labels = Sequence[Any] | npt.NDArray[Any]
#: The last classes that each hierarchy was asked for, with what is left of it.
_KNOWN: WeakKeyDictionary[Hierarchy, ClassTree] = WeakKeyDictionary()


@dataclass(frozen=True, eq=False)
class ClassTree:
    """A hierarchy trimmed to its classes, if any were given; ``positions`` are theirs in it.

    ``roots`` are the nodes of the whole hierarchy without a parent; ``whole`` is that hierarchy, in
    which names and words are looked up.
    """

    hierarchy: Hierarchy
    classes: tuple[str, ...] | None
    positions: Positions
    roots: frozenset[str]
    whole: Hierarchy | None = None

    @classmethod
    def of(cls, hierarchy: Hierarchy, classes: Iterable[str] | None = None) -> ClassTree:
        """The last one is kept for each hierarchy. Classes may be wnids, names and words of nodes,
        a file of them, or an ImageNet list by its name. DataError for a class that is there twice
        or is not a node, and for a hierarchy that is none or has a cycle."""
        if not isinstance(hierarchy, Hierarchy):
            raise DataError(
                f"hierarchy must be a Hierarchy, not {type(hierarchy).__name__}: edges make one,"
                " Hierarchy.from_edges([(child, parent), …]).",
                argument="hierarchy",
            )
        hierarchy.order  # noqa: B018 - DataError for a cycle
        if classes is None:
            return cls(hierarchy, None, np.array([], np.int64), _roots(hierarchy), hierarchy)
        names = tuple(nodes_of(hierarchy, classes, "classes"))
        known = _KNOWN.get(hierarchy)
        if known is None or known.classes != names:
            part = hierarchy.trimmed(names)
            known = cls(part, names, part.positions(names), _roots(hierarchy))
            _KNOWN[hierarchy] = known  # holds a part, not the key, which can be forgotten
        return replace(known, whole=hierarchy)

    def nodes(self, labels: Labels, what: str) -> Positions:
        """Positions of the nodes that labels mean (wnids, names, or words of one node), in their
        shape; DataError names the rows of those that are wrong."""
        given = _array(labels, what)
        if given.dtype.kind in "iu":
            return self._numbered(given, what)
        if given.dtype.kind not in "UO":
            raise DataError(
                f"{what} must hold names of nodes or numbers of classes, not {given.dtype}.",
                argument=what,
            )
        index = self.hierarchy.index
        found = [index.get(name, -1) for name in given.ravel().tolist()]
        nodes = np.array(found, np.int64)
        if (nodes < 0).any():
            self._look_up(nodes, given, what)
        return nodes.reshape(given.shape)

    def _look_up(self, nodes: Positions, given: npt.NDArray[Any], what: str) -> None:
        """Fill in the nodes of names and words, where ``nodes`` has -1."""
        first: dict[Any, int] = {}
        cells = given.ravel().tolist()
        for place in np.flatnonzero(nodes < 0).tolist():
            first.setdefault(cells[place], place)
        width = given.size // len(given)
        entries = [
            Entry(text, f"{what}, row {place // width}", f"row {place // width}")
            for text, place in first.items()
        ]
        whole = self.whole or self.hierarchy
        wnids = resolve_entries(entries, whole.vocabulary, None, what, once=False)
        for entry, wnid in zip(entries, wnids, strict=True):
            if wnid not in self.hierarchy.index:
                count = counted(len(self.classes or ()), "class", "classes")
                raise DataError(
                    f"{entry.where}: {entry.text!r} is neither one of the {count} nor above one.",
                    argument=what,
                )
        meant = {entry.text: wnid for entry, wnid in zip(entries, wnids, strict=True)}
        for place in np.flatnonzero(nodes < 0).tolist():
            nodes[place] = self.hierarchy.index[meant[cells[place]]]

    def _numbered(self, given: npt.NDArray[Any], what: str) -> Positions:
        if self.classes is None:
            raise DataError(
                f"{what} holds numbers: classes must say what they count.", argument="classes"
            )
        wrong = np.argwhere((given < 0) | (given >= len(self.classes)))
        if len(wrong):
            place = tuple(wrong[0])
            raise DataError(
                f"{what}, row {place[0]}: there is no class {given[place]} among"
                f" {counted(len(self.classes), 'class', 'classes')}, which count from 0.",
                argument=what,
            )
        return np.asarray(self.positions[given])

    def pair(self, y_true: Labels, y_pred: Labels) -> tuple[Positions, Positions]:
        """[N] and [N] nodes; DataError where the lengths differ or the shapes are others."""
        y_pred = in_order_of(y_true, y_pred, ("y_true", "y_pred"))
        true, predicted = self.nodes(y_true, "y_true"), self.nodes(y_pred, "y_pred")
        for nodes, what in ((true, "y_true"), (predicted, "y_pred")):
            if nodes.ndim != 1:
                raise DataError(
                    f"{what} must be [N], one class per sample, not {list(nodes.shape)}.",
                    argument=what,
                )
        return true, same_length(true, predicted, "y_pred")

    def lists(self, y_true: Labels, ranked: Labels, k: int | None) -> tuple[Positions, Positions]:
        """[N] nodes and the first k of [N, K]; DataError for a k that the lists do not have."""
        ranked = in_order_of(y_true, ranked, ("y_true", "ranked"))
        true, top = self.nodes(y_true, "y_true"), self.nodes(ranked, "ranked")
        if true.ndim != 1 or top.ndim != 2:
            raise DataError(
                f"y_true must be [N] and ranked [N, K], best first, not {list(true.shape)} and"
                f" {list(top.shape)}.",
                argument="ranked",
            )
        depth = top.shape[1]
        length = depth if k is None else k
        if not isinstance(length, int | np.integer) or not 1 <= length <= depth:
            raise DataError(
                f"k must be between 1 and {depth}, the length of the lists, not {length}.",
                argument="k",
            )
        return true, same_length(true, top, "ranked")[:, :length]


def same_length(true: Positions, other: Positions, what: str) -> Positions:
    """``other``; DataError where it has another number of rows."""
    if len(true) != len(other):
        raise DataError(
            f"y_true has {counted(len(true), 'row')} and {what} {len(other):,}: each sample needs"
            " one of both.",
            argument=what,
        )
    return other


def _roots(hierarchy: Hierarchy) -> frozenset[str]:
    tops = np.flatnonzero(np.diff(hierarchy.up.indptr) == 0)
    return frozenset(hierarchy.wnids[top] for top in tops)


def nodes_of(
    hierarchy: Hierarchy, classes: Iterable[str], what: str, once: bool = True
) -> list[str]:
    """The nodes that classes mean, in their order: wnids, names and words, a file of them, or an
    ImageNet list by its name.

    Args:
        hierarchy: whose nodes they are.
        classes: the classes.
        what: the argument that they are.
        once: whether a class must not be there twice, and their order counts.

    Raises:
        DataError: names all that are not nodes, with near ones, or are there twice.
    """
    if once:
        check_ordered(classes, what)
    return resolve_nodes(classes, hierarchy, what, once)


def _array(labels: Labels, what: str) -> npt.NDArray[Any]:
    try:
        given = np.asarray(labels)
    except (TypeError, ValueError):
        raise DataError(f"{what} must be an array; its rows differ in length.") from None
    if not given.ndim:
        raise DataError(f"{what} must be an array of samples, not {labels!r}.", argument=what)
    if not given.size:
        raise DataError(f"{what} is empty.", argument=what)
    return given
