"""Visual features [N, D] with one wnid per sample."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl.common.checked_names import check_class_names, check_kind, names_of_array
from graphzsl.common.errors import DataError


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
        return self.rows([row for row, label in enumerate(self.labels) if label in wanted])

    def rows(self, rows: range | Sequence[int] | npt.NDArray[np.int64]) -> Samples:
        """The samples of some rows; features of consecutive ones, a range, are not copied."""
        if isinstance(rows, range):
            part = slice(rows.start, rows.stop, rows.step)
            return replace(self, features=self.features[part], labels=self.labels[part])
        return replace(self, features=self.features[rows], labels=[self.labels[at] for at in rows])

    def joined(self, other: Samples) -> Samples:
        """These samples and then those of another part of the same features."""
        features = np.concatenate([self.features, other.features])
        return replace(self, features=features, labels=[*self.labels, *other.labels])

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
        return self.rows(np.flatnonzero(is_first)), self.rows(np.flatnonzero(~is_first))

    def centred_on(self, wnids: Sequence[str]) -> Samples:
        """The features less the mean of the samples of these (training) classes."""
        metadata = {**self.metadata, "centred_on": "training classes"}
        return self.centred(self.select(wnids).features.mean(axis=0), metadata)

    def centred(self, mean: npt.NDArray[np.float32], metadata: dict[str, Any]) -> Samples:
        """Subtract ``mean`` [D] from the features and remember it in ``centre``."""
        known = mean if self.centre is None else self.centre + mean
        return Samples(self.features - mean, self.labels, metadata, known)


def as_numbers(features: npt.ArrayLike) -> npt.NDArray[np.float32]:
    """Features as an array; DataError where they are no numbers."""
    check_kind(features, "Features")
    if hasattr(features, "detach"):
        features = features.detach().cpu().float()
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
        test = seen.joined(test)
        half = (
            "one half of the training classes' samples, drawn with the seed of the run; the other"
            " half are test samples"
        )
        metadata |= {"choosing": half, "centred_on": "the same half"}
    mean = validation.features.mean(axis=0)
    return validation.centred(mean, metadata), test.centred(mean, metadata)
