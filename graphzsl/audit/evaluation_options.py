"""Options of an evaluation, checked: the valid set of hp@k, the lengths of lists, the bootstrap."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np

from graphzsl import metrics
from graphzsl.audit.measures import KS
from graphzsl.audit.predictions import Predictions
from graphzsl.audit.scored_blocks import DEPTH
from graphzsl.common.class_entries import as_texts
from graphzsl.common.errors import DataError
from graphzsl.common.wording import counted
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.resolver import resolve_entries, wnids_where_named
from graphzsl.sources.imagenet import Classes, class_entries

#: The valid set of hp@k that DeViSE uses, as a word.
DEVISE = "devise"
Interval = Callable[[np.ndarray], tuple[float, float]]


@dataclass(frozen=True)
class EvaluationOptions:
    """Options of an evaluation: everything that it needs besides the predictions and their labels.

    ``hierarchy`` adds outcomes and lowest common ancestors; the whole hierarchy adds hp@k with
    ``valid`` labels (default: the candidates), heights in full WordNet and, with ``train``, groups
    by hops. ``hcorrect`` k -> class -> members gives hCorrectSets that were exported instead.
    """

    hierarchy: Hierarchy | None = None
    hcorrect: dict[int, dict[str, list[str]]] = field(default_factory=dict)
    valid: Sequence[str] | None = None
    valid_name: str = "given"  #: what the result calls ``valid``
    train: Sequence[str] = ()
    rounds: int = 2000
    confidence: float = 0.95
    seed: int = 0
    ks: Sequence[int] = KS  #: of hit@k and, but for 1, hp@k

    def __post_init__(self) -> None:
        for name, least in (("rounds", 1), ("seed", 0)):
            value = getattr(self, name)
            if not isinstance(value, int | np.integer) or value < least:
                raise DataError(
                    f"{name} must be a whole number of at least {least}, not {value!r}.",
                    argument=name,
                )
        if not isinstance(self.confidence, float | np.floating) or not 0 < self.confidence < 1:
            raise DataError(
                f"confidence must be a number above 0 and below 1, not {self.confidence!r}.",
                argument="confidence",
            )

    @property
    def interval(self) -> Interval:
        """Bootstrap interval of a mean."""
        return partial(
            metrics.bootstrap_interval, rounds=self.rounds, level=self.confidence, seed=self.seed
        )


def check_valid_set(
    valid: object,
    hierarchy: Hierarchy | Path | str | None,
    hcorrect: Path | str | None,
    train: Sequence[str] | None = None,
) -> None:
    """DataError where a valid set of hp@k is given that has no effect, or cannot be made.

    Args:
        valid: the valid set, None where none is given.
        hierarchy: the hierarchy, or the path of one that is not read yet.
        hcorrect: folder of exported hCorrectSets, which have a valid set of their own.
        train: the training classes; None where they are not read yet.

    Raises:
        DataError: there is no whole hierarchy, hCorrectSets are given, or ``devise`` has no
            training classes.
    """
    if valid is None:
        return
    is_part = isinstance(hierarchy, Hierarchy) and not hierarchy.whole
    if hierarchy is None or is_part or hcorrect:
        raise DataError(
            "The valid set of hp@k needs a whole hierarchy (wordnet, or the folder of a whole"
            " exported subgraph), and no exported hCorrectSets.",
            argument="valid",
        )
    if valid == DEVISE and train is not None and not train:
        raise DataError("The valid set devise needs the training classes.", argument="valid")


def valid_set(
    given: Classes | None, known: Collection[str], hierarchy: Hierarchy | None
) -> str | list[str] | None:
    """The valid set of hp@k: classes as wnids, ``devise``, or None where none is given.

    Args:
        given: a file of classes, a list by name, classes, or ``devise``.
        known: candidates and true classes, which stand as they are.
        hierarchy: whose nodes they are to be, where it is whole (see ``check_valid_set``).

    Raises:
        DataError: names the places of classes that are not clear, or not nodes.
    """
    if given is None:
        return None
    if isinstance(given, str) and given == DEVISE:
        return DEVISE
    entries = as_texts(class_entries(given, "valid"), "valid")
    if hierarchy is None or not hierarchy.whole:
        return wnids_where_named(entries, known, argument="valid", among=known)
    stands = set(known).__contains__
    return resolve_entries(entries, hierarchy.vocabulary, stands, "valid", among=known)


def checked_k(predictions: Predictions, k: int | Sequence[int] | None) -> tuple[int, ...]:
    """The k of hit@k and hp@k, in order and with 1, which everything else is read beside.

    Where none is given they are ``KS``, or, of lists, those that they are long enough for and their
    own length.

    Raises:
        DataError: a k is less than 1, more than the places that are kept, more than the lists
            are long, or not less than the number of candidates, of which every list of that length
            holds the true class.
    """
    length, count = predictions.top.shape[1], len(predictions.candidates)
    if k is None:
        if predictions.complete:
            return KS
        return tuple(sorted({*(each for each in KS if each <= length), min(length, DEPTH)}))
    if not isinstance(k, Sequence | int | np.integer):
        said = f"k must be one number or several, such as [1, 5], not {k!r}."
        raise DataError(said, argument="k")
    given = k if isinstance(k, Sequence) else [k]
    ks = [int(each) if isinstance(each, np.integer) else each for each in given]
    most = min(DEPTH, max(1, count - 1), DEPTH if predictions.complete else length)
    choice = "of 1 alone" if most == 1 else f"from 1 to {most}"
    remedy = f"Choose k {choice}, or none: then they go as far as they can."
    wrong = [each for each in ks if type(each) is not int or each < 1]
    if wrong:
        raise DataError(
            f"{wrong[0]!r} is no k of hit@k: that is a whole number from 1 to {DEPTH}, the places"
            " that are kept of each sample.",
            argument="k",
        )
    if not predictions.complete and max(ks, default=1) > length:
        longer = f" Lists of up to {DEPTH} places are read." if length < DEPTH else ""
        raise DataError(
            f"hit@{max(ks)} needs longer lists: the predictions hold"
            f" {counted(length, 'place')} of each sample. {remedy}{longer}",
            argument="k",
        )
    if max(ks, default=1) > DEPTH:
        raise DataError(
            f"hit@{max(ks)} cannot be computed: {DEPTH} places are kept of each sample. {remedy}",
            argument="k",
        )
    if max(ks, default=1) >= max(count, 2):
        raise DataError(
            f"hit@{max(ks)} among {counted(count, 'candidate')} is 100 % whatever is predicted: k"
            f" must be less than {count:,}.",
            argument="k",
        )
    return tuple(sorted({1, *ks}))
