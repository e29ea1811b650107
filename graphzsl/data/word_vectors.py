"""Word vectors of a file (word2vec text or binary, GloVe text), through gensim's KeyedVectors, or
of an installed package by its name; and the vector of a synset by its words."""

from __future__ import annotations

import bz2
import gzip
import math
import re
import unicodedata
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np

from graphzsl.common.errors import DataError
from graphzsl.common.extras import require
from graphzsl.common.progress import log
from graphzsl.common.reading.bounds import checked_size, is_file, memory_error_or, open_file
from graphzsl.common.reading.number_texts import decimal
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
    from gensim.models import KeyedVectors

    if path.suffix in {".kv", ".model", ".pkl", ".pickle"}:
        raise DataError(
            f"{path}: pickled files are never loaded. Save the vectors with save_word2vec_format"
            " first."
        )
    if is_file(path) and zipfile.is_zipfile(path):
        raise DataError(f"{path} is a ZIP archive: unpack it, and give the file of vectors inside.")
    vectors = None
    try:
        checked_size(path)
        _check_header(path)
        if path.suffix == ".bin":
            vectors = KeyedVectors.load_word2vec_format(str(path), binary=True)
        else:
            headed = len(_first_cells(path)) == 2
            vectors = KeyedVectors.load_word2vec_format(
                str(path), binary=False, no_header=not headed
            )
    except FileNotFoundError:
        raise DataError(
            f"{path} does not exist. Expected word2vec (.bin or text) or GloVe vectors."
        ) from None
    # gensim has a TypeError for a file without a line
    except (ValueError, TypeError, EOFError, IndexError, OverflowError, MemoryError) as error:
        if isinstance(error, ValueError):
            vectors = _with_blanks_in_words(path)
        if vectors is None:
            why = _misfit(path) or f"({error})"
            damage = DataError(f"{path}: neither word2vec nor GloVe vectors {why}.")
            raise memory_error_or(damage, error, str(path)) from None
    if not vectors.vectors.size:
        raise DataError(f"{path}: neither word2vec nor GloVe vectors (they have no numbers).")
    # of a row with one number gensim makes a vector of nothing else
    alike = (vectors.vectors == vectors.vectors[:, :1]).all(axis=1)
    if alike.any() and (why := _misfit(path)):
        raise DataError(f"{path}: neither word2vec nor GloVe vectors {why}.")
    finite = np.isfinite(vectors.vectors).all(axis=1)
    if not finite.all():
        word = vectors.index_to_key[int(np.argmin(finite))]
        raise DataError(f"{path}: the vector of {word!r} has a number that is not finite.")
    rows = len(vectors.key_to_index) if path.suffix in _PACKED else _rows(path)
    if repeated := rows - len(vectors.key_to_index):
        log(
            f"{path}: {counted(repeated, 'row repeats', 'rows repeat')} a word of an earlier row;"
            " the first vector of each word is taken."
        )
    return vectors


def _with_blanks_in_words(path: Path) -> Any:
    """KeyedVectors of a text whose words may have blanks (GloVe 840B has ``. . .``): the numbers at
    the end of a line are the vector. None where a line has fewer than the first, or others."""
    from gensim.models import KeyedVectors

    words: dict[str, Matrix] = {}
    width = 0
    if path.suffix == ".bin":
        return None
    for number, parts in _split_lines(path):
        if number == 1 and len(parts) == 2:  # a header, and so no GloVe
            return None
        width = width or len(parts) - 1
        if len(parts) <= width or any(map(_is_no_number, parts[-width:])):
            return None
        word = " ".join(parts[:-width])
        words.setdefault(word, np.array(parts[-width:], dtype=np.float32))
    if width < 2 or not words:
        return None
    vectors = KeyedVectors(width)
    vectors.add_vectors(list(words), np.stack(list(words.values())))
    return vectors


#: Bytes of the longest header of a file of vectors: two numbers.
_HEADER = 100


def _first_cells(path: Path, most: int = -1) -> list[str]:
    """The cells of the first line, or of ``most`` bytes of it, as gensim splits it, at whatever is
    a space in Unicode."""
    checked_size(path)
    opened = _PACKED.get(path.suffix, open)(path, "rb")
    with opened as file:
        cells: list[str] = file.readline(most).decode("utf-8", "replace").split()
    return cells


def _promised(path: Path) -> tuple[int, int] | None:
    """(vectors, numbers of each) that a header promises, in whatever way Python reads numbers; None
    without a header."""
    cells = _first_cells(path, _HEADER)
    try:
        words, width = map(int, cells)
    except ValueError:
        return None
    return words, width


def _check_header(path: Path) -> None:
    """ValueError for a header that promises more numbers than the file has bytes for: gensim takes
    memory for all of them at once."""
    promised = _promised(path)
    if promised is None or path.suffix in _PACKED:
        return
    words, width = promised
    size, least = path.stat().st_size, 4 if path.suffix == ".bin" else 2
    if words * (width * least + 1) > size:
        raise ValueError(
            f"its header promises {words:,} vectors of {width:,} numbers, and it has {size:,} bytes"
        )


def _rows(path: Path) -> int:
    """Number of vectors of a file that gensim could read: as its header says, or its lines."""
    promised = _promised(path)
    if promised is not None:
        return promised[0]
    with open_file(path) as file:
        return sum(1 for _ in file)


def _misfit(path: Path) -> str:
    """The first line of a text of vectors that has not as many numbers as the first; empty where
    there is none."""
    if path.suffix == ".bin":
        return ""
    if not path.stat().st_size:
        return "(the file is empty)"
    width = 0
    for number, parts in _split_lines(path):
        if number == 1 and len(parts) == 2:  # the header of word2vec
            # of more digits it is no width, and of 4,300 no number of Python's
            width = int(parts[1]) if re.fullmatch(r"[0-9]{1,18}", parts[1]) else 0
            continue
        width = width or len(parts) - 1
        if len(parts) - 1 != width:
            return (
                f"(line {number} has {counted(len(parts) - 1, 'number', 'numbers')} behind"
                f" {parts[0]!r}, others have {width})"
            )
        if any(_is_no_number(part) for part in parts[1:]):
            return f"(line {number}: {parts[0]!r} has what is no finite number)"
    return ""


def _split_lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    """The number of each line of a text, from 1, and its parts between blanks."""
    with open_file(path, "utf-8", errors="replace") as file:
        for number, line in enumerate(file, 1):
            yield number, line.rstrip().split(" ")


def _is_no_number(text: str) -> bool:
    number = decimal(text)
    return number is None or not math.isfinite(number)


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
