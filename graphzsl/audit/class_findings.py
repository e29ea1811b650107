"""Checks of the classes of predictions: names that do not fit the candidates, true classes that are
unknown, and candidates that seem to be in another order."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from graphzsl.audit.class_names import columns_of
from graphzsl.audit.formats.truth import devkit_order
from graphzsl.audit.predictions import Predictions
from graphzsl.common.progress import log
from graphzsl.common.reading.number_texts import unsigned
from graphzsl.common.wording import counted, some
from graphzsl.hierarchy.meanings import CLASSES
from graphzsl.names.class_language import AsWnids, Candidates
from graphzsl.names.name_agreement import check_use
from graphzsl.names.name_matching import Names, UnclearNames, check_names
from graphzsl.sources.imagenet import shipped_classes
from graphzsl.sources.tables import WNID

#: Another order is worth a word where so many times as many predictions would be right, and by
#: so many times the share of guessing; of fewer samples than candidates, in so many classes.
_TIMES, _GUESSES = 3, 5
#: An order of ILSVRC 2012, in words, and how many of its classes are no chance: neighbours in it
#: are not alike.
KIT = "numbered as in ILSVRC's ground truth (from 1, in the order of its development kit)"
_OF_KIT = 3


def check_use_of_names(
    names: Names | None, rename: AsWnids | None, candidates: Candidates | None
) -> None:
    """Check the names that a classifier knew its classes by, and log what is odd about them: they
    were not needed, WordNet gives some of them to other synsets, or no prediction has them.

    Args:
        names: the names that the classifier knew its classes by.
        rename: what has read the predictions.
        candidates: what the classifier chooses from.

    Raises:
        DataError: the names are wrong (see ``check_names``), or in another order than the
            candidates.
    """
    if names is None:
        return
    written = [] if candidates is None else [str(each.text) for each in candidates.entries]
    looked_up = [] if rename is None else rename.looked_up
    used = [*looked_up, *(text for text in written if not WNID.match(text))]
    if used:
        check_use(names, [] if candidates is None else candidates.classes, used)
        return
    check_names(names, None if candidates is None else len(candidates.classes))
    log("The names were not needed: the classes are wnids, or numbers of candidates, already.")


def check_true_classes(
    predictions: Predictions, rename: AsWnids | None, of_file: bool = False
) -> None:
    """Raise UnclearNames for the first sample whose true class is an unknown name that is predicted
    nowhere, if most names are those of ImageNet's classes: a slip, or a class that no candidate is.
    Otherwise log why names stayed names. The first line of a file (``of_file``) may be a header of
    other words than are known."""
    if rename is None:
        return
    unknown, stray = rename.unknown, set[str]()
    if unknown and predictions.of_lists_alone:
        stray = unknown.keys() & predictions.never_predicted
    for number, label in enumerate(predictions.labels if stray else ()):
        if label in stray:
            count = sum(each in stray for each in predictions.labels)
            may_be_header = of_file and (number, count) == (0, 1)
            remedy = (
                "Where this is the header, say which column holds the true classes"
                if may_be_header
                else "Correct it"
            )
            raise UnclearNames(
                f"sample {number}: the true class {unknown[label]} is no name of a class, and no"
                f" list holds it ({counted(count, 'sample has', 'samples have')} such a class)."
                f" {remedy}; or give the candidates, where the classifier has classes of its own.",
                names=[label],
                argument="label_column" if may_be_header else "candidates",
            )
    if rename.said:
        log(rename.said)


def said_of_names(no_words: Sequence[str], flags: str | None = None) -> str:
    """Sentence that names the first names that are no words of WordNet's, and says how to read
    them.

    Args:
        no_words: the names.
        flags: the options that numbers need besides the list that they are positions in; None where
            a list is given.
    """
    remedy = "--names says what names mean."
    if not no_words:
        return remedy
    numbers = [number for name in no_words if (number := unsigned(name)) is not None]
    if flags is not None and len(numbers) == len(no_words):
        few = max(numbers) < len(shipped_classes(CLASSES))
        which = (
            "e.g. ilsvrc2012 for ImageNet's 1,000" if few else "a file of classes in their order"
        )
        list_ = "ilsvrc2012" if few else "FILE"
        return (
            f"The classes are numbers: {some(no_words, 3)}. Where they are positions in a list,"
            f" give it, {which}: `--candidates {list_}{flags}`."
        )
    are = "is no word" if len(no_words) == 1 else "are no words"
    return f"{counted(len(no_words), 'name')} {are} of WordNet's: {some(no_words, 3)}. {remedy}"


def _orders_of_ilsvrc(names: Sequence[str]) -> dict[str, npt.NDArray[np.int64]]:
    """Order of the ground truth's numbers -> the place of each, if names are ILSVRC 2012's."""
    if {*names} != {*shipped_classes(CLASSES)}:
        return {}
    at = {wnid: place for place, wnid in enumerate(names)}
    kit = devkit_order()
    # number 1 is the first class; a position that is taken for a number begins at 0
    return {KIT: np.array([at[kit[number - 1]] for number in range(len(kit))])}


def note_other_order(predictions: Predictions) -> None:
    """Log where few of the first predictions are right, and three times as many would
    be right if the candidates stood in another order that people number them in."""
    names, total = predictions.candidates, len(predictions.candidates)
    truth = columns_of(predictions.labels, names)
    first = predictions.top[:, 0]
    if total < 10:
        return
    found = float((first == truth).mean())
    listed = {
        **_orders_of_ilsvrc(names),
        "counted from 1": (np.arange(total) - 1) % total,
        "ordered by the wnids": np.argsort(np.array(names), kind="stable"),
        "ordered as texts (0, 1, 10, 100, 101, …)": np.array(sorted(range(total), key=str)),
    }
    for said, place in listed.items():
        # either side may be the one that is counted so
        both = [
            np.where(first >= 0, each[first], -2) == truth for each in (place, np.argsort(place))
        ]
        right = max(both, key=np.count_nonzero)
        # a few samples, or those of a few classes, may be mistaken alike
        least = _OF_KIT if said == KIT else _GUESSES
        is_chance = len(truth) < total and len(np.unique(truth[right])) < least
        if right.mean() > _TIMES * found + _GUESSES / total and not is_chance:
            log(
                f"hit@1 is {100 * found:.1f} %, and would be {100 * right.mean():.1f} %"
                f" if the candidates of one side were {said}. Are they in the order of the"
                " classifier's outputs?"
            )
            return
