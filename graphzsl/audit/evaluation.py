"""The result of an evaluation: metrics, classes, mistakes and confusions, and the files of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from graphzsl.audit.class_table import class_rows
from graphzsl.audit.evaluate import evaluate, evaluated_samples, measures_of, provenance_of
from graphzsl.audit.evaluation_options import (
    DEVISE,
    EvaluationOptions,
    check_valid_set,
    checked_k,
)
from graphzsl.audit.hcorrect_files import load_hcorrect
from graphzsl.audit.measures import Measure
from graphzsl.audit.mistakes import Mistakes, confusions, mistakes_of
from graphzsl.audit.predictions import Predictions
from graphzsl.audit.runs import write_run
from graphzsl.audit.several_labels import true_below, with_nearest
from graphzsl.common.errors import DataError
from graphzsl.common.frames import Tabular, to_frame
from graphzsl.common.reading.number_texts import unsigned
from graphzsl.common.wording import counted
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.resolver import resolve_nodes
from graphzsl.metrics.hierarchical.cuts import cut_codes, level_accuracy
from graphzsl.metrics.hierarchical.labels import ClassTree
from graphzsl.metrics.ranking import EXPECTED

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped]


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
        manifest: the result; ``graphzsl.evaluate`` makes it.
        predictions: what was evaluated.
        options: against what.
        measures: metric -> its value for every sample.

    >>> scores = [[0.9, 0.1], [0.4, 0.6], [0.7, 0.3]]
    >>> result = gz.evaluate(
    ...     gz.Predictions.from_scores(scores, ["cat", "dog"], ["cat", "dog", "dog"])
    ... )
    >>> result
    <Evaluation: hit@1 0.75 per class, 3 samples of 2 classes, 2 candidates>
    >>> result["hit@1"].per_sample
    0.6666666666666666
    """

    def __init__(
        self,
        manifest: dict[str, Any],
        predictions: Predictions,
        options: EvaluationOptions,
        measures: Mapping[str, Measure],
    ):
        self.manifest, self.predictions = manifest, predictions
        self.options, self.measures = options, measures

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
        rows = []
        for each in self.values():
            low, high = each.interval or (None, None)
            row = {"metric": each.name, "per_class": each.per_class, "per_sample": each.per_sample}
            rows.append({**row, "low": low, "high": high, "expected": each.expected})
        return rows

    def class_rows(self) -> list[dict[str, Any]]:
        """One row per true class: its samples, hit@1 and hit@5 with intervals, what it is taken
        for, and what the hierarchy knows of it."""
        options = self.options
        return class_rows(
            self.predictions, options.hierarchy, options.train, options.confidence, self.measures
        )

    @cached_property
    def mistakes(self) -> Mistakes | None:
        """Number of wrong first predictions, and their distance from the truth, of the samples that
        metrics are of; None without a hierarchy."""
        if self.hierarchy is None:
            return None
        rows = evaluated_samples(self.predictions)
        measures = {name: each.subset(rows) for name, each in self.measures.items()}
        return mistakes_of(self._evaluated, measures, self.hierarchy)

    @cached_property
    def _evaluated(self) -> Predictions:
        """The samples that metrics are of."""
        return self.predictions.subset(evaluated_samples(self.predictions))

    def confusions(self, most: int = 10) -> list[dict[str, Any]]:
        """The classes that are most often taken for another, one row per pair: true, predicted,
        samples, share of the true class's; with a hierarchy names, lowest common ancestor and its
        height."""
        return confusions(self._evaluated, self.hierarchy, most)

    def at(self, superclasses: Sequence[str | int]) -> list[dict[str, Any]]:
        """Accuracy at the level of some superclasses: a first prediction is right where it has the
        superclass of the true class, the nearest one above.

        Args:
            superclasses: nodes; samples of classes below none of them do not count. A number is a
                level of the hierarchy, as of ``gz.hierarchical.level_accuracy``.

        Returns:
            One row per superclass, by samples, and one of all: superclass, name, samples, accuracy;
            then one per level.

        Raises:
            DataError: there is no hierarchy, no sample counts, a class is below two of them, or no
                true class is as deep as a level.

        Reference:
            Santurkar et al. 2021, BREEDS; Silla and Freitas 2011 (levels).

        >>> lists = [["tench", "hen"], ["hen", "tench"]]
        >>> result = gz.evaluate(["goldfish", "cock"], ranked=lists, candidates="ilsvrc2012")
        >>> [row["accuracy"] for row in result.at(["fish.n.01", "bird.n.01"])]
        [1.0, 1.0, 1.0]
        """
        hierarchy = self.hierarchy
        if hierarchy is None:
            raise DataError("There is no hierarchy for superclasses.", argument="at")
        given = self._evaluated
        texts = [str(each) for each in superclasses]
        numbers = {each: unsigned(each) for each in texts if each not in hierarchy.index}
        levels = {each: number for each, number in numbers.items() if number is not None}
        rows_of_levels = self._at_levels(hierarchy, [*levels.values()])
        if texts and levels.keys() == set(texts):
            return rows_of_levels
        nodes = resolve_nodes([each for each in texts if each not in levels], hierarchy, "at")
        rows = true_below(given, hierarchy, nodes)
        if not rows.any():
            raise DataError("No true class is below these superclasses.", argument="at")
        part = given.subset(rows)
        tree = ClassTree.of(hierarchy)
        true = hierarchy.positions(part.labels)
        wanted = cut_codes(hierarchy, tree, true, nodes, required=True)
        # an empty list stands for no class, which no superclass has
        first = part.predicted(hierarchy)
        named = [row for row, name in enumerate(first) if name is not None]
        places = hierarchy.positions([name for name in first if name is not None])
        is_right = np.zeros(len(wanted), dtype=bool)
        codes = cut_codes(hierarchy, tree, places, nodes, required=False)
        is_right[named] = wanted[named] == codes
        ordered = sorted(set(nodes))
        made = [
            {
                "superclass": ordered[code],
                "name": hierarchy.names.get(ordered[code], ordered[code]),
                "samples": int((wanted == code).sum()),
                "accuracy": float(is_right[wanted == code].mean()),
            }
            for code in np.unique(wanted).tolist()
        ]
        made.sort(key=lambda row: (-row["samples"], row["superclass"]))
        whole = {"superclass": "all", "name": "all of these", "samples": len(wanted)}
        return [*made, {**whole, "accuracy": float(is_right.mean())}, *rows_of_levels]

    def _at_levels(self, hierarchy: Hierarchy, levels: list[int]) -> list[dict[str, Any]]:
        """Accuracy at each level of the hierarchy; a sample without a prediction is wrong."""
        labels = self._evaluated.labels
        deepest = int(hierarchy.max_depth[hierarchy.positions(labels)].max())
        if (given := max(levels, default=0)) > deepest:
            raise DataError(
                f"The deepest true class is at level {deepest} in the hierarchy, not {given}.",
                argument="at",
            )
        first = self._evaluated.predicted(hierarchy)
        pairs = [(one, two) for one, two in zip(labels, first, strict=True) if two is not None]
        shares = level_accuracy(hierarchy, *zip(*pairs, strict=True)) if pairs else np.zeros(1)
        shares = shares * len(pairs) / len(labels)
        return [
            {
                "superclass": f"level {level}",
                "name": f"level {level}",
                "samples": len(labels),
                "accuracy": float(shares[min(level, len(shares) - 1)]),
            }
            for level in levels
        ]

    def to_frame(self, rows_of: Literal["metrics", "classes"] = "metrics") -> pandas.DataFrame:
        """``rows`` or ``class_rows`` as a pandas DataFrame; DataError where pandas is missing."""
        if rows_of not in ("metrics", "classes"):
            raise DataError(f"A frame is of metrics or of classes, not {rows_of!r}.")
        return to_frame(self.rows() if rows_of == "metrics" else self.class_rows())

    @property
    def hierarchy(self) -> Hierarchy | None:
        """The hierarchy of the evaluation; None without one."""
        return self.options.hierarchy

    @property
    def train(self) -> list[str]:
        """The training classes; empty where none are known."""
        return list(self.options.train)

    def save(self, path: Path | str, classes_table: Path | None = None) -> None:
        """Write RUN.json, and RUN.samples.parquet and RUN.classes.parquet beside it, as `graphzsl
        evaluate` does; its commands read them.

        Args:
            path: of RUN.json.
            classes_table: where the table of classes goes instead (.parquet or .csv).

        Raises:
            DataError: the path does not end in .json, or holds something else than a run.
        """
        path = Path(path)
        result = {**self.manifest, "run": path.stem, "confusions": self.confusions()}
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
    k: int | Sequence[int] | None = None,
) -> Evaluation:
    """Evaluate predictions with the provenance that every run keeps.

    ``manifest`` is that of the model, or what is known in its place. ``hcorrect`` is a folder
    of exported hCorrectSets. ``valid`` is the valid set of hp@k: classes, or ``devise`` for
    candidates and training classes. ``k`` is that of hit@k and hp@k, or several: ``checked_k``.
    """
    predictions = with_nearest(predictions, hierarchy)
    lengths = checked_k(predictions, k)
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
    return Evaluation(result, predictions, options, measures)
