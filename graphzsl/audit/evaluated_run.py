"""One run evaluated: its options put together from what a user gives, and what a run keeps of
it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from graphzsl.audit.evaluate import (
    EvaluationOptions,
    evaluate,
    evaluated_samples,
    measures_of,
    provenance_of,
)
from graphzsl.audit.hcorrect_files import load_hcorrect
from graphzsl.audit.measures import KS, Measure
from graphzsl.audit.mistakes import Mistakes, confusions, mistakes_of
from graphzsl.audit.predictions import DEPTH, Predictions
from graphzsl.audit.runs import write_run
from graphzsl.common.class_entries import SHOWN, Entry, as_texts
from graphzsl.common.errors import DataError
from graphzsl.common.progress import log
from graphzsl.common.wording import counted, some
from graphzsl.data.subgraph import Subgraph
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.resolver import resolve_entries, unknown_classes, wnids_where_named
from graphzsl.hierarchy.vocabulary import Vocabulary, WordNetVocabulary
from graphzsl.names.class_language import AsWnids, Candidates
from graphzsl.sources.imagenet import Classes, class_entries
from graphzsl.sources.tables import WNID

#: The valid set of hp@k that DeViSE uses, as a word.
DEVISE = "devise"
#: All of WordNet where every class is one of its synsets, else no hierarchy.
AUTO = "auto"


def load_hierarchy(given: Path | str) -> Hierarchy:
    """The hierarchy of an exported subgraph's folder; ``wordnet``, where there is no such folder,
    is all of WordNet from its own files."""
    if str(given) == "wordnet" and not Path(given).exists():
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
            " exported subgraph), and no exported hCorrectSets."
        )
    if valid == DEVISE and train is not None and not train:
        raise DataError("The valid set devise needs the training classes.")


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


def checked_ks(predictions: Predictions, ks: Sequence[int] | None) -> tuple[int, ...]:
    """The k of hit@k and hp@k, in order and with 1, which everything else is read beside.

    Where none is given they are ``KS``, or, of lists, those that they are long enough for and their
    own length.

    Raises:
        DataError: a k is less than 1, more than the places that are kept, more than the lists
            are long, or not less than the number of candidates, of which every list of that length
            holds the true class.
    """
    length, count = predictions.top.shape[1], len(predictions.candidates)
    if ks is None:
        if predictions.complete:
            return KS
        return tuple(sorted({*(k for k in KS if k <= length), min(length, DEPTH)}))
    if not isinstance(ks, Sequence):
        raise DataError(f"ks must be several numbers, such as [1, 5], not {ks!r}.", argument="ks")
    ks = [int(k) if isinstance(k, np.integer) else k for k in ks]
    most = min(DEPTH, max(1, count - 1), DEPTH if predictions.complete else length)
    choice = "of 1 alone" if most == 1 else f"from 1 to {most}"
    remedy = f"Choose k {choice}, or none: then they go as far as they can."
    wrong = [k for k in ks if type(k) is not int or k < 1]
    if wrong:
        raise DataError(
            f"{wrong[0]!r} is no k of hit@k: that is a whole number from 1 to {DEPTH}, the places"
            " that are kept of each sample.",
            argument="ks",
        )
    if not predictions.complete and max(ks, default=1) > length:
        longer = f" Lists of up to {DEPTH} places are read." if length < DEPTH else ""
        raise DataError(
            f"hit@{max(ks)} needs longer lists: the predictions hold"
            f" {counted(length, 'place')} of each sample. {remedy}{longer}",
            argument="ks",
        )
    if max(ks, default=1) > DEPTH:
        raise DataError(
            f"hit@{max(ks)} cannot be computed: {DEPTH} places are kept of each sample. {remedy}",
            argument="ks",
        )
    if max(ks, default=1) >= max(count, 2):
        raise DataError(
            f"hit@{max(ks)} among {counted(count, 'candidate')} is 100 % whatever is predicted: k"
            f" must be less than {count:,}.",
            argument="ks",
        )
    return tuple(sorted({1, *ks}))


@dataclass(frozen=True, eq=False)
class EvaluatedRun:
    """The result of a run, and what its files are written from."""

    result: dict[str, Any]
    predictions: Predictions
    options: EvaluationOptions
    measures: Mapping[str, Measure]

    @cached_property
    def mistakes(self) -> Mistakes | None:
        """How far wrong predictions are from the truth, of the samples that metrics are of; None
        without a hierarchy."""
        hierarchy = self.options.hierarchy
        if hierarchy is None:
            return None
        rows = evaluated_samples(self.predictions)
        measures = {name: each.subset(rows) for name, each in self.measures.items()}
        return mistakes_of(self._evaluated, measures, hierarchy)

    @cached_property
    def _evaluated(self) -> Predictions:
        """The samples that metrics are of."""
        return self.predictions.subset(evaluated_samples(self.predictions))

    def confusions(self, most: int = 10) -> list[dict[str, Any]]:
        """The classes that are most often taken for another, of the same samples; see
        ``confusions``."""
        return confusions(self._evaluated, self.options.hierarchy, most)

    def write(self, path: Path, classes_table: Path | None = None) -> None:
        """RUN.json, RUN.samples.parquet and RUN.classes.parquet; see ``write_run``."""
        result = {**self.result, "run": path.stem, "confusions": self.confusions()}
        if self.mistakes is not None:
            result["mistakes"] = asdict(self.mistakes)
        write_run(path, result, self.predictions, self.options, self.measures, classes_table)


def evaluate_run(
    predictions: Predictions,
    manifest: dict[str, Any],
    train: Sequence[str],
    *,
    hierarchy: Hierarchy | None = None,
    hcorrect: Path | None = None,
    valid: str | Sequence[str] | None = None,
    rounds: int = 2000,
    confidence: float = 0.95,
    seed: int = 0,
    ks: Sequence[int] | None = None,
) -> EvaluatedRun:
    """Evaluate predictions with the provenance that every run keeps.

    ``manifest`` is that of the model, or what is known in its place. ``hcorrect`` is a folder
    of exported hCorrectSets. ``valid`` is the valid set of hp@k: classes, or ``devise`` for
    candidates and training classes. ``ks`` are those of hit@k and hp@k, see ``checked_ks``.
    """
    lengths = checked_ks(predictions, ks)
    check_valid_set(valid, hierarchy, hcorrect, train)
    sets, hcorrect_manifest = load_hcorrect(hcorrect) if hcorrect else ({}, {})
    names, valid_name = valid, "given"
    if valid == DEVISE:
        names = sorted({*predictions.candidates, *predictions.labels, *train})
        valid_name = "devise: test and training classes"
    assert not isinstance(names, str)
    provenance = provenance_of(manifest, train, predictions.candidates)
    provenance["hcorrect"] = {
        key: hcorrect_manifest.get(key) for key in ("valid", "hierarchy", "queries")
    }
    options = EvaluationOptions(
        hierarchy, sets, names, valid_name, train, rounds, confidence, seed, lengths
    )
    measures = measures_of(predictions, options)
    result = evaluate(predictions, options, measures, provenance=provenance)
    return EvaluatedRun(result, predictions, options, measures)
