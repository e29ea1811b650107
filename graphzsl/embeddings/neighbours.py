"""The nearest words of a word by word vectors, and where all of them are in a plane."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl.common.errors import DataError
from graphzsl.common.wording import counted, did_you_mean, near
from graphzsl.data.class_matrix import Matrix
from graphzsl.data.packaged_vectors import PackagedVectors
from graphzsl.data.word_vectors import word_vector

#: Vectors that are normalised at once.
_BLOCK = 50_000


def nearest_words(vectors: Any, words: Sequence[str], k: int = 100) -> list[dict[str, Any]]:
    """The k words with the largest cosine to each of some words, and their places in a plane.

    The plane holds as much as one can of the differences between the unit vectors of all words
    listed: their first two principal components, which is our choice; the paper does not name its
    projection. A sign is such that the coordinate of largest size is positive.

    Args:
        vectors: of ``open_vectors``: N words of S numbers.
        words: the words; a phrase without a vector is the mean of its parts.
        k: how many for each, without the word itself.

    Returns:
        One row per word and neighbour: word, rank, neighbour, similarity, x, y; at rank 0 the word
        itself. Words of the same similarity are in the order of the file.

    Raises:
        DataError: a word has no vector, is there twice, or k is not between 1 and N - 1.

    Reference:
        Hascoet et al. 2019, figure 4: 100 nearest neighbours.
    """
    known, values = _listed(vectors)
    if not 1 <= k < len(known):
        raise DataError(
            f"There are {counted(len(known), 'word')}: k is between 1 and {len(known) - 1:,}",
            argument="k",
            value=k,
        )
    twice = [word for at, word in enumerate(words) if word in words[:at]]
    if twice:
        raise DataError(f"The word {twice[0]!r} is there twice.")
    units = _units(np.stack([_vector(vectors, word, known) for word in words]))
    found: list[tuple[str, int, str, float, Matrix]] = []
    for word, unit, similar in zip(words, units, _similarities(values, units), strict=True):
        own = {row for row, each in enumerate(known) if each in (word, word.lower())}
        # stable: what is as near stays in the order of the file
        order = np.argsort(-similar, kind="stable")[: k + len(own)]
        near_rows = [int(row) for row in order if int(row) not in own][:k]
        found.append((word, 0, word, 1.0, unit))
        found += [
            (word, rank, known[row], float(similar[row]), _units(values[row : row + 1])[0])
            for rank, row in enumerate(near_rows, 1)
        ]
    places = _plane(np.stack([unit for *_, unit in found]))
    return [
        {
            "word": word,
            "rank": rank,
            "neighbour": neighbour,
            "similarity": similarity,
            "x": float(x),
            "y": float(y),
        }
        for (word, rank, neighbour, similarity, _), (x, y) in zip(found, places, strict=True)
    ]


def _listed(vectors: Any) -> tuple[list[str], Matrix]:
    """The words and their vectors [N, S], in the order of the file."""
    if isinstance(vectors, PackagedVectors):
        return list(vectors.words), vectors.values
    return list(vectors.index_to_key), vectors.vectors


def _vector(vectors: Any, word: str, known: Sequence[str]) -> Matrix:
    vector = word_vector(vectors, word)
    if vector is None or not np.any(vector):
        raise DataError(
            f"{word!r} has no word vector.{did_you_mean(near(word, known))} A phrase needs one, or"
            " vectors of all its parts."
        )
    return vector


def _units(rows: Matrix) -> Matrix:
    """Rows of length 1; a row of zeros stays one."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0, lengths, 1), dtype=np.float32)


def _similarities(values: Matrix, units: Matrix) -> npt.NDArray[np.float32]:
    """[W, N] cosines; that of a vector of zeros is -1, so that it is nobody's neighbour."""
    found = np.full((len(units), len(values)), -1.0, dtype=np.float32)
    for start in range(0, len(values), _BLOCK):
        block = np.asarray(values[start : start + _BLOCK])
        has_length = np.any(block, axis=1)
        found[:, start : start + len(block)][:, has_length] = units @ _units(block[has_length]).T
    return found


def _plane(rows: Matrix) -> npt.NDArray[np.float64]:
    """[N, 2] coordinates on the first two principal components of rows [N, S]."""
    centred = rows.astype(np.float64) - rows.mean(axis=0, dtype=np.float64)
    _, _, components = np.linalg.svd(centred, full_matrices=False)
    places = np.zeros((len(rows), 2))
    for axis, component in enumerate(components[:2]):
        place = centred @ component
        places[:, axis] = place * np.sign(place[np.argmax(np.abs(place))] or 1.0)
    return places
