"""Classes of predictions as wnids, and whether they seem to be in another order than they say."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from graphzsl.data.name_lists import read_name_list
from graphzsl.data.name_matching import NameMatcher
from graphzsl.errors import DataError
from graphzsl.evaluation.predictions import Predictions
from graphzsl.evaluation.ranked_lists import Rename, columns_of
from graphzsl.hierarchy.lexicon import Lexicon
from graphzsl.progress import log
from graphzsl.sources.tables import WNID
from graphzsl.wording import counted

#: The sets in which names are looked up where nobody says what the classifier chose from.
SETS = ("ilsvrc2012", "imagenet-fall11")
#: Another order is worth a word where so many times as many predictions would be right, and by
#: so many times the share of guessing.
_TIMES, _GUESSES = 3, 5


def as_wnids(classes: Sequence[str] | None, names: str | Path | None = None) -> Rename:
    """What turns the names of a file into wnids.

    Names are looked up in ``names``, or among the words of ``classes``, or, where there are none,
    of the first set of ``SETS`` that has them all (see ``NameMatcher``). Without ``names``, names
    that stand in ``classes`` stay, and so do all where no set has them.

    Args:
        classes: the candidates: wnids, or names.
        names: the names that the classifier knew its classes by: a file of them.
    """
    known = set(classes or ())
    are_wnids = classes is not None and all(map(WNID.match, classes))

    def rename(given: list[str]) -> list[str]:
        others = [name for name in given if not WNID.match(name) and name not in known]
        if not others:
            return given
        if are_wnids and all(name.isdecimal() for name in others):
            raise DataError(
                f"The classes are numbers, such as {others[0]}: say that they are positions in the"
                " candidates.",
                argument="numbered",
            )
        if names is not None:
            wnids: list[str] | None = _matcher(classes if are_wnids else None, names).wnids(others)
        elif are_wnids:
            wnids = NameMatcher(classes or ()).wnids(others)
        else:
            wnids = None if known else _looked_up(others)
        new = dict(zip(others, wnids or others, strict=True))
        return [new.get(name, name) for name in given]

    return rename


def _matcher(classes: Sequence[str] | None, names: str | Path) -> NameMatcher:
    """Of the classes, or, where they are no wnids, of the wnids that the list of names holds."""
    if classes is not None:
        return NameMatcher(classes, names)
    listed = read_name_list(names)
    if not listed.has_wnids:
        raise DataError(
            f"{names} holds names and no wnids: give the candidates as wnids in the same order,"
            " e.g. ilsvrc2012."
        )
    return NameMatcher([str(entry.wnid) for entry in listed.entries], names)


def _looked_up(names: list[str]) -> list[str] | None:
    lexicon = Lexicon.load()
    for classes in SETS:
        matcher = NameMatcher(classes, lexicon=lexicon)
        meant = [matcher.meant(name) for name in names]
        if all(len(wnids) == 1 for wnids in meant):
            log(f"{counted(len(names), 'class name')} read as words of {classes}'s classes.")
            return [wnid for (wnid,) in meant]
    if sum(map(bool, meant)) > len(names) / 2:  # else they hardly are names of such classes
        log(f"Names stay names: {matcher.unclear(names)}")
    return None


def in_wnids(
    classes: Sequence[str] | None, names: str | Path | None = None
) -> tuple[list[str] | None, Rename]:
    """(Candidates as wnids where all of them are clear, else as they are; what turns the names of a
    file into them)."""
    listed = None if classes is None else as_wnids(None, names)(list(classes))
    return listed, as_wnids(listed, names)


def note_other_order(predictions: Predictions) -> None:
    """Log where the first predictions are few are right, and three times as many would
    be right if the candidates stood in another order that people number them in."""
    names, total = predictions.candidates, len(predictions.candidates)
    truth = columns_of(predictions.labels, names)
    first = predictions.top[:, 0]
    if total < 10 or len(truth) < total:
        return
    found = float((first == truth).mean())
    listed = {
        "from 1": (np.arange(total) - 1) % total,
        "by the wnids": np.argsort(np.array(names), kind="stable"),
        "as texts (0, 1, 10, 100, 101, …)": np.array(sorted(range(total), key=str)),
    }
    for said, place in listed.items():
        # either side may be the one that is counted so
        both = [
            float((np.where(first >= 0, each[first], -2) == truth).mean())
            for each in (place, np.argsort(place))
        ]
        if max(both) > _TIMES * found + _GUESSES / total:
            log(
                f"hit@1 is {100 * found:.1f} %, and would be {100 * max(both):.1f} %"
                f" if the numbers of one side counted the candidates {said}. Are they in the order"
                " of the classifier's outputs?"
            )
            return
