"""The true classes of samples where the predictions do not hold them: from the folders of files, or
from a file of labels."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from graphzsl.audit.formats.columns import no_truth
from graphzsl.audit.formats.roles import role
from graphzsl.audit.formats.samples import Samples
from graphzsl.audit.formats.table import text_cells
from graphzsl.common.errors import DataError
from graphzsl.common.files import sha256
from graphzsl.common.progress import log
from graphzsl.common.reading.number_texts import unsigned
from graphzsl.sources.imagenet import read_class_list, read_entries
from graphzsl.sources.published import published

#: True classes: a file of them, a list in the order of the samples, or file -> class.
Labels = str | Path | Sequence[str] | Mapping[str, str]

#: The wnid that is the folder of a file, and the one that its name begins with.
WNID_FOLDER = re.compile(r"(?:.*[\\/])?(n[0-9]{8})[\\/][^\\/]+")
WNID_NAME = re.compile(r"(?:.*[\\/])?(n[0-9]{8})_[^\\/]+")
_FOLDER = re.compile(r"(?:.*[\\/])?([^\\/]+)[\\/][^\\/]+")
#: The beginning of a JSON list of lists.
_OF_LISTS = re.compile(r"\[[\s,]*\[")
_IMAGE = re.compile(r"\.(?:jpe?g|png|gif|bmp|webp|tiff?)\Z", re.IGNORECASE)
#: How tools write what is missing into a table of text.
_MISSING = frozenset(("nan", "NaN", "NAN", "None", "<NA>", "NaT", "null", "NULL"))
_VALIDATION = 50_000
_CLASSES = 1000
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


def _devkit_classes(labels: Sequence[str], place: Callable[[int], str]) -> list[str]:
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
) -> tuple[list[str], dict[str, Any]]:
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
    return _devkit_classes(found, samples.place), source | numbered


def _as_written(
    samples: Samples, labels: Labels | None, truth: str | None, of_devkit: bool
) -> tuple[list[str], dict[str, Any]]:
    """The true classes and their source, numbers of the development kit as numbers."""
    if labels is not None:
        return given_labels(labels, len(samples), samples.files, samples.place, of_devkit)
    if truth == "folder":
        return folder_classes(samples, any_folder=True), {"true_classes": "folders of the files"}
    if samples.labels is not None:
        return samples.labels, {}
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
) -> tuple[list[str], dict[str, Any]]:
    """([N] true classes from elsewhere, what the metadata say of them).

    A file has one class per line, in the order of the samples, or the columns file and class
    (Kaggle's ``LOC_val_solution.csv`` too). A file's name counts with its folders, without them, or
    without its suffix.

    Raises:
        DataError: another number of classes, a sample without a class, or ILSVRC's own numbers.
    """
    if isinstance(labels, Mapping):
        found = _by_file([*labels.items()], files, place, "the labels")
        return found, {"true_classes": "given by file"}
    if not isinstance(labels, str | Path):
        names = [str(name) for name in labels]
        return _in_order(names, count, "labels", of_devkit), {"true_classes": "given in order"}
    path = Path(labels)
    metadata = {"true_classes": path.name, "true_classes_sha256": _checked_sha256(path)}
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
    if is_document and _OF_LISTS.match(",".join(cell for _, row in rows for cell in row)):
        raise DataError(
            f"{path} holds a list of true classes for each sample, and one per sample is read."
            " Write the class of each sample, and leave out samples of none or of several."
        )
    _check_no_files(path, rows, files)
    entries = read_entries(path)
    names = [entry.text for entry in entries]
    return _in_order(names, count, str(path), of_devkit), metadata


def _checked_sha256(path: Path) -> str:
    if not path.is_file():
        raise DataError(f"{path} is not a file; expected one with the true classes.")
    return sha256(path)


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


def _in_order(names: list[str], count: int, source: str, of_devkit: bool) -> list[str]:
    """Classes in the order of the samples; numbers without a 0 count what somebody must say."""
    numbers = [number for name in names if (number := unsigned(name)) is not None]
    if numbers and len(numbers) == len(names) and not of_devkit:
        counted = set(numbers)
        if 0 not in counted:
            raise DataError(
                f"{source} holds numbers from {min(counted)} to {max(counted):,} and no 0, so they"
                f" are not known to be positions from 0. {DEVKIT}",
                argument="numbered",
                value="devkit",
            )
    if len(names) != count:
        raise DataError(f"{source} holds {len(names):,} true classes for {count:,} samples.")
    if "" in names:
        raise DataError(f"{source}, class {names.index('')}: the true class is empty.")
    return names


def _names(file: str) -> list[str]:
    """Names under which a file may be listed: with its folders, without them, without its
    suffix."""
    name = re.split(r"[\\/]", file)[-1]
    return list(dict.fromkeys((file, name, name.rpartition(".")[0] or name)))


def _by_file(
    pairs: Sequence[tuple[str, str]],
    files: list[str] | None,
    place: Callable[[int], str],
    source: str,
) -> list[str]:
    """The class of each file; a short name counts where it is of one class only."""
    if files is None:
        raise _no_files(source)
    known: dict[str, str] = {}
    exact: dict[str, str] = {}
    ambiguous: set[str] = set()
    for file, text in pairs:
        name = _class(text)
        if exact.get(file, name) != name:
            raise DataError(f"{source}: {file!r} is of class {exact[file]} and of class {name}.")
        for key in _names(file):
            if known.setdefault(key, name) != name:
                ambiguous.add(key)
        exact[file] = name
    found = []
    for row, file in enumerate(files):
        name = exact.get(file) or next(
            (known[key] for key in _names(file) if key in known and key not in ambiguous), ""
        )
        if not name:
            raise DataError(f"{place(row)}: {source} has no class for {file!r}.")
        found.append(name)
    return found
