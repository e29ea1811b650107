"""Runs as a report reads them: the JSON, and the files beside it that belong to it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl.audit.class_table import read_class_table
from graphzsl.audit.run_files import is_evaluation, read_run
from graphzsl.audit.run_identity import seed_of
from graphzsl.audit.runs import (
    CLASSES,
    SAMPLES,
    RunSamples,
    file_beside,
    read_run_samples,
    samples_problem,
)
from graphzsl.common.files import read_json, sha256
from graphzsl.common.progress import progress_bar
from graphzsl.common.reading.bounds import is_file
from graphzsl.common.wording import counted, listed
from graphzsl.sources.populations import read_populations
from graphzsl.sources.published import populations_path

#: Metrics that are sums of columns of a table of classes (see ``metrics.semantic``).
_SUMS = {
    "semantic_low": ("correct", "parent"),
    "semantic_high": ("correct", "parent", "child"),
}


@dataclass(frozen=True, eq=False)
class ReportedRun:
    """One run of a report.

    Args:
        document: its JSON.
        source: where it is from, as a reader may be told.
        classes: column -> values of its table of classes; None where there is none.
        samples: its samples; None where there are none.
        no_classes: why there are no classes; empty where there are some.
        no_samples: why there are no samples.
    """

    document: dict[str, Any]
    source: str
    classes: dict[str, list[Any]] | None = None
    samples: RunSamples | None = None
    no_classes: str = ""
    no_samples: str = ""

    @property
    def provenance(self) -> dict[str, Any]:
        """Origin of the run as it records it; empty if it records none."""
        return self.document.get("provenance") or {}

    @property
    def name(self) -> str:
        """The name of the run itself."""
        return str(self.document.get("run") or Path(self.source).stem)

    @property
    def model(self) -> str:
        """The name of its model."""
        named = self.document.get("model_label") or self.provenance.get("model")
        return str(named or self.name)

    @property
    def task(self) -> str:
        """Task of the run, in words."""
        features = self.document.get("features") or {}
        kind = "predictions" if "predictions" in features else "samples"
        task = self.document.get("task") or features.get("task") or kind
        return f"{task}: {features['features']}" if "features" in features else str(task)

    @property
    def simulated(self) -> bool:
        """True if the run says that its data are simulated."""
        features = self.document.get("features") or {}
        return bool(self.document.get("simulated") or features.get("simulated"))

    @property
    def seeds(self) -> tuple[Any, Any]:
        """Seed and validation seed, which pair the run with a run of another model."""
        return seed_of(self.document), self.document.get("validation_seed")

    @property
    def seed_text(self) -> str:
        """Seed and validation seed as text, empty where the run has none."""
        named = zip(("seed", "validation seed"), self.seeds, strict=True)
        return ", ".join(f"{name} {seed}" for name, seed in named if seed is not None)

    @cached_property
    def unseen(self) -> npt.NDArray[np.bool_]:
        """[C] which rows of the table of classes the metrics are of: the unseen classes, or all
        where there is but one kind."""
        columns = self.classes or {"wnid": []}
        seen = np.array(columns.get("seen", [False] * len(columns["wnid"])), dtype=bool)
        return ~seen if seen.any() and not seen.all() else np.ones_like(seen)

    @cached_property
    def images(self) -> dict[str, int | None]:
        """Class -> images in ImageNet, of the run's table; where that knows none, those of the
        Fall 2011 release that are shipped (``has_shipped_images``)."""
        columns = self.classes or {"wnid": []}
        wnids: list[str] = columns["wnid"]
        own = columns.get("population") or [None] * len(wnids)
        if any(each is not None for each in own):
            return dict(zip(wnids, own, strict=True))
        return {wnid: _shipped_images().get(wnid) for wnid in wnids}

    @property
    def has_shipped_images(self) -> bool:
        """True if the run knows no populations and the shipped ones cover some of its classes."""
        own = (self.classes or {}).get("population") or []
        return all(each is None for each in own) and any(
            each is not None for each in self.images.values()
        )

    def by_class(self, metric: str) -> dict[str, float] | None:
        """Class -> value of a metric, of the classes that it is the mean over; None where the table
        of classes does not have it. ts and tr are hit@1 of unseen and of seen classes; the ends of
        the semantic interval are sums of outcomes."""
        if metric in _SUMS:
            parts = [self.by_class(part) for part in _SUMS[metric]]
            known = [part for part in parts if part is not None]
            if len(known) < len(parts):
                return None
            return {wnid: sum(part[wnid] for part in known) for wnid in known[0]}
        column = "hit@1" if metric in ("ts", "tr") else metric
        if self.classes is None or column not in self.classes:
            return None
        rows = self.unseen if metric != "tr" else ~self.unseen
        named = zip(self.classes["wnid"], self.classes[column], rows, strict=True)
        values = {wnid: value for wnid, value, is_row in named if is_row}
        return None if not values or None in values.values() else values


@cache
def _shipped_images() -> dict[str, int]:
    return {wnid: count for _, wnid, count in read_populations(populations_path())}


def read_reported(path: Path | str) -> ReportedRun:
    """A run, its table of classes and its samples, or why they are left out: they are missing or of
    another evaluation. DataError where the JSON is not a run."""
    path = Path(path)
    document = read_run(path)
    classes, no_classes = _classes(path, document)
    samples, no_samples = _samples(path, document)
    return ReportedRun(document, str(path), classes, samples, no_classes, no_samples)


def missing_of(runs: Iterable[ReportedRun]) -> list[str]:
    """Sentences that say what a page of these runs does not show, and why."""
    runs = list(runs)
    found = {
        "No classes, no confusions and no accuracy over the hierarchy": [
            run.no_classes for run in runs if run.no_classes
        ],
        "No confusions, and no test on samples,": [
            run.no_samples for run in runs if run.no_samples
        ],
    }
    return [
        f"{what} of {counted(len(reasons), 'run')}: {listed(reasons, 3)}."
        for what, reasons in found.items()
        if reasons
    ]


def runs_in(paths: Iterable[Path | str]) -> tuple[list[Path], int]:
    """(files of runs, number of other JSON files that were passed over), each run once, of files
    and folders."""
    found, passed = dict[Path, Path](), 0
    for path in map(Path, paths):
        if not path.is_dir():
            found.setdefault(path.resolve(), path)
            continue
        for file in sorted(path.rglob("*.json")):
            if is_evaluation(read_json(file)):
                found.setdefault(file.resolve(), file)
            else:
                passed += 1
    return list(found.values()), passed


def read_runs(paths: Sequence[Path | str]) -> list[ReportedRun]:
    """The runs of files and folders."""
    return read_files(runs_in(paths)[0])


def read_files(files: Sequence[Path]) -> list[ReportedRun]:
    """The runs of files."""
    return [read_reported(file) for file in progress_bar(files, "reading runs")]


def _classes(path: Path, document: dict[str, Any]) -> tuple[dict[str, list[Any]] | None, str]:
    """(column -> values, "") or (None, the reason why there is no table)."""
    recorded = document.get("class_table")
    if not recorded:
        return None, f"{path} has no table of them"
    file = file_beside(path, document, "class_table", CLASSES)
    if not is_file(file):
        return None, f"{file} does not exist"
    if file.suffix != ".parquet":
        return None, f"{file} is no .parquet, which a report reads"
    if sha256(file) != recorded.get("sha256"):
        return None, f"{file} is not the table of classes of {path.name}"
    return read_class_table(file), ""


def _samples(path: Path, document: dict[str, Any]) -> tuple[RunSamples | None, str]:
    """(samples, "") or (None, the reason why there are none)."""
    file = file_beside(path, document, "samples_file", SAMPLES)
    if not is_file(file):
        gone = f"{file} does not exist" if document.get("samples_file") else f"{path} has none"
        return None, gone
    samples = read_run_samples(file)
    problem = samples_problem(file, document)
    if problem is not None:
        return None, f"{file} are not the samples of {path.name}, {problem}"
    return samples, ""
