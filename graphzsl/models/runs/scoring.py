"""A model and the samples that it is scored with, as files: what one process scores, or many do in
parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from graphzsl.audit.merging import merged
from graphzsl.audit.predictions import Predictions
from graphzsl.audit.scored_blocks import block_size
from graphzsl.audit.shards import Part, Shard, shard_of
from graphzsl.common.cluster import connected
from graphzsl.common.errors import DataError, ModelError
from graphzsl.common.files import sha256, sha256_text
from graphzsl.data.dataset import ZeroShotDataset
from graphzsl.data.sample_files import load_test_part, load_test_samples
from graphzsl.data.samples import Samples
from graphzsl.hierarchy.resolver import wnids_where_named
from graphzsl.models.base.class_samples import class_row_samples
from graphzsl.models.base.zero_shot_model import ZeroShotModel, load_model
from graphzsl.models.runs.predict import predict

#: Parts for each thread of a worker: some are slower than others.
SHARDS_PER_WORKER = 4


@dataclass(frozen=True)
class Scoring:
    """The model, its samples and the options of a run; exactly one of ``features``, ``classifiers``
    and ``data`` is given.

    Args:
        model: a folder of ``graphzsl train``, or a file of classifiers.
        features: samples.
        classifiers: rows, each of which is a sample of its class.
        data: a data set, whose test samples are taken.
        test: which test classes of the data set.
        generalized: samples of seen classes too, all classes as candidates; of a data set.
        classes: a file of classes: only their samples, and only they are candidates.
        missing: what to do if a true class is not a candidate: 'error' raises, 'miss' counts its
            samples as wrong.
        center_features: subtract the mean of the training classes' samples.
        simulated: the features are no network's; whatever comes of them says so.
    """

    model: Path
    features: Path | None = None
    classifiers: Path | None = None
    data: Path | None = None
    test: str | None = None
    generalized: bool = False
    classes: Path | None = None
    missing: str = "error"
    center_features: bool = False
    simulated: bool = False

    def load(self, part: Part | None = None, nothing: bool = False) -> Loaded:
        """The model and the samples; errors name the file.

        Args:
            part: only its samples are wanted: of a folder of features no others are read.
            nothing: only the classes of the samples are wanted.
        """
        model, manifest = load_model(self.model)
        train = list(manifest.get("train") or [])
        wanted = None
        if self.classes:
            wanted = wnids_where_named(
                self.classes, model.wnids, argument="classes", among=model.wnids
            )
        if wanted:
            model = model.select(wanted)
        size = block_size(len(model.wnids))

        def rows(samples: int) -> range:
            if nothing:
                return range(0)
            return range(samples) if part is None else part.rows(samples, size)

        if self.features and self.features.is_dir() and not self.center_features:
            samples, labels = self._part(model, manifest, train, wanted, rows)
        else:
            samples = self._samples(model, manifest, train, wanted)
            labels = samples.labels
            samples = samples if part is None else samples.rows(rows(len(labels)))
        if self.simulated:
            samples = replace(samples, metadata={**samples.metadata, "simulated": True})
        return Loaded(self, model, manifest, train, samples, labels, rows(len(labels)))

    def _samples(
        self, model: ZeroShotModel, manifest: dict[str, Any], train: list[str], wanted: Any
    ) -> Samples:
        if self.classifiers:
            return class_row_samples(self.classifiers, train, model.wnids)
        if self.data:
            self._check_candidates(model.wnids, train)
            return ZeroShotDataset.load(self.data).test_samples(self.test, self.generalized)
        assert self.features
        is_miss = self.missing == "miss"
        among = None if is_miss else model.wnids
        try:
            samples = load_test_samples(
                self.features, manifest, train, among, centred=self.center_features
            )
        except ModelError as error:
            # samples that the model learned from
            error.argument = "classes"
            raise
        return samples.select(wanted) if wanted and not is_miss else samples

    def _check_candidates(self, candidates: Sequence[str], train: Sequence[str]) -> None:
        """ModelError for a model whose candidates are those of the other setting."""
        seen = len(set(candidates).intersection(train))
        if self.missing == "miss" or not train or len(candidates) == seen:
            return
        if self.generalized and not seen:
            raise ModelError(
                "The model has no training class among its candidates, and samples of training"
                " classes are scored here. Score samples of unseen classes alone, outside the"
                " generalized setting; or train the model in that setting, too."
            )
        if seen and not self.generalized and not self.classes:
            both = "Score samples of both, in the generalized setting. Or: " * (seen == len(train))
            raise ModelError(
                f"{seen:,} of the model's {len(candidates):,} candidates are training classes, of"
                f" which no sample is scored here. {both}Give the unseen classes, which are the"
                " only candidates then.",
                argument="classes",
            )

    def _part(
        self,
        model: ZeroShotModel,
        manifest: dict[str, Any],
        train: list[str],
        wanted: Any,
        rows: Callable[[int], range],
    ) -> tuple[Samples, list[str]]:
        assert self.features
        among = None if self.missing == "miss" else model.wnids
        try:
            samples, labels = load_test_part(self.features, manifest, train, among, rows)
        except ModelError as error:
            error.argument = "classes"
            raise
        if wanted and among is not None and (absent := set(wanted).difference(labels)):
            raise DataError(f"There is no sample of {min(absent)}.")
        return samples, labels

    @property
    def absolute(self) -> Scoring:
        """Copy with absolute paths: a worker has another current folder."""
        paths: dict[str, Any] = {
            each.name: Path(value).absolute()
            for each in fields(self)
            if isinstance(value := getattr(self, each.name), Path)
        }
        return replace(self, **paths)

    @property
    def options(self) -> dict[str, Any]:
        """Options that change the predictions, besides model and samples; a file counts by its
        checksum."""
        return {
            "test": self.test,
            "generalized": self.generalized,
            "classes": None if self.classes is None else sha256(self.classes),
            "missing": self.missing,
            "center_features": self.center_features,
            "simulated": self.simulated,
        }


@dataclass(frozen=True, eq=False)
class Loaded:
    """A model with its manifest and training classes, and samples.

    Args:
        of: where model and samples come from.
        model: the model.
        manifest: the model's manifest.
        train: its training classes.
        samples: the samples of ``rows``.
        labels: [N] the classes of all samples.
        rows: the samples that were loaded.
    """

    of: Scoring
    model: ZeroShotModel
    manifest: dict[str, Any]
    train: list[str]
    samples: Samples
    labels: list[str]
    rows: range

    def predictions(self) -> Predictions:
        """Predictions for the samples that were loaded."""
        return predict(self.model, self.samples, self.train, missing=self.of.missing)

    def shard(self, part: Part) -> Shard:
        """Shard of the part that was loaded."""
        options = {**self.of.options, "weights": weights_of(self.of.model, self.manifest)}
        return shard_of(
            self.predictions(), part, self.manifest, self.train, options, self.rows, self.labels
        )

    @property
    def most(self) -> int:
        """The most parts that the samples can be divided into."""
        return -(-len(self.labels) // block_size(len(self.model.wnids)))


def weights_of(path: Path, manifest: dict[str, Any]) -> Any:
    """The checksums of a model's files."""
    return manifest.get("files") if path.is_dir() else sha256(path)


def by_scheduler(loaded: Loaded, scheduler: str) -> Predictions:
    """The predictions of all samples, scored in parts by processes of Dask.

    Args:
        loaded: model and samples; the workers read them from the same paths.
        scheduler: see ``graphzsl.common.cluster``.

    Raises:
        DataError: the workers find other files under these paths.
        SettingsError: the scheduler cannot be used.
    """
    with connected(scheduler) as workers:
        count = min(loaded.most, SHARDS_PER_WORKER * workers.threads)
        parts = [Part(number, count) for number in range(1, count + 1)]
        done = list(workers.map(scored_shard, parts, "scoring", loaded.of.absolute))
    named = [(f"The shard {shard.part} of the workers", shard) for shard in done]
    whole = merged(named)
    if whole.labels_sha256 != sha256_text("\n".join(loaded.labels)):
        raise DataError(
            "The workers found other samples under the same path. Give files that all of them"
            " share."
        )
    return whole.predictions


def scored_shard(scoring: Scoring, part: Part) -> Shard:
    """A part, loaded and scored."""
    return scoring.load(part).shard(part)
