"""Folders of published benchmarks where a command takes a list: their test classes, and their
training classes, which such a folder knows wherever it is."""

from __future__ import annotations

from pathlib import Path

from graphzsl import benchmark
from graphzsl.cli.output import note
from graphzsl.common import MANIFEST, DataError

#: The lists of a folder.
_TEST, _TRAINING = "test_classes.txt", "training_classes.txt"


def test_classes(given: str) -> str:
    """The list of test classes of a benchmark's folder; any other text as it is."""
    folder = _folder(given)
    return str(folder / _TEST) if folder is not None and Path(given).is_dir() else given


def own_training(given: str | None, train: str | None) -> str | None:
    """``train``, or, if it is not given, the training classes of the benchmark whose folder or list
    of test classes is ``given``; a note names them."""
    folder = None if given is None or train is not None else _folder(given)
    if folder is None or not (folder / _TRAINING).is_file():
        return train
    note(f"Training classes: those of the benchmark, {folder / _TRAINING}.")
    return str(folder / _TRAINING)


def _folder(given: str) -> Path | None:
    """The folder of a published benchmark that a text means; None where it means none."""
    path = Path(given)
    folder = path.parent if path.name == _TEST else path
    if not (folder / MANIFEST).is_file() or not (folder / _TEST).is_file():
        return None
    try:
        benchmark.read_manifest(folder)
    except DataError:  # something else, with a file of that name
        return None
    return folder
