"""DeViSE's word-level retrieval (Frome et al. 2013, appendix A.2): nearest words first, then the
synsets that they name.

A model that maps images to word vectors finds words, not classes. For a list of k synsets the N =
4k nearest words are taken by cosine, each is replaced by all synsets that it names, every synset
keeps its first place, and the list is cut at k.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from graphzsl.audit.prediction_files import predictions_of_arrays
from graphzsl.audit.predictions import Predictions
from graphzsl.audit.scored_blocks import DEPTH
from graphzsl.common.errors import DataError
from graphzsl.common.progress import progress_bar
from graphzsl.data.class_matrix import Matrix, unit_rows
from graphzsl.data.subgraph import Subgraph

#: Query vectors compared at once.
_BLOCK = 1024


@dataclass(frozen=True, eq=False)
class Terms:
    """Words with vectors [T, S], and the synsets that each names, in the order of their wnids."""

    words: list[str]
    vectors: Matrix
    synsets: list[list[str]]

    @classmethod
    def from_graph(cls, graph: Subgraph, vectors: object, candidates: Iterable[str]) -> Terms:
        """The word labels of the candidates that have a vector (``vectors``: KeyedVectors);
        DataError when none has."""
        from graphzsl.data.word_vectors import word_vector

        named: dict[str, list[str]] = {}
        for wnid in sorted(set(candidates)):
            for word in graph.words[graph.positions([wnid])[0]]:
                named.setdefault(word, []).append(wnid)
        word_vectors = {
            word: vector
            for word in sorted(named)
            if (vector := word_vector(vectors, word)) is not None and np.any(vector)
        }
        if not word_vectors:
            raise DataError("No word of the candidates has a vector.")
        return cls(
            list(word_vectors),
            np.stack(list(word_vectors.values())),
            [named[word] for word in word_vectors],
        )


def retrieve(
    queries: Matrix,
    terms: Terms,
    k: int,
    *,
    expand: str = "all",
    strict: bool = False,
    seed: int = 0,
) -> list[list[str]]:
    """For each of [N, S] query vectors a list of at most k distinct synsets.

    ``expand`` all takes every synset of a word (by wnid: the paper's order is arbitrary), one a
    seeded random one. Words that name the same synsets can leave fewer than k: N is then doubled
    until there are k or no words are left; ``strict`` keeps N = 4k, as printed.
    """
    if expand not in ("all", "one"):
        raise DataError(f"expand is all or one, not {expand!r}.")
    if queries.ndim != 2 or queries.shape[1] != terms.vectors.shape[1]:
        raise DataError(
            f"Query vectors of {queries.shape[-1]} dimensions do not fit word vectors of"
            f" {terms.vectors.shape[1]}."
        )
    random = np.random.default_rng(seed)
    unit = unit_rows(terms.vectors)
    lists: list[list[str]] = []
    for start in progress_bar(
        range(0, len(queries), _BLOCK), "retrieving words", total=-(-len(queries) // _BLOCK)
    ):
        similarities = unit_rows(queries[start : start + _BLOCK]) @ unit.T
        for row in np.argsort(-similarities, axis=1, kind="stable"):
            lists.append(_synsets(row, terms, k, expand, strict, random))
    return lists


def _synsets(
    order: np.ndarray, terms: Terms, k: int, expand: str, strict: bool, random: np.random.Generator
) -> list[str]:
    chosen: dict[str, None] = {}
    taken, wanted = 0, 4 * k
    while taken < len(order) and len(chosen) < k:
        for term in order[taken:wanted]:
            names = terms.synsets[term]
            chosen.update(
                dict.fromkeys(
                    names if expand == "all" else [names[int(random.integers(len(names)))]]
                )
            )
        taken, wanted = wanted, 2 * wanted
        if strict:
            break
    return list(chosen)[:k]


def as_predictions(
    lists: Sequence[Sequence[str]],
    labels: Sequence[str],
    candidates: Sequence[str],
    k: int,
    seen: Sequence[str] = (),
) -> Predictions:
    """Retrieved lists as predictions that ``evaluate`` takes. ``seen`` are the training classes,
    for the generalized setting. A list of fewer than k places counts as one of k, whose other
    places are empty; DataError for more places than are kept of a sample."""
    if k > DEPTH:
        said = f"k is at most {DEPTH}, the places that are kept of a sample; it is {k}."
        raise DataError(said, argument="k")
    lists = [row[:k] for row in lists]
    found = predictions_of_arrays(labels, lists, "ranked", candidates, seen, "miss")
    width = found.top.shape[1]
    lacking = max(0, k - width)
    return replace(
        found,
        top=np.pad(found.top, ((0, 0), (0, lacking)), constant_values=-1),
        rank=np.where(found.rank > width, found.rank + lacking, found.rank),
        metadata={"retrieval": "words", "k": k},
    )
