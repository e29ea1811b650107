"""Word vectors of a file (word2vec text or binary, GloVe text), through gensim's KeyedVectors, or
of an installed package by its name; and the vector of a synset by its words."""

from __future__ import annotations

import bz2
import gzip
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Literal

import numpy as np

from graphzsl.common.errors import DataError
from graphzsl.common.extras import require
from graphzsl.common.progress import log
from graphzsl.common.reading.bounds import checked_size, is_file, memory_error_or, open_file
from graphzsl.common.wording import counted
from graphzsl.data.class_matrix import Matrix
from graphzsl.data.packaged_vectors import PACKAGES, packaged_vectors

#: How the words of a synset become one vector.
TERMS = {
    "mean": "mean over the synset's words that have a vector",
    "first": "the synset's first word",
    "random": "one of the synset's words that have a vector, drawn by seed and wnid",
}

#: Ends of packed files that gensim reads -> what opens them.
_PACKED: dict[str, Callable[..., Any]] = {".gz": gzip.open, ".bz2": bz2.open}
#: What stands before the English words of ConceptNet Numberbatch.
_CONCEPTNET = "/c/en/"
#: Ways in which Unicode writes the same letters: composed, as most texts have them, and not.
_FORMS: tuple[Literal["NFC", "NFD"], ...] = ("NFC", "NFD")


def open_vectors(given: str | Path) -> Any:
    """Word vectors by the name of an installed package (``glove-6b-50d``), or of a file: an object
    with ``word in vectors`` and ``vectors[word]``. A file of that name comes first."""
    if is_packaged(given):
        return packaged_vectors(str(given))
    return read_vectors(Path(given))


def is_packaged(given: str | Path) -> bool:
    """Tell the name of packaged vectors from a file."""
    return str(given) in PACKAGES and not Path(given).exists()


def read_vectors(path: Path) -> Any:
    """KeyedVectors of a file: ``.bin`` is word2vec binary; other files are text, with or without a
    header (GloVe).

    gensim's own saved files are refused: reading them means unpickling. Of a word in several rows
    the first vector is taken, as gensim does, and a line says how many rows are left out.
    """
    require("gensim")
    if path.suffix in {".kv", ".model", ".pkl", ".pickle"}:
        raise DataError(
            f"{path}: pickled files are never loaded. Save the vectors with save_word2vec_format"
            " first."
        )
    if is_file(path) and zipfile.is_zipfile(path):
        raise DataError(f"{path} is a ZIP archive: unpack it, and give the file of vectors inside.")
    try:
        vectors, rows = _of_binary(path) if path.suffix == ".bin" else _of_text(path)
    except FileNotFoundError:
        raise DataError(
            f"{path} does not exist. Expected word2vec (.bin or text) or GloVe vectors."
        ) from None
    except (
        ArithmeticError,
        LookupError,
        ValueError,
        EOFError,
        OSError,
        zlib.error,
        MemoryError,
    ) as error:
        if isinstance(error, OSError) and error.strerror:
            raise DataError(f"{path} cannot be read ({error.strerror}).") from None
        damage = DataError(f"{path}: neither word2vec nor GloVe vectors ({error}).")
        raise memory_error_or(damage, error, str(path)) from None
    finite = np.isfinite(vectors.vectors).all(axis=1)
    if not finite.all():
        word = vectors.index_to_key[int(np.argmin(finite))]
        raise DataError(f"{path}: the vector of {word!r} has a number that is not finite.")
    if repeated := rows - len(vectors.key_to_index):
        log(
            f"{path}: {counted(repeated, 'row repeats', 'rows repeat')} a word of an earlier row;"
            " the first vector of each word is taken."
        )
    return vectors


def _promised(header: str, size: int, least: int) -> tuple[int, int]:
    """(vectors, numbers of each) of a header of word2vec, in whatever way Python reads numbers.
    ValueError where the file has not ``least`` bytes for each, as memory is taken for all."""
    try:
        words, width = map(int, header.split())
    except ValueError:
        raise ValueError(f"its header promises no two numbers: {header.strip()[:50]!r}") from None
    if words < 1 or width < 1 or words * (width * least + 1) > size:
        raise ValueError(
            f"its header promises {words:,} vectors of {width:,} numbers, and it has {size:,} bytes"
        )
    return words, width


def _of_binary(path: Path) -> tuple[Any, int]:
    """(KeyedVectors, rows) of word2vec's binary form."""
    from gensim.models import KeyedVectors

    with open_file(path) as file:
        header = file.readline(100).decode("utf-8", "replace")
    words, _ = _promised(header, path.stat().st_size, least=4)
    return KeyedVectors.load_word2vec_format(str(path), binary=True), words


