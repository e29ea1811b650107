"""Hierarchical metrics as ``torchmetrics.Metric``; they need the extra ``models``.

``update(preds, target)`` takes predictions first, as torchmetrics does: [N, C] scores, of which the
largest counts, or [N] numbers of classes; targets are [N] numbers. Where scores tie at the largest,
torch chooses. States are sums, so they add up over batches and processes. What two classes have in
common is a table [C, C] on the metric's device, 4 bytes for each pair.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any, Literal

import numpy as np

from graphzsl.common.errors import DataError
from graphzsl.common.extras import missing
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.metrics.hierarchical.cuts import Superclasses, cut_codes, right_at_levels
from graphzsl.metrics.hierarchical.labels import ClassTree, Positions
from graphzsl.metrics.hierarchical.scores import DistanceName, distances, overlaps

try:
    import torch
    from torch import Tensor
    from torchmetrics import Metric
except ModuleNotFoundError as error:
    raise missing(error) from None

__all__ = [
    "CutAccuracy",
    "HierarchicalDistance",
    "HierarchicalFScore",
    "HierarchicalPrecision",
    "HierarchicalRecall",
    "LevelAccuracy",
    "MistakeSeverity",
]


class _OfClasses(Metric):  # type: ignore[misc]
    """A metric of C classes, the columns of scores."""

    is_differentiable = False
    full_state_update = False

    def __init__(self, tree: ClassTree, **kwargs: Any):
        super().__init__(**kwargs)
        self.classes = len(tree.positions)

    def _keep(self, name: str, values: Any, kind: torch.dtype = torch.float32) -> None:
        """A table that follows the metric to its device and is not part of its state."""
        self.register_buffer(name, torch.as_tensor(np.asarray(values)).to(kind), persistent=False)

    def _sums(self, told_apart_by: object, *tables: Any, **shapes: tuple[int, ...]) -> None:
        """States of sums; float64, so that a million samples add up.

        A MetricCollection lets metrics share states that have the same names and, after the first
        batch, the same values. So the names say what the sums are of.
        """
        digest = hashlib.blake2b(repr(told_apart_by).encode(), digest_size=8)
        for table in tables:
            digest.update(np.ascontiguousarray(table).tobytes())
        self.states = [f"{name}_{digest.hexdigest()}" for name in shapes]
        for name, shape in zip(self.states, shapes.values(), strict=True):
            self.add_state(name, torch.zeros(shape, dtype=torch.float64), dist_reduce_fx="sum")

    def _add(self, *values: Tensor | float) -> None:
        for name, value in zip(self.states, values, strict=True):
            setattr(self, name, getattr(self, name) + value)

    def _totals(self) -> list[Tensor]:
        return [getattr(self, name) for name in self.states]

    def _targets(self, preds: Tensor, target: Tensor) -> Tensor:
        if target.ndim != 1 or not len(target) or len(preds) != len(target):
            raise DataError(
                f"target must be [N], one class per prediction and N at least 1, not"
                f" {list(target.shape)} beside preds {list(preds.shape)}."
            )
        return self._numbers(target, "target")

    def _first(self, preds: Tensor) -> Tensor:
        """[N] the numbers of the predicted classes."""
        if preds.ndim == 1 and not preds.is_floating_point():
            return self._numbers(preds, "preds")
        return self._scores(preds).argmax(dim=1)

    def _scores(self, preds: Tensor) -> Tensor:
        if preds.ndim != 2 or preds.shape[1] != self.classes:
            raise DataError(
                f"preds must be [N] numbers of classes or [N, {self.classes}] scores, not"
                f" {list(preds.shape)} of {preds.dtype}."
            )
        wrong = torch.isnan(preds).any(dim=1).nonzero()
        if len(wrong):
            raise DataError(f"Row {int(wrong[0])} of preds holds NaN.")
        return preds

    def _numbers(self, given: Tensor, what: str) -> Tensor:
        if given.is_floating_point() or given.dtype == torch.bool:
            raise DataError(f"{what} must hold numbers of classes, not {given.dtype}.")
        wrong = ((given < 0) | (given >= self.classes)).nonzero()
        if len(wrong):
            row = int(wrong[0, 0])
            raise DataError(
                f"{what}, row {row}: there is no class {int(given[row])} among {self.classes},"
                " which count from 0."
            )
        return given.long()


def _pairs(tree: ClassTree) -> tuple[Positions, Positions]:
    """[C²] and [C²] positions: every pair of classes."""
    places = tree.positions
    return np.repeat(places, len(places)), np.tile(places, len(places))


class HierarchicalPrecision(_OfClasses):
    """hP over all samples; see ``graphzsl.metrics.hierarchical.precision_recall_f``.

    Args:
        hierarchy: of the classes.
        classes: [C] names of nodes, in the order of the columns of scores.
        root: whether the root counts.
        kwargs: of ``torchmetrics.Metric``.

    Reference:
        Kiritchenko et al. 2006.
    """

    higher_is_better = True
    overlap: Tensor
    sizes: Tensor

    def __init__(
        self, hierarchy: Hierarchy, classes: Iterable[str], root: bool = False, **kwargs: Any
    ):
        tree = ClassTree.of(hierarchy, classes)
        super().__init__(tree, **kwargs)
        overlap, _, sizes = overlaps(tree, *_pairs(tree), root)
        self._keep("overlap", overlap.reshape(self.classes, self.classes))
        self._keep("sizes", sizes[: self.classes])
        self._sums("overlap", overlap, sizes, common=(), predicted=(), true=())

    def update(self, preds: Tensor, target: Tensor) -> None:
        """Add samples."""
        true, found = self._targets(preds, target), self._first(preds)
        values = self.overlap[true, found], self.sizes[found], self.sizes[true]
        self._add(*(value.sum(dtype=torch.float64) for value in values))

    def _shares(self) -> tuple[Tensor, Tensor]:
        common, predicted, true = self._totals()
        nothing = torch.zeros_like(common)
        return (
            torch.where(predicted > 0, common / predicted, nothing),
            torch.where(true > 0, common / true, nothing),
        )

    def compute(self) -> Tensor:
        """hP of all samples so far."""
        return self._shares()[0]


class HierarchicalRecall(HierarchicalPrecision):
    """hR over all samples; arguments as for ``HierarchicalPrecision``.

    Reference:
        Kiritchenko et al. 2006.
    """

    def compute(self) -> Tensor:
        """hR of all samples so far."""
        return self._shares()[1]


class HierarchicalFScore(HierarchicalPrecision):
    """hF over all samples; arguments as for ``HierarchicalPrecision``, and beta.

    Args:
        hierarchy: of the classes.
        classes: [C] names of nodes.
        beta: more than 1 weighs recall, less than 1 precision.
        root: whether the root counts.
        kwargs: of ``torchmetrics.Metric``.

    Reference:
        Kiritchenko et al. 2006.
    """

    def __init__(
        self,
        hierarchy: Hierarchy,
        classes: Iterable[str],
        beta: float = 1.0,
        root: bool = False,
        **kwargs: Any,
    ):
        super().__init__(hierarchy, classes, root, **kwargs)
        if not beta > 0:
            raise DataError(f"beta must be above 0, not {beta}.", argument="beta")
        self.beta = beta

    def compute(self) -> Tensor:
        """hF of all samples so far."""
        precision, recall = self._shares()
        below = self.beta**2 * precision + recall
        above = (self.beta**2 + 1) * precision * recall
        return torch.where(below > 0, above / below, torch.zeros_like(below))


class HierarchicalDistance(_OfClasses):
    """Mean distance of the first k predictions; see ``gz.hierarchical.distance_at_k``.

    Args:
        hierarchy: of the classes.
        classes: [C] names of nodes, in the order of the columns of scores.
        k: how many predictions count; more than 1 needs scores.
        distance: "height" or "information".
        of: "mean" over the k predictions, or the "least" of them.
        mistakes: only samples whose first prediction is wrong count.
        kwargs: of ``torchmetrics.Metric``.

    Reference:
        Bertinetto et al. 2020; Shi et al. 2024.
    """

    higher_is_better = False
    table: Tensor

    def __init__(
        self,
        hierarchy: Hierarchy,
        classes: Iterable[str],
        k: int = 1,
        distance: DistanceName = "height",
        of: Literal["mean", "least"] = "mean",
        mistakes: bool = False,
        **kwargs: Any,
    ):
        tree = ClassTree.of(hierarchy, classes)
        super().__init__(tree, **kwargs)
        if not 1 <= k <= self.classes:
            raise DataError(
                f"k must be between 1 and {self.classes}, the number of classes, not {k}.",
                argument="k",
            )
        if of not in ("mean", "least"):
            raise DataError(f"of must be mean or least, not {of!r}.", argument="of")
        self.k, self.of, self.mistakes = k, of, mistakes
        table = distances(tree, *_pairs(tree), distance)
        self._keep("table", table.reshape(self.classes, self.classes))
        self._sums((of, k, mistakes), table, total=(), samples=())

    def update(self, preds: Tensor, target: Tensor) -> None:
        """Add samples."""
        true = self._targets(preds, target)
        top = self._first(preds)[:, None] if self.k == 1 else self._scores(preds).topk(self.k)[1]
        found = self.table[true[:, None], top]
        values = found.mean(dim=1) if self.of == "mean" else found.min(dim=1)[0]
        kept = top[:, 0] != true if self.mistakes else torch.ones_like(true, dtype=torch.bool)
        self._add(*(value.sum(dtype=torch.float64) for value in (values[kept], kept)))

    def compute(self) -> Tensor:
        """The mean over all samples so far; nan without any that counts."""
        total, samples = self._totals()
        return total / samples


class MistakeSeverity(HierarchicalDistance):
    """Mean distance of the mistakes alone; see ``graphzsl.metrics.hierarchical.mistake_severity``.

    Args:
        hierarchy: of the classes.
        classes: [C] names of nodes, in the order of the columns of scores.
        distance: "height" or "information".
        kwargs: of ``torchmetrics.Metric``.

    Reference:
        Bertinetto et al. 2020; Shi et al. 2024.
    """

    def __init__(
        self,
        hierarchy: Hierarchy,
        classes: Iterable[str],
        distance: DistanceName = "height",
        **kwargs: Any,
    ):
        super().__init__(hierarchy, classes, distance=distance, mistakes=True, **kwargs)


class LevelAccuracy(_OfClasses):
    """[D + 1] accuracy at every level; see ``gz.hierarchical.level_accuracy``. D is the
    largest depth of one of the classes. Its table takes D + 1 bytes for each pair.

    Args:
        hierarchy: of the classes.
        classes: [C] names of nodes, in the order of the columns of scores.
        depth: "longest" or "shortest" ways up to a root.
        kwargs: of ``torchmetrics.Metric``.

    Reference:
        Silla and Freitas 2011; the rule for DAGs is ours.
    """

    higher_is_better = True
    right_at: Tensor

    def __init__(
        self,
        hierarchy: Hierarchy,
        classes: Iterable[str],
        depth: Literal["longest", "shortest"] = "longest",
        **kwargs: Any,
    ):
        tree = ClassTree.of(hierarchy, classes)
        super().__init__(tree, **kwargs)
        if depth not in ("longest", "shortest"):
            raise DataError(f"depth must be longest or shortest, not {depth!r}.", argument="depth")
        part = tree.hierarchy
        depths = part.max_depth if depth == "longest" else part.min_depth
        deepest = int(depths[tree.positions].max())
        right = right_at_levels(tree, *_pairs(tree), depths, deepest)
        self._keep("right_at", right.reshape(self.classes, self.classes, -1), torch.bool)
        self._sums("levels", right, right=(deepest + 1,), samples=())

    def update(self, preds: Tensor, target: Tensor) -> None:
        """Add samples."""
        true = self._targets(preds, target)
        right = self.right_at[true, self._first(preds)].sum(dim=0, dtype=torch.float64)
        self._add(right, float(len(true)))

    def compute(self) -> Tensor:
        """The accuracies of all samples so far."""
        right, samples = self._totals()
        return right / samples


class CutAccuracy(_OfClasses):
    """Accuracy at a cut of superclasses; see ``graphzsl.metrics.hierarchical.cut_accuracy``.

    Args:
        hierarchy: of the classes.
        classes: [C] names of nodes, in the order of the columns of scores; each needs a superclass.
        superclasses: the nodes of the cut, or a mapping of each class to a superclass.
        kwargs: of ``torchmetrics.Metric``.

    Reference:
        Santurkar et al. 2021.
    """

    higher_is_better = True
    codes: Tensor

    def __init__(
        self,
        hierarchy: Hierarchy,
        classes: Iterable[str],
        superclasses: Superclasses,
        **kwargs: Any,
    ):
        tree = ClassTree.of(hierarchy, classes)
        super().__init__(tree, **kwargs)
        codes = cut_codes(hierarchy, tree, tree.positions, superclasses, required=True)
        self._keep("codes", codes, torch.int64)
        self._sums("cut", codes, right=(), samples=())

    def update(self, preds: Tensor, target: Tensor) -> None:
        """Add samples."""
        true = self._targets(preds, target)
        right = (self.codes[true] == self.codes[self._first(preds)]).sum(dtype=torch.float64)
        self._add(right, float(len(true)))

    def compute(self) -> Tensor:
        """The accuracy of all samples so far."""
        right, samples = self._totals()
        return right / samples
