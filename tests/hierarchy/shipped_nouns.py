"""The file of WordNet 3.0's nouns in the package, made of WordNet's own files.

``python -m tests.hierarchy.shipped_nouns`` writes it and its licence anew.
"""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from graphzsl.common import load_settings
from graphzsl.hierarchy.wordnet import NOUNS
from graphzsl.sources import WordNet, wordnet_folder
from graphzsl.sources.wordnet import VERSION, noun_records, noun_senses, sense_name

LICENSE = NOUNS.with_name("WORDNET-LICENSE")
SCHEMA = pa.schema(
    [
        ("wnid", pa.string()),
        ("name", pa.string()),
        ("gloss", pa.string()),
        ("lexicographer", pa.int8()),
        ("parents", pa.list_(pa.int32())),
        ("instance", pa.int8()),
        ("words", pa.list_(pa.string())),
        ("sense_numbers", pa.list_(pa.int16())),
        ("sense_counts", pa.list_(pa.int32())),
    ]
)


def nouns_table(folder: Path) -> pa.Table:
    """One row per noun synset, by wnid: parents are rows, hypernyms before instance hypernyms."""
    rows, known = sorted(noun_records(folder), key=lambda row: row.wnid), noun_senses(folder)
    index = {row.wnid: position for position, row in enumerate(rows)}
    senses = [[known[row.wnid, word.lower()] for word in row.words] for row in rows]
    columns = {
        "wnid": [row.wnid for row in rows],
        # a synset is named by its first word, and by which sense of that word it is
        "name": [
            sense_name(row.words[0], own[0][0]) for row, own in zip(rows, senses, strict=True)
        ],
        "gloss": [row.gloss for row in rows],
        "lexicographer": [row.lexicographer for row in rows],
        "parents": [
            [index[each] for each in (*row.hypernyms, *row.instance_hypernyms)] for row in rows
        ],
        "instance": [int(bool(row.instance_hypernyms) and not row.hypernyms) for row in rows],
        "words": [row.words for row in rows],
        "sense_numbers": [[number for number, _ in own] for own in senses],
        "sense_counts": [[count for _, count in own] for own in senses],
    }
    provenance = {
        "hierarchy": "wordnet",
        "whole": True,
        "version": VERSION,
        "sources": {"wordnet": WordNet(folder).sha256},
    }
    metadata = {"provenance": json.dumps(provenance, sort_keys=True)}
    return pa.table(columns, schema=SCHEMA.with_metadata(metadata))


def license_text(folder: Path) -> str:
    """The licence at the head of data.noun, without the numbers of its lines."""
    lines = (folder / "data.noun").read_text(encoding="ascii", errors="replace").splitlines()
    head = [line for line in lines[:40] if line.startswith("  ")]
    return "\n".join(line.strip().partition(" ")[2].rstrip() for line in head) + "\n"


if __name__ == "__main__":
    wordnet = wordnet_folder(load_settings())
    # without Arrow's own schema, which it needs for no type here, and dictionaries, which do not
    # make texts smaller that are all different
    pq.write_table(
        nouns_table(wordnet),
        NOUNS,
        compression="zstd",
        compression_level=22,
        use_dictionary=False,
        data_page_size=1 << 26,
        row_group_size=1 << 20,
    )
    LICENSE.write_text(license_text(wordnet), encoding="utf-8")
