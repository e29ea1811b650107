"""Answers that are only as specific as a model is sure, and what they are worth."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse

from graphzsl.common.errors import DataError
from graphzsl.common.wording import counted
from graphzsl.hierarchy.distances import leaf_information
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.pairs import common_ancestors
from graphzsl.metrics.hierarchical.labels import ClassTree, Labels
from graphzsl.metrics.hierarchical.probabilities import checked_scores, probability_blocks
from graphzsl.metrics.hierarchical.shares import mean_over

Floats = npt.NDArray[np.float64]
_SLACK = 1e-9  #: by which sums of probabilities may miss the threshold: what rounding takes


class Hedging(NamedTuple):
    """Accuracy and information of answers of any specificity.

    Args:
        accuracy: share of right answers: the true class, or a node above it.
        correct: share of answers that are the true class.
        information: mean bits of the answers over all samples, none for a wrong one.

    >>> gz.hierarchical.Hedging(1.0, 0.5, 1.0).accuracy
    1.0
    """

    accuracy: float
    correct: float
    information: float


def roll_up(
    hierarchy: Hierarchy,
    scores: npt.ArrayLike,
    classes: Sequence[str],
    threshold: float,
    *,
    softmax: bool = False,
) -> list[str]:
    """The most specific node that a model is sure of, for every sample.

    The probability of a node is the sum over the classes that are the node or lie below it, each
    once, on however many ways. Of the nodes that reach the threshold those remain that have no
    other such node below them, and of these the one with the most information (the fewest leaves),
    then the largest probability, then the first by name. In a tree, with a threshold above 0.5,
    only one remains.

    Args:
        hierarchy: of the classes.
        scores: [N, C] probabilities; each row sums to 1. The named columns of a DataFrame may be in
            another order than ``classes``.
        classes: [C] names of nodes, the columns of ``scores``.
        threshold: above 0, at most 1. With 1 the answers are lowest common ancestors of all classes
            that are possible at all.
        softmax: make probabilities of scores of any size first.

    Returns:
        [N] nodes: classes, or ancestors of some.

    Raises:
        DataError: NaN, a negative probability or a row that does not sum to 1; a class that is
            not a node; other columns than classes; a sample without a node that reaches the
            threshold, which only a hierarchy with several roots has.

    Reference:
        Deng et al. 2012, Hedging your bets (answers at any level); Valmadre 2022, Hierarchical
        classification at multiple operating points (the threshold). The rule for DAGs is ours.

    >>> pets = gz.Hierarchy.from_edges(
    ...     [("poodle", "dog"), ("beagle", "dog"), ("dog", "pet"), ("cat", "pet")]
    ... )
    >>> scores = [[0.9, 0.1, 0.0], [0.5, 0.4, 0.1], [0.4, 0.2, 0.4]]
    >>> gz.hierarchical.roll_up(pets, scores, ["poodle", "beagle", "cat"], threshold=0.8)
    ['poodle', 'dog', 'pet']
    """
    if not 0 < threshold <= 1:
        raise DataError(
            f"threshold must be above 0 and at most 1, not {threshold}.", argument="threshold"
        )
    tree = ClassTree.of(hierarchy, classes)
    given = checked_scores(scores, tree)
    above = tree.hierarchy.ancestor_or_self_matrix[tree.positions].astype(np.float64)
    content = leaf_information(tree.hierarchy)
    answers: list[str] = []
    for block in probability_blocks(given, above.shape[1], softmax, tree.classes or ()):
        nodes = _most_specific(tree, np.asarray(block @ above), content, threshold)
        without = np.flatnonzero(nodes < 0)
        if len(without):
            raise DataError(
                f"Row {len(answers) + without[0]} of scores: no node reaches {threshold:g}, for the"
                f" hierarchy has {counted(len(tree.roots), 'root')}. Add one above them all."
            )
        answers += [tree.hierarchy.wnids[node] for node in nodes.tolist()]
    return answers


def hedging(
    hierarchy: Hierarchy,
    y_true: Labels,
    answers: Labels,
    *,
    classes: Iterable[str] | None = None,
) -> Hedging:
    """Accuracy and information of answers that may be ancestors of classes.

    An answer is right if it is the true class or above it. A right answer is worth its information
    −log2 of the share of all leaves that lie below it or are it, a wrong one nothing: the root is
    always right and worth 0.

    Args:
        hierarchy: of the classes.
        y_true: [N] the true classes: names of nodes, or numbers of ``classes``.
        answers: [N] nodes, as ``roll_up`` gives them.
        classes: what numbers count. Leaves are then the classes without another below them.

    Returns:
        accuracy: share of right answers; correct: share of answers that are the true class;
        information: mean bits of the answers over all samples.

    Raises:
        DataError: a name that is not a node, a number without a class, arrays of different lengths
            or without samples.

    Reference:
        Deng et al. 2012, Hedging your bets (accuracy and reward).

    >>> pets = gz.Hierarchy.from_edges(
    ...     [("poodle", "dog"), ("beagle", "dog"), ("dog", "pet"), ("cat", "pet"), ("cow", "pet")]
    ... )
    >>> true, answers = ["poodle", "poodle", "cat", "cow"], ["poodle", "dog", "cow", "pet"]
    >>> gz.hierarchical.hedging(pets, true, answers)
    Hedging(accuracy=0.75, correct=0.25, information=0.75)
    """
    tree = ClassTree.of(hierarchy, classes)
    true, found = tree.pair(y_true, answers)
    right = np.zeros(len(true), bool)
    for rows, common in common_ancestors(tree.hierarchy, true, found):
        pairs = rows.start + np.repeat(np.arange(common.shape[0]), np.diff(common.indptr))
        right[pairs[common.indices == found[pairs]]] = True
    worth = np.where(right, leaf_information(tree.hierarchy)[found], 0.0)
    every = np.ones(len(true), bool)
    return Hedging(float(right.mean()), float((true == found).mean()), mean_over(worth, every))


def _most_specific(
    tree: ClassTree, mass: Floats, content: Floats, threshold: float
) -> npt.NDArray[np.int64]:
    """[n] the node of each sample; -1 where none reaches the threshold."""
    sure = sparse.csr_array(mass >= threshold - _SLACK, dtype=np.float32)
    has_below = (sure @ tree.hierarchy.ancestor_matrix) > 0
    lowest = (sure > has_below).tocoo()
    row, node = lowest.row, lowest.col
    order = np.lexsort((node, -mass[row, node], -content[node], row))
    first = order[np.unique(row[order], return_index=True)[1]]
    found = np.full(len(mass), -1, np.int64)
    found[row[first]] = node[first]
    return found
