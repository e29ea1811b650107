"""A model and the samples that it is scored with, as files: what one process scores, or many do in
parts."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from graphzsl.cluster import connected
from graphzsl.data.dataset import ZeroShotDataset
from graphzsl.data.samples import Samples, load_test_samples
from graphzsl.errors import DataError, ModelError
from graphzsl.evaluation.predict import block_size, predict
from graphzsl.evaluation.predictions import Predictions
from graphzsl.evaluation.shards import Part, Shard, merged, shard_of
from graphzsl.files import sha256, sha256_text
from graphzsl.hierarchy.resolver import wnids_where_named
from graphzsl.models.base.class_samples import class_row_samples
from graphzsl.models.base.zero_shot_model import ZeroShotModel, load_model

#: Parts for each thread of a worker: some are slower than others.
SHARDS_PER_WORKER = 4


@dataclass(frozen=True)
class Scoring:
    """What a model is scored with; one of ``features``, ``classifiers`` and ``data`` is there.

    Args:
        model: a folder of ``graphzsl train``, or a file of classifiers.
        features: samples.
        classifiers: rows, each of which is a sample of its class.
        data: a data set, whose test samples are taken.
        test: which test classes of the data set.
        generalized: samples of seen classes too, all classes as candidates; of a data set.
        classes: a file of classes: only their samples, and only they are candidates.
        missing: what a sample is whose class is not a candidate.
        center_features: subtract the mean of the training classes' samples.
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

    def load(self) -> Loaded:
        """The model and the samples; errors name the file."""
        model, manifest = load_model(self.model)
        train = list(manifest.get("train") or [])
        wanted = None
        if self.classes:
            wanted = wnids_where_named(self.classes, model.wnids, argument="classes")
        if wanted:
            model = model.select(wanted)
        if self.classifiers:
            samples = class_row_samples(self.classifiers, train, model.wnids)
        elif self.data:
            samples = ZeroShotDataset.load(self.data).test_samples(self.test, self.generalized)
        else:
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
            if wanted and not is_miss:
                samples = samples.select(wanted)
        return Loaded(self, model, manifest, train, samples)

    @property
    def absolute(self) -> Scoring:
        """The same with whole paths: a worker has another current folder."""
        paths = {
            each.name: Path(value).absolute()
            for each in fields(self)
            if isinstance(value := getattr(self, each.name), Path)
        }
        return replace(self, **paths)

    @property
    def options(self) -> dict[str, Any]:
        """What decides the predictions beside model and samples; a file by its checksum."""
        return {
            "test": self.test,
            "generalized": self.generalized,
            "classes": None if self.classes is None else sha256(self.classes),
            "missing": self.missing,
            "center_features": self.center_features,
        }


@dataclass(frozen=True, eq=False)
class Loaded:
    """A model with its manifest and training classes, and samples."""

    of: Scoring
    model: ZeroShotModel
    manifest: dict[str, Any]
    train: list[str]
    samples: Samples

    def predictions(self) -> Predictions:
        """Those of all samples."""
        return predict(self.model, self.samples, self.train, missing=self.of.missing)

    def shard(self, part: Part) -> Shard:
        """Those of a part of the samples, in whole blocks; see ``Part.rows``."""
        labels = self.samples.labels
        rows = part.rows(len(labels), block_size(len(self.model.wnids)))
        found = predict(self.model, self.samples.rows(rows), self.train, missing=self.of.missing)
        options = {**self.of.options, "weights": weights_of(self.of.model, self.manifest)}
        return shard_of(found, part, self.manifest, self.train, options, rows, labels)

    @property
    def most(self) -> int:
        """The most parts that the samples can be divided into."""
        return -(-len(self.samples.labels) // block_size(len(self.model.wnids)))


def weights_of(path: Path, manifest: dict[str, Any]) -> Any:
    """The checksums of a model's files."""
    return manifest.get("files") if path.is_dir() else sha256(path)


@lru_cache(maxsize=1)
def _loaded(scoring: Scoring, state: tuple[float, ...]) -> Loaded:
    return scoring.load()


def by_scheduler(loaded: Loaded, scheduler: str) -> Predictions:
    """The predictions of all samples, scored in parts by processes of Dask.

    Args:
        loaded: model and samples; the workers read them from the same paths.
        scheduler: see ``graphzsl.cluster``.

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
    if whole.labels_sha256 != sha256_text("\n".join(loaded.samples.labels)):
        raise DataError(
            "The workers found other samples under the same path. Give files that all of them"
            " share."
        )
    return whole.predictions


def scored_shard(scoring: Scoring, part: Part) -> Shard:
    """``Loaded.shard``; a process that is given several parts loads model and samples once."""
    given = (scoring.model, scoring.features, scoring.classifiers, scoring.data, scoring.classes)
    state = tuple(path.stat().st_mtime for path in given if path is not None and path.exists())
    return _loaded(scoring, state).shard(part)
