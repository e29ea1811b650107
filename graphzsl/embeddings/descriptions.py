"""Class embeddings from descriptions: the mean of the encodings of what is said of a class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from graphzsl.common.compute import Compute
from graphzsl.common.errors import DataError
from graphzsl.common.files import manifest
from graphzsl.data.class_matrix import EMBEDDINGS, ClassMatrix, Matrix, unit_rows
from graphzsl.data.subgraph import Subgraph
from graphzsl.embeddings.text import MAXIMUM_TOKENS, encode, encoder_folder, node_text
from graphzsl.names.clip_benchmark import Descriptions

#: What can stand in for a node without descriptions.
FILLS = ("glosses",)


def embed_descriptions(
    graph: Subgraph,
    descriptions: Descriptions,
    source: str,
    fill: str | None = None,
    encoder: Path | None = None,
    compute: Compute | None = None,
) -> tuple[ClassMatrix, list[str]]:
    """[C, S] of the nodes that have descriptions, and the nodes that have none.

    A class is the mean of the L2-normalised encodings of its texts, made one long again: each text
    has the same say, a repeated one as often as it is there. Classes with the same texts have the
    same vector. Texts are cut behind 64 tokens.

    Args:
        graph: whose nodes are embedded; descriptions of other classes are left out, and listed as
            ``outside`` in the manifest.
        descriptions: texts per class.
        source: where they come from, for the manifest.
        fill: ``glosses`` encodes "word, word: gloss" of a node without descriptions with the same
            encoder, as ``embed_text`` does; None leaves it out.
        encoder: a sentence-transformers folder (default: the packaged all-MiniLM-L6-v2).
        compute: where, and in which precision (default: the fastest device there is, float32).

    Raises:
        DataError: no node of the graph has descriptions, or an unknown ``fill``.

    Reference:
        Pratt et al. 2023 (CuPL), which averages the encodings of a class's descriptions by CLIP's
        text encoder; here it is a sentence encoder.
    """
    if fill not in (None, *FILLS):
        raise DataError(f"There is no filling {fill!r}. Choose one of {', '.join(FILLS)}.")
    texts_of = {
        wnid: texts
        for wnid, texts in descriptions.of_class.items()
        if wnid in graph.index and texts
    }
    if not texts_of:
        raise DataError("No node of the graph has descriptions. Is it of other classes?")
    bare = [wnid for wnid in graph.wnids if wnid not in texts_of]
    filled = bare if fill else []
    folder = encoder_folder(encoder)
    of_node = {wnid: [node_text(graph, graph.index[wnid])] for wnid in filled}
    values = _means({**texts_of, **of_node}, folder, compute or Compute("auto"))
    order = [wnid for wnid in graph.wnids if wnid in values]
    missing = [] if fill else bare
    metadata = manifest(
        EMBEDDINGS,
        semantics="descriptions",
        source=source,
        texts=sum(map(len, texts_of.values())),
        described=len(texts_of),
        shared=descriptions.shared,
        outside=[wnid for wnid in descriptions.of_class if wnid not in graph.index],
        rule="mean of the L2-normalised encodings of a class's texts, L2-normalised",
        encoder=folder.name,
        maximum_tokens=MAXIMUM_TOKENS,
        **({} if compute is None or compute.precision == "float32" else {"precision": "bfloat16"}),
        dimensions=len(next(iter(values.values()))),
        fill=fill,
        filled=filled,
        missing=missing,
        graph=graph.manifest.get("queries"),
        sources=graph.manifest.get("sources"),
    )
    return ClassMatrix(order, np.stack([values[wnid] for wnid in order]), metadata), missing


def _means(
    texts_of: Mapping[str, Sequence[str]], folder: Path, compute: Compute
) -> dict[str, Matrix]:
    """wnid -> mean [S] of the encodings of its texts, of length one; every different text is
    encoded once."""
    place: dict[str, int] = {}
    for texts in texts_of.values():
        for text in texts:
            place.setdefault(text, len(place))
    encoded = encode(list(place), folder, compute)
    means = np.stack(
        [encoded[[place[text] for text in texts]].mean(axis=0) for texts in texts_of.values()]
    )
    return dict(zip(texts_of, unit_rows(means).astype(np.float32), strict=True))
