"""What training leaves: a head that scores features [N, D] against candidate classes, saved without code."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from graphzsl.class_matrix import CLASSIFIERS, EMBEDDINGS, ClassMatrix, Matrix, unit_rows
from graphzsl.errors import ModelError
from graphzsl.files import MANIFEST, read_json

CLASSIFIER_FILE = "classifiers.safetensors"
SEEN_FILE = "seen_classifiers.safetensors"
SEMANTICS_FILE = "class_embeddings.safetensors"


class Head(Protocol):
    """Scores for candidates: ``wnids`` names the columns."""

    @property
    def wnids(self) -> list[str]: ...

    def scores(self, features: Matrix) -> Matrix:
        """Compatibility [N, C] of features [N, D] (or [N, D+1], class rows), larger is better."""

    def save(self, folder: Path) -> None: ...

    def select(self, wnids: list[str]) -> Head:
        """The same head for some of its candidates, in that order."""


@dataclass(frozen=True)
class LinearHead:
    """Predicted classifiers [C, D+1]: score = [x, 1] · row."""

    classifiers: ClassMatrix

    @property
    def wnids(self) -> list[str]:
        return self.classifiers.wnids

    def scores(self, features: Matrix) -> Matrix:
        return with_bias(features, self.classifiers.values.shape[1]) @ self.classifiers.values.T

    def save(self, folder: Path) -> None:
        self.classifiers.save(folder / CLASSIFIER_FILE)

    def select(self, wnids: list[str]) -> LinearHead:
        return LinearHead(ClassMatrix(wnids, self.classifiers.rows(wnids), self.classifiers.facts))


@dataclass(frozen=True)
class ConSEHead:
    """Convex combination of the embeddings of the ``top`` likeliest seen classes, then the nearest candidate by cosine.

    Norouzi et al. 2014. ``seen`` [T, D+1] gives logits ``scale`` · [x, 1] · row; ``semantics`` holds both seen and
    candidate embeddings.
    """

    seen: ClassMatrix
    semantics: ClassMatrix
    candidates: list[str]
    top: int
    scale: float

    @property
    def wnids(self) -> list[str]:
        return self.candidates

    def scores(self, features: Matrix) -> Matrix:
        logits = self.scale * (with_bias(features, self.seen.values.shape[1]) @ self.seen.values.T)
        top = min(self.top, logits.shape[1])
        best = np.argpartition(-logits, top - 1, axis=1)[:, :top]
        chosen = np.take_along_axis(logits, best, axis=1)
        weights = np.exp(chosen - chosen.max(axis=1, keepdims=True))
        weights /= weights.sum(axis=1, keepdims=True)
        embedded = np.einsum("nt,nts->ns", weights, self.semantics.rows(self.seen.wnids)[best])
        return unit_rows(embedded) @ unit_rows(self.semantics.rows(self.candidates)).T

    def save(self, folder: Path) -> None:
        self.seen.save(folder / SEEN_FILE)
        self.semantics.save(folder / SEMANTICS_FILE)

    def select(self, wnids: list[str]) -> ConSEHead:
        return ConSEHead(self.seen, self.semantics, wnids, self.top, self.scale)


def with_bias(features: Matrix, columns: int) -> Matrix:
    """Features with a column of ones where the classifiers have a bias; class rows [N, D+1] are taken as they are."""
    if features.shape[1] == columns:
        return features
    if features.shape[1] == columns - 1:
        return np.concatenate([features, np.ones((len(features), 1), features.dtype)], axis=1)
    raise ModelError(f"Features of {features.shape[1]} dimensions do not fit classifiers of {columns - 1} and a bias.")


def load_head(path: Path) -> tuple[Head, dict[str, Any]]:
    """(head, manifest) of a folder that ``graphzsl train`` wrote, or of a bare classifiers file."""
    if path.is_file():
        classifiers = ClassMatrix.load(path, CLASSIFIERS)
        return LinearHead(classifiers), classifiers.facts
    facts = read_json(path / MANIFEST)
    if facts.get("kind") != "model":
        raise ModelError(f"{path} holds no trained model: its manifest describes {facts.get('kind')!r}.")
    if facts["head"] == "linear":
        return LinearHead(ClassMatrix.load(path / CLASSIFIER_FILE, CLASSIFIERS)), facts
    seen, semantics = (
        ClassMatrix.load(path / SEEN_FILE, CLASSIFIERS),
        ClassMatrix.load(path / SEMANTICS_FILE, EMBEDDINGS),
    )
    options = facts["options"]
    return ConSEHead(seen, semantics, facts["candidates"], options["top"], options["scale"]), facts
