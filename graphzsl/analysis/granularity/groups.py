"""Semantic groups that trade naturalness against specificity (Wang et al. 2014, section 3).

A class v goes to the node above it (or itself) with the largest λ·φ(w) − (1 − λ)·ψ(w, v): φ is the
naturalness of w, the largest log(1 + count) of its words; ψ the fewest edges between them. λ = 0
keeps every class, λ = 1 takes the most natural word above it. Groups are independent of the
classifier: they re-rank its output.

Reference: Josiah Wang, Fei Yan, Ahmet Aker, Robert Gaizauskas: A poodle or a dog? Evaluating
automatic image annotation using human descriptions at different levels of granularity, 2014.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl.common.errors import DataError
from graphzsl.hierarchy.graph import Hierarchy

Floats = npt.NDArray[np.float64]
#: What the scores of a group's classes become.
AGGREGATES = {"max": np.maximum, "sum": np.add}


@dataclass(frozen=True)
class Groups:
    """A partition of classes: ``labels`` [G], the ``heads`` (nodes translated to) behind each, and
    ``group`` [C] the number of each class's group."""

    classes: list[str]
    labels: list[str]
    heads: list[list[str]]
    group: npt.NDArray[np.int64]

    @property
    def sizes(self) -> npt.NDArray[np.int64]:
        """[G] classes per group."""
        return np.bincount(self.group, minlength=len(self.labels))

    def members(self, group: int) -> list[str]:
        """The classes of a group."""
        return [self.classes[place] for place in np.flatnonzero(self.group == group)]

    def rows(self) -> list[dict[str, Any]]:
        """One row per group, the largest first: its label, size, heads and members."""
        return [
            {
                "label": self.labels[at],
                "classes": int(self.sizes[at]),
                "heads": self.heads[at],
                "members": self.members(at),
            }
            for at in np.argsort(-self.sizes, kind="stable")
        ]

    def best(self, scores: Floats, k: int, aggregate: str = "max") -> Iterator[dict[str, Any]]:
        """The ``k`` best labels of each sample with their scores, from [N, C] class scores."""
        ranked = self.scores(scores, aggregate)
        order = np.argsort(-ranked, axis=1, kind="stable")[:, :k]
        for sample, row in enumerate(order):
            labels = [self.labels[group] for group in row]
            yield {"labels": labels, "scores": ranked[sample, row].tolist()}

    def scores(self, scores: Floats, aggregate: str = "max") -> Floats:
        """[N, G] group scores from [N, C] class scores: the ``max`` of its classes (equation 3), or
        their ``sum``, which is for probabilities (Ordonez et al. 2013)."""
        if scores.shape[1] != len(self.classes):
            raise DataError(
                f"scores of {scores.shape[1]} classes do not fit {len(self.classes)} grouped ones."
            )
        order = np.argsort(self.group, kind="stable")
        starts = np.searchsorted(self.group[order], np.arange(len(self.labels)))
        reduce = AGGREGATES[aggregate]
        if reduce is np.add and (scores < 0).any():
            row, column = np.argwhere(scores < 0)[0]
            raise DataError(
                f"Row {row} of scores holds {scores[row, column]:g} for {self.classes[column]}:"
                " sums are of probabilities, which are not negative. Make some of your scores, or"
                " take the largest ones.",
                argument="aggregate",
            )
        return np.asarray(reduce.reduceat(scores[:, order], starts, axis=1))


def naturalness(counts: Mapping[str, int], wnids: Sequence[str]) -> Floats:
    """[V] φ = log(1 + count), natural logarithm; ``counts`` hold the largest count of a node's
    words, absent is 0."""
    values = np.array([counts.get(wnid, 0) for wnid in wnids], dtype=float)
    if (values < 0).any():
        raise DataError(f"The count of {wnids[int(np.flatnonzero(values < 0)[0])]} is negative.")
    return np.asarray(np.log1p(values))


def translate(
    hierarchy: Hierarchy, classes: Sequence[str], natural: Floats, weight: float
) -> list[str]:
    """τ(v, λ) of every class, with λ = ``weight`` in [0, 1] (equation 1). Ties: the fewest edges,
    then the first wnid."""
    if not 0 <= weight <= 1:
        raise DataError(f"lambda must be between 0 and 1, not {weight:g}.")
    above = hierarchy.ancestor_distances(hierarchy.positions(classes)).tocoo()
    edges = above.data - 1
    value = weight * natural[above.col] - (1 - weight) * edges
    order = np.lexsort((above.col, edges, -np.round(value, 12), above.row))
    first = np.r_[True, np.diff(above.row[order]) > 0]
    return [hierarchy.wnids[node] for node in above.col[order][first]]


