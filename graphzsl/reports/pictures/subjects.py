"""Subjects of pictures: the classes of a list or split, or one class, with their roles and all that
is known of them. Runs: ``reports.pictures.runs``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from graphzsl.common.errors import DataError
from graphzsl.common.wording import counted
from graphzsl.hierarchy.closest import Closest, closest_classes
from graphzsl.hierarchy.distances import Path as Hops
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.hops import classes_within
from graphzsl.hierarchy.ratio import structural_ratios
from graphzsl.reports.pictures.hierarchies import Measured
from graphzsl.reports.pictures.tree import Values
from graphzsl.sources.populations import read_populations
from graphzsl.sources.published import populations_path

#: The training classes and the universe where none are said.
TRAIN, UNIVERSE = "ilsvrc2012", "imagenet-fall11"
#: What a picture can be coloured by, and what that needs.
COLOURS = {
    "role": "",
    "accuracy": "a run of `graphzsl evaluate`",
    "population": "classes of ImageNet's Fall 2011 release, whose images are counted",
    "ratio": "training classes, and two unseen classes or more",
}
#: The names of hop splits that need no database.
_HOP_SPLIT = re.compile(r"hops-([1-9]\d?)(-exact)?|all")


@dataclass(frozen=True)
class Listed:
    """Classes and what their list is called."""

    name: str
    wnids: Sequence[str]


@dataclass(frozen=True)
class Subject:
    """Subject of a picture: classes, their roles and values, and the text about them.

    Args:
        title: the heading of the page.
        said: sentences under it.
        roles: class -> its role.
        values: key -> numbers of classes; the keys of ``COLOURS`` but role.
        facts: label -> wnid -> what is to be read of a class.
        closest: unseen class -> its closest training classes.
        colour: what is coloured by where nothing else is asked for.
        focus: the class that it is about, if it is about one.
        simulated: whether the numbers are of simulated predictions.
        measured: the hierarchy of hops, where that is not the one of the boxes.
    """

    title: str
    said: list[str]
    roles: dict[str, str]
    values: dict[str, Values]
    facts: dict[str, dict[str, Any]] = field(default_factory=dict)
    closest: dict[str, Closest] = field(default_factory=dict)
    colour: str = "role"
    focus: str | None = None
    simulated: bool = False
    measured: str = ""


def roles_of(
    classes: Iterable[str], train: Iterable[str] = (), universe: Iterable[str] = ()
) -> dict[str, str]:
    """Class -> role: Training before Unseen before Candidate. Without training classes and universe
    all are plain classes."""
    training, others = dict.fromkeys(train, "Training"), dict.fromkeys(universe, "Candidate")
    own = "Unseen" if training else "Class"
    return {**others, **dict.fromkeys(classes, own), **training}


def of_classes(
    hierarchy: Hierarchy,
    classes: Listed,
    train: Listed | None,
    universe: Listed | None,
    measured: Measured | None = None,
) -> Subject:
    """The subject of a list of classes or a split, whose classes are unseen where they are not
    training classes. ``measured`` is the hierarchy of hops, where that is another."""
    roles = roles_of(
        classes.wnids, train.wnids if train else (), universe.wnids if universe else ()
    )
    said = [counted_roles(roles, train, universe)]
    other = measured.hierarchy if measured else None
    values, closest = known_of(hierarchy, roles, other)
    name = measured.name if measured and other is not None else ""
    ratio = values.get("ratio")
    if ratio is not None:
        mean = float(np.mean(list(ratio.of_class.values())))
        of = f" of hierarchy {name}" if name else ""
        if name:
            values["ratio"] = replace(ratio, label=f"structural ratio (hops, {name})")
        said.append(f"Structural ratio {mean:.3f}: mean over the unseen classes, by hops{of}.")
    if measured is not None:
        said.append(measured.said)
    return Subject(classes.name, said, roles, values, closest=closest, measured=name)


def of_class(
    hierarchy: Hierarchy, wnid: str, train: Listed | None, universe: Listed | None
) -> Subject:
    """The subject of one class (or any other synset) among the classes of a universe, of which
    those that are no training classes are unseen."""
    given = universe.wnids if universe else ()
    roles = roles_of(given, train.wnids if train else ())
    # what is above classes is in the tree anyway, and would be a class of it otherwise
    if wnid not in roles and not hierarchy.subtree([wnid]) & roles.keys():
        roles[wnid] = "Class"
    values, closest = known_of(hierarchy, roles)
    said = [counted_roles(roles, train, None, universe)]
    name = hierarchy.names.get(wnid)
    title = f"{name} ({wnid})" if name else wnid
    return Subject(title, said, roles, values, closest=closest, focus=wnid)


def hop_split_classes(
    name: str, hierarchy: Hierarchy, train: Sequence[str], universe: Sequence[str]
) -> list[str] | None:
    """The classes of ``hops-N``, ``hops-N-exact`` or ``all``, in the order of `graphzsl split
    hops`; None for any other name."""
    match = _HOP_SPLIT.fullmatch(name)
    if match is None:
        return None
    hops = int(match[1]) if match[1] else None
    return classes_within(hierarchy, hops, train, universe, bool(match[2]))


def known_of(
    hierarchy: Hierarchy,
    roles: Mapping[str, str],
    measured: Hierarchy | None = None,
    train: Sequence[str] | None = None,
) -> tuple[dict[str, Values], dict[str, Closest]]:
    """(values, closest training classes) that follow from the classes alone: images in ImageNet,
    structural ratios in hops, of ``measured`` where hops are of another hierarchy. ``train`` are
    the training classes, where not all of them have a role or some that have are not known to be
    all."""
    values: dict[str, Values] = {}
    images = dict(hierarchy.populations) or {
        wnid: count for _, wnid, count in read_populations(populations_path())
    }
    known = {wnid: float(images[wnid]) for wnid in roles if wnid in images}
    if known:
        values["population"] = Values("population (images)", known, "count", logarithmic=True)
    if train is None:
        train = [wnid for wnid, role in roles.items() if role == "Training"]
    unseen = [wnid for wnid, role in roles.items() if role == "Unseen"]
    if not train or not unseen:
        return values, {}
    of_hops = hierarchy if measured is None else measured
    closest = {each.wnid: each for each in closest_classes(of_hops, train, unseen)}
    if len(unseen) > 1:
        found = structural_ratios(of_hops, Hops(of_hops), train, unseen)
        ratios = {
            wnid: float(ratio)
            for wnid, ratio in zip(found.wnids, found.ratio, strict=True)
            if np.isfinite(ratio)
        }
        if ratios:
            values["ratio"] = Values(
                "structural ratio (by hops)", ratios, "number", logarithmic=True
            )
    return values, closest


def check_colour(colour: str, subject: Subject) -> None:
    """DataError for what the picture cannot be coloured by, and what that would need."""
    if colour not in COLOURS:
        raise DataError(
            f"There is no colouring {colour!r}. Choose one of {', '.join(COLOURS)}.",
            argument="colour",
        )
    if colour != "role" and colour not in subject.values:
        known = [key for key in COLOURS if key == "role" or key in subject.values]
        raise DataError(
            f"The {colour} of these classes is not known: it needs {COLOURS[colour]}. Colour by"
            f" {' or '.join(known)}.",
            argument="colour",
        )


def counted_roles(
    roles: Mapping[str, str],
    train: Listed | None,
    universe: Listed | None,
    unseen: Listed | None = None,
) -> str:
    """Numbers of classes of each role, and of which lists."""
    counts = Counter(roles.values())
    words = {
        "Unseen": ("unseen class", "unseen classes", unseen),
        "Class": ("class", "classes", None),
        "Training": ("training class", "training classes", train),
        "Candidate": ("other candidate", "other candidates", universe),
    }
    parts = [
        counted(counts[role], one, many) + (f" ({of.name})" if of else "")
        for role, (one, many, of) in words.items()
        if counts[role]
    ]
    return ", ".join(parts) + "."
