"""Trained model: scores features [N, D] against candidate classes; saved without code."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save_file

from graphzsl.common.checked_names import shown
from graphzsl.common.errors import DataError, ModelError
from graphzsl.common.files import MANIFEST, atomic_write, check_files, manifest, read_json
from graphzsl.common.reading.json_text import parsed_json
from graphzsl.common.reading.number_texts import whole
from graphzsl.common.reading.safetensors_files import read_safetensors
from graphzsl.common.reading.schema import check_document
from graphzsl.data.class_matrix import (
    CLASSIFIERS,
    ClassMatrix,
    Matrix,
    distinct_rows,
    unit_rows,
    with_column,
)
from graphzsl.data.samples import Samples
from graphzsl.models.base.encoders import (
    ENCODERS,
    ConvexCombination,
    Encoder,
    Projection,
    TanhNetwork,
    parts,
)
from graphzsl.models.base.novelty import GATES, NoveltyDetector
from graphzsl.models.base.scaling import Scaling
from graphzsl.models.base.task import Task

CLASSIFIER_FILE = "classifiers.safetensors"
ENCODER_FILE = "encoder.safetensors"
_SCALINGS = {"Scaling": Scaling}
#: fields of a model that are records of arrays -> the records that they can be
_RECORDS: dict[str, dict[str, Any]] = {
    "scaling": _SCALINGS,
    "encoder": ENCODERS,
    "gate": GATES,
    "embedding": ENCODERS,
    "semantic_scaling": _SCALINGS,
}


@dataclass(frozen=True, eq=False)
class ZeroShotModel:
    """score(x, c) = [e(x), 1] · row of c, e the encoder (without one e(x) = x); larger is better.

    ``classifiers`` [C, E+1] are the candidates' rows. With ``maps`` > 1 each row is that many
    classifiers beside each other, and the best of them counts (LATEM). ``scaling`` prepares
    features as those of training were; a ``gate`` changes the scores of seen and unseen candidates
    by how novel a sample is (CMT*). ``embedding`` maps samples to the space of class embeddings
    scaled by ``semantic_scaling``, for word-level retrieval.
    """

    classifiers: ClassMatrix
    encoder: Encoder | None = None
    scaling: Scaling = field(default_factory=Scaling.none)
    maps: int = 1
    gate: NoveltyDetector | None = None
    embedding: Encoder | None = None
    semantic_scaling: Scaling | None = None

    def __post_init__(self) -> None:
        columns = self.classifiers.values.shape[1]
        if type(self.maps) is not int or self.maps < 1 or columns % self.maps:
            raise ModelError(
                f"A model has one classifier per candidate or more beside each other, not"
                f" {self.maps!r} in {columns:,} columns."
            )

    @property
    def wnids(self) -> list[str]:
        """The candidates: they name the columns of the scores."""
        return self.classifiers.wnids

    @property
    def takes_images_as_they_are(self) -> bool:
        """True if images are scored by a network's own classifier, which takes features from which
        no mean was subtracted."""
        return getattr(self.encoder, "directions", None) is not None

    @property
    def takes_raw_features(self) -> bool:
        """True where no mean must be subtracted from features: images are taken as they are, or
        scaled by the model itself."""
        return self.takes_images_as_they_are or not self.scaling.changes_nothing

    def features(self, samples: Samples) -> Matrix:
        """[N, D] the features of samples as this model takes them: with what was subtracted from
        them (``samples.centre``) where it takes them raw."""
        if samples.centre is None or not self.takes_raw_features:
            return samples.features
        return samples.features + samples.centre

    def prepare(self, features: Matrix) -> Matrix:
        """[N, D] input of the encoder from features [N, D] (or from class rows [N, D+1], which end
        in 0)."""
        if self.encoder is None:
            return self.scaling(features)
        width = len(self.scaling.mean)
        is_row = 1 < width == features.shape[1] - 1 and not features[:, -1].any()
        return fitted(self.scaling(features[:, :-1] if is_row else features), self.encoder.inputs)

    def encode(self, features: Matrix) -> Matrix:
        """[N, E] input of the classifiers."""
        x = self.prepare(features)
        return self.encoder(x) if self.encoder else x

    def embed(self, features: Matrix) -> Matrix:
        """[N, S] samples in the (scaled) space of class embeddings; ModelError where the model has
        no map there."""
        encoder = self.embedding or (
            self.encoder if isinstance(self.encoder, TanhNetwork | ConvexCombination) else None
        )
        if encoder is None:
            raise ModelError(
                "This model does not map samples to class embeddings. devise, ale, sje, cmt and"
                " conse do."
            )
        x = self.scaling(features)
        return encoder(fitted(x, encoder.inputs))

    def scores(self, features: Matrix) -> Matrix:
        """Compatibility [N, C]; ModelError where the dimensions do not fit. Candidates with equal
        rows tie exactly.

        A matrix product rounds differently by position, so every distinct row is scored once.
        """
        prepared = self.prepare(features)
        encoded = self.encoder(prepared) if self.encoder else prepared
        rows, columns = self._distinct_rows
        width = rows.shape[1] // self.maps
        if self.encoder is None and features.shape[1] == width and features[:, -1].any():
            raise _misfit(width, width)  # a class row of this length ends in a 0
        inputs = fitted(encoded, width)
        scores = inputs @ rows[:, :width].T
        for start in range(width, rows.shape[1], width):
            np.maximum(scores, inputs @ rows[:, start : start + width].T, out=scores)
        if columns is not None:
            scores = scores[:, columns]
        return scores if self.gate is None else self.gate(scores, encoded, prepared, self.wnids)

    @cached_property
    def _distinct_rows(self) -> tuple[Matrix, np.ndarray | None]:
        """([U, E+1] the rows without repetition, [C] which of them is a candidate's; None where no
        row is repeated)."""
        rows = self.classifiers.values
        first, which = distinct_rows(rows)
        return (rows, None) if len(first) == len(rows) else (rows[first], which)

    def select(self, wnids: Sequence[str]) -> ZeroShotModel:
        """Model for some of its candidates, in that order."""
        rows = ClassMatrix(list(wnids), self.classifiers.rows(wnids), self.classifiers.metadata)
        return replace(self, classifiers=rows)

    def save(self, folder: Path) -> None:
        """``classifiers.safetensors``, and ``encoder.safetensors`` where features are prepared."""
        self.classifiers.save(folder / CLASSIFIER_FILE)
        records = {name: getattr(self, name) for name in _RECORDS}
        arrays: dict[str, np.ndarray] = {}
        header = {"maps": str(self.maps)}
        for name, record in records.items():
            if record is None:
                continue
            own, plain = parts(record)
            arrays |= {f"{name}.{key}": np.ascontiguousarray(value) for key, value in own.items()}
            header[name] = json.dumps({"record": type(record).__name__, "values": plain})
        with atomic_write(folder / ENCODER_FILE) as partial:
            save_file(arrays, partial, metadata=header)

    @classmethod
    def load(cls, folder: Path) -> ZeroShotModel:
        """Read what ``save`` wrote; DataError names the file."""
        path = folder / ENCODER_FILE
        header, arrays = read_safetensors(path, expected="the encoder of a graphzsl model")
        for key, values in arrays.items():
            if values.dtype.kind not in "fiub" or not np.isfinite(values).all():
                raise DataError(f"{path}: {key} is not finite. Train the model again.")
        try:
            records = {
                name: _record(name, parsed_json(header[name], f"{path}: {name}"), arrays)
                for name in _RECORDS
                if name in header
            }
            maps = whole(header["maps"])
            if maps is None:
                raise ValueError(f"{header['maps'][:80]!r} maps")
        except (KeyError, ValueError, TypeError, AttributeError) as error:
            raise DataError(
                f"{path}: not the encoder of a graphzsl model ({error}). Train the model again."
            ) from None
        classifiers = ClassMatrix.load(folder / CLASSIFIER_FILE, CLASSIFIERS)
        try:
            return cls(classifiers, maps=maps, **records)
        except ModelError as error:
            raise error.at(f"{path}: ") from None


def _record(name: str, described: dict[str, Any], arrays: dict[str, np.ndarray]) -> Any:
    known: dict[str, Any] = _RECORDS[name]
    own = {
        key.partition(".")[2]: value for key, value in arrays.items() if key.startswith(f"{name}.")
    }
    return known[described["record"]](**own, **described["values"])


def example_model(
    task: Task,
    rows: Matrix,
    *,
    model: str,
    bias: Matrix | float | None = None,
    encoder: Encoder | None = None,
    **more: Any,
) -> ZeroShotModel:
    """The model that learned from ``task.examples``: candidates' rows [C, E] and their
    ``bias`` [C] (default 0).

    Where classifier rows were the samples, a candidate's row stands for the direction of such a
    row: without an encoder it is L2-normalised as they are. Its classifier gets the bias that
    ``Biases`` predicts for its length, which images alone see; a ``bias`` that is given takes the
    place of the prediction, but behind an encoder, where it is part of the score.
    """
    known: dict[str, Any] = {}
    if task.samples is None and encoder is None:
        if bias is None:
            return direction_model(task, unit_rows(rows), model)
        rows = unit_rows(rows)
    elif task.samples is None and isinstance(encoder, Projection):
        lengths = np.linalg.norm(rows @ encoder.weight.T, axis=1)
        encoder, known = encoder.with_bias(), {"biases": task.bias_regression().metadata()}
        rows = with_column(rows, lengths * task.candidate_biases())
    rows = with_column(rows, 0.0 if bias is None else bias)
    matrix = ClassMatrix(list(task.candidates), rows, manifest(CLASSIFIERS, model=model, **known))
    return ZeroShotModel(
        matrix,
        encoder,
        task.examples.scaling,
        semantic_scaling=task.examples.semantic_scaling,
        **more,
    )


def direction_model(
    task: Task, directions: Matrix, model: str, *, center: bool = True
) -> ZeroShotModel:
    """The model that learned from classifier rows: directions [C, D] of candidates'
    weights, and predicted biases.

    ``center`` says whether the directions are of centred weights.
    """
    metadata = manifest(
        CLASSIFIERS, model=model, biases=task.bias_regression(center=center).metadata()
    )
    rows = with_column(directions, task.candidate_biases(center=center))
    return ZeroShotModel(
        ClassMatrix(list(task.candidates), rows, metadata),
        scaling=task.row_scaling,
        semantic_scaling=task.examples.semantic_scaling,
    )


def row_model(task: Task, rows: Matrix, model: str) -> ZeroShotModel:
    """The model that predicts classifier rows [C, D+1] of the candidates: weights, then the
    bias."""
    metadata = manifest(CLASSIFIERS, model=model)
    return ZeroShotModel(
        ClassMatrix(list(task.candidates), rows.astype(np.float32), metadata),
        scaling=task.row_scaling,
    )


def fitted(features: Matrix, columns: int) -> Matrix:
    """Features [N, ``columns``]: an image gets a 1 where classifiers have a bias; a class row has a
    0 there, or loses it."""
    if features.shape[1] == columns:
        return features
    if features.shape[1] == columns - 1:
        return np.concatenate([features, np.ones((len(features), 1), features.dtype)], axis=1)
    if features.shape[1] == columns + 1 and not features[:, -1].any():
        return features[:, :-1]
    raise _misfit(features.shape[1], columns)


def _misfit(width: int, columns: int) -> ModelError:
    return ModelError(
        f"Features of {width} dimensions do not fit classifiers of {columns - 1} and a bias."
    )


def load_model(path: Path) -> tuple[ZeroShotModel, dict[str, Any]]:
    """(model, manifest) of a folder that ``graphzsl train`` wrote, or of a bare classifiers file.

    DataError for a file that is not the one whose checksum the manifest has.
    """
    if path.is_file():
        classifiers = ClassMatrix.load(path, CLASSIFIERS)
        return ZeroShotModel(classifiers), classifiers.metadata
    metadata = read_json(path / MANIFEST)
    if not isinstance(metadata, dict) or metadata.get("kind") != "model":
        kind = metadata.get("kind") if isinstance(metadata, dict) else None
        raise ModelError(f"{path} holds no trained model: its manifest describes {shown(kind)}.")
    check_document(metadata, "model", path / MANIFEST, "manifest", "Train the model again.")
    check_files(path, metadata, (CLASSIFIER_FILE, ENCODER_FILE), "Train the model again.")
    return ZeroShotModel.load(path), metadata
