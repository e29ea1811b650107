"""Hierarchical precision, recall and F, and distances through the lowest common ancestor."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from graphzsl.common.errors import DataError
from graphzsl.common.wording import called
from graphzsl.hierarchy.distances import leaf_information
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.pairs import distinct_pairs, over_common_ancestors
from graphzsl.metrics.hierarchical.labels import ClassTree, Labels, Positions
from graphzsl.metrics.hierarchical.shares import f_measure, mean_over, shares

Floats = npt.NDArray[np.float64]
#: What is measured between two classes.
DistanceName = Literal["height", "information"]


class PrecisionRecallF(NamedTuple):
    """Hierarchical precision, recall and F: numbers, or [N] of every sample.

    Args:
        precision: hP, the share of what is predicted that is true.
        recall: hR, the share of what is true that is predicted.
        f: hF, their weighted harmonic mean.

    >>> gz.hierarchical.PrecisionRecallF(0.5, 1.0, 2 / 3).recall
    1.0
    """

    precision: float | Floats
    recall: float | Floats
    f: float | Floats


def precision_recall_f(
    hierarchy: Hierarchy,
    y_true: Labels,
    y_pred: Labels,
    *,
    classes: Iterable[str] | None = None,
    beta: float = 1.0,
    average: Literal["micro", "macro"] | None = "micro",
    root: bool = False,
) -> PrecisionRecallF:
    """Hierarchical precision, recall and F (hP, hR, hF): the overlap of the ancestors of the true
    and the predicted class.

    With A(c) the class c and all its ancestors without the root, hP = Σ|A(y) ∩ A(ŷ)| / Σ|A(ŷ)|,
    hR = Σ|A(y) ∩ A(ŷ)| / Σ|A(y)| and hF = (β² + 1) hP hR / (β² hP + hR). In a DAG A(c) holds all
    ancestors, on every way up, each once.

    Args:
        hierarchy: of the classes; ``Hierarchy.from_edges`` makes one of (child, parent) pairs.
        y_true: [N] the true classes: names of nodes, or numbers of ``classes``.
        y_pred: [N] the predicted ones; a node above the classes may be one.
        classes: what numbers count; names must then be classes or nodes above one.
        beta: more than 1 weighs recall, less than 1 precision.
        average: "micro" sums over samples before dividing, "macro" is the mean over samples of
            their own values, None gives [N] of each.
        root: whether the root counts. Without, a node is left out that is the only one of the
            hierarchy without a parent; where there are several, each stands for a class of its
            own, below a root that is not in the hierarchy, and counts.

    Returns:
        precision, recall and f. A share of nothing is 0, as where the root alone is predicted.

    Raises:
        DataError: a name that is not a node, a number without a class, arrays of different lengths
            or without samples.

    Reference:
        Kiritchenko et al. 2006, Learning and evaluation in the presence of class hierarchies;
        "macro" as in hiclass (Miranda et al. 2023).

    >>> pets = gz.Hierarchy.from_edges(
    ...     [("poodle", "dog"), ("beagle", "dog"), ("dog", "pet"), ("cat", "pet")]
    ... )
    >>> gz.hierarchical.precision_recall_f(pets, ["poodle", "beagle"], ["beagle", "poodle"])
    PrecisionRecallF(precision=0.5, recall=0.5, f=0.5)
    """
    if average not in ("micro", "macro", None):
        raise DataError(
            f"average must be micro, macro or None, not {average!r}.", argument="average"
        )
    if not isinstance(beta, int | float) or not beta > 0:
        raise DataError(f"beta must be above 0, not {beta}.", argument="beta")
    tree = ClassTree.of(hierarchy, classes)
    true, predicted = tree.pair(y_true, y_pred)
    overlap, of_true, of_predicted = overlaps(tree, true, predicted, root)
    if average == "micro":
        overlap, of_true, of_predicted = (
            part.sum(keepdims=True) for part in (overlap, of_true, of_predicted)
        )
    precision, recall = shares(overlap, of_predicted), shares(overlap, of_true)
    found = precision, recall, f_measure(precision, recall, beta)
    if average is None:
        return PrecisionRecallF(*found)
    return PrecisionRecallF(*(float(each.mean()) for each in found))


def overlaps(
    tree: ClassTree, true: Positions, predicted: Positions, root: bool
) -> tuple[Floats, Floats, Floats]:
    """[N] |A(y) ∩ A(ŷ)|, |A(y)| and |A(ŷ)|."""
    counted = np.ones(len(tree.hierarchy.wnids))
    if not root and len(tree.roots) == 1:
        counted[tree.hierarchy.positions(tree.roots)] = 0
    one, other, places = distinct_pairs(true, predicted)
    common = over_common_ancestors(tree.hierarchy, one, other, counted, np.add)
    sizes = tree.hierarchy.ancestor_or_self_matrix @ counted
    return np.nan_to_num(common)[places], sizes[true], sizes[predicted]


def lca_heights(
    hierarchy: Hierarchy,
    y_true: Labels,
    y_pred: Labels,
    *,
    classes: Iterable[str] | None = None,
) -> npt.NDArray[np.int64]:
    """Height of the lowest common ancestor of the true and the predicted class.

    A node's height is its longest way down to a leaf. In a DAG, where several common ancestors can
    be lowest, the smallest height of a common ancestor counts. A class is its own ancestor; equal
    classes have 0, whatever is below them.

    Args:
        hierarchy: of the classes.
        y_true: [N] the true classes: names of nodes, or numbers of ``classes``.
        y_pred: [N] the predicted ones, or [N, K] lists.
        classes: what numbers count. Heights are then those among the classes and their ancestors
            (default: in the whole hierarchy).

    Returns:
        [N] or [N, K] heights, in the shape of ``y_pred``.

    Raises:
        DataError: a name that is not a node, a number without a class, two classes without a
            common ancestor, arrays of different lengths or without samples.

    Reference:
        Russakovsky et al. 2015, section 4.1; Bertinetto et al. 2020.

    >>> pets = gz.Hierarchy.from_edges(
    ...     [("poodle", "dog"), ("beagle", "dog"), ("dog", "pet"), ("cat", "pet")]
    ... )
    >>> gz.hierarchical.lca_heights(pets, ["poodle", "poodle"], ["beagle", "cat"])
    array([1, 2])
    """
    return _distances(hierarchy, y_true, y_pred, classes, "height").astype(np.int64)


def lca_information(
    hierarchy: Hierarchy,
    y_true: Labels,
    y_pred: Labels,
    *,
    classes: Iterable[str] | None = None,
) -> Floats:
    """LCA distance in bits: what the true class says beyond the lowest common ancestor.

    I(n) = −log2 of the share of all leaves that are n or lie below it, and the distance is
    I(y) − I(x), x the common ancestor with the most information. In a DAG a leaf counts once for
    each of its ancestors. It is not symmetric where a class is not a leaf: a prediction below the
    true class has 0.

    Args:
        hierarchy: of the classes.
        y_true: [N] the true classes: names of nodes, or numbers of ``classes``.
        y_pred: [N] the predicted ones, or [N, K] lists.
        classes: what numbers count. Leaves are then the classes without another below them
            (default: the leaves of the whole hierarchy).

    Returns:
        [N] or [N, K] bits, in the shape of ``y_pred``. The mean over mistakes, which the paper
        reports, is ``mistake_severity(…, distance="information")``.

    Raises:
        DataError: as ``lca_heights``.

    Reference:
        Shi et al. 2024, LCA-on-the-Line.

    >>> pets = gz.Hierarchy.from_edges(
    ...     [("poodle", "dog"), ("beagle", "dog"), ("dog", "pet"), ("cat", "pet"), ("cow", "pet")]
    ... )
    >>> gz.hierarchical.lca_information(pets, ["poodle", "poodle"], ["beagle", "cat"])
    array([1., 2.])
    """
    return _distances(hierarchy, y_true, y_pred, classes, "information")


def mistake_severity(
    hierarchy: Hierarchy,
    y_true: Labels,
    y_pred: Labels,
    *,
    classes: Iterable[str] | None = None,
    distance: DistanceName = "height",
) -> float:
    """Mean distance of the mistakes alone: how bad a wrong answer is.

    Args:
        hierarchy: of the classes.
        y_true: [N] the true classes: names of nodes, or numbers of ``classes``.
        y_pred: [N] the predicted ones.
        classes: what numbers count, and what the hierarchy is trimmed to.
        distance: "height" (``lca_heights``) or "information" (``lca_information``).

    Returns:
        The mean over samples whose prediction is not the true class; nan without any.

    Raises:
        DataError: as ``lca_heights``.

    Reference:
        Bertinetto et al. 2020, Making Better Mistakes (heights); Shi et al. 2024
        (information).

    >>> pets = gz.Hierarchy.from_edges(
    ...     [("poodle", "dog"), ("beagle", "dog"), ("dog", "pet"), ("cat", "pet")]
    ... )
    >>> true, predicted = ["poodle", "poodle", "cat"], ["beagle", "cat", "cat"]
    >>> gz.hierarchical.mistake_severity(pets, true, predicted)
    1.5
    """
    tree = ClassTree.of(hierarchy, classes)
    true, predicted = tree.pair(y_true, y_pred)
    return mean_over(distances(tree, true, predicted, distance), true != predicted)


def distance_at_k(
    hierarchy: Hierarchy,
    y_true: Labels,
    ranked: Labels,
    k: int | None = None,
    *,
    classes: Iterable[str] | None = None,
    distance: DistanceName = "height",
    of: Literal["mean", "least"] = "mean",
    mistakes: bool = False,
) -> float:
    """Hierarchical distance@k: how far the first k predictions are from the true class.

    Args:
        hierarchy: of the classes.
        y_true: [N] the true classes: names of nodes, or numbers of ``classes``.
        ranked: [N, K] the predicted ones, best first; their order is taken as given, ties with it.
        k: how many count (default: K).
        classes: what numbers count, and what the hierarchy is trimmed to.
        distance: "height" (``lca_heights``) or "information" (``lca_information``).
        of: "mean" over the k predictions, or the "least" of them.
        mistakes: only samples whose first prediction is wrong count.

    Returns:
        The mean over samples; nan where ``mistakes`` leaves none.

    Raises:
        DataError: as ``lca_heights``; a k below 1 or above K; names the row that has a class twice
            among its first k.

    Reference:
        Bertinetto et al. 2020 and its code: ``_avg/k`` is the default, ``_top/k``
        has "least", ``_mistakes/avgk`` has ``mistakes``; Shi et al. 2024, LCA of the first k, has
        ``mistakes`` and "information".

    >>> pets = gz.Hierarchy.from_edges(
    ...     [("poodle", "dog"), ("beagle", "dog"), ("dog", "pet"), ("cat", "pet")]
    ... )
    >>> lists = [["poodle", "beagle", "cat"], ["beagle", "poodle", "cat"]]
    >>> gz.hierarchical.distance_at_k(pets, ["poodle", "cat"], lists, 2)
    1.25
    """
    if of not in ("mean", "least"):
        raise DataError(f"of must be mean or least, not {of!r}.", argument="of")
    tree = ClassTree.of(hierarchy, classes)
    true, top = tree.lists(y_true, ranked, k)
    _check_once_each(tree, top)
    found = distances(tree, np.repeat(true[:, None], top.shape[1], axis=1), top, distance)
    values = found.mean(axis=1) if of == "mean" else found.min(axis=1)
    return mean_over(values, top[:, 0] != true if mistakes else np.ones(len(true), bool))


def _check_once_each(tree: ClassTree, top: Positions) -> None:
    """DataError names the first row of lists that has a class twice."""
    ordered = np.sort(top, axis=1)
    rows = np.flatnonzero((ordered[:, 1:] == ordered[:, :-1]).any(axis=1))
    if len(rows):
        row = int(rows[0])
        same = ordered[row, 1:][ordered[row, 1:] == ordered[row, :-1]][0]
        name = called(tree.hierarchy.wnids[same], tree.hierarchy.names)
        raise DataError(
            f"ranked, row {row}: {name} is there twice. A list has a class once.",
            argument="ranked",
        )


def _distances(
    hierarchy: Hierarchy,
    y_true: Labels,
    y_pred: Labels,
    classes: Iterable[str] | None,
    distance: DistanceName,
) -> Floats:
    tree = ClassTree.of(hierarchy, classes)
    try:
        are_lists = np.ndim(y_pred) > 1
    except ValueError:
        raise DataError(
            "y_pred holds lists of different lengths; expected [N] or [N, K]."
        ) from None
    if not are_lists:
        true, predicted = tree.pair(y_true, y_pred)
    else:
        true, predicted = tree.lists(y_true, y_pred, None)
        true = np.repeat(true[:, None], predicted.shape[1], axis=1)
    return distances(tree, true, predicted, distance)


def distances(
    tree: ClassTree, true: Positions, predicted: Positions, distance: DistanceName
) -> Floats:
    """The distance of each pair, in the shape of both; DataError names two classes without a
    common ancestor."""
    hierarchy = tree.hierarchy
    one, other, places = distinct_pairs(true, predicted)
    if distance == "height":
        heights = hierarchy.heights.astype(np.float64)
        found = over_common_ancestors(hierarchy, one, other, heights, np.minimum)
        found[one == other] = 0
    elif distance == "information":
        content = leaf_information(hierarchy)
        found = content[one]
        found = found - over_common_ancestors(hierarchy, one, other, content, np.maximum)
    else:
        raise DataError(
            f"distance must be height or information, not {distance!r}.", argument="distance"
        )
    apart = np.flatnonzero(np.isnan(found))
    if len(apart):
        both = " and ".join(
            called(hierarchy.wnids[node[apart[0]]], hierarchy.names) for node in (one, other)
        )
        raise DataError(
            f"{both} have no common ancestor in the hierarchy: add a root above both, or leave one"
            " out."
        )
    return found[places]
