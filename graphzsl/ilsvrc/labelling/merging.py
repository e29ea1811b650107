"""Fine classes that become basic-level ones: which are left out, what each goes to, and what must
be annotated again.

Reference: Russakovsky et al. 2015, section 3.3.1 (classes whose objects are too large, merging, the
200 detection classes), 3.3.2 (images of the classes "or their children"), 6.3.4 (each detection
class is a class of the 1,000 or above one) and appendix E (all instances of the new class).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphzsl.common.errors import DataError
from graphzsl.hierarchy.class_lists import wnids_of_lines
from graphzsl.hierarchy.cuts import assign_superclasses
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.search import row_of
from graphzsl.sources.judgements import Labels, read_labels

#: Mean share of the image above which a class is left out of detection.
LARGEST = 0.5
#: Why a class goes nowhere.
TOO_LARGE, LEFT_OUT, OUTSIDE = "objects too large", "left out", "none at or above"


@dataclass(frozen=True)
class MergedClass:
    """A class and the basic-level class at or above it (``into``), which is None if there is a
    ``reason`` against it."""

    wnid: str
    into: str | None
    reason: str | None


@dataclass(frozen=True)
class Merged:
    """Classes merged into basic-level ones.

    Args:
        classes: each class, in their order.
        into: the basic-level classes, in their order.
        overlapping: those of them that have another above them.
    """

    classes: list[MergedClass]
    into: list[str]
    overlapping: list[str]

    def members(self) -> dict[str, list[str]]:
        """Basic-level class -> the classes that go to it, none for some."""
        found: dict[str, list[str]] = {wnid: [] for wnid in self.into}
        for each in self.classes:
            if each.into is not None:
                found[each.into].append(each.wnid)
        return found

    def rows(self, names: Mapping[str, str]) -> list[dict[str, Any]]:
        """One row per class, with its name and that of the class that it goes to."""
        return [
            {
                "wnid": each.wnid,
                "name": names.get(each.wnid),
                "into": each.into,
                "into_name": names.get(each.into or ""),
                "reason": each.reason,
            }
            for each in self.classes
        ]

    def member_rows(self, names: Mapping[str, str]) -> list[dict[str, Any]]:
        """One row per basic-level class, with the classes that go to it."""
        return [
            {"wnid": wnid, "name": names.get(wnid), "classes": len(inside), "members": inside}
            for wnid, inside in self.members().items()
        ]

    def counts(self) -> dict[str, Any]:
        """Classes at each step, and how the basic-level classes stand to those that are merged,
        without the ones left out: ``same`` are among them, to ``above`` others go, to ``without``
        none; ``consistent`` says that there are none of the last, ``disjoint`` that none is above
        another."""
        reasons = [each.reason for each in self.classes]
        members = self.members()
        own = {each.wnid for each in self.classes if each.into is not None}
        same = sum(wnid in own for wnid in self.into)
        above = sum(bool(inside) and wnid not in own for wnid, inside in members.items())
        return {
            "classes": len(reasons),
            "too_large": reasons.count(TOO_LARGE),
            "left_out": reasons.count(LEFT_OUT),
            "outside": reasons.count(OUTSIDE),
            "merged": reasons.count(None),
            "into": len(self.into),
            "same": same,
            "above": above,
            "without": len(self.into) - same - above,
            "consistent": same + above == len(self.into),
            "disjoint": not self.overlapping,
        }


def merge_classes(
    hierarchy: Hierarchy,
    classes: Sequence[str],
    into: Sequence[str],
    scale: Mapping[str, float] | None = None,
    largest: float = LARGEST,
    without: Collection[str] = (),
) -> Merged:
    """Every class goes to the basic-level class at or above it: of several the one with the fewest
    edges to it, then the one with the most classes, then the smallest wnid.

    Args:
        hierarchy: where nodes may have several parents.
        classes: wnids, each once.
        into: the basic-level classes, each once.
        scale: class -> mean share of the image that an object takes, in [0, 1]; a class without one
            is not left out for it.
        largest: classes with a larger share are left out.
        without: classes that are left out by hand.

    Raises:
        DataError: a class, or one with a scale, that is not a node; a class there twice; a share
            outside [0, 1]; or a class in ``without`` that is not among the classes.
    """
    own, scale = set(classes), scale or {}
    hierarchy.positions(scale)
    for wnid, share in scale.items():
        if not 0 <= share <= 1:
            raise DataError(
                f"The scale of {wnid} is {share:g}: it is a share of the image, from 0 to 1."
            )
    strange = sorted(set(without) - own)
    if strange:
        raise DataError(
            f"{strange[0]} is to be left out, but is not among the {len(own):,} classes."
        )
    assigned = assign_superclasses(hierarchy, classes, into)
    alone, dropped = set(assigned.alone), set(without)

    def reason(wnid: str) -> str | None:
        if scale.get(wnid, 0.0) > largest:
            return TOO_LARGE
        return LEFT_OUT if wnid in dropped else OUTSIDE if wnid in alone else None

    merged = []
    for wnid, above in zip(classes, assigned.superclasses, strict=True):
        why = reason(wnid)
        merged.append(MergedClass(wnid, above if why is None else None, why))
    return Merged(merged, list(into), _below_another(hierarchy, into))


def _below_another(hierarchy: Hierarchy, classes: Sequence[str]) -> list[str]:
    """The classes that have another of them above them."""
    places = hierarchy.positions(classes)
    above = hierarchy.ancestor_distances(places)[:, places]
    return [wnid for place, wnid in enumerate(classes) if len(row_of(above, place)) > 1]


@dataclass(frozen=True)
class Incomplete:
    """An image that is annotated with classes of a basic-level one, ``annotated``, but maybe not
    with all of its instances: those of its other classes were never looked for. ``simulated``: the
    annotations say so."""

    image: str
    into: str
    annotated: list[str]
    simulated: bool = False

    def row(self, names: Mapping[str, str]) -> dict[str, Any]:
        """The image and the class to look for in it; ``simulated`` where the annotations say so."""
        mark = {"simulated": True} if self.simulated else {}
        name, members = names.get(self.into), self.annotated
        return {"image": self.image, "wnid": self.into, "name": name, "members": members, **mark}


def incomplete_images(
    labels: Labels | Iterable[tuple[str, str]], into_of: Mapping[str, str]
) -> list[Incomplete]:
    """The images, and the basic-level classes, whose instances must all be annotated again after
    merging; by image and class.

    An image that is annotated with a dalmatian has all of its dalmatians, but maybe not all of its
    dogs. One that is annotated with the basic-level class itself has all.

    Args:
        labels: (image, class) pairs that are annotated, or a table of them, which may say that it
            is simulated.
        into_of: class -> its basic-level class; classes that it lacks do not count.

    Reference:
        Russakovsky et al. 2015, appendix E, "Training set annotation".
    """
    annotated: dict[tuple[str, str], set[str]] = defaultdict(set)
    simulated = isinstance(labels, Labels) and labels.simulated
    for image, wnid in labels.line_of if isinstance(labels, Labels) else labels:
        if wnid in into_of:
            annotated[image, into_of[wnid]].add(wnid)
    return [
        Incomplete(image, into, sorted(fine), simulated)
        for (image, into), fine in sorted(annotated.items())
        if into not in fine
    ]


def images_to_annotate_again(
    path: Path, hierarchy: Hierarchy, into: Sequence[str]
) -> tuple[list[Incomplete], dict[str, Any]]:
    """Find the images of a table of annotations that ``incomplete_images`` names after merging.

    Returns them, and counts: images, those to annotate again, questions (images and basic-level
    classes), classes, those that go to none; ``simulated`` where the table says so. DataError names
    the lines of what is no class of the hierarchy.
    """
    found = read_labels(path)
    first = {name: line for (_, name), line in reversed(found.line_of.items())}
    wnid_of = wnids_of_lines(first, path, hierarchy)
    merged = merge_classes(hierarchy, sorted(set(wnid_of.values())), into)
    into_of = {one.wnid: one.into for one in merged.classes if one.into is not None}
    pairs = {(image, wnid_of[name]): line for (image, name), line in found.line_of.items()}
    again = incomplete_images(Labels(pairs, found.simulated), into_of)
    counts = {
        "images": len({image for image, _ in pairs}),
        "images_again": len({one.image for one in again}),
        "questions": len(again),
        "classes": len(merged.classes),
        "outside": sum(one.into is None for one in merged.classes),
    }
    return again, counts | ({"simulated": True} if found.simulated else {})
