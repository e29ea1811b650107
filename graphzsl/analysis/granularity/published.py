"""Superclasses beside published ones: which both have, with which classes, and why one lacks the
others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from graphzsl.common.wording import counted
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.sources.superclasses import Member

#: The columns of a comparison.
COMPARED_COLUMNS = (
    *("superclass", "name", "in", "classes_published", "classes_here", "both"),
    *("only_published", "only_here", "reason"),
)


@dataclass(frozen=True)
class Published:
    """Published superclasses: their classes and their names, each by wnid or by the authors' name
    of the node."""

    classes: dict[str, list[str]]
    names: dict[str, str]

    @classmethod
    def of(cls, rows: Iterable[Member]) -> Published:
        """The superclasses of published rows."""
        classes: dict[str, list[str]] = defaultdict(list)
        names = {}
        for row in rows:
            classes[row.superclass].append(row.wnid)
            names[row.superclass] = row.name
        return cls({wnid: sorted(members) for wnid, members in classes.items()}, names)


def compare_superclasses(
    hierarchy: Hierarchy,
    classes: Collection[str],
    here: Mapping[str, list[str]],
    published: Published,
    root: str,
    least: int,
    most: int | None = None,
) -> list[dict[str, Any]]:
    """One row (``COMPARED_COLUMNS``) per superclass that is published or here: first those
    of both, then the published ones, each sorted.

    Args:
        hierarchy: where ours come from; the reasons are what it says of the published ones.
        classes: all classes that superclasses are made of.
        here: superclass -> its classes.
        published: the published ones.
        root: what ours are below.
        least: classes that a superclass has at least; ``most`` at most.
    """
    why = _Why(hierarchy, frozenset(classes), here, published, root, least, most)
    rows = []
    for wnid in {*here, *published.classes}:
        theirs, ours = set(published.classes.get(wnid, ())), set(here.get(wnid, ()))
        side = "both" if theirs and ours else "published" if theirs else "here"
        rows.append(
            {
                "superclass": wnid,
                "name": hierarchy.names.get(wnid) or published.names.get(wnid) or None,
                "in": side,
                "classes_published": len(theirs),
                "classes_here": len(ours),
                "both": len(theirs & ours),
                "only_published": sorted(theirs - ours) if side == "both" else [],
                "only_here": sorted(ours - theirs) if side == "both" else [],
                "reason": why.reason(wnid, side),
            }
        )
    order = ("both", "published", "here")
    return sorted(rows, key=lambda row: (order.index(row["in"]), row["superclass"]))


@dataclass(frozen=True)
class _Why:
    hierarchy: Hierarchy
    classes: frozenset[str]
    here: Mapping[str, list[str]]
    published: Published
    root: str
    least: int
    most: int | None

    def reason(self, wnid: str, side: str) -> str:
        """Reason why a superclass is only published, only here, or has other classes."""
        if side == "both":
            return self.of_both(wnid)
        if side == "here":
            return self.related(wnid, self.published.classes, "the published")
        if wnid not in self.hierarchy.index:
            return "a node that the authors added"
        if wnid != self.root and wnid not in self.inside:
            return f"not below {self.root} in the hierarchy"
        count = len(self.hierarchy.descendants(wnid) & self.classes)
        if count < self.least:
            return f"{counted(count, 'class', 'classes')} below it in the hierarchy"
        if self.most is not None and count > self.most:
            return f"{counted(count, 'class', 'classes')} below it in the hierarchy"
        return self.related(wnid, self.here, "our")

    def of_both(self, wnid: str) -> str:
        """Reason why a superclass of both has other classes, where it has."""
        below = self.hierarchy.descendants(wnid)
        theirs, ours = set(self.published.classes[wnid]), set(self.here[wnid])
        reasons = []
        added, shared = theirs - below, (theirs & below) - ours
        if added:
            reasons.append(f"{_some(added)} of theirs not below it in the hierarchy")
        if shared:
            reasons.append(f"{_some(shared)} of theirs in another superclass, or in several")
        if ours - theirs:
            reasons.append(f"{_some(ours - theirs)} of ours not below it in their hierarchy")
        return "; ".join(reasons)

    def related(self, wnid: str, others: Mapping[str, list[str]], whose: str) -> str:
        """Describe how a superclass relates to those of the other side: above or below one of them,
        or with shared classes."""
        known = {other for other in others if other in self.hierarchy.index}
        above = sorted(known & self.hierarchy.ancestors(wnid))
        if above:
            return f"below {whose} {self.called(above[0])}"
        below = sorted(known & self.hierarchy.descendants(wnid))
        if below:
            more = f" and {len(below) - 1} more" if len(below) > 1 else ""
            return f"above {whose} {self.called(below[0])}{more}"
        own = self.hierarchy.descendants(wnid) & self.classes
        sharing = {other: len(own & set(others[other])) for other in others}
        most = max(sorted(sharing), key=lambda other: sharing[other], default="")
        if most and sharing[most]:
            return (
                f"shares {sharing[most]} of its {len(own)} classes with {whose} {self.called(most)}"
            )
        if whose == "our":
            return f"fits ({len(own)} classes); others were taken first"
        return "shares no class with a published one"

    def called(self, wnid: str) -> str:
        """A superclass by its name."""
        return self.hierarchy.names.get(wnid) or self.published.names.get(wnid) or wnid

    @cached_property
    def inside(self) -> frozenset[str]:
        """Everything below the root."""
        return self.hierarchy.descendants(self.root)


def _some(classes: Collection[str]) -> str:
    return counted(len(classes), "class", "classes")
