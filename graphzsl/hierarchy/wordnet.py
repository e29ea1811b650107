"""WordNet's nouns as a hierarchy, from WordNet's own files, and the cached file of them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from graphzsl.common.errors import DataError
from graphzsl.common.files import atomic_write
from graphzsl.common.progress import log
from graphzsl.common.reading.json_text import parsed_json
from graphzsl.common.reading.parquet_files import read_parquet
from graphzsl.common.settings import Settings
from graphzsl.sources.wordnet_content import CONTENT, KNOWN_FILES

#: Another number for another layout of the cached file.
_LAYOUT = 1
_SCHEMA = pa.schema(
    [("wnid", pa.string()), ("name", pa.string()), ("parents", pa.list_(pa.int32()))]
)


@dataclass(frozen=True, eq=False)
class Nouns:
    """The noun synsets, sorted by wnid, and their hypernym and instance-hypernym edges.

    ``edges`` is [2, E]: positions of children and of parents.
    """

    wnids: list[str]
    names: list[str]
    edges: npt.NDArray[np.int64]
    provenance: dict[str, Any]


def cache_path(settings: Settings) -> Path:
    """Where the nouns are cached: the name holds the checksum of what they are read from, which is
    the same in every build of WordNet 3.0."""
    return settings.cache / f"hierarchy-{CONTENT['data.noun'][:12]}-{_LAYOUT}.parquet"


def load_wordnet(settings: Settings) -> Nouns:
    """The nouns, from the cache where they are there; a cached file that cannot be read is built
    anew."""
    path = cache_path(settings)
    nouns = _read(path)
    if nouns is None:
        nouns = _build(settings)
        try:
            _write(path, nouns)
        except DataError as error:  # a shared cache may not be written to
            log(str(error))
    return nouns


def _build(settings: Settings) -> Nouns:
    from graphzsl.sources.wordnet import VERSION, WordNet
    from graphzsl.sources.wordnet_files import wordnet_folder

    log("Reading WordNet's nouns; the next time they come from the cache …")
    wordnet = WordNet(wordnet_folder(settings))
    rows = sorted(wordnet.synsets(), key=lambda row: row.wnid)
    index = {row.wnid: position for position, row in enumerate(rows)}
    edges = sorted(
        (position, index[parent])
        for position, row in enumerate(rows)
        for parent in {*row.hypernyms, *row.instance_hypernyms}
    )
    provenance = {
        "hierarchy": "wordnet",
        "whole": True,
        "version": VERSION,
        "sources": {"wordnet": wordnet.sha256},
    }
    return Nouns(
        [row.wnid for row in rows],
        [row.name for row in rows],
        np.array(edges, dtype=np.int64).T,
        provenance,
    )


def _write(path: Path, nouns: Nouns) -> None:
    child, parent = nouns.edges
    borders = np.searchsorted(child, np.arange(1, len(nouns.wnids)))
    columns = {
        "wnid": nouns.wnids,
        "name": nouns.names,
        "parents": [part.tolist() for part in np.split(parent, borders)],
    }
    metadata = {"provenance": json.dumps(nouns.provenance, sort_keys=True)}
    with atomic_write(path) as partial:
        pq.write_table(pa.table(columns, schema=_SCHEMA.with_metadata(metadata)), partial)


def _read(path: Path) -> Nouns | None:
    try:
        table = read_parquet(path)
        provenance = parsed_json(table.schema.metadata[b"provenance"].decode(), str(path))
        parents = table["parents"].combine_chunks()
        wnids, names = table["wnid"].to_pylist(), table["name"].to_pylist()
    except (DataError, OSError, KeyError, TypeError, ValueError, pa.ArrowException):
        return None
    counts = np.diff(np.from_dlpack(parents.offsets))
    child = np.repeat(np.arange(len(wnids)), counts)
    edges = np.stack([child, np.from_dlpack(parents.flatten())]).astype(np.int64)
    return Nouns(wnids, names, edges, provenance)


def wordnet_name(sha256: str) -> str:
    """``WordNet 3.0`` for the checksum of data.noun of one of its builds, which have one content;
    the checksum of any other."""
    return "WordNet 3.0" if sha256 in KNOWN_FILES["data.noun"] else sha256
