"""The hierarchy that predictions are evaluated in, and why there is none."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import numpy as np

from graphzsl.audit.predictions import Predictions
from graphzsl.common.class_entries import SHOWN, Entry
from graphzsl.common.errors import DataError
from graphzsl.common.progress import log
from graphzsl.common.wording import counted, some
from graphzsl.data.subgraph import Subgraph
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.resolver import unknown_classes
from graphzsl.hierarchy.vocabulary import Vocabulary, WordNetVocabulary
from graphzsl.names.class_language import AsWnids, Candidates
from graphzsl.sources.tables import WNID

#: All of WordNet where every class is one of its synsets, else no hierarchy.
AUTO = "auto"
#: All of WordNet.
WORDNET = "wordnet"


def load_hierarchy(given: Path | str) -> Hierarchy:
    """The hierarchy of an exported subgraph's folder; ``wordnet``, where there is no such folder,
    is all of WordNet from its own files."""
    if str(given) == WORDNET and not Path(given).exists():
        return Hierarchy.load()
    return Subgraph.load(given).hierarchy


def hierarchy_of(
    predictions: Predictions,
    given: Hierarchy | Path | str | None,
    candidates: Candidates | None = None,
    rename: AsWnids | None = None,
) -> Hierarchy | None:
    """The hierarchy to evaluate predictions in: a given one, that of ``load_hierarchy``, or, for
    ``auto``, WordNet if every class is one of its synsets. Otherwise None, with the reason logged
    unless ``rename`` or the candidates' reader has logged it.

    Raises:
        DataError: names the places of given ``candidates``, and the first samples of true classes,
            that are not nodes of a given hierarchy; or ``given`` is no hierarchy.
    """
    if given != AUTO:
        found = load_hierarchy(given) if isinstance(given, str | Path) else given
        if not isinstance(found, Hierarchy | None):
            raise DataError(
                f"{given!r} is no hierarchy: give a Hierarchy, the folder of an exported one,"
                " 'wordnet', 'auto' or None.",
                argument="wordnet",
            )
        if candidates is not None:
            candidates.check(found)
        if found is not None:
            error = _outside(predictions, None, found.vocabulary)
            if error is not None:
                raise error
        return found
    classes = {*predictions.candidates, *predictions.labels}
    if not any(map(WNID.match, classes)):
        return None
    hierarchy = Hierarchy.load()
    strange = classes - hierarchy.index.keys()
    if not strange:
        return hierarchy
    read = [each for each in (candidates, rename) if each is not None and each.open]
    waiting = {name for each in read for name in each.read}
    _check_true_classes(predictions, candidates, strange, waiting)
    explained = {*waiting, *(name for each in read for name in each.open)}
    strange -= explained
    if not strange:
        return None
    error = _outside(predictions, candidates, WordNetVocabulary(), explained)
    said = error.message if error else some(sorted(strange))
    outside = f"{len(strange):,} of {counted(len(classes), 'class', 'classes')}"
    log(
        f"There is no hierarchy, and hit@k alone: {said}{chr(10) if chr(10) in said else ' '}"
        f"Classes outside WordNet ({outside}) have no place in its hierarchy."
    )
    return None


def _outside(
    predictions: Predictions,
    candidates: Candidates | None,
    vocabulary: Vocabulary,
    skip: Collection[str] = (),
) -> DataError | None:
    """The error for classes of predictions that the vocabulary lacks, with the place of each: given
    candidates by their place, true classes by their first sample. Classes in ``skip`` are
    ignored."""
    entries = [] if candidates is None else list(candidates.entries)
    classes = [] if candidates is None else list(candidates.classes)
    known = set(classes)
    for number, label in enumerate(predictions.labels):
        if label not in known:
            known.add(label)
            classes.append(label)
            entries.append(Entry(label, f"the true class of sample {number}", f"sample {number}"))
    others = [name for name in predictions.candidates if name not in known]
    strange = [name for name in others if not vocabulary.has(name)]
    first = {name: _first_predicted(predictions, name) for name in strange[:SHOWN]}
    for name in others:
        row = first.get(name)
        where = "a candidate" if row is None else f"the predictions of sample {row}"
        entries.append(Entry(name, where, where))
    return unknown_classes(entries, [*classes, *others], vocabulary, skip=skip)


def _first_predicted(predictions: Predictions, name: str) -> int | None:
    """First sample whose list holds a class; None if none does, or if scores are complete."""
    rows = np.flatnonzero((predictions.top == predictions.candidates.index(name)).any(axis=1))
    return int(rows[0]) if len(rows) and not predictions.complete else None


def _check_true_classes(
    predictions: Predictions,
    candidates: Candidates | None,
    strange: Collection[str],
    waiting: Collection[str],
) -> None:
    """DataError names the samples whose true class is neither a synset nor in any list, if no
    candidates are given and most classes are synsets. Clear names that wait for ambiguous ones
    (``waiting``) are skipped."""
    stray = predictions.never_predicted.intersection(strange).difference(waiting)
    known = len({*predictions.candidates} - {*strange})
    if candidates is not None or not stray or known < len(strange):
        return
    if not predictions.of_lists_alone:
        return
    first: dict[str, int] = {}
    for number, label in enumerate(predictions.labels):
        if label in stray:
            first.setdefault(label, number)
    entries = [
        Entry(label, f"the true class of sample {number}", f"sample {number}")
        for label, number in first.items()
    ]
    error = unknown_classes(entries, list(first), WordNetVocabulary())
    if error is not None:
        raise DataError(
            f"{error.message}\nNo list holds {'it' if len(first) == 1 else 'them'}, either. Where"
            " the classifier has classes of its own, give the candidates.",
            argument="candidates",
        )