def shuffled(heads: Sequence[str], seed: int) -> list[str]:
    """Heads of classes at random, each of as many classes as in ``heads``: the control of section
    4, which :func:`group` labels and merges like any other.

    A class that is alone with its head before and after keeps that head, so that where no class
    has moved (λ = 0) the random groups are the semantic ones, as in the paper's Table 1.
    """
    given = np.array(heads)
    drawn = np.random.default_rng(seed).permutation(given)
    unique, counts = np.unique(given, return_counts=True)
    single = unique[counts == 1]
    before, after = np.isin(given, single), np.isin(drawn, single)
    drawn[after & ~before] = given[before & ~after]
    drawn[after & before] = given[after & before]
    return [str(head) for head in drawn]


def group(
    classes: Sequence[str], heads: Sequence[str], names: Mapping[str, str], merge: bool = True
) -> Groups:
    """Classes with the same head, labelled by its first word; with ``merge``, groups of the same
    label become one (section 3.2).

    Labels are as written: ``cardigan`` and ``Cardigan`` differ.
    """
    members: dict[str, list[str]] = defaultdict(list)
    for head in sorted(set(heads)):
        members[names[head] if merge else head].append(head)
    keys = sorted(members)
    place = {head: number for number, key in enumerate(keys) for head in members[key]}
    labels = keys if merge else [names[key] for key in keys]
    return Groups(
        list(classes),
        labels,
        [members[key] for key in keys],
        np.array([place[head] for head in heads]),
    )


def ndcg(scores: Floats, relevance: Floats, k: int | None = None) -> tuple[float, int]:
    """(NDCG at k, rows left out) of [N, G] scores against [N, G] relevance (equation 4); k defaults
    to the number of groups.

    Gain 2^R − 1, discount log₂(1 + rank). Rows without anything relevant are left out. Ties count
    against the ranking: among equal scores the least relevant comes first.
    """
    k = min(k or scores.shape[1], scores.shape[1])
    usable = relevance.max(axis=1) > 0
    if not usable.any():
        raise DataError("No sample has a relevant group, so NDCG is undefined.")
    scores, gain = scores[usable], np.exp2(relevance[usable]) - 1
    order = np.lexsort((gain, -scores), axis=1)[:, :k]
    discount = 1 / np.log2(np.arange(2, k + 2))
    gained = np.take_along_axis(gain, order, axis=1) @ discount
    ideal = -np.sort(-gain, axis=1)[:, :k] @ discount
    return float((gained / ideal).mean()), int((~usable).sum())


def relevance_of_words(
    groups: Groups,
    words: Mapping[str, Sequence[str]],
    described: Sequence[Mapping[str, float]],
    leaves_below: Mapping[str, Sequence[str]] | None = None,
) -> Floats:
    """[N, G] relevance of groups from words with a relevance each (section 3.3): how many captions
    mention them, say.

    A word matches a group when it equals a word of one of its classes; matching m groups, it gives
    each of them 1/m of its relevance. Of several words of one group the most relevant counts. Case
    is ignored. The words of a class in ``leaves_below`` match the groups of the leaves below it.
    """
    groups_of: dict[str, set[int]] = defaultdict(set)
    for wnid, numbers in _groups_of_classes(groups, leaves_below).items():
        for word in words.get(wnid, ()):
            groups_of[word.lower()].update(numbers)
    relevance = np.zeros((len(described), len(groups.labels)))
    for row, relevances in enumerate(described):
        for word, value in relevances.items():
            matched = groups_of.get(word.lower().replace("_", " "), set())
            for number in matched:
                relevance[row, number] = max(relevance[row, number], value / len(matched))
    return relevance


def relevance_of_classes(
    groups: Groups,
    labels: Sequence[str],
    leaves_below: Mapping[str, Sequence[str]] | None = None,
) -> Floats:
    """[N, G] relevance 1 for the group of each sample's class.

    ``leaves_below`` are the classes of the groups below each one that is in none: its relevance is
    divided among their m groups, 1/m each, as that of a word is. DataError names a class outside
    the groups.
    """
    groups_of = _groups_of_classes(groups, leaves_below)
    missing = sorted(set(labels) - groups_of.keys())
    if missing:
        raise DataError(
            f"{missing[0]} is the class of a sample but not among the classes that are grouped."
        )
    distinct = sorted(set(labels))
    relevance = np.zeros((len(distinct), len(groups.labels)))
    for row, label in enumerate(distinct):
        relevance[row, groups_of[label]] = 1 / len(groups_of[label])
    place = {label: row for row, label in enumerate(distinct)}
    return np.asarray(relevance[[place[label] for label in labels]])


def _groups_of_classes(
    groups: Groups, leaves_below: Mapping[str, Sequence[str]] | None
) -> dict[str, list[int]]:
    """Class -> its group, or the groups of the leaves below it."""
    of_class = dict(zip(groups.classes, groups.group.tolist(), strict=True))
    found = {wnid: [number] for wnid, number in of_class.items()}
    for wnid, leaves in (leaves_below or {}).items():
        found[wnid] = sorted({of_class[leaf] for leaf in leaves})
    return found
