"""The true classes of samples where the predictions do not hold them: from the folders of files, or
from a file of labels."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from graphzsl.audit.formats.columns import no_truth
from graphzsl.audit.formats.roles import role
from graphzsl.audit.formats.samples import Samples, TrueClasses, lists_of_true_classes
from graphzsl.audit.formats.table import text_cells
from graphzsl.common.errors import DataError
from graphzsl.common.files import sha256
from graphzsl.common.progress import log
from graphzsl.common.reading.json_text import parsed_json
from graphzsl.common.reading.number_texts import unsigned
from graphzsl.common.reading.numpy_files import read_npy
from graphzsl.common.text_files import open_text, read_text
from graphzsl.hierarchy.meanings import CLASSES
from graphzsl.sources.imagenet import read_class_list, read_entries, shipped_classes
from graphzsl.sources.published import published

#: True classes: a file of them, a list in the order of the samples, or file -> class.
Labels = str | Path | Sequence[Any] | Mapping[str, Any]

#: The wnid that is the folder of a file, and the one that its name begins with.
WNID_FOLDER = re.compile(r"(?:.*[\\/])?(n[0-9]{8})[\\/][^\\/]+")
WNID_NAME = re.compile(r"(?:.*[\\/])?(n[0-9]{8})_[^\\/]+")
_FOLDER = re.compile(r"(?:.*[\\/])?([^\\/]+)[\\/][^\\/]+")
#: The lists of ImageNet-ReaL, by name, and their file in timm's package.
REAL = "real"
_REAL_FILE = Path("data", "_info", "imagenet_real_labels.json")
_VALIDATION_IMAGE = re.compile(r"ILSVRC2012_val_0*([0-9]{1,8})(?:_n[0-9]{8})?(?:\.[A-Za-z]+)?\Z")
_VALIDATION = 50_000  #: images of ILSVRC's validation set
_HEAD = 64  #: letters in which a JSON document begins
_IMAGE = re.compile(r"\.(?:jpe?g|png|gif|bmp|webp|tiff?)\Z", re.IGNORECASE)
#: How tools write what is missing into a table of text.
_MISSING = frozenset(("nan", "NaN", "NAN", "None", "<NA>", "NaT", "null", "NULL"))
#: What is known of ILSVRC's own numbers.
DEVKIT = (
    "ILSVRC's validation ground truth counts classes from 1, in an order of its own (that of"
    " meta.mat in the development kit, where 1 is n02119789, kit fox), which is not that of sorted"
    " wnids or of a network's outputs."
)


@cache
def devkit_order() -> list[str]:
    """The 1,000 wnids by their numbers in ILSVRC 2012's development kit, of which the first is
    1."""
    return [wnid for _, wnid in read_class_list(published()["ilsvrc2012-devkit-order"].path)]


def devkit_classes(labels: Sequence[str], place: Callable[[int], str]) -> list[str]:
    """wnids of numbers of ILSVRC's ground truth; DataError names the sample of another label."""
    order = devkit_order()
    wnids = []
    for row, label in enumerate(labels):
        number = unsigned(label.removesuffix(".0")) or 0
        if not 0 < number <= len(order):
            raise DataError(
                f"{place(row)}: {label!r} is not a number of ILSVRC's ground truth, from 1 to"
                f" {len(order):,}.",
                argument="numbered",
            )
        wnids.append(order[number - 1])
    return wnids


def folder_classes(samples: Samples, any_folder: bool) -> list[str]:
    """[N] the name of the folder of each file, with ``any_folder``; else the wnid that it is, or
    that the file's name begins with.

    Raises:
        DataError: there are no files, or names the first without such a folder.
    """
    if samples.files is None:
        raise no_truth(samples.table)
    rules = [_FOLDER] if any_folder else [WNID_FOLDER, WNID_NAME]
    found: list[str] = []
    for rule in rules:
        matches = [rule.fullmatch(file) for file in samples.files]
        if None not in matches:
            return [match[1] for match in matches if match]
        found = found or [str(place) for place, match in enumerate(matches) if match is None]
    row = int(found[0])
    wanted = "in a folder" if any_folder else "in a folder that is a wnid"
    why = (
        f" The folders of the files do not say it either: {samples.files[row]!r}"
        f" ({samples.place(row)}) is not {wanted}; timm's inference.py writes folders with its"
        " option fullname."
    )
    raise no_truth(samples.table, why)


