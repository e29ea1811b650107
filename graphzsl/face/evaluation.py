"""``graphzsl.evaluate`` and the object that it returns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from graphzsl.errors import DataError
from graphzsl.evaluation.class_table import class_rows
from graphzsl.evaluation.evaluated_run import DEVISE, EvaluatedRun, evaluate_run, load_hierarchy
from graphzsl.evaluation.mistakes import Mistakes
from graphzsl.evaluation.prediction_files import predictions_of_frame, read_predictions
from graphzsl.evaluation.predictions import Predictions
from graphzsl.frames import Tabular, to_frame
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.metrics.ranking import EXPECTED
from graphzsl.sources.imagenet import listed_classes

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped]

#: Classes: their names, a file of them, or the name of an ImageNet list such as ilsvrc2012.
Classes = str | Path | Iterable[str]
_COLUMNS = ("metric", "per_class", "per_sample", "low", "high", "expected")


@dataclass(frozen=True)
class Metric:
    """One metric of an evaluation.

    Args:
        name: such as hit@1, hp@5 or mean_rank.
        per_class: mean over classes of the mean over their samples; the headline.
        per_sample: mean over samples.
        interval: bootstrap interval of ``per_class``.
        per_sample_interval: bootstrap interval of ``per_sample``.
        per_sample_sd: standard deviation over samples.
        expected: ``per_class`` under random order of tied candidates; the same where no tie
            decides anything.
    """

    name: str
    per_class: float
    per_sample: float
    interval: tuple[float, float]
    per_sample_interval: tuple[float, float]
    per_sample_sd: float
    expected: float

    def __repr__(self) -> str:
        low, high = self.interval
        return f"<Metric {self.name}: {self.per_class:.4g}, interval {low:.4g} to {high:.4g}>"


class Evaluation(Tabular, Mapping[str, Metric]):
    """The result of ``graphzsl.evaluate``: metric name -> ``Metric``.

    ``manifest`` is all of it, as the JSON of a run holds it: intervals, groups by hops and
    population, the generalized setting, provenance.

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

    def __getitem__(self, name: str) -> Metric:
        known = self.manifest["metrics"]
        if name not in known:
            raise KeyError(f"There is no metric {name!r}; there are {', '.join(known)}.")
        value = known[name]
        return Metric(
            name,
            value["per_class"],
            value["per_sample"],
            tuple(value["per_class_interval"]),
            tuple(value["per_sample_interval"]),
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
            f"<Evaluation: hit@1 {self['hit@1'].per_class:.4g} per class, {result['samples']:,}"
            f" samples of {result['classes']:,} classes, {result['candidates']:,} candidates>"
        )

    @property
    def generalized(self) -> dict[str, Any] | None:
        """ts, tr and H for every k and the seen-unseen curve; None where no training class is a
        candidate."""
        curve: dict[str, Any] | None = self.manifest.get("generalized")
        return curve

    def rows(self) -> list[dict[str, Any]]:
        """One row per metric: metric, per_class, per_sample, low and high (the interval of
        per_class), expected."""
        return [
            dict(
                zip(
                    _COLUMNS,
                    (each.name, each.per_class, each.per_sample, *each.interval, each.expected),
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
            run.predictions, options.hierarchy, options.train, options.level, run.measures
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

    def save(self, path: Path | str) -> None:
        """Write RUN.json, and RUN.samples.parquet and RUN.classes.parquet beside it, as `graphzsl
        evaluate` does; its commands read them.

        Raises:
            DataError: the path does not end in .json, or holds something else than a run.
        """
        self._run.write(Path(path))


def evaluate(
    predictions: Predictions | str | Path | pandas.DataFrame,
    *,
    train: Classes | None = None,
    hierarchy: Hierarchy | str | Path | None = None,
    candidates: Classes | None = None,
    numbered: bool = False,
    missing: Literal["error", "miss"] = "error",
    valid: Classes | None = None,
    hcorrect: str | Path | None = None,
    rounds: int = 2000,
    level: float = 0.95,
    seed: int = 0,
    name: str | None = None,
    simulated: bool = False,
) -> Evaluation:
    """Evaluate the predictions of any classifier: hit@k, and in a hierarchy hp@k and the rest.

    Args:
        predictions: of a model or of arrays (``Predictions``), a file (see ``read_predictions``),
            or a pandas DataFrame with the true class and the predicted ones, best first.
        train: the training classes, for groups by hops and the generalized setting (default: those
            of the model that predicted).
        hierarchy: adds parents and children, heights of lowest common ancestors and, where it is
            whole, hp@k and groups by hops: a ``Hierarchy``, "wordnet" for ``Hierarchy.load()``, or
            the folder of an exported subgraph. Classes must be wnids then.
        candidates: what the classifier of a file or frame chose from (default: every name there).
        numbered: classes of a file or frame are positions from 0 in ``candidates``.
        missing: a true class that is not a candidate: error, or miss (its samples count, as
            missed).
        valid: valid set of hp@k (default: the candidates); "devise": candidates and training
            classes.
        hcorrect: folder of exported hCorrectSets for hp@k, instead of computing them.
        rounds: of the bootstrap.
        level: of its intervals.
        seed: of its draws.
        name: what to call the classifier.
        simulated: say in the result that the predictions of a file or frame are simulated.

    Returns:
        The metrics by name; ties count against the model in all of them.

    Raises:
        DataError: a file, its lists or its classes are wrong, or a class is not in the hierarchy.
        ModelError: hCorrectSets are missing for a class.

    Reference:
        Frome et al. 2013 (hp@k); Xian et al. 2017 (per-class means, ts, tr, H); Hascoet et al. 2019
        (parents and children).

    >>> lists = [["n02084071", "n02121620"], ["n02083346", "n02121620"]]
    >>> predictions = gz.Predictions.from_ranked(lists, labels=["n02084071", "n02121620"])
    >>> result = gz.evaluate(predictions, hierarchy="wordnet")
    >>> result["correct"].per_class, result["unrelated"].per_class
    (0.5, 0.5)
    """
    training = None if train is None else listed_classes(train)
    if isinstance(predictions, Predictions):
        if candidates is not None or numbered or simulated or missing != "error":
            raise DataError(
                "candidates, numbered, missing and simulated say how a file or a DataFrame is read;"
                " Predictions are read already."
            )
        given = predictions
    else:
        chosen_from = None if candidates is None else listed_classes(candidates)
        if numbered and chosen_from is None:
            raise DataError("numbered needs candidates: what the numbers count.")
        is_frame = not isinstance(predictions, str | Path)
        read: Any = predictions_of_frame if is_frame else read_predictions
        given = read(predictions, chosen_from, training or (), numbered, missing)
        given = replace(given, metadata={**given.metadata, "simulated": simulated})
        name = name or (None if is_frame else Path(str(predictions)).stem)
    if training is None:
        training = list(given.source.get("train") or given.seen)
    if not given.seen:
        known = set(given.candidates)
        given = replace(given, seen=[wnid for wnid in training if wnid in known])
    tree = load_hierarchy(hierarchy) if isinstance(hierarchy, str | Path) else hierarchy

    provenance = {**given.source, **({"model": name} if name else {})} or {"model": "predictions"}
    run = evaluate_run(
        given,
        provenance,
        training,
        hierarchy=tree,
        hcorrect=Path(hcorrect) if hcorrect else None,
        valid=valid if valid is None or valid == DEVISE else listed_classes(valid),  # type: ignore[arg-type]
        rounds=rounds,
        level=level,
        seed=seed,
    )
    return Evaluation(run)
