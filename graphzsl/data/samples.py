"""Visual features [N, D] with one wnid per sample."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl.checked_names import check_class_names, check_kind, names_of_array
from graphzsl.data.feature_folder import FeatureFolder, feature_matrix
from graphzsl.errors import DataError, ModelError
from graphzsl.files import atomic_write, checked_suffix, sha256
from graphzsl.progress import log
from graphzsl.reading.numpy_files import check_npz_rows, read_npz
from graphzsl.reading.parquet_files import read_parquet
from graphzsl.wording import counted


@dataclass(frozen=True, eq=False)
class Samples:
    """Visual features with a class each.

    Args:
        features: [N, D] float32, finite.
        labels: [N] the class (wnid) of each sample.
        metadata: what the features are and where they come from.
        centre: [D] what was subtracted from the features; None: nothing.

    Raises:
        DataError: the labels or the centre do not fit the features, or a feature is not finite.

    >>> gz.Samples.from_arrays([[1, 2], [3, 4], [5, 6]], ["cat", "cat", "dog"])
    <Samples: 3 of 2 classes, 2 dimensions>
    """

    features: npt.NDArray[np.float32]
    labels: list[str]
    metadata: dict[str, Any]
    centre: npt.NDArray[np.float32] | None = None

    def __post_init__(self) -> None:
        check_class_names(self.labels, "labels")
        check_features(self.features, self.labels)
        if len(self.features) != len(self.labels):
            raise DataError(
                f"{len(self.labels)} labels do not fit features of shape {self.features.shape}:"
                " give one for each row."
            )
        if self.centre is not None and self.centre.shape != self.features.shape[1:]:
            raise DataError(
                f"A centre of shape {self.centre.shape} does not fit features of"
                f" {self.features.shape[1]} dimensions."
            )
        if self.centre is not None and not np.isfinite(self.centre).all():
            raise DataError("The centre is not finite.")

    def __repr__(self) -> str:
        return (
            f"<Samples: {len(self.labels):,} of {len(set(self.labels)):,} classes,"
            f" {self.features.shape[1]:,} dimensions>"
        )

    @classmethod
    def from_arrays(
        cls,
        features: npt.ArrayLike,
        labels: Sequence[str],
        metadata: dict[str, Any] | None = None,
        centre: npt.ArrayLike | None = None,
    ) -> Samples:
        """Samples of arrays.

        Args:
            features: anything that numpy takes as an array [N, D].
            labels: [N] the class of each sample.
            metadata: what the features are and where they come from.
            centre: [D] what was subtracted from them; a model that scores images by a network's own
                classifier adds it again.

        Returns:
            The samples.

        Raises:
            DataError: the features are not numbers [N, D], or the labels do not fit them.
        """
        values = as_numbers(features)
        known = None if centre is None else as_numbers(centre)
        return cls(values, names_of_array(labels, "labels"), dict(metadata or {}), known)

    def select(self, wnids: Sequence[str]) -> Samples:
        """The samples of these classes, in their order here; DataError names a class without a
        sample."""
        wanted, present = set(wnids), set(self.labels)
        if wanted - present:
            raise DataError(f"There is no sample of {min(wanted - present)}.")
        return self.among(wanted)

    def among(self, wnids: Collection[str]) -> Samples:
        """The samples of whichever of these classes have some, in their order here; nothing is
        copied where that is all."""
        wanted = set(wnids)
        if wanted.issuperset(self.labels):
            return self
        rows = [row for row, label in enumerate(self.labels) if label in wanted]
        labels = [self.labels[row] for row in rows]
        return replace(self, features=self.features[rows], labels=labels)

    def rows(self, rows: range) -> Samples:
        """The samples of consecutive rows; their features are not copied."""
        kept = slice(rows.start, rows.stop)
        return replace(self, features=self.features[kept], labels=self.labels[kept])

    def halves(self, seed: int) -> tuple[Samples, Samples]:
        """Two seeded random halves: of each class one half, and of classes with an odd sample one
        half of the classes."""
        random = np.random.default_rng(seed)
        classes = sorted(set(self.labels))
        count = dict(zip(random.permutation(classes).tolist(), range(len(classes)), strict=True))
        is_first = np.zeros(len(self.labels), dtype=bool)
        for row in random.permutation(len(self.labels)):
            is_first[row] = count[self.labels[row]] % 2 == 0
            count[self.labels[row]] += 1
        return self._only(is_first), self._only(~is_first)

    def _only(self, wanted: npt.NDArray[np.bool_]) -> Samples:
        labels = [label for label, is_wanted in zip(self.labels, wanted, strict=True) if is_wanted]
        return replace(self, features=self.features[wanted], labels=labels)

    def centred_on(self, wnids: Sequence[str]) -> Samples:
        """The features less the mean of the samples of these (training) classes."""
        metadata = {**self.metadata, "centred_on": "training classes"}
        return self.less(self.select(wnids).features.mean(axis=0), metadata)

    def less(self, mean: npt.NDArray[np.float32], metadata: dict[str, Any]) -> Samples:
        """The features less ``mean`` [D], which ``centre`` keeps."""
        known = mean if self.centre is None else self.centre + mean
        return Samples(self.features - mean, self.labels, metadata, known)


def as_numbers(features: npt.ArrayLike) -> npt.NDArray[np.float32]:
    """Features as an array; DataError where they are no numbers."""
    check_kind(features, "Features")
    try:
        return np.asarray(features, dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise DataError(f"Features must be numbers [N, D] ({error}).") from None


def check_features(features: npt.NDArray[np.float32], labels: Sequence[str] = ()) -> None:
    """DataError for features that are not [N, D], or not finite; it names the label where there is
    one."""
    if features.ndim != 2:
        raise DataError(
            f"Features must be [N, D], a row for each sample; these have the shape"
            f" {features.shape}."
        )
    bad = np.flatnonzero(~np.isfinite(features).all(axis=1))
    if len(bad):
        label = "".join(f" ({each})" for each in labels[bad[0] : bad[0] + 1])
        raise DataError(f"The features of sample {bad[0]}{label} are not finite.")


def images_for(
    samples: Samples, train: Sequence[str], unseen: Sequence[str], generalized: bool, seed: int
) -> tuple[Samples, Samples]:
    """(samples to choose hyper-parameters with, test samples), for models that learn from
    classifier rows.

    Both are centred on the mean of the first. In the generalized setting the training classes'
    samples are halved by seed, so what chose a model, or its mean, never tests it; else they all
    choose, and the test samples are those of the unseen classes.
    """
    validation, test = samples.select(train), samples.select(unseen)
    metadata = {
        **samples.metadata,
        "choosing": "samples of training classes",
        "centred_on": "training classes",
    }
    if generalized:
        validation, seen = validation.halves(seed)
        test = Samples(
            np.concatenate([seen.features, test.features]),
            [*seen.labels, *test.labels],
            metadata,
            samples.centre,
        )
        half = (
            "one half of the training classes' samples, drawn with the seed of the run; the other"
            " half are test samples"
        )
        metadata |= {"choosing": half, "centred_on": "the same half"}
    mean = validation.features.mean(axis=0)
    return validation.less(mean, metadata), test.less(mean, metadata)


def load_samples(path: Path) -> Samples:
    """Features with one class per sample. DataError names file and key; nothing is unpickled.

    ``.npz``: ``features`` [N, D] and ``wnids`` or ``labels`` [N], and ``simulated`` where they are
    that. ``.parquet``: a list column ``features`` and a column ``wnid`` or ``label``. A folder:
    such files in parts, which `graphzsl convert images` writes.
    """
    path = Path(path)
    if path.is_dir():
        folder = FeatureFolder.open(path)
        return Samples(folder.read(), folder.labels, folder.metadata)
    features, names = _parquet(path) if path.suffix == ".parquet" else _npz(path)
    metadata: dict[str, Any] = {"features": path.name, "sha256": sha256(path)}
    if are_simulated(path):
        metadata["simulated"] = True
    try:
        with np.errstate(over="ignore"):
            single = features.astype(np.float32)
        return Samples(single, names, metadata)
    except (DataError, ValueError) as error:
        raise DataError(f"{path}: {error}") from None


def are_simulated(path: Path) -> bool:
    """Whether a file of samples says that its features are simulated, which a ``.npz`` can."""
    if Path(path).is_dir() or Path(path).suffix == ".parquet":
        return False
    (said,) = read_npz(path, "simulated?", expected="features [N, D] and wnids [N]")
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


def _npz(path: Path) -> tuple[npt.NDArray[np.floating], list[str]]:
    expected = "features [N, D] and wnids [N]"
    check_npz_rows(path, "features", "wnids|labels", expected)
    features, labels = read_npz(path, "features", "wnids|labels", expected=expected)
    if features.dtype.kind not in "fiu":
        raise DataError(f"{path}: features must be numbers, not {features.dtype}.")
    return features, names_of_array(labels, f"{path}: labels")


def _parquet(path: Path) -> tuple[npt.NDArray[np.floating], list[str]]:
    table = read_parquet(path, expected="Expected Parquet with the columns features and wnid.")
    label = next(
        (name for name in ("wnid", "label", "wnids", "labels") if name in table.column_names), None
    )
    if label is None or "features" not in table.column_names:
        raise DataError(
            f"{path}: expected the columns features and wnid (or label); it has"
            f" {', '.join(table.column_names)}."
        )
    names = names_of_array(table[label].to_pylist(), f"{path}: {label}")
    return feature_matrix(table["features"], path), names


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
        part.get("sha256")
        for part in (manifest.get("samples"), manifest.get("validated_with"))
        if isinstance(part, dict)
    ]
    seen = sorted(set(train).intersection(samples.labels))
    if seen and samples.metadata.get("sha256") in used:
        raise ModelError(
            f"{samples.metadata.get('features')} holds samples of {seen[0]} ({len(seen):,} training"
            " classes) that the model learned from or was chosen with: they are not test samples."
            " Hold some out before training (`graphzsl samples split`), or take unseen classes"
            " only."
        )
