"""``graphzsl.evaluate`` and the object that it returns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, ParamSpec

from graphzsl.audit.class_findings import (
    check_true_classes,
    check_use_of_names,
    note_other_order,
)
from graphzsl.audit.class_table import class_rows
from graphzsl.audit.evaluated_run import (
    AUTO,
    EvaluatedRun,
    evaluate_run,
    hierarchy_of,
    valid_set,
)
from graphzsl.audit.formats.truth import Labels
from graphzsl.audit.mistakes import Mistakes
from graphzsl.audit.prediction_files import (
    predictions_of_arrays,
    predictions_of_frame,
    read_predictions,
)
from graphzsl.audit.predictions import Predictions
from graphzsl.audit.scored_blocks import UnlabelledPredictions
from graphzsl.common.checked_names import check_name
from graphzsl.common.errors import DataError
from graphzsl.common.frames import Tabular, to_frame
from graphzsl.common.progress import log, noted
from graphzsl.common.wording import counted
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.metrics.ranking import EXPECTED
from graphzsl.names.class_language import (
    AsWnids,
    Candidates,
    candidates_of,
    training_classes,
)
from graphzsl.names.name_matching import Names

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped]

#: Classes: their names, a file of them, or the name of an ImageNet list such as ilsvrc2012.
Classes = str | Path | Iterable[str]
P = ParamSpec("P")
_COLUMNS = ("metric", "per_class", "per_sample", "low", "high", "expected")


@dataclass(frozen=True)
class Metric:
    """One metric of an evaluation.

    Args:
        name: such as hit@1, hp@5 or mean_rank.
        per_class: mean over classes of the mean over their samples; the headline.
        per_sample: mean over samples.
        interval: bootstrap interval of ``per_class``; None for a single class.
        per_sample_interval: bootstrap interval of ``per_sample``; None for a single sample.
        per_sample_sd: standard deviation over samples.
        expected: ``per_class`` under random order of tied candidates; the same where no tie
            decides anything.
    """

    name: str
    per_class: float
    per_sample: float
    interval: tuple[float, float] | None
    per_sample_interval: tuple[float, float] | None
    per_sample_sd: float
    expected: float

    def __repr__(self) -> str:
        if self.interval is None:
            return f"<Metric {self.name}: {self.per_class:.4g}, of one class>"
        low, high = self.interval
        return f"<Metric {self.name}: {self.per_class:.4g}, interval {low:.4g} to {high:.4g}>"


def _pair(ends: list[float] | None) -> tuple[float, float] | None:
    return None if ends is None else (ends[0], ends[1])


class Evaluation(Tabular, Mapping[str, Metric]):
    """The result of ``graphzsl.evaluate``: metric name -> ``Metric``.

    ``manifest`` is all of it but mistakes and confusions, as the JSON of a run holds it: intervals,
    groups by hops and population, the generalized setting, provenance, and the ``notes`` of what
    was taken for what.

    Args:
        run: what was evaluated, with its predictions; ``graphzsl.evaluate`` makes it.
    >>> scores = [[0.9, 0.1], [0.4, 0.6], [0.7, 0.3]]
    >>> result = gz.evaluate(
    ...     gz.Predictions.from_scores(scores, ["cat", "dog"], ["cat", "dog", "dog"])
    ... )
    >>> result
    <Evaluation: hit@1 0.75 per class, 3 samples of 2 classes, 2 candidates>
    >>> result["hit@1"].per_sample
    0.6666666666666666
    """

    def __init__(self, run: EvaluatedRun):
        self._run = run
        self.manifest = run.result

    @property
    def notes(self) -> list[str]:
        """Lines on what was taken for what while the predictions were read."""
        return list(self.manifest.get("notes", ()))

    def __getitem__(self, name: str) -> Metric:
        known = self.manifest["metrics"]
        if name not in known:
            raise KeyError(f"There is no metric {name!r}; there are {', '.join(known)}.")
        value = known[name]
        return Metric(
            name,
            value["per_class"],
            value["per_sample"],
            _pair(value["per_class_interval"]),
            _pair(value["per_sample_interval"]),
            value["per_sample_sd"],
            value.get(EXPECTED, value)["per_class"],
        )

    def __contains__(self, name: object) -> bool:
        return name in self.manifest["metrics"]

    def __iter__(self) -> Iterator[str]:
        return iter(self.manifest["metrics"])

    def __len__(self) -> int:
        return len(self.manifest["metrics"])

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        result = self.manifest
        return (
            f"<Evaluation: hit@1 {self['hit@1'].per_class:.4g} per class,"
            f" {counted(result['samples'], 'sample')} of"
            f" {counted(result['classes'], 'class', 'classes')},"
            f" {counted(result['candidates'], 'candidate')}>"
        )

    @property
    def generalized(self) -> dict[str, Any] | None:
        """ts, tr and H for every k and the seen-unseen curve; None where no training class is a
        candidate."""
        curve: dict[str, Any] | None = self.manifest.get("generalized")
        return curve

    def rows(self) -> list[dict[str, Any]]:
        """One row per metric: metric, per_class, per_sample, low and high (the interval of
        per_class; None for a single class), expected."""
        return [
            dict(
                zip(
                    _COLUMNS,
                    (
                        each.name,
                        each.per_class,
                        each.per_sample,
                        *(each.interval or (None, None)),
                        each.expected,
                    ),
                    strict=True,
                )
            )
            for each in self.values()
        ]

    def class_rows(self) -> list[dict[str, Any]]:
        """One row per true class: its samples, hit@1 and hit@5 with intervals, what it is taken
        for, and what the hierarchy knows of it."""
        run = self._run
        options = run.options
        return class_rows(
            run.predictions, options.hierarchy, options.train, options.confidence, run.measures
        )

    @property
    def mistakes(self) -> Mistakes | None:
        """How many first predictions are wrong, and how far from the truth; None without a
        hierarchy."""
        return self._run.mistakes

    def confusions(self, most: int = 10) -> list[dict[str, Any]]:
        """The classes that are most often taken for another, one row per pair: true, predicted,
        samples, share of the true class's; with a hierarchy names, lowest common ancestor and its
        height."""
        return self._run.confusions(most)

    def to_frame(self, rows_of: Literal["metrics", "classes"] = "metrics") -> pandas.DataFrame:
        """``rows`` or ``class_rows`` as a pandas DataFrame; DataError where pandas is missing."""
        if rows_of not in ("metrics", "classes"):
            raise DataError(f"A frame is of metrics or of classes, not {rows_of!r}.")
        return to_frame(self.rows() if rows_of == "metrics" else self.class_rows())

    @property
    def hierarchy(self) -> Hierarchy | None:
        """The hierarchy of the evaluation; None without one."""
        return self._run.options.hierarchy

    @property
    def train(self) -> list[str]:
        """The training classes; empty where none are known."""
        return list(self._run.options.train)

    @property
    def predictions(self) -> Predictions:
        """The predictions that were evaluated."""
        return self._run.predictions

    def save(self, path: Path | str) -> None:
        """Write RUN.json, and RUN.samples.parquet and RUN.classes.parquet beside it, as `graphzsl
        evaluate` does; its commands read them.

        Raises:
            DataError: the path does not end in .json, or holds something else than a run.
        """
        self._run.write(Path(path))


def _with_notes(function: Callable[P, Evaluation]) -> Callable[P, Evaluation]:
    """The function, whose result has the lines that were logged."""

    @wraps(function)
    def evaluated(*arguments: P.args, **options: P.kwargs) -> Evaluation:
        with noted() as notes:
            found = function(*arguments, **options)
        found.manifest.update({"notes": notes} if notes else {})
        return found

    return evaluated


@_with_notes
def evaluate(
    predictions: Any,
    predicted: Any = None,
    *,
    candidates: Classes | None = None,
    names: Names | None = None,
    train: Classes | None = None,
    wordnet: Hierarchy | str | Path | None = AUTO,
    labels: Labels | None = None,
    truth: Literal["column", "folder"] | None = None,
    numbered: bool | Literal["devkit"] = False,
    missing: Literal["error", "miss"] = "error",
    valid: Classes | None = None,
    hcorrect: str | Path | None = None,
    rounds: int = 2000,
    confidence: float = 0.95,
    seed: int = 0,
    ks: Iterable[int] | None = None,
    name: str | None = None,
    simulated: bool = False,
) -> Evaluation:
    """Evaluate the predictions of any classifier: hit@k, and in a hierarchy hp@k and the rest.

    Args:
        predictions: of a model or of arrays (``Predictions``), a file (see ``read_predictions``), a
            DataFrame or Arrow table; or, with ``predicted``, the [N] true classes.
        predicted: [N] the predicted classes, [N, K] the same best first, or [N, C] scores: arrays
            of numpy or torch, series or lists. Floats are scores; of whole numbers that may be
            either, stderr says how they are read.
        candidates: what the classifier of a file, frame or arrays chose from, [C] in the order of
            scores and numbers: names, a file of them, or an ImageNet list such as "ilsvrc2012"
            (default: every class there). Whole numbers among the classes of arrays (1 and 1.0
            alike) are positions from 0 in them, or, where the candidates are numbers themselves or
            none are given, what classes are called; texts ("1") always are what they are called.
        names: the names that the classifier knew its classes by, where they are no words of
            WordNet's, or not of one class alone: a file of wnids and names (of these names alone),
            wnid -> name, name -> wnid, or names in the order of ``candidates``.
        train: the training classes, for groups by hops and the generalized setting (default: those
            of the model that predicted).
        wordnet: adds parents and children, heights of lowest common ancestors and, where it is
            whole, hp@k and groups by hops: a ``Hierarchy``, "wordnet" for ``Hierarchy.load()``, the
            folder of an exported subgraph, or "auto": WordNet where all classes are wnids, or names
            that become wnids (stderr says so). None: no hierarchy, and names stay names.
        labels: the true classes of a file or frame that does not hold them (``read_predictions``).
        truth: where the true class of a table is: "column", or "folder", that of each file
            (default: the column, or the folder where all of them are wnids).
        numbered: classes of a file or frame are positions from 0 in ``candidates``; with "devkit"
            the true ones are numbers of ILSVRC's ground truth, from 1 in an order of its own.
        missing: what to do if a true class is not a candidate: 'error' raises, 'miss' counts its
            samples as wrong.
        valid: valid set of hp@k (default: the candidates); "devise": candidates and training
            classes.
        hcorrect: folder of exported hCorrectSets for hp@k, instead of computing them.
        rounds: of the bootstrap.
        confidence: of its intervals.
        seed: of its draws.
        ks: the k of hit@k and hp@k, at most 20 and less than the candidates (default: 1, 2, 5,
            10 and 20, of lists as far as they reach, and their length).
        name: what to call the classifier.
        simulated: say in the result that the predictions are simulated.

    Returns:
        The metrics by name; ties count against the model in all of them.

    Raises:
        DataError: a file, its lists or its classes are wrong, a class is not in the hierarchy, or
            a k is larger than the lists are long, or not less than the number of candidates.
        ModelError: hCorrectSets are missing for a class.

    Reference:
        Frome et al. 2013 (hp@k); Xian et al. 2017 (per-class means, ts, tr, H); Hascoet et al. 2019
        (parents and children).

    >>> result = gz.evaluate(["tench", "goldfish"], [["tench", "hen"], ["tench", "hen"]])
    >>> result["hit@1"].per_class, result["unrelated"].per_class
    (0.5, 0.5)
    >>> result.confusions()[0]["common_name"]
    'cyprinid.n.01'
    >>> scores = [[0.9, 0.1], [0.2, 0.8]]
    >>> gz.evaluate([0, 1], scores, candidates=["n02084071", "n02121620"])["hit@1"].per_class
    1.0
    """
    if name is not None:
        check_name(name, "a run", argument="name")
    if isinstance(predictions, UnlabelledPredictions) or isinstance(
        predicted, UnlabelledPredictions
    ):
        raise DataError(
            "Predictions of features alone have no labels to be evaluated with. Predict"
            " gz.Samples.from_arrays(features, labels) instead."
        )
    chosen: Candidates | None = None
    rename: AsWnids | None = None
    as_named = wordnet is None and names is None
    if candidates is not None and not isinstance(predictions, Predictions):
        chosen = candidates_of(candidates, names, as_named)
    listed = chosen.classes if chosen else None
    learned = None
    if train is not None:
        learned = training_classes(train, as_named=wordnet is None, candidates=listed or ())
    if isinstance(predictions, Predictions):
        reading_arguments = (candidates, names, labels, truth, predicted)
        any_given = any(each is not None for each in reading_arguments)
        if any_given or numbered or simulated or missing != "error":
            raise DataError(
                "candidates, names, labels, truth, numbered, missing and simulated say how a file,"
                " a frame or arrays are read; Predictions are read already."
            )
        given = predictions
    else:
        rename = None if as_named else AsWnids(listed, names, later=True)
        reading = {"seen": learned.names if learned else (), "missing": missing, "rename": rename}
        given = _read(
            predictions,
            predicted,
            listed,
            {"numbered": numbered, "labels": labels, "truth": truth},
            reading,
        )
        check_use_of_names(names, rename, chosen)
        check_true_classes(given, rename)
        given = replace(given, metadata={**given.metadata, "simulated": simulated})
        name = name or (Path(predictions).stem if _is_path(predictions, predicted) else None)
    if learned is not None:
        training = learned.among({*given.candidates, *given.labels})
    else:
        training = list(given.source.get("train") or given.seen)
    known = {*given.candidates, *given.labels}
    if not given.seen:
        candidate = set(given.candidates)
        given = replace(given, seen=[wnid for wnid in training if wnid in candidate])

    hierarchy = hierarchy_of(given, wordnet, chosen, rename)
    if learned is not None:
        learned.check(hierarchy)
    if learned is not None and hierarchy is None and not given.seen:
        log(
            "train has no effect here: without a hierarchy there are no groups by hops, and no"
            " training class is a candidate."
        )
    provenance = {**given.source, **({"model": name} if name else {})} or {"model": "predictions"}
    run = evaluate_run(
        given,
        provenance,
        training,
        hierarchy=hierarchy,
        hcorrect=Path(hcorrect) if hcorrect else None,
        valid=valid_set(valid, known, hierarchy),
        rounds=rounds,
        confidence=confidence,
        seed=seed,
        ks=list(ks) if isinstance(ks, Iterable) else ks,
    )
    return Evaluation(run)


def _is_path(predictions: Any, predicted: Any) -> bool:
    return predicted is None and isinstance(predictions, str | Path)


def _read(
    predictions: Any,
    predicted: Any,
    classes: list[str] | None,
    table_arguments: dict[str, Any],
    reading: dict[str, Any],
) -> Predictions:
    if predicted is not None:
        if any(value is not None and value is not False for value in table_arguments.values()):
            raise DataError(
                "numbered, labels and truth say how a file or a frame is read, not arrays."
            )
        given = predictions_of_arrays(predictions, predicted, classes, **reading)
    else:
        read: Any = read_predictions if _is_path(predictions, None) else predictions_of_frame
        given = read(predictions, classes, **table_arguments, **reading)
    note_other_order(given)
    return given
