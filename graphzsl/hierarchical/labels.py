"""True and predicted classes as given, checked and turned into positions of nodes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from graphzsl.class_entries import check_once, check_ordered
from graphzsl.errors import DataError
from graphzsl.frames import in_order_of
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.wording import counted

Positions = npt.NDArray[np.int64]
#: Names of nodes, or numbers of classes; [N], and [N, K] for lists.
Labels = Sequence[Any] | npt.NDArray[Any]
#: The last classes that each hierarchy was asked for, with what is left of it.
_KNOWN: WeakKeyDictionary[Hierarchy, ClassTree] = WeakKeyDictionary()


@dataclass(frozen=True, eq=False)
class ClassTree:
    """A hierarchy trimmed to its classes, if any were given; ``positions`` are theirs in it.

    ``roots`` are the nodes of the whole hierarchy without a parent.
    """

    hierarchy: Hierarchy
    classes: tuple[str, ...] | None
    positions: Positions
    roots: frozenset[str]

    @classmethod
    def of(cls, hierarchy: Hierarchy, classes: Iterable[str] | None = None) -> ClassTree:
        """The last one is kept for each hierarchy. DataError for a class that is named twice or is
        not a node, and for a hierarchy that is none or has a cycle."""
        if not isinstance(hierarchy, Hierarchy):
            raise DataError(
                f"hierarchy must be a Hierarchy, not {type(hierarchy).__name__}: edges make one,"
                " Hierarchy.from_edges([(child, parent), …]).",
                argument="hierarchy",
            )
        hierarchy.order  # noqa: B018 - DataError for a cycle
        if classes is None:
            return cls(hierarchy, None, np.array([], np.int64), _roots(hierarchy))
        names = _distinct(classes)
        known = _KNOWN.get(hierarchy)
        if known is None or known.classes != names:
            part = hierarchy.trimmed(names)
            known = cls(part, names, part.positions(names), _roots(hierarchy))
            _KNOWN[hierarchy] = known  # holds a part, not the key, which can be forgotten
        return known

    def nodes(self, labels: Labels, what: str) -> Positions:
        """Positions of the nodes that labels name, in their shape; DataError names the row of one
        that is wrong."""
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
        nodes = np.array(found, np.int64).reshape(given.shape)
        if (nodes < 0).any():
            place = np.argwhere(nodes < 0)[0]
            lacks = "is not a node of the hierarchy"
            if self.classes is not None:
                lacks = f"is neither one of the {counted(len(self.classes), 'class', 'classes')}"
                lacks += " nor above one"
            raise DataError(
                f"{what}, row {place[0]}: {str(given[tuple(place)])!r} {lacks}.", argument=what
            )
        return nodes

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


def _distinct(classes: Iterable[str]) -> tuple[str, ...]:
    if isinstance(classes, str):
        raise DataError(f"classes must be several names, not the text {classes!r}.")
    check_ordered(classes, "classes")
    names = tuple(str(name) for name in classes)
    if not names:
        raise DataError("classes is empty.", argument="classes")
    check_once(names, argument="classes")
    return names


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
