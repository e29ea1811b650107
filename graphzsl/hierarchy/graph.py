"""A hierarchy in memory: ancestors, descendants, depths, heights, pruning, and how two classes are
related."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from graphzsl.common.checked_names import check_synset_names, shown
from graphzsl.common.errors import DataError
from graphzsl.common.wording import called
from graphzsl.hierarchy.closest import Closest, closest_classes
from graphzsl.hierarchy.edges import (
    check_acyclic,
    checked_edges,
    checked_nodes,
    contracted,
    ones_at,
)
from graphzsl.hierarchy.hcorrect import HCorrectSet, hcorrect_sets
from graphzsl.hierarchy.nodes import Nodes
from graphzsl.hierarchy.search import hop_distances, row_of


@dataclass(frozen=True, eq=False)
class Hierarchy(Nodes):
    """Nodes and their hypernym edges, read once; every answer is a pure function of them.

    ``Hierarchy.load`` gives all of WordNet's nouns, ``Hierarchy.from_edges`` any other hierarchy.
    Common ancestors need the classes and their ancestors alone; hops and heights in full WordNet
    need all of it (``whole``).

    Args:
        wnids: [V] the nodes.
        index: wnid -> position.
        up: [V, V] 1 where the row's node is a child of the column's.
        names: wnid -> name, where it is known.
        populations: wnid -> images in ImageNet, where they are known.
        provenance: where the hierarchy comes from.

    >>> wordnet = gz.Hierarchy.load()
    >>> wordnet
    <Hierarchy wordnet: 82,115 nodes, 84,427 edges>
    >>> wordnet.hcorrect_set("n02084071", k=5)
    <HCorrectSet n02084071, k 5: 21 members, radius 1>
    >>> wordnet.closest("n01323355", train="ilsvrc2012")
    <Closest n01323355: n02389026, n02403003, 4 hops away>
    >>> wordnet.outcome("n02084071", "n02083346")
    'parent'
    >>> wordnet.names[wordnet.lowest_common_ancestor("dog.n.01", "cat.n.01")]
    'carnivore.n.01'
    """

    @classmethod
    def from_edges(
        cls, edges: Iterable[tuple[str, str]], nodes: Iterable[str] = (), **known: Mapping[str, Any]
    ) -> Hierarchy:
        """A hierarchy of edges.

        Args:
            edges: (child, parent) pairs.
            nodes: adds nodes that no edge mentions.
            known: ``names``, ``populations`` and ``provenance``, as ``Hierarchy`` has them.

        Returns:
            The hierarchy, its wnids sorted.

        Raises:
            DataError: names the numbers of edges that are not pairs of texts, of nodes that are not
                texts, and of those that are no names of classes; the cycle where an edge closes
                one; what of ``known`` is no dictionary, and a name that is none.
        """
        for what, values in known.items():
            if not isinstance(values, Mapping):
                raise DataError(f"{what} must be a dictionary, not {shown(values)}.")
        pairs = checked_edges(edges)
        ends = {wnid for pair in pairs for wnid in pair}
        wnids = sorted(ends | checked_nodes(nodes, ends))
        index = {wnid: position for position, wnid in enumerate(wnids)}
        child = np.array([index[child] for child, _ in pairs], dtype=np.int64)
        parent = np.array([index[parent] for _, parent in pairs], dtype=np.int64)
        up = ones_at(child, parent, len(wnids))
        check_acyclic(up, pairs)
        check_synset_names(known.get("names", {}), "names")
        return cls(wnids, index, up, **known)

    @classmethod
    def load(cls) -> Hierarchy:
        """All of WordNet 3.0's nouns with both kinds of hypernyms; no database is needed.

        It comes with the package, and has the nodes, names and edges of the database's whole
        hierarchy, but no populations: those are not WordNet's.

        Returns:
            The hierarchy, ``whole``.

        Reference:
            Fellbaum 1998, WordNet: an electronic lexical database.
        """
        from graphzsl.hierarchy.wordnet import load_wordnet

        nouns = load_wordnet()
        child, parent = nouns.edges
        return cls(
            nouns.wnids,
            {wnid: position for position, wnid in enumerate(nouns.wnids)},
            ones_at(child, parent, len(nouns.wnids)),
            dict(zip(nouns.wnids, nouns.names, strict=True)),
            provenance=nouns.provenance,
        )

    def __repr__(self) -> str:
        name = f" {self.provenance['hierarchy']}" if self.provenance.get("hierarchy") else ""
        return f"<Hierarchy{name}: {len(self.wnids):,} nodes, {self.up.nnz:,} edges>"

    def wnid(self, name: str) -> str:
        """The wnid of a node, by its name.

        Args:
            name: a name such as dog.n.01, the wnid of a node, or a word that names one synset.

        Returns:
            Its wnid.

        Raises:
            DataError: no node is called so (it offers near ones), or a word has several synsets.

        >>> gz.Hierarchy.load().wnid("dog.n.01")
        'n02084071'
        """
        if isinstance(name, str):
            if name in self.index:
                return name
            if name in self.of_name:
                return self.of_name[name]
        from graphzsl.hierarchy.resolver import resolve

        return resolve(name, self.vocabulary)

    def _all_of(self, classes: str | Path | Iterable[str], argument: str) -> list[str]:
        """The wnids of classes, each of which may be what ``wnid()`` takes, or of a list of them;
        one may be there twice. DataError names all that are not nodes."""
        if isinstance(classes, list | tuple | set | frozenset) and all(
            isinstance(each, str) and each in self.index for each in classes
        ):
            return list(classes)
        from graphzsl.hierarchy.resolver import resolve_entries
        from graphzsl.sources.imagenet import class_entries

        entries = class_entries(classes, argument)
        return resolve_entries(entries, self.vocabulary, argument=argument, once=False)

    def ancestors(self, wnid: str) -> frozenset[str]:
        """All ancestors of a node, itself not counted; ``wnid`` may be what ``wnid()`` takes."""
        if wnid not in self._ancestors:
            self._ancestors[wnid] = frozenset(self._row(self.ancestor_matrix, self.wnid(wnid)))
        return self._ancestors[wnid]

    @cached_property
    def _ancestors(self) -> dict[str, frozenset[str]]:
        return {}

    def descendants(self, wnid: str) -> frozenset[str]:
        """All descendants of a node, itself not counted; ``wnid`` may be what ``wnid()`` takes."""
        return frozenset(self._row(self.descendant_matrix, self.wnid(wnid)))

    def subtree(self, wnids: str | Path | Iterable[str]) -> set[str]:
        """These nodes and everything below one of them.

        Args:
            wnids: each may be what ``wnid()`` takes; or a file of them, or the name of an ImageNet
                list.

        Raises:
            DataError: names all that are not nodes.
        """
        positions = self.positions(self._all_of(wnids, "wnids"))
        below = np.unique(np.r_[positions, self.descendant_matrix[positions].indices])
        return {self.wnids[p] for p in below}

    def neighbours(self, wnid: str) -> list[str]:
        """Direct parents and children of a node, sorted; ``wnid`` may be what ``wnid()`` takes."""
        p = self.index[self.wnid(wnid)]
        return self.wnids_at((*row_of(self.up, p), *row_of(self.down, p)))

    def outcome(self, true: str, predicted: str) -> str:
        """Outcome of one prediction: correct, parent (an ancestor of the true class), child or
        unrelated.

        Args:
            true: the true class: a wnid, the name of a node (dog.n.01) or a word of it alone.
            predicted: the class that was predicted, likewise.

        Returns:
            One of these words.

        Raises:
            DataError: a class that is not a node, whatever the other is.

        Reference:
            Hascoet et al. 2019 (parents and children).
        """
        true, predicted = self.wnid(true), self.wnid(predicted)
        if true == predicted:
            return "correct"
        if predicted in self.ancestors(true):
            return "parent"
        return "child" if true in self.ancestors(predicted) else "unrelated"

    def hcorrect_set(
        self, wnid: str, k: int, valid: str | Path | Iterable[str] | None = None
    ) -> HCorrectSet:
        """hCorrectSet of one class: whole shells of valid labels around it until k are there.

        Args:
            wnid: the class, its name (dog.n.01) or a word of it alone; one of the valid labels.
            k: least number of members.
            valid: the valid labels: wnids, names or words, a file of them, or the name of an
                ImageNet list (default: every node).

        Raises:
            DataError: a wnid that is not a node.
            SplitError: a class that is not a valid label, or a k that is not a whole number of at
                least 1.

        Reference:
            Frome et al. 2013 (DeViSE), appendix A.3.
        """
        wnid = self.wnid(wnid)
        labels = self.wnids if valid is None else self._listed(valid, "valid")
        return next(hcorrect_sets(self, [wnid], labels, [k]))

    def _listed(self, given: str | Path | Iterable[str], argument: str) -> list[str]:
        from graphzsl.hierarchy.resolver import resolve_all

        return resolve_all(given, self.vocabulary, argument)

    def closest(self, wnid: str, train: str | Path | Iterable[str]) -> Closest:
        """The training classes with the fewest hops to a class, with all ties.

        Args:
            wnid: the class, or its name.
            train: the training classes: wnids, names or words, a file of them, or the name of an
                ImageNet list.

        Raises:
            DataError: a wnid that is not a node, or a class that no training class reaches.

        Reference:
            Hascoet et al. 2019, appendix E.
        """
        wnid = self.wnid(wnid)
        rows = closest_classes(self, self._listed(train, "train"), [wnid])
        if not rows:
            raise DataError(
                f"No training class reaches {called(wnid, self.names)} in this hierarchy."
            )
        return rows[0]

    def heights_among(self, classes: str | Path | Iterable[str] | None = None) -> dict[str, int]:
        """wnid -> longest way down to a leaf.

        Args:
            classes: only they and their ancestors count: in this trimmed hierarchy a class without
                another below it is a leaf (default: every node). As ``trimmed`` takes them.

        Reference:
            Russakovsky et al. 2015, section 4.1.
        """
        part = self if classes is None else self.trimmed(classes)
        return dict(zip(part.wnids, part.heights.tolist(), strict=True))

    def lowest_common_ancestor(
        self, one: str, other: str, heights: Mapping[str, int] | None = None
    ) -> str | None:
        """The wnid of the lowest common ancestor of two classes, a class counting as its own; of
        several the one of the smallest height, then by wnid. None where there is none.

        Args:
            one: a class: a wnid, the name of a node or a word of it alone.
            other: another.
            heights: of ``heights_among`` (default: of all nodes).

        Raises:
            DataError: one is not a node.

        Reference:
            Russakovsky et al. 2015, section 4.1.
        """
        common = self._common_ancestors(one, other)
        return min(common, key=lambda wnid: (self._height(wnid, heights), wnid), default=None)

    def lowest_common_ancestors(self, one: str, other: str) -> frozenset[str]:
        """The wnids of all common ancestors of two classes that are above no other one, a class
        counting as its own; DataError for what is not a node."""
        common = self._common_ancestors(one, other)
        return common.difference(*map(self.ancestors, common))

    def _common_ancestors(self, one: str, other: str) -> frozenset[str]:
        one, other = self.wnid(one), self.wnid(other)
        return (self.ancestors(one) | {one}) & (self.ancestors(other) | {other})

    def lca_height(self, one: str, other: str, heights: Mapping[str, int] | None = None) -> int:
        """Height of ``lowest_common_ancestor``; 0 for equal classes.

        Args:
            one: a class: a wnid, the name of a node or a word of it alone.
            other: another.
            heights: of ``heights_among`` (default: of all nodes).

        Raises:
            DataError: one is not a node, or they have no common ancestor here.

        Reference:
            Russakovsky et al. 2015, section 4.1.
        """
        one, other = self.wnid(one), self.wnid(other)
        common = self.lowest_common_ancestor(one, other, heights)
        if common is None:
            both = " and ".join(called(wnid, self.names) for wnid in (one, other))
            raise DataError(f"{both} have no common ancestor in this hierarchy.")
        return 0 if one == other else self._height(common, heights)

    def _height(self, wnid: str, heights: Mapping[str, int] | None) -> int:
        return int(self.heights[self.index[wnid]]) if heights is None else heights[wnid]

    def hops_from(self, sources: str | Path | Iterable[str]) -> dict[str, int]:
        """wnid -> hops to the nearest source, for every node that one reaches.

        Args:
            sources: each may be what ``wnid()`` takes; or a file of them, or the name of an
                ImageNet list.

        Raises:
            DataError: names all that are not nodes.
        """
        positions = self.positions(self._all_of(sources, "sources"))
        hops = hop_distances(self.adjacency, positions)
        return {wnid: int(hop) for wnid, hop in zip(self.wnids, hops, strict=True) if hop >= 0}

    def trimmed(self, classes: str | Path | Iterable[str]) -> Hierarchy:
        """Only the classes and their ancestors, with their names; a class without another below it
        is a leaf.

        Args:
            classes: each may be what ``wnid()`` takes; or a file of them, or the name of an
                ImageNet list.

        Raises:
            DataError: names all that are not nodes.

        Reference:
            Russakovsky et al. 2015, section 3.1.1.
        """
        positions = self.positions(sorted(set(self._all_of(classes, "classes"))))
        kept = np.unique(self.ancestor_or_self_matrix[positions].indices)
        wnids = [self.wnids[p] for p in kept]
        names = {wnid: self.names[wnid] for wnid in wnids if wnid in self.names}
        index = {wnid: p for p, wnid in enumerate(wnids)}
        return Hierarchy(wnids, index, self.up[kept][:, kept].tocsr(), names)

    def pruned(self, classes: str | Path | Iterable[str]) -> Hierarchy:
        """``trimmed``, and nodes that are not classes and have a single child are contracted.

        Their child goes to their parents.

        Reference:
            The code released with Hascoet et al. 2019, which measures distances on it; the paper's
            text does not say so.
        """
        own = set(self._all_of(classes, "classes"))
        part = self.trimmed(own)
        edges, kept = contracted(part.wnids, part.up, part.order[::-1], own)
        left = set(kept)
        names = {wnid: name for wnid, name in part.names.items() if wnid in left}
        return Hierarchy.from_edges(edges, kept, names=names)

    def _row(self, matrix: sparse.csr_array, wnid: str) -> set[str]:
        return {self.wnids[p] for p in row_of(matrix, self.positions([wnid])[0])}