def _of_text(path: Path) -> tuple[Any, int]:
    """(KeyedVectors, rows) of a text: a word and its numbers in a line, behind a header where there
    is one (word2vec). Without one (GloVe) words may have blanks, as ``. . .`` in GloVe 840B, and
    the numbers at the end of a line are the vector."""
    from gensim.models import KeyedVectors

    rows = characters = 0
    with _lines(path) as lines:
        header = next(lines, "")
        for line in lines:
            rows += bool(line.strip())
            characters += len(line)
    if not header:
        raise ValueError("the file is empty")
    if is_headed := len(header.split()) == 2:
        promised, width = _promised(header, characters, least=2)
        if rows != promised:
            raise ValueError(
                f"it has {counted(rows, 'row')} of {width:,} numbers, its header promises"
                f" {promised:,}"
            )
    else:
        rows, characters = rows + 1, characters + len(header)
        width = len(header.rstrip().split(" ")) - 1
    if not width or 2 * rows * width > characters:
        raise ValueError(
            f"{counted(rows, 'row')} of {counted(width, 'number')} need more than"
            f" {counted(characters, 'character')}"
        )
    values, row_of = np.empty((rows, width), np.float32), dict[str, int]()
    with _lines(path) as lines, np.errstate(over="ignore"):
        for number, line in enumerate(islice(lines, is_headed, None), 1 + is_headed):
            if not line.strip():
                continue
            parts = line.rstrip().split(" ")
            word, numbers = " ".join(parts[:-width]), parts[-width:]
            if len(parts) <= width or (is_headed and len(parts) > width + 1):
                raise ValueError(
                    f"line {number} has {counted(len(parts) - 1, 'number')} behind {parts[0]!r},"
                    f" others have {width}"
                )
            try:
                vector = np.array(numbers, np.float32)
            except ValueError:
                raise ValueError(f"line {number}: {word!r} has what is no number") from None
            if word not in row_of:
                values[len(row_of)] = vector
                row_of[word] = len(row_of)
    vectors: Any = KeyedVectors(width)
    vectors.vectors, vectors.index_to_key = values[: len(row_of)], list(row_of)
    vectors.key_to_index = row_of
    return vectors, rows


def _lines(path: Path) -> Any:
    """The lines of a text, packed or not, as a file to be closed."""
    checked_size(path)
    if packed := _PACKED.get(path.suffix):
        return packed(path, "rt", encoding="utf-8", newline="\n")
    return open_file(path, "utf-8", newline="\n")


def word_vector(vectors: Any, word: str) -> Matrix | None:
    """The vector [S] of a word label, or None.

    Tried in turn: the label as written (spaces as underscores), in lower case, and for a phrase or
    a hyphenated word the mean of its parts, when every part has a vector of its own; letters as
    they are written, composed (NFC) and decomposed (NFD), in whichever way the vocabulary has them.
    Only words that are looked up are words of classes: the millions of a vocabulary may hold
    whatever their corpus held.
    """
    for text in (word.replace(" ", "_"), word.lower().replace(" ", "_"), word.lower()):
        if (entry := _entry(vectors, text)) is not None:
            return np.asarray(vectors[entry], dtype=np.float32)
    parts = word.lower().replace("-", " ").split()
    entries = [entry for part in parts if (entry := _entry(vectors, part)) is not None]
    if len(parts) > 1 and len(entries) == len(parts):
        return np.asarray(np.mean([vectors[entry] for entry in entries], axis=0), dtype=np.float32)
    return None


def _entry(vectors: Any, text: str) -> str | None:
    """A text as the vocabulary writes it; None where it does not have it."""
    if text in vectors:
        return text
    if (prefixed := f"{_CONCEPTNET}{text}") in vectors:
        return prefixed
    forms = () if text.isascii() else _FORMS
    written = (unicodedata.normalize(form, text) for form in forms)
    return next((each for each in written if each in vectors), None)


def class_vector(
    vectors: Any, wnid: str, words: Sequence[str], terms: str = "mean", seed: int = 0
) -> Matrix | None:
    """The vector [S] of a synset by one of ``TERMS``, or None.

    ``mean`` is over the words that have a vector. ``first`` takes the first word and nothing else:
    a synset whose first word has no vector has none. ``random`` draws one of the words that have a
    vector; the draw depends on seed and wnid alone.

    Reference: Frome et al. 2013 (DeViSE), appendix A.2, which takes the first term and names the
    other two.
    """
    if terms not in TERMS:
        raise DataError(
            f"There is no rule {terms!r} for the words of a synset. Choose one of"
            f" {', '.join(TERMS)}."
        )
    chosen = words[:1] if terms == "first" else words
    usable = [vector for word in chosen if (vector := word_vector(vectors, word)) is not None]
    if terms == "random" and usable:
        usable = [usable[np.random.default_rng([seed, *wnid.encode()]).integers(len(usable))]]
    return np.asarray(np.mean(usable, axis=0), dtype=np.float32) if usable else None
