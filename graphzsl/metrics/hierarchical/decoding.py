"""The answer of the best expected metric, in place of the most probable class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from graphzsl.common.errors import DataError
from graphzsl.hierarchy.distances import leaf_information
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.pairs import over_common_ancestors
from graphzsl.metrics.hierarchical.labels import ClassTree
from graphzsl.metrics.hierarchical.probabilities import checked_scores, probability_blocks
from graphzsl.metrics.hierarchical.shares import shares

#: Metrics whose expected value can be maximised: hF, bits of right answers, height of the LCA.
DecodedMetric = Literal["hf1", "information", "lca"]
Floats = npt.NDArray[np.float64]
_DIGITS = 12  #: expected values that differ less are ties


def decode(
    hierarchy: Hierarchy,
    scores: npt.ArrayLike,
    classes: Sequence[str],
    metric: DecodedMetric,
    *,
    softmax: bool = False,
) -> list[str]:
    """The node of the best expected metric for every sample.

    The expected value of answering v is Σ_c p(c) m(c, v) over the classes c: exact, in a tree and
    in a DAG. Ties: the longest way from a root, then the first name.

    Args:
        hierarchy: of the classes.
        scores: [N, C] probabilities; each row sums to 1. The named columns of a DataFrame may be in
            another order than ``classes``.
        classes: [C] names of nodes, the columns of ``scores``.
        metric: "hf1": hF of ``precision_recall_f``, of any node; "information": bits of a right
            answer, as ``hedging`` counts them, of any node; "lca": the smallest height of the
            lowest common ancestor (``lca_heights``), of the classes alone;
            classes without one are taken as below a root of their own.
        softmax: make probabilities of scores of any size first.

    Returns:
        [N] nodes: classes, or, for the first two, ancestors of some.

    Raises:
        DataError: another metric; NaN, a negative probability or a row that does not sum to 1; a
            class that is not a node; other columns than classes.

    Reference:
        Plaud et al. 2025 (hF1, trees); Karthik et al. 2021 (heights); Deng et al. 2012
        (information).

    >>> pets = gz.Hierarchy.from_edges(
    ...     [("poodle", "dog"), ("beagle", "dog"), ("dog", "pet"), ("cat", "pet")]
    ... )
    >>> scores, classes = [[0.3, 0.3, 0.4]], ["poodle", "beagle", "cat"]
    >>> [gz.hierarchical.decode(pets, scores, classes, each)[0] for each in ("hf1", "lca")]
    ['beagle', 'beagle']
    >>> gz.hierarchical.decode(pets, [[0.5, 0.5, 0.0]], classes, "hf1")
    ['beagle']
    """
    decoder = Decoder.of(hierarchy, classes, metric)
    return decoder.names(decoder.best(checked_scores(scores, decoder.tree), softmax))


@dataclass(frozen=True, eq=False)
class Decoder:
    """Answers to classes, and how good each is where a class is true, for ``decode``.

    Args:
        tree: of C classes.
        worth: [C, V] the metric of each answer where a class is true; the larger, the better.
        nodes: [V] the answers, as positions in the tree's hierarchy.
    """

    tree: ClassTree
    worth: Floats
    nodes: npt.NDArray[np.int64]

    @classmethod
    def of(cls, hierarchy: Hierarchy, classes: Sequence[str], metric: DecodedMetric) -> Decoder:
        """The answers to classes; the arguments are those of ``decode``."""
        if metric not in get_args(DecodedMetric):
            raise DataError(
                f"metric must be {', '.join(get_args(DecodedMetric))}, not {metric!r}.",
                argument="metric",
            )
        tree = ClassTree.of(hierarchy, classes)
        worth = _worth(tree, metric)
        nodes = tree.positions if metric == "lca" else np.arange(worth.shape[1])
        # of equal nodes the first is taken: the longest way from a root, then the name
        order = np.lexsort((nodes, -tree.hierarchy.max_depth[nodes]))
        return cls(tree, worth[:, order], nodes[order])

    def best(self, scores: npt.NDArray[Any], softmax: bool) -> npt.NDArray[np.int64]:
        """[N] the answer of the best expected value for each sample of scores [N, C]."""
        blocks = probability_blocks(scores, self.worth.shape[1], softmax, self.tree.classes or ())
        expected = (np.round(block @ self.worth, _DIGITS) for block in blocks)
        return np.concatenate([np.argmax(each, axis=1) for each in expected])

    def answers_of(self, classes: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """[N] the answers that are these classes, given by their numbers."""
        order = np.argsort(self.nodes)
        return order[np.searchsorted(self.nodes[order], self.tree.positions[classes])]

    def names(self, answers: npt.NDArray[np.int64]) -> list[str]:
        """[N] the nodes of answers."""
        return [self.tree.hierarchy.wnids[node] for node in self.nodes[answers].tolist()]


def _worth(tree: ClassTree, metric: DecodedMetric) -> Floats:
    """[C, V] the metric of each node where a class is true, of heights [C, C] of each class; the
    larger, the better."""
    above = tree.hierarchy.ancestor_or_self_matrix.astype(np.float64)
    if metric == "information":
        return np.asarray(above[tree.positions].toarray() * leaf_information(tree.hierarchy))
    if metric == "hf1":
        counted = np.ones(above.shape[0])
        if len(tree.roots) == 1:
            counted[tree.hierarchy.positions(tree.roots)] = 0
        common = ((above[tree.positions] * counted) @ above.T).toarray()
        sizes = above @ counted
        return shares(2 * common, sizes[tree.positions][:, None] + sizes[None, :])
    count = len(tree.positions)
    one, other = np.repeat(tree.positions, count), np.tile(tree.positions, count)
    heights = tree.hierarchy.heights.astype(np.float64)
    found = over_common_ancestors(tree.hierarchy, one, other, heights, np.minimum)
    found[one == other] = 0
    # without a common ancestor: as below one above them all
    return -np.nan_to_num(found, nan=heights.max() + 1).reshape(count, count)
