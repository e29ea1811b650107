"""The offline default: latent semantic indexing of the glosses, with gensim."""

from __future__ import annotations

import numpy as np

from graphzsl.common.errors import DataError
from graphzsl.common.extras import require
from graphzsl.common.files import manifest
from graphzsl.data.class_matrix import EMBEDDINGS, ClassMatrix, unit_rows
from graphzsl.data.subgraph import Subgraph


def embed_glosses(
    graph: Subgraph, dimensions: int = 300, seed: int = 0, *, fewer: bool = False
) -> tuple[ClassMatrix, list[str]]:
    """[C, S] L2-normalised LSI vectors of words and gloss of every node, and the nodes without a
    usable token.

    A node none of whose tokens is in another text (legatee, "someone to whom a legacy is
    bequeathed") takes its hypernyms' texts instead; those nodes are listed as ``borrowed`` in the
    facts. TF-IDF over the nodes' own texts (tokens in at least 2 of them), then a truncated
    singular value decomposition (Deerwester et al. 1990; gensim's LsiModel, seeded). ``fewer``
    takes as many dimensions as the tokens of few glosses allow, at most ``dimensions``.
    """
    require("gensim")
    from gensim.corpora import Dictionary
    from gensim.matutils import corpus2csc
    from gensim.models import LsiModel, TfidfModel
    from gensim.parsing.preprocessing import preprocess_string

    texts = [
        preprocess_string(" ".join([*words, gloss]))
        for words, gloss in zip(graph.words, graph.glosses, strict=True)
    ]
    dictionary = Dictionary(texts)
    dictionary.filter_extremes(no_below=2, no_above=0.5, keep_n=None)
    bags = [dictionary.doc2bow(text) for text in texts]
    borrowed = _borrow(bags, graph)
    if fewer:
        dimensions = max(1, min(dimensions, len(dictionary) - 1, len(texts) - 1))
    if len(dictionary) <= dimensions:
        raise DataError(
            f"The glosses have {len(dictionary)} usable tokens; an embedding must have fewer"
            f" dimensions, not {dimensions}.",
            argument="dimensions",
        )
    tfidf = TfidfModel(bags)
    weighted = list(tfidf[bags])
    model = LsiModel(weighted, id2word=dictionary, num_topics=dimensions, random_seed=seed)
    # what model[weighted] is, without a list of pairs for every text
    terms = corpus2csc(weighted, num_terms=len(dictionary), num_docs=len(bags))
    values = unit_rows((terms.T @ model.projection.u).astype(np.float32))
    usable = np.flatnonzero(np.abs(values).sum(axis=1) > 0)
    missing = [graph.wnids[row] for row in sorted(set(range(len(values))) - set(usable.tolist()))]
    metadata = manifest(
        EMBEDDINGS,
        semantics="glosses",
        model="TF-IDF, LSI",
        dimensions=values.shape[1],
        seed=seed,
        missing=missing,
        borrowed=[graph.wnids[row] for row in borrowed],
        graph=graph.manifest.get("queries"),
        sources=graph.manifest.get("sources"),
    )
    return ClassMatrix([graph.wnids[row] for row in usable], values[usable], metadata), missing


def _borrow(bags: list[list[tuple[int, int]]], graph: Subgraph) -> list[int]:
    """Give every empty bag the words of its node's hypernyms, in place; returns the nodes that got
    some."""
    borrowed = []
    for row in [row for row, bag in enumerate(bags) if not bag]:
        parents = graph.edge_index[1][graph.edge_index[0] == row]
        bags[row] = sorted(
            {token: count for parent in parents for token, count in bags[parent]}.items()
        )
        if bags[row]:
            borrowed.append(row)
    return borrowed