def true_classes(
    samples: Samples, labels: Labels | None, truth: str | None, of_devkit: bool = False
) -> tuple[TrueClasses, dict[str, Any]]:
    """([N] true classes as they stand where they are, what the metadata say of their source).

    Args:
        samples: the predictions.
        labels: true classes from elsewhere; they count before those of the table.
        truth: column or folder where the caller says it.
        of_devkit: they are numbers of ILSVRC's ground truth, and become wnids.

    Raises:
        DataError: nothing says what is true, or the labels do not fit the samples.
    """
    found, source = _as_written(samples, labels, truth, of_devkit)
    if not of_devkit:
        return found, source
    numbered = {"true_classes_numbered": "ILSVRC 2012's development kit"}
    single = [each for each in found if isinstance(each, str)]
    if len(single) < len(found):
        raise DataError("Numbers of ILSVRC's ground truth are one per image.", argument="numbered")
    return devkit_classes(single, samples.place), source | numbered


def _as_written(
    samples: Samples, labels: Labels | None, truth: str | None, of_devkit: bool
) -> tuple[TrueClasses, dict[str, Any]]:
    """The true classes and their source, numbers of the development kit as numbers."""
    if labels is not None:
        return given_labels(labels, len(samples), samples.files, samples.place, of_devkit)
    if truth == "folder":
        return folder_classes(samples, any_folder=True), {"true_classes": "folders of the files"}
    if samples.column is not None:
        return samples.column, {}
    found = folder_classes(samples, any_folder=False)
    log(
        f"{samples.table.source} has no column of true classes: the wnids in the paths of its files"
        " are taken."
    )
    return found, {"true_classes": "wnids in the paths of the files"}


def check_not_missing(
    labels: Sequence[str], known: Iterable[str], place: Callable[[int], str]
) -> None:
    """DataError names the sample whose true class is how tools write what is missing (nan), where
    no class is ``known`` by that name."""
    written = _MISSING.intersection(labels)
    if written and (written := written.difference(known)):
        row = next(row for row, label in enumerate(labels) if label in written)
        rows = sum(label in written for label in labels)
        raise DataError(
            f"{place(row)}: the true class is missing: {labels[row]!r}"
            f" ({rows:,} of {len(labels):,} samples). Write it, or take these samples out."
        )


