"""Classes of predictions as wnids, and whether they seem to be in another order than they say."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from graphzsl.data.name_matching import NameMatcher
from graphzsl.evaluation.predictions import Predictions
from graphzsl.evaluation.ranked_lists import Rename, columns_of
from graphzsl.hierarchy.lexicon import Lexicon
from graphzsl.progress import log
from graphzsl.sources.tables import WNID
from graphzsl.wording import counted

#: The sets in which names are looked up where nobody says what the classifier chose from.
SETS = ("ilsvrc2012", "imagenet-fall11")
#: A share of right first predictions that makes one wonder, and so many times that of guessing.
_LOW, _GUESSING = 0.02, 3


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
        if names is not None:
            wnids: list[str] | None = NameMatcher(classes or SETS[0], names).wnids(others)
        elif are_wnids:
            wnids = NameMatcher(classes or ()).wnids(others)
        else:
            wnids = None if known else _looked_up(others)
        new = dict(zip(others, wnids or others, strict=True))
        return [new.get(name, name) for name in given]

    return rename


def _looked_up(names: list[str]) -> list[str] | None:
    lexicon = Lexicon.load()
    for classes in SETS:
        matcher = NameMatcher(classes, lexicon=lexicon)
        meant = [matcher.meant(name) for name in names]
        if all(len(wnids) == 1 for wnids in meant):
            log(f"{counted(len(names), 'class name')} read as words of {classes}'s classes.")
            return [wnid for (wnid,) in meant]
    return None


def classes_as_wnids(classes: Sequence[str], names: str | Path | None = None) -> list[str]:
    """Candidates as wnids, where all of them are clear; else as they are."""
    return as_wnids(None, names)(list(classes))


def note_other_order(predictions: Predictions) -> None:
    """Log where the first predictions are hardly better than guesses, and ten times as many would
    be right if the candidates stood in another order that people number them in."""
    names, total = predictions.candidates, len(predictions.candidates)
    truth = columns_of(predictions.labels, names)
    first = predictions.top[:, 0]
    found = max(float((first == truth).mean()), _GUESSING / total)
    if total < 10 or len(truth) < total or found > _LOW:
        return
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
        if max(both) > 10 * found:
            log(
                f"hit@1 is little more than that of guessing, and would be {100 * max(both):.1f} %"
                f" if the numbers of one side counted the candidates {said}. Are they in the order"
                " of the classifier's outputs?"
            )
            return
