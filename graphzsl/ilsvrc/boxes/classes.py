"""The classes of boxes: wnids, names, or numbers of a list, as the same classes on both sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from graphzsl.common.checked_names import wrong_names
from graphzsl.common.errors import DataError
from graphzsl.common.wording import counted, did_you_mean, near
from graphzsl.metrics.ranking import Ints
from graphzsl.names.class_language import AsWnids
from graphzsl.sources.imagenet import Classes, listed_classes
from graphzsl.sources.tables import WNID


@dataclass(frozen=True, eq=False)
class BoxClasses:
    """Classes, and what the numbers of labels of each file mean.

    Args:
        names: [C] wnids, or names where they are not clear: in the order of the list, where there
            is one, else sorted.
        of_files: for each file, [L] its numbers of labels -> places in ``names``.
    """

    names: list[str]
    of_files: list[Ints]


def box_classes(
    files: Sequence[tuple[str, Sequence[str]]], listed: Classes | None = None
) -> BoxClasses:
    """The classes of several files, the first of which is the truth.

    Args:
        files: (what messages call a file, its labels as they are written).
        listed: the classes that there are, in the order of their numbers: number 1 is the first.

    Raises:
        DataError: a label is not among the listed classes, or is a number without a list, or a
            file has no class of the truth.
    """
    _check_look(files)
    known = None if listed is None else listed_classes(listed, "candidates")
    numbers = {} if known is None else {str(at): name for at, name in enumerate(known, 1)}
    by_wnid = any(WNID.match(text) for _, labels in files for text in labels)
    meant = [
        (_looked_up(labels) if by_wnid else list(labels))
        if known is None
        else _listed(file, labels, known, numbers)
        for file, labels in files
    ]
    # a list has every class, and its order is the caller's
    names = known or sorted(dict.fromkeys(name for each in meant for name in each))
    own = set(meant[0])
    for (file, labels), each in zip(files[1:], meant[1:], strict=True):
        if each and own.isdisjoint(each):
            offer = did_you_mean(near(each[0], own))
            advice = "" if listed else " Say what the classes are, in the order of their numbers."
            raise DataError(
                f"{file}: no class of it is a class of {files[0][0]}: {labels[0]!r} against"
                f" {files[0][1][0]!r}.{offer}{advice}",
                argument=None if listed else "candidates",
            )
    place = {name: at for at, name in enumerate(names)}
    return BoxClasses(names, [np.array([place[name] for name in each], np.int64) for each in meant])


def _check_look(files: Sequence[tuple[str, Sequence[str]]]) -> None:
    """Raise DataError for labels that look alike, of one file or of two."""
    every = dict.fromkeys(text for _, labels in files for text in labels)
    for name, problem in wrong_names(every).items():
        file = next(file for file, labels in reversed(files) if name in labels)
        raise DataError(f"{file}: the class {problem}.")


def _listed(
    file: str, labels: Sequence[str], known: list[str], numbers: dict[str, str]
) -> list[str]:
    """The listed class of each label."""
    there = set(known)
    others = [text for text in labels if text not in there and text not in numbers]
    found: dict[str, str] = {}
    if others:
        if wrong := [text for text in others if text.isdecimal() or WNID.match(text)]:
            said = "class number" if wrong[0].isdecimal() else "class"
            size = counted(len(known), "class", "classes")
            raise DataError(
                f"{file}: {said} {wrong[0]} is not among the {size} of the list, whose numbers"
                " begin with 1.",
                argument="candidates",
            )
        try:
            found = dict(zip(others, AsWnids(known)(others), strict=True))
        except DataError as error:
            raise DataError(f"{file}: {error.message}", argument="candidates") from None
        missing = [text for text, name in found.items() if name not in there]
        if missing:
            offer = did_you_mean(near(missing[0], known))
            raise DataError(
                f"{file}: {missing[0]!r} is not among the listed classes.{offer}",
                argument="candidates",
            )
    return [text if text in there else numbers.get(text) or found[text] for text in labels]


def _looked_up(labels: Sequence[str]) -> list[str]:
    """Names as wnids where they are clear; wnids and numbers as they are."""
    names = [text for text in labels if not WNID.match(text) and not text.isdecimal()]
    if not names:
        return list(labels)
    found = dict(zip(names, AsWnids(None)(names), strict=True))
    return [found.get(text, text) for text in labels]