def given_labels(
    labels: Labels,
    count: int,
    files: list[str] | None,
    place: Callable[[int], str],
    of_devkit: bool = False,
) -> tuple[TrueClasses, dict[str, Any]]:
    """([N] true classes from elsewhere, what the metadata say of them).

    A file has one class per line, in the order of the samples, or the columns file and class
    (Kaggle's ``LOC_val_solution.csv`` too); or a JSON list of lists, file -> classes, or an
    ``.npy``. A file's name counts with its folders, without them, or without its suffix. Lists for
    images of ILSVRC's validation set go by the numbers in their names.

    Raises:
        DataError: another number of classes, a sample without a class, or ILSVRC's own numbers.
    """
    if isinstance(labels, str) and labels == REAL and not Path(labels).exists():
        return _listed(_real_labels(), REAL, count, files, place), {"true_classes": "ImageNet-ReaL"}
    if isinstance(labels, Mapping):
        found = _by_file([*labels.items()], files, place, "the labels")
        return found, {"true_classes": "given by file"}
    if hasattr(labels, "detach"):  # a tensor of torch
        tensor: Any = labels
        labels = tensor.tolist()
    if not isinstance(labels, str | Path):
        labels = [*labels]
        # as in an .npy, whole numbers are positions; texts may count from 1
        is_known = of_devkit or all(isinstance(each, int | np.integer) for each in labels)
        return _in_order(labels, count, "labels", is_known), {"true_classes": "given in order"}
    path = Path(labels)
    if not path.is_file():
        raise DataError(f"{path} is not a file; expected one with the true classes.")
    metadata = {"true_classes": path.name, "true_classes_sha256": sha256(path)}
    if path.suffix.lower() == ".npy":
        values = read_npy(path, "one true class per sample")
        if values.ndim != 1 or values.dtype.kind not in "iuU":
            raise DataError(
                f"{path}: an array {list(values.shape)} of {values.dtype}; expected one class per"
                " sample [N], names or whole numbers."
            )
        return _in_order(values.tolist(), count, str(path), known=True), metadata
    if (document := _json_document(path, files is not None)) is not None:
        if isinstance(document, dict):
            return _by_file([*document.items()], files, place, str(path)), metadata
        lists = [each if isinstance(each, list) else [each] for each in document]
        several = [*lists_of_true_classes(lists)]
        return _listed(several, str(path), count, files, place), metadata
    rows = _label_rows(path)
    is_document = bool(rows) and rows[0][1][0].startswith("[")
    if files is not None and rows and not is_document and all(len(row) > 1 for _, row in rows):
        known = {name for file in files for name in _names(file)}
        column = max((0, 1), key=lambda c: sum(row[c] in known for _, row in rows))
        first = rows[0][1]
        if first[column] not in known and any(role(cell) for cell in first):
            rows = rows[1:]
        pairs = [(row[column], row[1 - column]) for _, row in rows]
        return _by_file(pairs, files, place, str(path)), metadata
    _check_no_files(path, rows, files)
    cells = [entry.text for entry in read_entries(path)]
    return _in_order(cells, count, str(path), of_devkit), metadata


def _real_labels() -> list[list[str]]:
    """The wnids that ReaL has for each image of ILSVRC's validation set, as timm ships them."""
    spec = find_spec("timm")
    path = None if spec is None or not spec.origin else Path(spec.origin).parent / _REAL_FILE
    if path is None or not path.is_file():
        raise DataError(
            "The lists of ImageNet-ReaL come with timm, which is not installed: pip install timm;"
            " or give real.json itself, as its authors publish it.",
            argument="labels",
        )
    wnids = shipped_classes(CLASSES)
    document = parsed_json(read_text(path), str(path))
    return [[wnids[number] for number in numbers] for numbers in document]


def _json_document(path: Path, by_file: bool) -> Any:
    """The JSON document of a file with lists in it, or, ``by_file``, of file -> class; None for any
    other, which is a list of classes."""
    with open_text(path) as file:
        start = file.read(_HEAD)
    if not re.match(r"\s*[\[{]", start):
        return None
    try:
        document = parsed_json(read_text(path), str(path))
    except DataError:
        return None  # one of Python's, which the reader of lists knows
    if isinstance(document, dict):
        each = document.values()
        is_by_file = by_file and all(isinstance(one, str | int | list) for one in each)
        return document if is_by_file or any(isinstance(one, list) for one in each) else None
    return document if any(isinstance(one, list) for one in document) else None


def _listed(
    lists: list[Any],
    source: str,
    count: int,
    files: list[str] | None,
    place: Callable[[int], str],
) -> list[Any]:
    """The list of each sample: in order where there are as many; by the numbers of ILSVRC's
    validation images where all files are such, and the lists are of all or of others."""
    is_whole = len(lists) == _VALIDATION
    if len(lists) == count and not is_whole:
        return lists
    images = [_VALIDATION_IMAGE.search(file) for file in files or ()]
    if images and None not in images:
        numbers = [int(match[1]) for match in images if match]
        beyond = next((row for row, each in enumerate(numbers) if not 0 < each <= len(lists)), None)
        if beyond is not None:
            raise DataError(
                f"{place(beyond)}: {source} has {len(lists):,} lists, and none for image"
                f" {numbers[beyond]:,}."
            )
        return [lists[number - 1] for number in numbers]
    if len(lists) != count:
        raise _other_number(source, len(lists), count)
    return lists


