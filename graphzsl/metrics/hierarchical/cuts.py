"""Accuracy at every level of the hierarchy, at a cut of superclasses, and within a subtree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

import numpy as np
import numpy.typing as npt

from graphzsl.common.checked_names import check_class_names
from graphzsl.common.errors import DataError
from graphzsl.common.wording import called, did_you_mean, near
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.meanings import settle_list
from graphzsl.hierarchy.pairs import common_ancestors, distinct_pairs
from graphzsl.hierarchy.search import row_of
from graphzsl.metrics.hierarchical.labels import ClassTree, Labels, Positions, nodes_of

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
#: A superclass for each class, or the nodes that are superclasses.
Superclasses = Mapping[str, str] | Iterable[str]


def level_accuracy(
    hierarchy: Hierarchy,
    y_true: Labels,
    y_pred: Labels,
    *,
    classes: Iterable[str] | None = None,
    depth: Literal["longest", "shortest"] = "longest",
) -> Floats:
    """Share of samples that are right at level 0 (the roots), 1, 2, … of the hierarchy.

    The nodes of a class at level d are its ancestors of depth d; from its own depth on it stands
    for itself. A prediction is right at level d if it is one of the true class's nodes there or
    lies below one. In a tree a class has one node at each level; in a DAG it can have several, and
    one of them is enough.

    Args:
        hierarchy: of the classes.
        y_true: [N] the true classes: names of nodes, or numbers of ``classes``.
        y_pred: [N] the predicted ones; one above a level is wrong there, if it is not the true
            class.
        classes: what numbers count, and what the hierarchy is trimmed to.
        depth: a node's depth is the number of edges of its "longest" or its "shortest" way up to a
            root; in a tree they are the same.

    Returns:
        [D + 1] accuracies, D the largest depth of a true class here. At level D a prediction is
        right if it is the true class or below it.

    Raises:
        DataError: a name that is not a node, a number without a class, arrays of different lengths
            or without samples.

    Reference:
        Silla and Freitas 2011, A survey of hierarchical classification (levels of trees); the rule
        for DAGs is ours.

    >>> pets = gz.Hierarchy.from_edges(
    ...     [("poodle", "dog"), ("beagle", "dog"), ("dog", "pet"), ("cat", "pet")]
    ... )
    >>> gz.hierarchical.level_accuracy(pets, ["poodle", "cat"], ["beagle", "dog"])
    array([1. , 0.5, 0. ])
    """
    if depth not in ("longest", "shortest"):
        raise DataError(f"depth must be longest or shortest, not {depth!r}.", argument="depth")
    tree = ClassTree.of(hierarchy, classes)
    true, predicted = tree.pair(y_true, y_pred)
    depths = tree.hierarchy.max_depth if depth == "longest" else tree.hierarchy.min_depth
    one, other, places = distinct_pairs(true, predicted)
    right = right_at_levels(tree, one, other, depths, int(depths[true].max()))
    return np.asarray(np.bincount(places, minlength=len(one)) @ right / len(true))


def right_at_levels(
    tree: ClassTree, true: Positions, predicted: Positions, depths: Positions, deepest: int
) -> Bools:
    """[P, deepest + 1] whether each prediction is right at each level."""
    right = np.zeros((len(true), deepest + 1), dtype=bool)
    below = np.zeros(len(true), dtype=bool)
    for rows, common in common_ancestors(tree.hierarchy, true, predicted):
        pairs = rows.start + np.repeat(np.arange(common.shape[0]), np.diff(common.indptr))
        node, own = common.indices, true[pairs]
        above = depths[node] < depths[own]  # by shortest ways an ancestor can be deeper
        right[pairs[above], depths[node[above]]] = True
        below[pairs[node == own]] = True
    right[below] |= np.arange(deepest + 1) >= depths[true[below]][:, None]
    return right


def superclasses_of(
    hierarchy: Hierarchy, classes: Iterable[str], superclasses: Superclasses
) -> dict[str, str]:
    """The superclass of every class: its nearest ancestor in a set, or what a mapping says.

    A superclass is its own. The nearest one has no other of the class's superclasses below it.

    Args:
        hierarchy: of the classes.
        classes: names of nodes.
        superclasses: the nodes that are superclasses, or a mapping of each class to a superclass,
            of any name.

    Returns:
        class -> superclass.

    Raises:
        DataError: a class without a superclass, one below two of which neither is above the other,
            a superclass that is not a node.

    Reference:
        Santurkar et al. 2021, BREEDS (superclasses as nodes of WordNet); the rule for DAGs is ours.

    >>> pets = gz.Hierarchy.from_edges(
    ...     [("poodle", "dog"), ("beagle", "dog"), ("dog", "pet"), ("cat", "pet")]
    ... )
    >>> gz.hierarchical.superclasses_of(pets, ["poodle", "cat"], ["dog", "pet"])
    {'poodle': 'dog', 'cat': 'pet'}
    """
    cut = _Cut(ClassTree.of(hierarchy).hierarchy, superclasses)
    given = classes if isinstance(classes, str) else list(classes)
    found = nodes_of(hierarchy, given, "classes", once=False)
    names = found if isinstance(given, str) else given
    return {name: cut.required(wnid) for name, wnid in zip(names, found, strict=True)}


def cut_accuracy(
    hierarchy: Hierarchy,
    y_true: Labels,
    y_pred: Labels,
    superclasses: Superclasses,
    *,
    classes: Iterable[str] | None = None,
) -> float:
    """Share of samples whose prediction has the superclass of the true class.

    Args:
        hierarchy: of the classes.
        y_true: [N] the true classes: names of nodes, or numbers of ``classes``.
        y_pred: [N] the predicted ones; one without a superclass, such as a node above the cut, is
            wrong.
        superclasses: the nodes of the cut, or a mapping of each class to a superclass; see
            ``superclasses_of``.
        classes: what numbers count.

    Returns:
        The accuracy over samples.

    Raises:
        DataError: a true class without a superclass, a class with two; as ``level_accuracy``.

    Reference:
        Santurkar et al. 2021, BREEDS.

    >>> pets = gz.Hierarchy.from_edges(
    ...     [("poodle", "dog"), ("beagle", "dog"), ("dog", "pet"), ("cat", "pet")]
    ... )
    >>> true, predicted = ["poodle", "poodle", "cat"], ["beagle", "pet", "cat"]
    >>> gz.hierarchical.cut_accuracy(pets, true, predicted, ["dog", "cat"])
    0.6666666666666666
    """
    tree = ClassTree.of(hierarchy, classes)
    true, predicted = tree.pair(y_true, y_pred)
    wanted = cut_codes(hierarchy, tree, true, superclasses, required=True)
    found = cut_codes(hierarchy, tree, predicted, superclasses, required=False)
    return float((wanted == found).mean())


def in_subtree(
    hierarchy: Hierarchy,
    labels: Labels,
    nodes: str | Iterable[str],
    *,
    classes: Iterable[str] | None = None,
) -> Bools:
    """Mark the labels that are one of some nodes or lie below one: what restricts samples and
    candidates.

    Args:
        hierarchy: of the classes.
        labels: [N] classes, or [N, K] lists: names of nodes, or numbers of ``classes``.
        nodes: the top of the subtree, or several.
        classes: what numbers count.

    Returns:
        Whether each label lies there, in the shape of ``labels``: rows of samples where it was
        asked of the true classes, columns of scores where it was asked of the candidates.

    Raises:
        DataError: a name that is not a node, a number without a class, no labels.

    Reference:
        Hascoet et al. 2019 take subtrees of WordNet; any set of nodes is ours.

    >>> pets = gz.Hierarchy.from_edges(
    ...     [("poodle", "dog"), ("beagle", "dog"), ("dog", "pet"), ("cat", "pet")]
    ... )
    >>> gz.hierarchical.in_subtree(pets, ["poodle", "cat", "dog"], "dog")
    array([ True, False,  True])
    """
    tree = ClassTree.of(hierarchy, classes)
    places = tree.nodes(labels, "labels")
    given = [nodes] if isinstance(nodes, str) else nodes
    tops = hierarchy.positions(nodes_of(hierarchy, given, "nodes", once=False))
    below = np.zeros(len(hierarchy.wnids), dtype=bool)
    below[tops] = True
    below[hierarchy.descendant_matrix[tops].indices] = True
    own = np.array([hierarchy.index[wnid] for wnid in tree.hierarchy.wnids], np.int64)
    return np.asarray(below[own][places])


def cut_codes(
    hierarchy: Hierarchy,
    tree: ClassTree,
    nodes: Positions,
    superclasses: Superclasses,
    required: bool,
) -> Positions:
    """A number for the superclass of each node, equal for equal ones; -1 for none, or DataError
    where one is ``required``."""
    cut = _Cut(hierarchy, superclasses)
    distinct, places = np.unique(nodes, return_inverse=True)
    names = [tree.hierarchy.wnids[node] for node in distinct.tolist()]
    found = [cut.required(name) if required else cut.of(name) for name in names]
    codes = [-1 if each is None else cut.codes[each] for each in found]
    return np.array(codes, np.int64)[places]


class _Cut:
    """The superclass of a node, and the number of each superclass."""

    def __init__(self, hierarchy: Hierarchy, superclasses: Superclasses):
        self.hierarchy = hierarchy
        self.mapping = superclasses if isinstance(superclasses, Mapping) else None
        given = [superclasses] if isinstance(superclasses, str) else list(superclasses)
        if not given:
            raise DataError("superclasses is empty.", argument="superclasses")
        if self.mapping is None:
            names = nodes_of(hierarchy, given, "superclasses", once=False)
        else:
            names = list(self.mapping.values())
            check_class_names(names, "superclasses", argument="superclasses")
            self.mapping = self._by_node(self.mapping)
        self.codes = {name: code for code, name in enumerate(sorted(set(names)))}

    def _by_node(self, mapping: Mapping[str, str]) -> Mapping[str, str]:
        """A mapping whose keys may be names and words of nodes by wnids; others stay."""
        index, vocabulary = self.hierarchy.index, self.hierarchy.vocabulary
        read = settle_list(mapping, vocabulary, stands=index.__contains__)
        read.note(vocabulary)
        found: dict[str, str] = {}
        for name, superclass in mapping.items():
            meant = read.meanings[name]
            node = meant[0] if len(meant) == 1 else name
            if found.setdefault(node, superclass) != superclass:
                raise DataError(
                    f"superclasses: {name!r} is {node}, which is there already, with the superclass"
                    f" {found[node]}.",
                    argument="superclasses",
                )
        return found

    def of(self, name: str) -> str | None:
        """The superclass, None where there is none; DataError where there are two."""
        if self.mapping is not None:
            return self.mapping.get(name)
        hierarchy = self.hierarchy
        (place,) = hierarchy.positions([name])
        lines = row_of(hierarchy.ancestor_or_self_matrix, place).tolist()
        above = {hierarchy.wnids[line] for line in lines} & self.codes.keys()
        nearest = sorted(above.difference(*(hierarchy.ancestors(each) for each in above)))
        if len(nearest) > 1:
            both = " and ".join(called(each, hierarchy.names) for each in nearest[:2])
            raise DataError(
                f"{called(name, hierarchy.names)} has several superclasses, {both}, and neither is"
                " above the other: leave one out, or give a mapping.",
                argument="superclasses",
            )
        return nearest[0] if nearest else None

    def required(self, name: str) -> str:
        """The superclass; DataError where there is none."""
        found = self.of(name)
        if found is None:
            offer = did_you_mean([repr(each) for each in near(name, self.mapping or (), 1)])
            raise DataError(
                f"{called(name, self.hierarchy.names)} has no superclass: add one, or leave its"
                f" samples out.{offer}",
                argument="superclasses",
            )
        return found
