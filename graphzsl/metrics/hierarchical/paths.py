"""Overlaps and distances of ways from the root, and answers at several levels."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from graphzsl.common.errors import DataError
from graphzsl.hierarchy.distances import AncestorPath
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.pairs import distinct_pairs
from graphzsl.metrics.hierarchical.labels import ClassTree, Labels, Positions
from graphzsl.metrics.hierarchical.scores import overlaps
from graphzsl.metrics.hierarchical.shares import shares

Floats = npt.NDArray[np.float64]


def jaccard(
    hierarchy: Hierarchy,
    y_true: Labels,
    y_pred: Labels,
    *,
    classes: Iterable[str] | None = None,
    root: bool = False,
) -> float:
    """Mean Jaccard similarity of the true and the predicted class with all of their ancestors.

    Of a sample ``|A(y) ∩ A(ŷ)| / |A(y) ∪ A(ŷ)|``, A(c) as in ``precision_recall_f``; 0 of nothing.

    Args:
        hierarchy: of the classes.
        y_true: [N] the true classes: names of nodes, or numbers of ``classes``.
        y_pred: [N] the predicted ones; a node above the classes may be one.
        classes: what numbers count.
        root: whether the root counts.

    Returns:
        The mean over samples.

    Raises:
        DataError: as ``precision_recall_f``.

    Reference:
        Pal et al. 2025, HyCoCLIP (Jaccard similarity of the sets of ancestors).

    >>> pets = gz.Hierarchy.from_edges(
    ...     [("poodle", "dog"), ("beagle", "dog"), ("dog", "pet"), ("cat", "pet")]
    ... )
    >>> gz.hierarchical.jaccard(pets, ["poodle", "cat"], ["dog", "cat"])
    0.75
    """
    tree = ClassTree.of(hierarchy, classes)
    true, predicted = tree.pair(y_true, y_pred)
    common, of_true, of_predicted = overlaps(tree, true, predicted, root)
    return float(shares(common, of_true + of_predicted - common).mean())


def tree_induced_error(
    hierarchy: Hierarchy,
    y_true: Labels,
    y_pred: Labels,
    *,
    classes: Iterable[str] | None = None,
) -> float:
    """Mean number of edges between the true and the predicted class (TIE): up to a common ancestor
    and down, as few as can be. In a tree that is the only way.

    Args:
        hierarchy: of the classes.
        y_true: [N] the true classes: names of nodes, or numbers of ``classes``.
        y_pred: [N] the predicted ones.
        classes: what numbers count.

    Returns:
        The mean over samples.

    Raises:
        DataError: two classes without a common ancestor; as ``lca_heights``.

    Reference:
        Dekel, Keshet & Singer 2004, Large margin hierarchical classification, section 2.

    >>> pets = gz.Hierarchy.from_edges(
    ...     [("poodle", "dog"), ("beagle", "dog"), ("dog", "pet"), ("cat", "pet")]
    ... )
    >>> gz.hierarchical.tree_induced_error(pets, ["poodle", "poodle"], ["beagle", "cat"])
    2.5
    """
    tree = ClassTree.of(hierarchy, classes)
    true, predicted = tree.pair(y_true, y_pred)
    one, other, places = distinct_pairs(true, predicted)
    targets, columns = np.unique(other, return_inverse=True)
    sources, rows = np.unique(one, return_inverse=True)
    lengths = AncestorPath(tree.hierarchy).to(targets)(sources)[rows, columns]
    if np.isinf(lengths).any():
        pair = int(np.flatnonzero(np.isinf(lengths))[0])
        names = [tree.hierarchy.wnids[each] for each in (one[pair], other[pair])]
        raise DataError(f"{names[0]} and {names[1]} have no common ancestor in the hierarchy.")
    return float(lengths[places].mean())


class PathScores(NamedTuple):
    """Shares of samples that were asked at several levels.

    Args:
        full_path: the answers of all levels are right: hierarchical consistent accuracy.
        finest: the answer of the finest level is right.
        inconsistent: the answers do not lie on one way down: some answer is not above the next.

    >>> gz.hierarchical.PathScores(0.5, 0.75, 0.25).inconsistent
    0.25
    """

    full_path: float
    finest: float
    inconsistent: float


def path_scores(hierarchy: Hierarchy, y_true: Labels, y_pred: Labels) -> PathScores:
    """Score answers at several levels, such as animal, dog and poodle of one image.

    Args:
        hierarchy: of the classes.
        y_true: [N, L] the true node of each level, the coarsest first; or [N] the true classes,
            of which every node above is right, at whatever level.
        y_pred: [N, L] the answer of each level.

    Returns:
        The shares.

    Raises:
        DataError: a name that is not a node, or arrays of other shapes.

    Reference:
        Wu et al. 2024, ProTeCt (hierarchical consistent accuracy, where the nodes are those of all
        levels).

    >>> pets = gz.Hierarchy.from_edges(
    ...     [("poodle", "dog"), ("beagle", "dog"), ("dog", "pet"), ("cat", "pet")]
    ... )
    >>> answers = [["dog", "poodle"], ["cat", "poodle"]]
    >>> gz.hierarchical.path_scores(pets, ["poodle", "poodle"], answers)
    PathScores(full_path=0.5, finest=1.0, inconsistent=0.5)
    """
    tree = ClassTree.of(hierarchy)
    true, predicted = tree.nodes(y_true, "y_true"), tree.nodes(y_pred, "y_pred")
    if predicted.ndim != 2 or len(predicted) != len(true) or true.ndim > 2:
        raise DataError(
            f"y_pred is [N, L], the answers of L levels, and y_true [N, L] or [N]; they are"
            f" {predicted.shape} and {true.shape}."
        )
    if true.ndim == 2 and true.shape != predicted.shape:
        raise DataError(f"y_true {true.shape} and y_pred {predicted.shape} have other levels.")
    if true.ndim == 2:
        is_right = predicted == true
    else:
        finest = np.broadcast_to(true[:, None], predicted.shape)
        is_right = _is_above(tree.hierarchy, predicted, finest)
        is_right[:, -1] = predicted[:, -1] == true
    on_the_way = _is_above(tree.hierarchy, predicted[:, :-1], predicted[:, 1:])
    return PathScores(
        float(is_right.all(axis=1).mean()),
        float(is_right[:, -1].mean()),
        float((~on_the_way).any(axis=1).mean()),
    )


def _is_above(hierarchy: Hierarchy, one: Positions, other: Positions) -> npt.NDArray[np.bool_]:
    """Mark the nodes that are those beside them, or above these."""
    if not one.size:
        return np.ones(one.shape, dtype=bool)
    low, high, places = distinct_pairs(other.ravel(), one.ravel())
    above = hierarchy.ancestor_or_self_matrix[low, high]
    return (np.asarray(above).ravel() > 0)[places].reshape(one.shape)
