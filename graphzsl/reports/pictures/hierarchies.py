"""The hierarchy that a split's hops are counted in, where that is not the one of the boxes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.sources.hierarchy import read_hierarchy
from graphzsl.sources.published import hierarchy_path

#: The hierarchy of boxes where nothing else is said.
WORDNET = "wordnet"


@dataclass(frozen=True)
class Measured:
    """Hierarchy in which hops and structural ratios are measured.

    Args:
        name: of the hierarchy: hypernym, release.
        hierarchy: its edges; None where only a database has them, and so hops are those of the
            hierarchy of the boxes.
        source: what the edges are from, in words.
    """

    name: str
    hierarchy: Hierarchy | None
    source: str = ""

    @property
    def said(self) -> str:
        """Sentence on the hierarchy that hops are in, where that is another than a reader of the
        boxes thinks."""
        if self.hierarchy is None:
            return (
                f"The split's hops are in hierarchy {self.name}; hops and ratios here are WordNet's"
                f" instead, for the edges of {self.name} are in a database (`graphzsl db start`,"
                " then `graphzsl picture` with the split's name)."
            )
        return (
            f"Hops, closest training classes and structural ratios are in hierarchy {self.name}"
            f" ({self.source}), as those of the split; boxes and neighbourhood are WordNet's."
        )


def shipped(name: str, classes: Iterable[str]) -> Measured:
    """A hierarchy by its name, without a database: the release hierarchy is shipped.

    ``classes`` are nodes of it, whether an edge touches them or not.
    """
    if name != "release":
        return Measured(name, None)
    edges = ((child, parent) for _, child, parent in read_hierarchy(hierarchy_path()))
    found = Hierarchy.from_edges(edges, classes)
    return Measured(name, found, "ImageNet's Fall 2011 release, shipped")
