"""A finished run as files: its JSON, its samples with the first prediction and the rank of the true
class, its classes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from graphzsl.audit.class_table import class_rows, write_class_table
from graphzsl.audit.run_files import CANDIDATES, TRAIN, read_run
from graphzsl.common.checked_names import check_class_names, shown
from graphzsl.common.errors import DataError
from graphzsl.common.files import (
    atomic_files,
    check_result,
    checked_suffix,
    json_text,
    sha256,
    writing,
)
from graphzsl.common.reading.bounds import is_file
from graphzsl.common.reading.json_text import parsed_json
from graphzsl.common.reading.parquet_files import open_parquet, read_parquet

if TYPE_CHECKING:
    from graphzsl.audit.evaluation_options import EvaluationOptions
    from graphzsl.audit.measures import Measure
    from graphzsl.audit.predictions import Predictions


#: What stands beside RUN.json.
SAMPLES, CLASSES = ".samples.parquet", ".classes.parquet"
#: What messages call an entry of the lists that samples hold.
_ENTRIES = {CANDIDATES: "candidate", TRAIN: "training class"}


def write_run(
    path: Path,
    result: dict[str, Any],
    predictions: Predictions | None,
    against: EvaluationOptions,
    measures: Mapping[str, Measure] | None,
    classes_table: Path | None = None,
) -> None:
    """The JSON of an evaluated run, its samples and its table of classes (both only with
    ``predictions``).

    All are written aside, and when each is on the disk they take their places, the JSON last; an
    error or an interruption before that leaves an earlier run under this name as it was. Files of
    that run which this one does not have are removed in the end: they are not of this JSON.
    DataError, and nothing is changed, where ``path`` is a JSON file that is not a run.
    """
    checked_suffix(path, (".json",))
    check_result(path, result["kind"])
    samples, classes = path.with_suffix(SAMPLES), classes_table or path.with_suffix(CLASSES)
    tables = [samples, classes] if predictions is not None else []
    with atomic_files(*tables, path) as (*written, partial):
        if predictions is not None:
            with writing(samples):
                predictions.write(written[0], against.hierarchy, against.train)
            result["samples_file"] = {"file": samples.name, "sha256": sha256(written[0])}
            level = against.confidence
            rows = class_rows(predictions, against.hierarchy, against.train, level, measures)
            with writing(classes):
                table = write_class_table(rows, classes, written[1], level)
            result["class_table"] = {"file": _from_folder_of(path, classes), **table}
        with writing(path):
            partial.write_text(json_text(result), encoding="utf-8")
    own = set(tables)
    for suffix in (SAMPLES, CLASSES):
        if path.with_suffix(suffix) not in own:
            path.with_suffix(suffix).unlink(missing_ok=True)


def _from_folder_of(run: Path, file: Path) -> str:
    """Path of a file from the folder of a run, so that both can be moved together."""
    folder = file.parent.resolve()
    return Path(os.path.relpath(folder / file.name, run.parent.resolve())).as_posix()


@dataclass(frozen=True, eq=False)
class RunSamples:
    """[N] true class, first prediction (None: an empty list) and rank of the true class, ties
    against the model; and the candidates."""

    labels: list[str]
    predicted: list[str | None]
    rank: npt.NDArray[np.int64]
    candidates: list[str]


def read_run_samples(path: Path) -> RunSamples:
    """The samples of a run, given its JSON or its .samples.parquet; DataError names the file, also
    where it is not of the JSON that is given (see ``samples_problem``).

    A first prediction that is the true class with a rank above 1 shares its place: the true class
    is not what was predicted, and the other class is not known. It is None then, which no outcome
    counts as right.
    """
    given = path = Path(path)
    result: dict[str, Any] | None = None
    if path.suffix == ".json" and path.is_file():
        result, path = samples_of_run(path)
    elif path.suffix == ".json":
        path = path.with_suffix(SAMPLES)
    wanted = (
        "Expected the samples of a run, RUN.samples.parquet, which are written beside the JSON of"
        " `graphzsl evaluate model` or `audit`."
    )
    table = read_parquet(path, ["label", "predicted", "rank"], expected=wanted)
    if not pa.types.is_integer(table["rank"].type) or table["rank"].null_count:
        raise DataError(f"{path}: rank must hold a whole number in each row. {wanted}")
    labels = table["label"].to_pylist()
    check_class_names(labels, f"{path}: label")
    predicted = table["predicted"].to_pylist()
    check_class_names((name for name in predicted if name is not None), f"{path}: predicted")
    rank = np.asarray(table["rank"], dtype=np.int64)
    if len(rank) and rank.min() < 1:
        raise DataError(f"{path}: row {int(rank.argmin())}: ranks count from 1. {wanted}")
    if result is not None:
        check_samples(given, result, path)
    shared = [
        name if place == 1 or name != label else None
        for label, name, place in zip(labels, predicted, rank, strict=True)
    ]
    candidates = _held(table.schema, CANDIDATES, path)
    if candidates is None:
        raise DataError(f"{path}: its metadata name no candidates. {wanted}")
    return RunSamples(labels, shared, rank, candidates)


def read_training_classes(samples: Path) -> list[str]:
    """The classes that a run learned from, as its samples hold them; none where there is no such
    file, or the run learned from none. DataError for a damaged file."""
    if not samples.is_file():
        return []
    with open_parquet(samples, "Evaluate again, or name the training classes.") as file:
        return _held(file.schema_arrow, TRAIN, samples) or []


def file_beside(run: Path, result: Mapping[str, Any], key: str, suffix: str) -> Path:
    """A file of a run: where ``result`` says, by a path from the folder of the JSON (samples: by a
    name in it), or, where the
    files of the run were renamed together, beside the JSON with ``suffix``. Where both are there,
    the one whose checksum ``result`` has.

    Raises:
        DataError: what it is called is no such path.
    """
    recorded = result.get(key) or {}
    own, name = run.with_suffix(suffix), recorded.get("file")
    if not name:
        return own
    is_elsewhere = key == "samples_file" and Path(name).name != name
    if is_elsewhere or Path(name).is_absolute() or Path(name).name in ("", ".."):
        raise DataError(
            f"{run}: {key}: {shown(name)} is no path of a file from the folder of the run. Evaluate"
            " again."
        )
    named = run.parent / name
    there = [path for path in (named, own) if is_file(path)]
    if named != own and len(there) == 2 and sha256(own) == recorded.get("sha256"):
        return own
    return there[0] if there else named


def samples_of_run(run: Path) -> tuple[dict[str, Any], Path]:
    """The JSON of a run, and where its samples are."""
    result = read_run(run)
    return result, file_beside(run, result, "samples_file", SAMPLES)


def check_samples(run: Path, result: Mapping[str, Any], samples: Path) -> None:
    """DataError where a file of samples is not of the RUN.json that it lies beside, whose content
    is ``result``."""
    problem = samples_problem(samples, result)
    if problem is not None:
        raise DataError(
            f"{samples} are not the samples of {run.name}: {problem}, so they are"
            " of another evaluation. Evaluate again, or give the .samples.parquet file alone."
        )


def samples_problem(samples: Path, document: Mapping[str, Any]) -> str | None:
    """Reason why samples that lie beside a run's JSON are not of it; None where they are."""
    known = (document.get("samples_file") or {}).get("sha256")
    if known is None:
        return "the run was written without samples"
    return None if sha256(samples) == known else "their checksum is another than that in the run"


def _held(schema: pa.Schema, key: str, path: Path) -> list[str] | None:
    """The classes that the file names behind its columns; None where it names none."""
    held = (schema.metadata or {}).get(key.encode())
    if not held:
        return None
    try:
        found = parsed_json(held.decode(), f"{path}: {key}")
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: {key}: not UTF-8 ({error}). Evaluate again.") from None
    if not isinstance(found, list):
        raise DataError(f"{path}: {key} is {shown(found)}, not a list. Evaluate again.")
    check_class_names(found, f"{path}: {_ENTRIES[key]}")
    return found


def paired_samples(first: Path, second: Path) -> tuple[RunSamples, RunSamples]:
    """The samples of two runs; DataError where they are not the same ones in the same order."""
    one, other = read_run_samples(first), read_run_samples(second)
    if one.labels != other.labels:
        raise DataError(f"{first} and {second} are of different samples: they cannot be paired.")
    return one, other
