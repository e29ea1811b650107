"""Classes of own arrays: labels, lists and vectors that call them by wnids, by names or by
positions in a list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl.common.errors import DataError
from graphzsl.common.files import manifest, sha256
from graphzsl.common.progress import log
from graphzsl.common.reading.number_texts import unsigned
from graphzsl.common.reading.numpy_files import read_npy
from graphzsl.common.reading.torch_files import as_array, read_torch
from graphzsl.common.wording import counted, listed, some
from graphzsl.data.class_matrix import EMBEDDINGS, ClassMatrix, Matrix
from graphzsl.data.word_vectors import class_vector, is_packaged, open_vectors, word_vector
from graphzsl.hierarchy.meanings import meanings, settle_list
from graphzsl.hierarchy.resolver import resolve
from graphzsl.hierarchy.spelling import readings, synset_name
from graphzsl.hierarchy.vocabulary import WordNetVocabulary
from graphzsl.sources.tables import WNID

#: Class embeddings, or what makes them of a list of classes.
Vectors = (
    ClassMatrix
    | Mapping[str, npt.ArrayLike]
    | Path
    | str
    | npt.ArrayLike
    | Callable[[Sequence[str]], ClassMatrix]
)


def read_class_embeddings(
    given: Vectors, names: Sequence[str] | None, wanted: Sequence[str]
) -> ClassMatrix:
    """Read the class embeddings of a data set.

    Args:
        given: a ``ClassMatrix`` or its .safetensors file; class -> vector [S]; an array [C, S], or
            its .npy or .pt file, whose rows are ``names``; or word vectors: a file of GloVe or
            word2vec, or the name of packaged ones. Of these a class takes the row that is called
            as it is, else the mean over the words of its synset (a wnid or dog.n.01), else the
            vector of its name. A function is called with ``wanted``.
        names: the classes of an array's rows, in their order.
        wanted: the classes that word vectors are looked up for.

    Returns:
        The embeddings. Classes that are called by names such as dog.n.01 are called by wnids.

    Raises:
        DataError: names the classes without a vector; the rows are not as many as the classes.
    """
    found = _read(given, names, wanted)
    zero = [name for name in wanted if name in found.index and not found.rows([name]).any()]
    if zero:
        log(f"The class embedding of {some(zero)} is nothing but zeros: is it missing?")
    if not any(map(synset_name, found.wnids)):
        return found
    vocabulary = WordNetVocabulary()
    called = [resolve(name, vocabulary) if synset_name(name) else name for name in found.wnids]
    others = [name for name in called if not WNID.match(name)]
    if others:
        log(
            f"{some(others)}: neither a wnid nor a name such as dog.n.01, as other classes are."
            " An evaluation with such a class has no hierarchy."
        )
    return ClassMatrix(called, found.values, found.metadata)


def _read(given: Any, names: Sequence[str] | None, wanted: Sequence[str]) -> ClassMatrix:
    if callable(given):
        found: ClassMatrix = given(wanted)
        return found
    if isinstance(given, ClassMatrix):
        return given
    if isinstance(given, Mapping):
        return ClassMatrix.from_rows(given)
    metadata: dict[str, Any] = {}
    values: Any = given
    if isinstance(given, str | Path):
        path = Path(given)
        if path.suffix == ".safetensors":
            return ClassMatrix.load(path, EMBEDDINGS)
        if path.suffix in (".npz", ".mat", ".parquet", ".csv"):
            raise DataError(
                f"{path}: class embeddings are a .safetensors of graphzsl, an .npy or .pt with a"
                " row for each class of a list, or a text of word vectors.",
                argument="semantics",
            )
        if path.suffix not in (".npy", ".pt", ".pth"):
            return _word_vectors(given, wanted)
        if path.suffix == ".npy":
            values = read_npy(path, "class embeddings [C, S]")
        else:
            values = as_array(read_torch(path, "class embeddings [C, S]"), "the embeddings", path)
        metadata = {"file": path.name, "sha256": sha256(path)}
    if names is None:
        raise DataError(
            f"{metadata.get('file', 'An array')} holds class embeddings, and does not say whose:"
            " give the classes of its rows, in their order.",
            argument="classes",
        )
    try:
        rows = np.asarray(values, dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise DataError(f"Class embeddings must be numbers [C, S] ({error}).") from None
    if rows.ndim != 2 or len(rows) != len(names):
        raise DataError(
            f"{metadata.get('file', 'The array')} of the shape {rows.shape} does not fit"
            f" {counted(len(names), 'class', 'classes')} ({listed(names, 3)}): give one row [S] for"
            " each."
        )
    return ClassMatrix(list(names), rows, manifest(EMBEDDINGS, semantics="own vectors", **metadata))


def _word_vectors(given: str | Path, wanted: Sequence[str]) -> ClassMatrix:
    vectors, vocabulary = open_vectors(given), WordNetVocabulary()
    found = {name: _vector_of(vectors, name, vocabulary) for name in wanted}
    if missing := [name for name, vector in found.items() if vector is None]:
        raise DataError(
            f"{given} has no vector for {counted(len(missing), 'class', 'classes')} of"
            f" {len(found):,}: {some(missing)}. Call them as it does, or leave them out of the"
            " lists."
        )
    path = {} if is_packaged(given) else {"sha256": sha256(Path(given))}
    metadata = manifest(EMBEDDINGS, semantics="word vectors", file=Path(given).name, **path)
    rows = np.stack([vector for vector in found.values() if vector is not None])
    return ClassMatrix(list(found), rows, metadata)


def _vector_of(vectors: Any, name: str, vocabulary: WordNetVocabulary) -> Matrix | None:
    """The vector [S] of a class, or None."""
    if name in vectors:
        return np.asarray(vectors[name], dtype=np.float32)
    if WNID.match(name) or synset_name(name):
        found = meanings(name, vocabulary)
        if not found or not vocabulary.has(found[0]):
            return None
        words = vocabulary.lexicon.words_of(vocabulary.lexicon.index[found[0]])
        return class_vector(vectors, found[0], words)
    tried = (word_vector(vectors, text) for text in (name, *readings(name)))
    return next((vector for vector in tried if vector is not None), None)


def at_positions(texts: Sequence[str], names: Sequence[str] | None, called: str) -> list[str]:
    """Read whole numbers as positions from 0 in a list.

    Args:
        texts: [N] what somebody wrote.
        names: the list; None where none is given.
        called: what messages call the texts: labels.

    Returns:
        [N] the names at these positions, where all texts are numbers; else the texts.

    Raises:
        DataError: a number is no position, or both a position and the name of another class.
    """
    place_of = {
        text: place
        for text in texts
        if (place := unsigned(text)) is not None and str(place) == text
    }
    if names is None or len(place_of) < len(set(texts)):
        return list(texts)
    own = set(names)
    beyond = [text for text, place in place_of.items() if place >= len(names)]
    if beyond:
        from_one = 0 not in place_of.values() and max(place_of.values()) == len(names)
        hint = " They count from 1, as it seems: subtract 1." if from_one else ""
        raise DataError(
            f"{called}: {beyond[0]} is not a position from 0 to {len(names) - 1:,} in the"
            f" {counted(len(names), 'class', 'classes')}.{hint}",
            argument="labels",
        )
    if called == "labels" and 0 not in place_of.values():
        log(f"{called}: none is 0, the position of {names[0]!r}. Do they count from 1?")
    name_of = {text: names[place] for text, place in place_of.items()}
    unclear = [text for text, name in name_of.items() if text in own and text != name]
    if unclear:
        raise DataError(
            f"{called}: {unclear[0]} is a class of that name, and the position of"
            f" {name_of[unclear[0]]!r}. Call the classes by names that are no numbers."
        )
    return [name_of[text] for text in texts]


def shared_classes(one: Sequence[str], other: Sequence[str]) -> list[str]:
    """Texts of ``other`` that are classes of ``one`` too, by the same text or as the name of a
    synset and its wnid, with that text in brackets where it is another."""
    vocabulary = WordNetVocabulary()

    def class_of(text: str) -> str:
        name = synset_name(text)
        return (name and vocabulary.named(name)) or text

    known = {class_of(text): text for text in one}
    both = {text: known[wnid] for text in other if (wnid := class_of(text)) in known}
    return [text if text == first else f"{text} ({first})" for text, first in both.items()]


def as_classes(texts: Sequence[str], known: Sequence[str], called: str) -> dict[str, str]:
    """Read texts as classes that have an embedding.

    A text that is one of them stands. Another text is the one class among them that its word or
    name means in WordNet; stderr says which words are read so, and which mean one class. What is
    none of these stays as it is.

    Args:
        texts: what somebody wrote, each perhaps often.
        known: the classes that have an embedding.
        called: what messages call the texts: labels.

    Returns:
        Text -> class.

    Raises:
        DataError: a word means several of ``known``.
    """
    own, distinct = set(known), list(dict.fromkeys(texts))
    others = [text for text in distinct if text not in own and not WNID.match(text)]
    read = _by_words(others, own, called) if others and any(map(WNID.match, known)) else {}
    return {text: read.get(text, text) for text in distinct}


def _by_words(texts: Sequence[str], known: set[str], called: str) -> dict[str, str]:
    """Text -> the class among ``known`` that it means in WordNet, of those that mean one."""
    vocabulary = WordNetVocabulary()
    found = {}
    for text, wnids in settle_list(texts, vocabulary, known).meanings.items():
        among = [wnid for wnid in wnids if wnid in known]
        if len(among) > 1:
            may = ", ".join(f"{wnid} ({vocabulary.name(wnid)})" for wnid in among)
            raise DataError(f"{called}: {text!r} may be {may}. Write the wnid of the one meant.")
        if among:
            found[text] = among[0]
    if words := {text: wnid for text, wnid in found.items() if not synset_name(text)}:
        first = [f"{text!r} as {wnid} ({vocabulary.name(wnid)})" for text, wnid in words.items()]
        log(f"{called}: {counted(len(words), 'word is', 'words are')} read, {listed(first, 20)}.")
    for wnid, times in Counter(found.values()).items():
        if times > 1:
            alike = [repr(text) for text, class_ in found.items() if class_ == wnid]
            log(f"{called}: {' and '.join(alike)} are one class, {wnid}.")
    return found
