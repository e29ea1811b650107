"""WordNet 3.0's nouns as a hierarchy, from the file of them in the package; WORDNET-LICENSE is the
licence of what it holds."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl.common.reading.json_text import parsed_json
from graphzsl.common.reading.parquet_files import read_parquet
from graphzsl.sources.wordnet_content import KNOWN_FILES

#: The noun synsets, sorted by wnid, with names, words, senses, glosses and hypernyms.
NOUNS = Path(__file__).with_name("wordnet-3.0-nouns.parquet")


@dataclass(frozen=True, eq=False)
class Nouns:
    """The noun synsets, sorted by wnid, and their hypernym and instance-hypernym edges.

    ``edges`` is [2, E]: positions of children and of parents.
    """

    wnids: list[str]
    names: list[str]
    edges: npt.NDArray[np.int64]
    provenance: dict[str, Any]


def load_wordnet() -> Nouns:
    """The nouns of the package's file."""
    table = read_parquet(NOUNS, ["wnid", "name", "parents"])
    provenance = parsed_json(table.schema.metadata[b"provenance"].decode(), str(NOUNS))
    parents = table["parents"].combine_chunks()
    wnids, names = table["wnid"].to_pylist(), table["name"].to_pylist()
    child = np.repeat(np.arange(len(wnids)), np.diff(np.from_dlpack(parents.offsets)))
    edges = np.stack([child, np.from_dlpack(parents.flatten())]).astype(np.int64)
    return Nouns(wnids, names, edges, provenance)


def wordnet_name(sha256: str) -> str:
    """``WordNet 3.0`` for the checksum of data.noun of one of its builds, which have one content;
    the checksum of any other."""
    return "WordNet 3.0" if sha256 in KNOWN_FILES["data.noun"] else sha256
