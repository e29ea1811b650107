"""Accuracy against specificity: answers that give up detail for being right, and the curve of the
two over how much being right is worth.

Reference: Jia Deng, Jonathan Krause, Alexander C. Berg, Li Fei-Fei: Hedging your bets: optimizing
accuracy-specificity trade-offs in large scale visual recognition, 2012.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from graphzsl.common.errors import DataError
from graphzsl.common.frames import in_order_of
from graphzsl.hierarchy.distances import leaf_information
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.metrics.hierarchical.answers import Hedging
from graphzsl.metrics.hierarchical.labels import ClassTree, Labels, Positions, same_length
from graphzsl.metrics.hierarchical.probabilities import checked_scores, probability_blocks

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class HedgingCurve:
    """Accuracy and information of answers for every weight λ of being right.

    Args:
        weights: [P] from 0 on, rising: the answers of a λ are those of the last one that is not
            larger.
        accuracy: [P] share of right answers: the true class, or a node above it.
        correct: [P] share of answers that are the true class.
        information: [P] mean bits of the answers over all samples, none for a wrong one.

    >>> pets = gz.Hierarchy.from_edges([("dog", "pet"), ("cat", "pet")])
    >>> gz.hierarchical.hedging_curve(pets, ["cat"], [[0.75, 0.25]], ["dog", "cat"]).at(0)
    Hedging(accuracy=0.0, correct=0.0, information=0.0)
    """

    weights: Floats
    accuracy: Floats
    correct: Floats
    information: Floats

    def __repr__(self) -> str:
        return (
            f"<HedgingCurve: {len(self.weights):,} points, accuracy {self.accuracy[0]:.3f} to"
            f" {self.accuracy.max():.3f}>"
        )

    def at(self, weight: float) -> Hedging:
        """Accuracy and information of the answers of ``hedge`` with this weight."""
        place = int(np.searchsorted(self.weights, _checked(weight), side="right")) - 1
        return Hedging(
            float(self.accuracy[place]), float(self.correct[place]), float(self.information[place])
        )

    def weight_for(self, accuracy: float) -> float:
        """The smallest weight with which at least this share of the answers is right.

        Args:
            accuracy: 1 - ε in the paper, between 0 and 1.

        Raises:
            DataError: no weight reaches it, which only a hierarchy with several roots has.

        Reference:
            Deng et al. 2012, section 3, which searches for it by bisection.
        """
        reached = np.flatnonzero(self.accuracy >= accuracy)
        if not 0 <= accuracy <= 1:
            raise DataError(
                f"accuracy must be between 0 and 1, not {accuracy}.", argument="accuracy"
            )
        if not len(reached):
            raise DataError(
                f"No weight makes {accuracy:g} of the answers right: {self.accuracy.max():g} is the"
                " most. The hierarchy has several roots; add one above them all.",
                argument="accuracy",
            )
        return float(self.weights[reached[0]])


def hedge(
    hierarchy: Hierarchy,
    scores: npt.ArrayLike,
    classes: Sequence[str],
    weight: float,
    *,
    softmax: bool = False,
) -> list[str]:
    """The answer of most expected worth for every sample, where being right is worth ``weight``
    beside the information of the answer.

    The answer is the node v with the largest (I(v) + λ) p(v): p(v) is the sum over the classes that
    are v or lie below it, I(v) = -log2 of the share of all leaves that are v or lie below it, λ the
    weight. With λ = 0 information alone counts; as λ grows, answers move up to the root. Ties: the
    larger p, then the longest way from a root, then the first name.

    Args:
        hierarchy: of the classes.
        scores: [N, C] probabilities; each row sums to 1. The named columns of a DataFrame may be in
            another order than ``classes``.
        classes: [C] names of nodes, the columns of ``scores``.
        weight: λ, from 0 on; ``HedgingCurve.weight_for`` finds the one for an accuracy.
        softmax: make probabilities of scores of any size first.

    Returns:
        [N] nodes: classes, or ancestors of some.

    Raises:
        DataError: NaN, a negative probability or a row that does not sum to 1; a class that is
            not a node; other columns than classes; a negative weight.

    Reference:
        Deng et al. 2012, equation 5 (the Lagrangian's classifier f_λ), with information gain as
        reward. The rule of ties is ours.

    >>> pets = gz.Hierarchy.from_edges(
    ...     [("poodle", "dog"), ("beagle", "dog"), ("dog", "pet"), ("cat", "pet"), ("cow", "pet")]
    ... )
    >>> scores, classes = [[0.5, 0.25, 0.25, 0.0]], ["poodle", "beagle", "cat", "cow"]
    >>> [gz.hierarchical.hedge(pets, scores, classes, weight)[0] for weight in (0, 1, 3)]
    ['poodle', 'dog', 'pet']
    """
    limit = _checked(weight)
    tree = ClassTree.of(hierarchy, classes)
    given = checked_scores(scores, tree)
    answers: list[str] = []
    for block in probability_blocks(given, len(tree.hierarchy.wnids), softmax, tree.classes or ()):
        found = np.empty(len(block), np.int64)
        for rows, weights, nodes in _changes(tree, block):
            early = weights <= limit
            found[rows[early]] = nodes[early]
            if not early.any():
                break
        answers += [tree.hierarchy.wnids[node] for node in found.tolist()]
    return answers


def hedging_curve(
    hierarchy: Hierarchy,
    y_true: Labels,
    scores: npt.ArrayLike,
    classes: Sequence[str],
    *,
    softmax: bool = False,
) -> HedgingCurve:
    """Accuracy and information of the answers of ``hedge`` for every weight at once.

    The answer of a sample changes at few weights, which are computed, not searched for: between two
    points of the curve nothing changes. A weight for an accuracy that is to hold elsewhere is taken
    from samples that are kept for it.

    Args:
        hierarchy: of the classes.
        y_true: [N] the true classes: names of nodes, or numbers of ``classes``.
        scores: [N, C] probabilities; each row sums to 1. The named columns of a DataFrame may be in
            another order than ``classes``.
        classes: [C] names of nodes, the columns of ``scores``.
        softmax: make probabilities of scores of any size first.

    Returns:
        The curve, from weight 0 on.

    Raises:
        DataError: as ``hedge``; a true class that is neither one of the classes nor above one,
            another number of them than of scores.

    Reference:
        Deng et al. 2012, section 3 and figure 4 (accuracy against information gain).

    >>> pets = gz.Hierarchy.from_edges(
    ...     [("poodle", "dog"), ("beagle", "dog"), ("dog", "pet"), ("cat", "pet"), ("cow", "pet")]
    ... )
    >>> scores, classes = [[0.5, 0.25, 0.25, 0.0]] * 2, ["poodle", "beagle", "cat", "cow"]
    >>> curve = gz.hierarchical.hedging_curve(pets, ["beagle", "cat"], scores, classes)
    >>> curve.accuracy.tolist(), curve.information.tolist()
    ([0.0, 0.5, 1.0], [0.0, 0.5, 0.0])
    >>> curve.weight_for(0.5)
    1.0
    """
    tree = ClassTree.of(hierarchy, classes)
    given = checked_scores(in_order_of(y_true, scores, ("y_true", "scores")), tree)
    true = tree.nodes(y_true, "y_true")
    if true.ndim != 1:
        raise DataError(
            f"y_true must be [N], one class per sample, not {list(true.shape)}.", argument="y_true"
        )
    same_length(true, given, "scores")
    content, start = leaf_information(tree.hierarchy), 0
    parts: list[Floats] = []
    for block in probability_blocks(given, len(tree.hierarchy.wnids), softmax, tree.classes or ()):
        own = true[start : start + len(block)]
        above = tree.hierarchy.ancestor_or_self_matrix[own].toarray() > 0
        now = np.zeros((len(block), 3))  # right, the true class, bits
        for rows, weights, nodes in _changes(tree, block):
            right = above[rows, nodes]
            then = np.stack([right, nodes == own[rows], right * content[nodes]], axis=1)
            parts.append(np.column_stack([weights, then - now[rows]]))
            now[rows] = then
        start += len(block)
    changes = np.concatenate(parts)
    weights, places = np.unique(changes[:, 0], return_inverse=True)
    sums = [np.cumsum(np.bincount(places, column)) for column in changes[:, 1:].T]
    # counts, which are whole; bits never are, and may end below 0 by what rounding takes
    right, correct = (np.round(each) / len(true) for each in sums[:2])
    return HedgingCurve(weights, right, correct, np.maximum(sums[2], 0) / len(true))


def _changes(tree: ClassTree, block: Floats) -> Iterator[tuple[Positions, Floats, Positions]]:
    """(rows, weights, nodes): the answers of all rows of probabilities at weight 0, then where some
    give way to another node, each row's in the order of its weights.

    The worth of a node is a line over the weight, with slope p(v): an answer gives way to the node
    of larger p whose line crosses its own first, and where they cross at once, again.
    """
    hierarchy = tree.hierarchy
    # of equal nodes the first is taken: the longest way from a root, then the name
    order = np.lexsort((np.arange(len(hierarchy.wnids)), -hierarchy.max_depth))
    above = hierarchy.ancestor_or_self_matrix[tree.positions].astype(np.float64)[:, order]
    mass = np.asarray(block @ above)
    worth = mass * leaf_information(hierarchy)[order]
    rows, reached = np.arange(len(block)), np.zeros(len(block))
    now = worth.argmax(axis=1)
    yield rows, reached, order[now]
    while len(rows):
        here = np.arange(len(rows))
        own_mass, own_worth = mass[here, now, None], worth[here, now, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            crossing = (own_worth - worth) / (mass - own_mass)
        crossing[mass <= own_mass] = np.inf
        now, weights = crossing.argmin(axis=1), crossing.min(axis=1)
        more = np.isfinite(weights)
        rows, mass, worth, now = rows[more], mass[more], worth[more], now[more]
        reached = np.maximum(weights[more], reached[more])  # rounding may put it before the last
        if len(rows):
            yield rows, reached, order[now]


def _checked(weight: float) -> float:
    if not weight >= 0:
        raise DataError(f"weight must be 0 or more, not {weight}.", argument="weight")
    return float(weight)
