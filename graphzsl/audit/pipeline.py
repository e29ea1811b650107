"""The one way from predictions to their evaluation: read, classes resolved, training classes and a
hierarchy found, evaluated.

``graphzsl.evaluate``, ``graphzsl audit``, ``evaluate model``, ``evaluate merge`` and CLIP runs all
go it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from graphzsl.audit.class_findings import (
    check_true_classes,
    check_use_of_names,
    note_other_order,
    said_of_names,
)
from graphzsl.audit.decoded import check_decoded, decoded
from graphzsl.audit.evaluation import Evaluation, evaluate_run
from graphzsl.audit.evaluation_options import check_valid_set, valid_set
from graphzsl.audit.formats.arrays import Kind
from graphzsl.audit.formats.build import Numbered, Truth
from graphzsl.audit.formats.truth import Labels
from graphzsl.audit.hierarchy_choice import AUTO, hierarchy_of
from graphzsl.audit.prediction_files import predictions_of_arrays, read_predictions
from graphzsl.audit.predictions import Predictions
from graphzsl.audit.scored_blocks import UnlabelledPredictions
from graphzsl.audit.several_labels import true_below
from graphzsl.audit.unplaced_classes import (
    check_names_are_clear,
    unclear_names,
    unplaced_classes,
    why_no_hierarchy,
    with_lines,
)
from graphzsl.common.checked_names import check_name
from graphzsl.common.errors import DataError
from graphzsl.common.progress import log, noted, step
from graphzsl.common.wording import counted, listed
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.resolver import resolve_nodes
from graphzsl.metrics.hierarchical.decoding import DecodedMetric
from graphzsl.names.class_language import (
    AsWnids,
    Candidates,
    Training,
    candidates_of,
    training_classes,
)
from graphzsl.names.name_matching import Names, UnclearNames
from graphzsl.sources.imagenet import Classes
from graphzsl.sources.tables import WNID

#: What is said of names that WordNet's nouns lack.
_WITHOUT_WNIDS = "Without wnids there is no hierarchy: hit@k alone."


@dataclass(frozen=True, eq=False)
class Prepared:
    """Predictions that are read, with what an evaluation of them needs.

    Args:
        predictions: their classes are wnids where all of them are clear.
        train: the training classes, as the predictions call them.
        wordnet: what the hierarchy is to be.
        valid: the valid set of hp@k, as given.
        hcorrect: folder of exported hCorrectSets.
        training: the training classes as they were given; None where the predictions name them.
        candidates: the candidates as they were given.
        rename: what has read the names in the predictions.
        path: the file that they were read from.
        notes: what was taken for what.
    """

    predictions: Predictions
    train: list[str]
    wordnet: Hierarchy | str | Path | None = AUTO
    valid: Classes | None = None
    hcorrect: Path | None = None
    training: Training | None = None
    candidates: Candidates | None = None
    rename: AsWnids | None = None
    path: Path | None = None
    notes: list[str] = field(default_factory=list)

    @property
    def read(self) -> list[AsWnids | Candidates]:
        """Readers of names, each with what it read."""
        return [each for each in (self.candidates, self.rename) if each is not None]

    @property
    def names(self) -> dict[str, str]:
        """Name -> the wnid that it was read as."""
        return {name: wnid for each in self.read for name, wnid in each.read.items()}

    @property
    def unclear(self) -> list[str]:
        """Names that were not clear when they were read."""
        return unclear_names(self.read)

    @cached_property
    def hierarchy(self) -> Hierarchy | None:
        """The hierarchy, as ``hierarchy_of`` chooses it; a line says why there is none.

        Raises:
            DataError: a class is no node of a hierarchy that is given, or, with its line, not
                clear.
        """
        with noted() as lines:
            found = self._hierarchy()
        self.notes.extend(lines)
        return found

    def _hierarchy(self) -> Hierarchy | None:
        is_given = self.wordnet is not None and self.wordnet != AUTO
        try:
            if is_given:
                check_names_are_clear(self.read)
            found = hierarchy_of(self.predictions, self.wordnet, self.candidates, self.rename)
        except DataError as error:
            classes = unplaced_classes(self.predictions, self.read)
            raise with_lines(error, classes, self.path) from None
        if self.training is not None:
            self.training.check(found)
        known = {*self.predictions.candidates, *self.predictions.labels}
        is_explained = self.wordnet is None or any(each.open for each in self.read)
        if found is None and not is_explained and not any(map(WNID.match, known)):
            log(f"{_WITHOUT_WNIDS}{self._of_names()}")
        return found

    def _of_names(self) -> str:
        """Remedy for names that are no words, where somebody gave them."""
        if self.candidates is not None:
            return " " + said_of_names(self.candidates.no_words)
        if self.rename is None:
            return ""
        is_table = self.path is not None and self.path.suffix != ".npz"
        return " " + said_of_names(self.rename.no_words, " --numbered" * is_table)

    def below(self, nodes: Sequence[str]) -> Prepared:
        """The samples alone whose true class (of several: all of them) is one of some nodes, or
        below one.

        Raises:
            DataError: there is no hierarchy, a node is unknown, or no sample is left.
        """
        if self.hierarchy is None:
            raise DataError("There is no hierarchy to look below a node.", argument="below")
        given = self.predictions
        wnids = resolve_nodes(nodes, self.hierarchy, "below")
        rows = true_below(given, self.hierarchy, wnids)
        called = listed(nodes)
        if not rows.any():
            raise DataError(f"No true class is below {called}.", argument="below")
        note = f"Of {counted(len(rows), 'sample')} the {rows.sum():,} below {called} count."
        log(note)
        return replace(
            self,
            predictions=given.part(rows),
            wordnet=self.hierarchy,
            notes=[*self.notes, note],
        )

    @cached_property
    def warning(self) -> str:
        """The line on classes that prevent a hierarchy which others have a place in."""
        if self.wordnet != AUTO or self.hierarchy is not None:
            return ""
        return why_no_hierarchy(unplaced_classes(self.predictions, self.read), self.path)

    def evaluate(
        self,
        *,
        rounds: int = 2000,
        confidence: float = 0.95,
        seed: int = 0,
        k: int | Iterable[int] | None = None,
        decode: DecodedMetric | None = None,
    ) -> Evaluation:
        """The evaluation; arguments and errors are those of ``graphzsl.evaluate``."""
        given = self.predictions
        with noted() as notes:
            note_other_order(given)
            hierarchy = self.hierarchy
            if self.training is not None and hierarchy is None and not given.seen:
                log(
                    "train has no effect here: without a hierarchy there are no groups by hops, and"
                    " no training class is a candidate."
                )
            if decode is not None:
                check_decoded(given, hierarchy, decode)
            check_valid_set(self.valid, hierarchy, self.hcorrect, self.train)
            known = {*given.candidates, *given.labels}
            valid = valid_set(self.valid, known, hierarchy)
        notes = [*self.notes, *notes, *([self.warning] if self.warning else [])]
        with step("evaluating"), noted() as more:
            found = evaluate_run(
                given,
                given.source,
                self.train,
                hierarchy=hierarchy,
                hcorrect=self.hcorrect,
                valid=valid,
                rounds=rounds,
                confidence=confidence,
                seed=seed,
                k=list(k) if isinstance(k, Iterable) else k,
            )
            if decode is not None:
                found.manifest["decoded"] = decoded(found.predictions, found.options, decode)
        notes += more
        found.manifest.update({"notes": notes} if notes else {})
        return found


def prepare(
    predictions: Any,
    predicted: Any = None,
    *,
    ranked: Any = None,
    scores: Any = None,
    candidates: Classes | None = None,
    names: Names | None = None,
    train: Classes | None = None,
    wordnet: Hierarchy | str | Path | None = AUTO,
    labels: Labels | None = None,
    truth: Truth | None = None,
    label_column: str | None = None,
    pred_column: str | Iterable[str] = (),
    score_column: str | None = None,
    numbered: Numbered = False,
    missing: Literal["error", "miss"] = "error",
    valid: Classes | None = None,
    hcorrect: str | Path | None = None,
    name: str | None = None,
    simulated: bool = False,
    keep_scores: bool = False,
) -> Prepared:
    """Read predictions, resolve their classes, and find their training classes: all of
    ``graphzsl.evaluate`` before the metrics, whose arguments and errors these are; ``keep_scores``
    where they are to be decoded."""
    if name is not None:
        check_name(name, "a run", argument="name")
    arrays: dict[Kind, Any] = {"predicted": predicted, "ranked": ranked, "scores": scores}
    arrays = {kind: values for kind, values in arrays.items() if values is not None}
    of_table: dict[str, Any] = {
        "labels": labels,
        "truth": truth,
        "numbered": numbered,
        "label_column": label_column,
        "pred_column": pred_column,
        "score_column": score_column,
    }
    with noted() as notes:
        if isinstance(predictions, Predictions):
            is_named = candidates is not None or names is not None
            if arrays or _is_given(of_table) or is_named or simulated or missing != "error":
                raise DataError(
                    "candidates, names, labels, truth, numbered, missing, simulated, predicted,"
                    " ranked, scores and the columns say how a file, a frame or arrays are read;"
                    " Predictions are read already."
                )
            training = None
            if train is not None:
                training = training_classes(train, as_named=wordnet is None)
            found = Prepared(predictions, [], wordnet, training=training)
        else:
            how = {"missing": missing, "keep_scores": keep_scores}
            found = _read(predictions, arrays, of_table, how, candidates, names, train, wordnet)
            metadata = {**found.predictions.metadata, "simulated": simulated}
            found = replace(found, predictions=replace(found.predictions, metadata=metadata))
            name = name or (found.path.stem if found.path else None)
        given = found.predictions
        if found.training is not None:
            learned = found.training.among({*given.candidates, *given.labels})
        else:
            learned = list(given.source.get("train") or given.seen)
        check_valid_set(valid, wordnet, hcorrect, learned if found.training else None)
    if not given.seen:
        candidate = set(given.candidates)
        given = replace(given, seen=[wnid for wnid in learned if wnid in candidate])
    source = {**given.source, **({"model": name} if name else {})} or {"model": "predictions"}
    return replace(
        found,
        predictions=replace(given, source=source),
        train=learned,
        valid=valid,
        hcorrect=None if hcorrect is None else Path(hcorrect),
        notes=notes,
    )


def _is_given(arguments: dict[str, Any]) -> bool:
    """True if any argument is given."""
    unset = (None, False, ())
    return any(not any(each is no for no in unset) for each in arguments.values())


def _read(
    given: Any,
    arrays: dict[Kind, Any],
    of_table: dict[str, Any],
    how: dict[str, Any],
    candidates: Classes | None,
    names: Names | None,
    train: Classes | None,
    wordnet: Hierarchy | str | Path | None,
) -> Prepared:
    """Predictions of a file or a frame, as ``of_table`` says, or of true classes with the one of
    ``arrays`` that is given."""
    if any(isinstance(each, UnlabelledPredictions) for each in (given, *arrays.values())):
        raise DataError(
            "Predictions of features alone have no labels to be evaluated with. Predict"
            " gz.Samples.from_arrays(features, labels) instead."
        )
    # a hierarchy of one's own has names of its own
    is_own = isinstance(wordnet, Hierarchy) and not any(map(WNID.match, wordnet.index))
    look_nothing_up = wordnet is None or is_own
    as_named = look_nothing_up and names is None
    chosen = None if candidates is None else candidates_of(candidates, names, as_named)
    classes = chosen.classes if chosen else None
    training = None
    if train is not None:
        training = training_classes(train, look_nothing_up, classes or ())
    rename = None if as_named else AsWnids(classes, names, later=True)
    how |= {"seen": training.names if training else (), "rename": rename}
    path = Path(given) if isinstance(given, str | Path) and not arrays else None
    if arrays:
        if _is_given(of_table):
            raise DataError(
                "labels, truth, numbered and the columns say how a file or a frame is read, not"
                " arrays."
            )
        if len(arrays) > 1:
            raise DataError(f"Give one of {' and '.join(arrays)}: they say how arrays are read.")
        ((kind, values),) = arrays.items()
        read = predictions_of_arrays(given, values, kind, classes, **how)
    else:
        read = read_predictions(given, classes, **how, **of_table)
    check_use_of_names(names, rename, chosen)
    try:
        check_true_classes(read, rename, of_file=path is not None)
    except UnclearNames as error:
        raise with_lines(error, error.names, path) from None
    return Prepared(
        read, [], wordnet, training=training, candidates=chosen, rename=rename, path=path
    )
