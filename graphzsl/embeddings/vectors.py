"""Class embeddings of the nodes of a graph from word vectors."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from graphzsl.common.errors import DataError
from graphzsl.common.files import manifest, sha256
from graphzsl.data.class_matrix import EMBEDDINGS, ClassMatrix, Matrix
from graphzsl.data.node_embeddings import take_from_hypernyms
from graphzsl.data.packaged_vectors import PackagedVectors
from graphzsl.data.subgraph import Subgraph
from graphzsl.data.word_vectors import TERMS, class_vector, open_vectors

#: What can stand in for a node none of whose words has a vector.
FILLS = ("hypernyms",)


def embed_vectors(
    graph: Subgraph,
    given: str | Path,
    terms: str = "mean",
    seed: int = 0,
    fill: str | None = None,
) -> tuple[ClassMatrix, list[str]]:
    """[C, S] vectors of the nodes by ``terms`` (see ``class_vector``), and the nodes that have
    none, or only zeros.

    ``given`` is a file, or the name of packaged vectors. ``fill`` hypernyms gives a node without a
    vector the mean of its hypernyms' vectors, from the top down, so that a hypernym that was filled
    counts; such nodes are ``borrowed`` in the manifest. A node without a hypernym that has one
    stays missing.
    """
    if fill not in (None, *FILLS):
        raise DataError(f"There is no filling {fill!r}. Choose one of {', '.join(FILLS)}.")
    vectors = open_vectors(given)
    row_of: dict[str, Matrix] = {}
    for wnid, words in zip(graph.wnids, graph.words, strict=True):
        vector = class_vector(vectors, wnid, words, terms, seed)
        if vector is not None and np.any(vector):
            row_of[wnid] = vector
    if not row_of:
        raise DataError(
            f"{given}: none of the {len(graph.wnids):,} nodes has a word with a vector."
        )
    borrowed = take_from_hypernyms(graph, row_of) if fill else []
    wnids = [wnid for wnid in graph.wnids if wnid in row_of]
    missing = [wnid for wnid in graph.wnids if wnid not in row_of]
    path = Path(given)
    source = (
        vectors.metadata()
        if isinstance(vectors, PackagedVectors)
        else {"file": path.name, "sha256": sha256(path)}
    )
    metadata = manifest(
        EMBEDDINGS,
        semantics="vectors",
        **source,
        dimensions=len(row_of[wnids[0]]),
        missing=missing,
        terms=terms,
        **({"seed": seed} if terms == "random" else {}),
        **({"fill": fill, "borrowed": borrowed} if fill else {}),
        rule=f"{TERMS[terms]}; a phrase without a vector is the mean of its parts, if all have one",
        graph=graph.manifest.get("queries"),
        sources=graph.manifest.get("sources"),
    )
    return ClassMatrix(wnids, np.stack([row_of[wnid] for wnid in wnids]), metadata), missing
