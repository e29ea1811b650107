"""Closest training classes (Hascoet et al. 2019, appendix E), with all ties, which are ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from graphzsl.common.frames import Tabular
from graphzsl.common.wording import counted
from graphzsl.hierarchy.search import closest_sources, row_of

if TYPE_CHECKING:
    from graphzsl.hierarchy.nodes import Nodes


@dataclass(frozen=True)
class Closest(Tabular):
    """The closest training classes of one class: all ties, in the order of their wnids.

    ``name`` and ``closest_names`` are those of the synsets, empty where the hierarchy has none.
    """

    wnid: str
    name: str
    hops: int
    closest: list[str]
    closest_names: list[str]

    def __repr__(self) -> str:
        more = f" and {len(self.closest) - 3:,} more" if len(self.closest) > 3 else ""
        names = ", ".join(self.closest[:3]) + more
        return f"<Closest {self.wnid}: {names}, {counted(self.hops, 'hop')} away>"

    def rows(self) -> list[dict[str, Any]]:
        """One row per closest training class: wnid, name, hops, closest, closest_name."""
        own = {"wnid": self.wnid, "name": self.name, "hops": self.hops}
        pairs = zip(self.closest, self.closest_names, strict=True)
        return [{**own, "closest": wnid, "closest_name": name} for wnid, name in pairs]


def closest_of(wnid: str, hops: int, ties: list[str], names: Mapping[str, str]) -> Closest:
    """The closest training classes of a class, with what ``names`` calls them all."""
    return Closest(wnid, names.get(wnid, ""), hops, ties, [names.get(each, "") for each in ties])


def closest_classes(
    hierarchy: Nodes, train: Sequence[str], classes: Sequence[str]
) -> list[Closest]:
    """f(c) = argmin over training classes of hops(c, ·), in the order of ``classes``.

    Classes that no training class reaches are absent. DataError for a class that is not a node.
    """
    sources = hierarchy.positions(train)
    hops, inherited = closest_sources(hierarchy.adjacency, sources)
    closest = []
    for wnid, position in zip(classes, hierarchy.positions(classes), strict=True):
        if hops[position] >= 0:
            ties = hierarchy.wnids_at(sources[row_of(inherited, position)])
            closest.append(closest_of(wnid, int(hops[position]), ties, hierarchy.names))
    return closest
