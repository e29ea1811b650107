"""One evaluation of several models within windows of classes: rows, correlations, provenance."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from graphzsl.audit.evaluate import provenance_of
from graphzsl.audit.prediction_files import read_predictions
from graphzsl.common.errors import DataError, SettingsError
from graphzsl.common.files import manifest, sha256_text, write_result
from graphzsl.common.reading.numpy_files import read_npz
from graphzsl.data.sample_files import load_test_samples
from graphzsl.data.windows import Window, cut_windows, with_means
from graphzsl.hierarchy.distances import Path as HopDistance
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.ratio import structural_ratios
from graphzsl.metrics.ranking import TIES_RULE
from graphzsl.models.base.class_samples import class_row_samples
from graphzsl.models.base.zero_shot_model import load_model
from graphzsl.models.runs.windows import (
    SMALLEST_SERIES,
    Ranker,
    correlations,
    model_ranker,
    score_ranker,
    score_windows,
    series_means,
)
from graphzsl.names.class_values import class_values


@dataclass(frozen=True)
class WindowsEvaluation:
    """Accuracy of models within windows.

    ``document`` is what ``save`` writes: ``rows`` (a model in a window), ``correlations`` (of a
    model's accuracy with the property), ``series`` (means over the windows of one cut), and all
    that they rest on.
    """

    document: dict[str, Any]
    left_over: int = 0  #: classes with the largest values, which fill no window

    def rows(self) -> list[dict[str, Any]]:
        """Row of each model and window."""
        rows: list[dict[str, Any]] = self.document["rows"]
        return rows

    def save(self, path: Path | str) -> None:
        """Write the document; DataError where the file is something else."""
        write_result(Path(path), self.document)

    def notes(self) -> Iterable[str]:
        """Correlations, means of several series, and what limits them, each as a sentence."""
        what = self.document["by"]
        if self.left_over:
            yield f"{self.left_over:,} classes with the largest values fill no window."
        if not self.document["correlations"]:
            yield (
                f"No correlation: it takes {SMALLEST_SERIES} windows of a model with different"
                " values and accuracies."
            )
        for row in self.document["correlations"]:
            yield (
                f"{row['model']}: {row['kind']} ({row['scale']} {what}) {row['coefficient']:.2f} "
                f"[{row['low']:.2f}, {row['high']:.2f}], p = {row['p']:.2g}, {row['windows']}"
                " windows."
            )
        if len({window["series"] for window in self.document["windows"]}) > 1:
            for row in self.document["series"]:
                yield (
                    f"{row['model']}: hit@1 {row['hit@1']:.3f} [{row['low']:.3f},"
                    f" {row['high']:.3f}] on {row['windows']} windows of {row['series']}."
                )
        if any("tied" in row for row in self.rows()):
            yield f"{TIES_RULE.capitalize()}. `expected` is hit@1 under random order."
        if self.document["overlapping"]:
            yield "The windows overlap: p and the intervals of the correlations are too small."


#: Orders that a hierarchy says; others are files.
_MEASURED = ("ratio", "train-distance", "population")


@dataclass(frozen=True)
class _Entry:
    """One model: what it chooses from, the true classes of its samples, how it ranks."""

    name: str
    candidates: Sequence[str]
    labels: Sequence[str]
    ranker: Ranker
    train: Sequence[str]
    origin: dict[str, Any]


def evaluate_windows(
    models: Sequence[Path | str],
    *,
    by: str | None = None,
    windows: Sequence[Window] | None = None,
    size: int = 100,
    step: int | None = None,
    features: Path | str | None = None,
    center_features: bool = False,
    classifiers: Path | str | None = None,
    hierarchy: Hierarchy | None = None,
    train: Sequence[str] | None = None,
    rounds: int = 2000,
    level: float = 0.95,
    seed: int = 0,
) -> WindowsEvaluation:
    """Evaluate models on windows of classes, each with its own classes as the only candidates.

    Args:
        models: folders of trained models, or .npz files with scores [N, C], classes [C] and labels
            [N] of any classifier.
        by: what windows are ordered by: ratio, train-distance or population (of ``hierarchy``), or
            a wnid,value file. Of given windows it is what their means are taken of.
        windows: given windows; without them ``size`` classes each, ``step`` apart (default:
            ``size``), are cut from the unseen classes that all models know and that have samples.
        features, center_features: samples of the models (``load_test_samples``).
        classifiers: classifier rows, one sample per unseen class, in place of features.
        hierarchy: gives the values of ``by``, and adds the windows' own structural ratio.
        train: training classes (default: those of the first model).
        rounds, level, seed: of the bootstrap; classes are resampled, of a series windows.

    Returns:
        The evaluation: ``rows()``, ``notes()``, ``save(path)``, and all of it as ``document``.

    Raises:
        DataError: no class has a value of ``by``; a window has no sample; a file is not what it
            should be.
        SettingsError: there is no model, or neither windows nor an order; ``by`` needs training
            classes or a hierarchy that are not given; both kinds of samples are.

    Reference: Hascoet et al. 2019, figures 3, 5 and 9.
    """
    if not models:
        raise SettingsError("There is no model to evaluate.", argument="models")
    if by is None and windows is None:
        raise SettingsError(
            "There are no windows: give what orders classes into some, or windows.", argument="by"
        )
    if features is not None and classifiers is not None:
        raise SettingsError("Give samples or classifier rows, not both.", argument="features")
    if by in _MEASURED and hierarchy is None:
        raise SettingsError(
            f"An order by {by} needs a hierarchy: wordnet, or the folder of an exported one.",
            argument="wordnet",
        )
    entries = [_entry(Path(each), features, center_features, classifiers) for each in models]
    training = entries[0].train if train is None else train
    shared = set.intersection(*({*each.labels} & {*each.candidates} for each in entries))
    values = _order(by, sorted(shared - set(training)), training, hierarchy) if by else {}
    if by and not values:
        raise DataError(
            f"No unseen class that all models know and that has a sample has a value of {by}. For"
            " population run `graphzsl load populations` before the whole graph is exported, or"
            " give a wnid,value file."
        )
    name, left_over = Path(by).stem if by else "", 0
    if windows is None:
        windows = cut_windows(values, size, step, name=name, by=name)
        left_over = len(set(values).difference(*(window.classes for window in windows)))
    elif by:
        windows = with_means(windows, values, name)
    structure = _structure(windows, hierarchy, training) if hierarchy and training else {}
    rows: list[dict[str, Any]] = []
    related: list[dict[str, Any]] = []
    series: list[dict[str, Any]] = []
    for entry in entries:
        model = {"model": entry.name}
        found = score_windows(entry.ranker, entry.labels, windows, rounds, level, seed)
        rows += [{**model, **row, **structure.get(row["window"], {})} for row in found]
        related += [{**model, **row} for row in correlations(found, level)]
        series += [{**model, **row} for row in series_means(found, rounds, level, seed)]
    members = [wnid for window in windows for wnid in window.classes]
    return WindowsEvaluation(
        manifest(
            "windows",
            by=", ".join(sorted({window.by for window in windows})),
            size=size,
            step=step or size,
            ties=TIES_RULE,
            rows=rows,
            correlations=related,
            series=series,
            overlapping=len(members) > len(set(members)),
            windows=[asdict(window) for window in windows],
            models=[{"model": each.name, **each.origin} for each in entries],
            candidates="the classes of each window",
            train={"classes": len(training), "sha256": sha256_text("\n".join(training))},
            graph=hierarchy
            and {key: hierarchy.provenance.get(key) for key in ("hierarchy", "whole", "sources")},
            bootstrap={
                "rounds": rounds,
                "level": level,
                "seed": seed,
                "method": "percentile; classes resampled (series: windows)",
            },
        ),
        left_over,
    )


def _entry(
    path: Path, features: Path | str | None, center: bool, classifiers: Path | str | None
) -> _Entry:
    if path.suffix == ".npz":
        given = read_predictions(path)
        scores, names = read_npz(
            path, "scores", "classes", expected="scores [N, C], classes [C] and labels [N]"
        )
        candidates = [str(name) for name in names]
        ranker = score_ranker(scores, candidates, given.labels)
        return _Entry(path.stem, candidates, given.labels, ranker, [], given.metadata)
    model, recorded = load_model(path)
    train = list(recorded.get("train") or [])
    if classifiers:
        unseen = set(model.wnids) - set(train)
        samples = class_row_samples(
            Path(classifiers), train, [wnid for wnid in model.wnids if wnid in unseen]
        )
    elif features:
        samples = load_test_samples(Path(features), recorded, train, model.wnids, centred=center)
    else:
        raise SettingsError(f"{path} is a model: it needs samples.", argument="features")
    ranker = model_ranker(model, model.features(samples), samples.labels)
    origin = {
        "provenance": provenance_of(recorded, train, model.wnids),
        "features": samples.metadata,
    }
    return _Entry(path.name, model.wnids, samples.labels, ranker, train, origin)


def _order(
    by: str, classes: Sequence[str], train: Sequence[str], hierarchy: Hierarchy | None
) -> dict[str, float]:
    """wnid -> value that orders the windows, for the classes whose value is known."""
    if by not in _MEASURED:
        values = class_values(Path(by))
        return {wnid: values[wnid] for wnid in classes if wnid in values}
    assert hierarchy is not None
    if by == "population":
        known = hierarchy.populations
        return {wnid: float(known[wnid]) for wnid in classes if wnid in known}
    if not train:
        raise SettingsError(f"An order by {by} needs the training classes.", argument="train")
    ratios = structural_ratios(hierarchy, HopDistance(hierarchy), train, classes)
    numbers = ratios.ratio if by == "ratio" else ratios.train_distance
    pairs = zip(ratios.wnids, numbers.tolist(), strict=True)
    return {wnid: number for wnid, number in pairs if np.isfinite(number)}


def _structure(
    windows: Iterable[Window], hierarchy: Hierarchy, train: Sequence[str]
) -> dict[str, dict[str, float | None]]:
    """Window -> its structural ratio R as a split of its own, and the mean hops of its classes to
    the training classes."""
    distance, structure = HopDistance(hierarchy), {}
    for window in windows:
        ratios = structural_ratios(hierarchy, distance, train, window.classes)
        hops = ratios.train_distance[np.isfinite(ratios.train_distance)]
        structure[window.name] = {
            "structural_ratio": ratios.structural_ratio,
            "train_distance": float(hops.mean()) if len(hops) else None,
        }
    return structure
