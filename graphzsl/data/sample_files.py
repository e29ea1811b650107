"""Files of samples: arrays of NumPy and torch, Parquet and frames, folders in parts; and the
samples that a model is scored with."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl.common.checked_names import names_of_array
from graphzsl.common.errors import DataError, ModelError
from graphzsl.common.files import atomic_write, checked_suffix, sha256
from graphzsl.common.progress import log
from graphzsl.common.reading.numpy_files import check_npz_rows, read_npy, read_npz
from graphzsl.common.reading.parquet_files import read_parquet
from graphzsl.common.reading.torch_files import as_array, read_torch
from graphzsl.common.wording import counted, listed
from graphzsl.data.feature_folder import FeatureFolder, feature_matrix
from graphzsl.data.own_classes import as_classes
from graphzsl.data.samples import Samples
from graphzsl.sources.imagenet import read_entries

#: Keys and columns of the class of a sample, the first that is there.
KEYS, COLUMNS = ("wnids", "labels", "wnid", "label"), ("wnid", "label", "wnids", "labels")
#: The column of one dimension of the features.
_NUMBERED = re.compile(r"(.*?)([0-9]+)")
_EXPECTED = "features [N, D] and wnids [N]"
_TORCH = (".pt", ".pth")
#: Classes of samples: an array, or a file of them.
Labels = Sequence[Any] | npt.NDArray[Any] | Path | str


def load_samples(path: Path | str, labels: Labels | None = None) -> Samples:
    """Read features with one class per sample; nothing is unpickled.

    Args:
        path: ``.npz`` or ``.pt`` with ``features`` [N, D] and ``wnids`` or ``labels`` [N], and
            ``simulated`` where they are that; ``.npy``, or a ``.pt`` of one tensor, with
            ``labels``; ``.parquet`` (see ``samples_of_table``); or a folder of such files in parts,
            which `graphzsl convert images` writes.
        labels: [N] the classes, where the file of the features does not hold them, or a file of
            them: ``.npy``, ``.pt`` or one class per line. Whole numbers are the classes that are
            called so.

    Returns:
        The samples; their metadata name the files and their checksums.

    Raises:
        DataError: names file and key of what is missing, no number or not finite, or of another
            length.
    """
    path = Path(path)
    metadata: dict[str, Any] = {"features": path.name}
    if path.is_dir():
        folder = FeatureFolder.open(path)
        features, metadata = folder.read(), folder.metadata
        names: list[str] | None = folder.labels
    else:
        features, names, simulated = _read(path)
        metadata |= {"sha256": sha256(path), **({"simulated": True} if simulated else {})}
    if labels is not None:
        if names is not None:
            raise DataError(
                f"{path} holds the classes of its samples: leave the labels out, or save the"
                " features alone.",
                argument="labels",
            )
        names = read_labels(labels)
        if isinstance(labels, str | Path):
            metadata["labels"] = {"file": Path(labels).name, "sha256": sha256(Path(labels))}
    if names is None:
        raise DataError(
            f"{path} holds features without classes. Give the labels too, one for each row, or save"
            " both in an .npz: features and labels."
        )
    try:
        with np.errstate(over="ignore"):
            single = features.astype(np.float32, copy=False)
        return Samples(single, names, metadata)
    except (DataError, ValueError) as error:
        raise DataError(f"{path}: {error}") from None


def read_labels(labels: Labels) -> list[str]:
    """Read the class of each sample of an array, or of an ``.npy``, a ``.pt`` or a file with one
    per line."""
    if not isinstance(labels, str | Path):
        return names_of_array(labels, "labels")
    path = Path(labels)
    if path.suffix == ".npy":
        return names_of_array(read_npy(path, "one class per sample [N]"), str(path))
    if path.suffix in _TORCH:
        return _names(read_torch(path, "one class per sample [N]"), "the labels", path)
    return [entry.text for entry in read_entries(path)]


def samples_of_table(
    table: Any, source: Path | str, label: str | None = None
) -> tuple[npt.NDArray[np.floating], list[str]]:
    """Take features and classes from a table of Arrow, one row per sample.

    Args:
        table: a list column ``features``, or a column of numbers for each dimension, called alike
            but for the number at the end (f0, f1, …), by which they are ordered; and the classes.
        source: what messages call it.
        label: the column of the classes (default: the first of wnid, label, wnids, labels).

    Returns:
        ([N, D], [N]). stderr names the columns that are taken and those that are left out.

    Raises:
        DataError: a column is missing, or holds no numbers.
    """
    import pyarrow as pa

    columns = table.column_names
    label = label or next((name for name in COLUMNS if name in columns), "wnid")
    if label not in columns:
        raise DataError(
            f"{source}: expected the columns features and wnid (or label); it has"
            f" {listed(columns)}."
        )
    names = names_of_array(table[label].to_pylist(), f"{source}: {label}")
    if "features" in columns:
        return feature_matrix(table["features"], Path(source)), names
    numbers = [
        name
        for name, kind in zip(columns, table.schema.types, strict=True)
        if (pa.types.is_floating(kind) or pa.types.is_integer(kind)) and name != label
    ]
    numbered = [(name, found) for name in numbers if (found := _NUMBERED.fullmatch(name))]
    stems = sorted({found[1] for _, found in numbered})
    if len(stems) != 1:
        which = f"of {' and '.join(map(repr, stems))}" if stems else "called alike (f0, f1, …)"
        raise DataError(
            f"{source}: expected the column features, or numbered columns of one dimension each; it"
            f" has {listed(columns)}, and {'several' if stems else 'none'} {which}."
        )
    taken = [name for name, found in sorted(numbered, key=lambda each: int(each[1][2]))]
    used = {label, *taken}
    others = [name for name in columns if name not in used]
    left_out = f"; left out: {listed(others)}" if others else ""
    log(
        f"{source}: the features are {counted(len(taken), 'column')}, {taken[0]} to"
        f" {taken[-1]}{left_out}."
    )
    values = [np.asarray(table[name].to_numpy(), dtype=np.float32) for name in taken]
    return np.stack(values, axis=1), names


def are_simulated(path: Path) -> bool:
    """Look whether a file of samples, ``.npz`` or ``.pt``, says that its features are
    simulated."""
    path = Path(path)
    if path.suffix != ".npz":
        return path.suffix in _TORCH and _torch(path)[2]
    (said,) = read_npz(path, "simulated?", expected=_EXPECTED)
    return said is not None and bool(np.any(said))


def save_samples(samples: Samples, path: Path) -> None:
    """Write samples as the ``.npz`` that ``load_samples`` reads, which says where features are
    simulated; DataError for another suffix."""
    checked_suffix(path, (".npz",))
    said: dict[str, Any] = (
        {"simulated": np.array(True)} if samples.metadata.get("simulated") else {}
    )
    with atomic_write(path) as partial, partial.open("wb") as file:
        np.savez(file, features=samples.features, labels=np.array(samples.labels), **said)


def _read(path: Path) -> tuple[npt.NDArray[np.floating], list[str] | None, bool]:
    """(features, classes where they are there, whether they are simulated) of a file."""
    if path.suffix == ".parquet":
        expected = "Expected Parquet with the columns features and wnid."
        return *samples_of_table(read_parquet(path, expected=expected), path), False
    if path.suffix == ".npy":
        return _numbers(read_npy(path, "features [N, D]"), path), None, False
    if path.suffix in _TORCH:
        return _torch(path)
    check_npz_rows(path, "features", "|".join(KEYS), _EXPECTED)
    keys = ("features", f"{'|'.join(KEYS)}?", "simulated?")
    features, labels, said = read_npz(path, *keys, expected=_EXPECTED)
    names = None if labels is None else names_of_array(labels, f"{path}: labels")
    return _numbers(features, path), names, said is not None and bool(np.any(said))


def _torch(path: Path) -> tuple[npt.NDArray[np.floating], list[str] | None, bool]:
    held = read_torch(path, _EXPECTED)
    if not isinstance(held, dict):
        return _numbers(as_array(held, "the features", path), path), None, False
    if "features" not in held:
        raise DataError(
            f"{path}: features is not in it; it holds {listed([str(key) for key in held])}."
            f" Expected {_EXPECTED}."
        )
    key = next((name for name in KEYS if name in held), None)
    names = None if key is None else _names(held[key], key, path)
    features = _numbers(as_array(held["features"], "features", path), path)
    return features, names, bool(held.get("simulated", False))


def _names(value: Any, name: str, path: Path) -> list[str]:
    """The classes of a list or a tensor of a file of torch."""
    listed_values = value if isinstance(value, list | tuple) else as_array(value, name, path)
    return names_of_array(listed_values, f"{path}: {name}")


def _numbers(features: npt.NDArray[Any], path: Path) -> npt.NDArray[np.floating]:
    if features.dtype.kind not in "fiu":
        raise DataError(f"{path}: features must be numbers, not {features.dtype}.")
    return features


def load_test_samples(
    path: Path,
    manifest: dict[str, Any],
    train: Sequence[str],
    candidates: Sequence[str] | None,
    *,
    centred: bool = False,
) -> Samples:
    """The samples of a file that a model is scored with: those of its ``candidates`` (None: all),
    and none that it learned from.

    ``manifest`` is the model's. ``centred`` subtracts the mean of the training classes'
    samples in the file. DataError when the candidates have no sample; ModelError as ``refuse_used``
    says.
    """
    samples = load_samples(path)
    class_of = as_classes(samples.labels, [*train, *(candidates or ())], str(path))
    samples = replace(samples, labels=[class_of[label] for label in samples.labels])
    if centred and (absent := sorted(set(train).difference(samples.labels))):
        raise DataError(
            f"{path} cannot be centred: the mean is that of the training classes' samples, and it"
            f" holds none of {absent[0]} ({len(absent):,} of"
            f" {counted(len(set(train)), 'training class', 'training classes')} have none)."
        )
    samples = samples.centred_on(train) if centred else samples
    if candidates is not None:
        given = samples.labels
        samples = samples.among(candidates)
        _check_kept(path, given, samples.labels, candidates)
    refuse_used(samples, manifest, train)
    return samples


def load_test_part(
    path: Path,
    manifest: dict[str, Any],
    train: Sequence[str],
    candidates: Sequence[str] | None,
    part: Callable[[int], range],
) -> tuple[Samples, list[str]]:
    """A part of the samples that ``load_test_samples`` gives of a folder, whose other features are
    not read.

    Args:
        path: the folder.
        manifest: the model's.
        train: the training classes.
        candidates: as for ``load_test_samples``.
        part: number of samples -> those that are wanted.

    Returns:
        The samples of the part, and the classes [N] of all.
    """
    folder = FeatureFolder.open(path)
    wanted = None if candidates is None else set(candidates)
    rows = np.array(
        [row for row, name in enumerate(folder.labels) if wanted is None or name in wanted],
        dtype=np.int64,
    )
    labels = [folder.labels[row] for row in rows.tolist()]
    if candidates is not None:
        _check_kept(path, folder.labels, labels, candidates)
    found = part(len(labels))
    chosen = slice(found.start, found.stop)
    samples = Samples(folder.read(rows[chosen]), labels[chosen], folder.metadata)
    nothing = np.empty((len(labels), 0), np.float32)
    refuse_used(Samples(nothing, labels, folder.metadata), manifest, train)
    return samples, labels


def _check_kept(
    path: Path, given: Sequence[str], kept: Sequence[str], candidates: Sequence[str]
) -> None:
    """DataError where no sample is of a candidate; a line where some are not."""
    if not kept:
        labels = f"its labels are such as {given[0]!r}" if given else "it is empty"
        raise DataError(
            f"{path} holds no sample of the model's {len(candidates):,} candidates:"
            f" {labels}, the candidates such as {candidates[0]!r}."
        )
    if len(kept) < len(given):
        log(
            f"{len(given) - len(kept):,} of {len(given):,} samples are of classes that are not"
            " candidates: left out."
        )


def refuse_used(samples: Samples, manifest: dict[str, Any], train: Sequence[str]) -> None:
    """ModelError when samples of training classes come from a file that the model learned from or
    was chosen with.

    ``manifest`` is the model's. Samples of unseen classes may lie in the same file: no model
    ever saw those.
    """
    used = [
        part.get(key)
        for part in (manifest.get("samples"), manifest.get("validated_with"))
        if isinstance(part, dict)
        for key in ("sha256", "source_sha256")
    ]
    seen = sorted(set(train).intersection(samples.labels))
    if seen and samples.metadata.get("sha256") in used:
        raise ModelError(
            f"{samples.metadata.get('features')} holds samples of {seen[0]} ({len(seen):,} training"
            " classes) that the model learned from or was chosen with: they are not test samples."
            " Hold some out before training (`graphzsl split samples split`), or take unseen"
            " classes only."
        )