def _other_number(source: str, classes: int, samples: int) -> DataError:
    return DataError(f"{source} holds {classes:,} true classes for {samples:,} samples.")


def _label_rows(path: Path) -> list[tuple[int, list[str]]]:
    """(line, cells): a comma, tab or semicolon separates them, or one blank in every line."""
    rows = text_cells(path)
    if all(len(row) == 1 and row[0].count(" ") == 1 for _, row in rows):
        return [(line, row[0].split(" ")) for line, row in rows]
    return rows


def _check_no_files(path: Path, rows: list[tuple[int, list[str]]], files: list[str] | None) -> None:
    """DataError where lines name files beside classes, although they are read as classes alone."""
    first = [role(cell) for cell in rows[0][1]] if rows else []
    headed = len(first) > 1 and ("file" in first or "sample" in first)
    for line, row in rows:
        if headed or (len(row) > 1 and any(_IMAGE.search(cell) for cell in row[:2])):
            if files is None:
                raise _no_files(str(path))
            short = next((number for number, cells in rows if len(cells) < 2), line)
            raise DataError(f"{path}:{short}: expected a file and its class, as in other lines.")


def _no_files(source: str) -> DataError:
    return DataError(
        f"{source} names classes by file, but the predictions name no files. Give one class per"
        " sample, in their order."
    )


def _class(text: str) -> str:
    """A class: after a wnid, the rest is a comment or a box."""
    first = text.split()[0].rstrip(",") if text.strip() else ""
    return first if re.fullmatch(r"n[0-9]{8}", first) else text.strip()


def _in_order(cells: Iterable[Any], count: int, source: str, known: bool) -> TrueClasses:
    """Classes in the order of the samples, or the list of each; numbers without a 0 count what
    somebody must say, where it is not ``known``."""
    given = lists_of_true_classes([*cells])
    numbers = [unsigned(each) if isinstance(each, str) else None for each in given]
    if numbers and not known and not {None, 0} & {*numbers}:
        counted = [each or 0 for each in numbers]
        raise DataError(
            f"{source} holds numbers from {min(counted)} to {max(counted):,} and no 0, so they"
            f" are not known to be positions from 0. {DEVKIT}",
            argument="numbered",
            value="devkit",
        )
    if len(given) != count:
        raise _other_number(source, len(given), count)
    if "" in given:
        raise DataError(f"{source}, class {[*given].index('')}: the true class is empty.")
    return given


def _names(file: str) -> list[str]:
    """Names under which a file may be listed: with its folders, without them, without its
    suffix."""
    name = re.split(r"[\\/]", file)[-1]
    return list(dict.fromkeys((file, name, name.rpartition(".")[0] or name)))


def _by_file(
    pairs: Sequence[tuple[str, Any]],
    files: list[str] | None,
    place: Callable[[int], str],
    source: str,
) -> TrueClasses:
    """The class of each file, or its classes; a short name counts where it is of one class only."""
    if files is None:
        raise _no_files(source)
    cells = [_class(cell) if isinstance(cell, str) else cell for _, cell in pairs]
    known: dict[str, Any] = {}
    exact: dict[str, Any] = {}
    ambiguous: set[str] = set()
    classes: list[Any] = [*lists_of_true_classes(cells)]
    for (file, _), own in zip(pairs, classes, strict=True):
        if exact.get(file, own) != own:
            raise DataError(f"{source}: {file!r} is of class {exact[file]} and of class {own}.")
        for key in _names(file):
            if known.setdefault(key, own) != own:
                ambiguous.add(key)
        exact[file] = own
    found: list[Any] = []
    for row, file in enumerate(files):
        name: Any = exact.get(file)
        if name is None:
            keys = (key for key in _names(file) if key in known and key not in ambiguous)
            name = next((known[key] for key in keys), "")
        if name == "":
            raise DataError(f"{place(row)}: {source} has no class for {file!r}.")
        found.append(name)
    return found
