"""The one reader of a run's JSON: what `graphzsl evaluate` wrote is checked before anything uses
it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from graphzsl.common.checked_names import shown
from graphzsl.common.errors import DataError
from graphzsl.common.files import read_json
from graphzsl.common.reading.schema import check_document

#: Keys of the candidates and of the training classes in the metadata of RUN.samples.parquet.
CANDIDATES, TRAIN = "candidates", "train"
_REMEDY = "The file is damaged, or of another version: delete it and evaluate again."


#: What files of predictions are called, which people take for runs.
_PREDICTIONS = (".csv", ".tsv", ".parquet", ".npz", ".npy")


def read_run(path: Path, *, deviations: bool = False) -> dict[str, Any]:
    """A run of `graphzsl evaluate`; DataError names the file, and what is missing or of a wrong
    kind.

    With ``deviations`` every metric must have the standard deviation of its samples.
    """
    if Path(path).suffix.lower() in _PREDICTIONS:
        raise DataError(
            f"{path} is no run, which is JSON. `graphzsl audit` makes one of a table or an array"
            " of predictions."
        )
    run = read_json(path)
    if not is_evaluation(run):
        raise DataError(
            f"{path} is not a run of `graphzsl evaluate`. Expected the JSON of "
            "`graphzsl evaluate model`, `audit`, `words` or `grid`."
        )
    check_document(run, "evaluation", path, "run", _REMEDY)
    if deviations:
        for name, metric in run["metrics"].items():
            if "per_sample_sd" not in metric:
                place = f"metrics/{name}/per_sample_sd"
                raise DataError(f"{path}: {shown(place)} is missing in this run. {_REMEDY}")
    return dict(run)


def interval_of(run: Mapping[str, Any], metric: str) -> tuple[float, float] | None:
    """The bootstrap interval of a metric per class; None for a single class."""
    ends = run["metrics"][metric]["per_class_interval"]
    return None if ends is None else (float(ends[0]), float(ends[1]))


def is_evaluation(document: Any) -> bool:
    """True if the document of a JSON file is a run."""
    return isinstance(document, dict) and document.get("kind") == "evaluation"
