"""A published benchmark in Croissant 1.0, the JSON-LD that data set search and loaders read.

Reference: MLCommons Croissant 1.0, https://docs.mlcommons.org/croissant/docs/croissant-spec.html.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from graphzsl.benchmark.card import LICENCE_LINK, citation, description, pretty_name
from graphzsl.benchmark.record import Benchmark
from graphzsl.common.version import __version__

CONFORMS_TO = "http://mlcommons.org/croissant/1.0"
#: Terms of the standard's context that stand for ``cr:`` and themselves.
_OWN = (
    *("citeAs", "column", "equivalentProperty", "extract", "field", "fileObject", "fileProperty"),
    *("fileSet", "format", "includes", "isLiveDataset", "jsonPath", "key", "md5", "parentField"),
    *("path", "recordSet", "references", "regex", "repeated", "replace", "samplingRate"),
    *("separator", "source", "subField", "transform"),
)
CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "rai": "http://mlcommons.org/croissant/RAI/",
    "sc": "https://schema.org/",
    **{term: f"cr:{term}" for term in _OWN},
}
#: Suffix of a file -> its media type.
MEDIA = {
    ".csv": "text/csv",
    ".json": "application/json",
    ".md": "text/markdown",
    ".npy": "application/octet-stream",
    ".toml": "application/toml",
    ".txt": "text/plain",
}
#: Column of classes.csv -> its type and what it is.
FIELDS = {
    "wnid": ("sc:Text", "WordNet 3.0 noun synset: n and its eight-digit offset"),
    "name": ("sc:Text", "name of the synset, such as dog.n.01"),
    "class_name": ("sc:Text", "name for prompts, unique among the test classes"),
    "words": ("sc:Text", "the words of the synset in WordNet's order, with a semicolon between"),
    "population": ("sc:Integer", "number of images; empty where it is unknown"),
    "train_hops": ("sc:Integer", "hops to the closest training class; empty where none is joined"),
    "test_hops": ("sc:Integer", "hops to the closest other test class; empty where none is joined"),
    "structural_ratio": ("sc:Float", "train_hops over test_hops"),
}
#: Column of closest_training_classes.csv -> the same.
CLOSEST_FIELDS = {
    "wnid": FIELDS["wnid"],
    "name": FIELDS["name"],
    "hops": ("sc:Integer", FIELDS["train_hops"][1]),
    "closest": ("sc:Text", "the wnids of all closest training classes, with a space between"),
    "closest_names": ("sc:Text", "the names of their synsets, in the same order"),
}


def text(benchmark: Benchmark, files: Mapping[str, bytes]) -> str:
    """The document, with the checksum and size of every file."""
    card = benchmark.parsed.card
    own: dict[str, Any] = {}
    if card.date is not None:
        own["datePublished"] = card.date.isoformat()
    if card.creator:
        own["creator"] = {"@type": "sc:Organization", "name": card.creator}
    document = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "name": f"graphzsl-{benchmark.name}",
        "alternateName": pretty_name(benchmark),
        "description": description(benchmark),
        "conformsTo": CONFORMS_TO,
        "license": [LICENCE_LINK, *([card.license] if card.license else [])],
        "version": __version__,
        "isLiveDataset": False,
        "keywords": ["zero-shot recognition", "ImageNet", "WordNet", "benchmark"],
        **own,
        "citeAs": citation(benchmark),
        "distribution": [_file(name, content) for name, content in sorted(files.items())],
        "recordSet": [
            _records("classes", "The test classes.", FIELDS),
            _records(
                "closest_training_classes",
                "The closest training classes of every test class.",
                CLOSEST_FIELDS,
            ),
        ],
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def checksums(document: Any) -> dict[str, str]:
    """File -> checksum, as a document gives them; misplaced entries are left out."""
    entries = (entry for entry in _listed(document) if isinstance(entry, dict))
    return {str(entry.get("contentUrl")): str(entry.get("sha256")) for entry in entries}


def place_of(document: Any, name: str) -> tuple[str | int, ...]:
    """The keys that lead to a file's entry in a document; to the list where it has none."""
    for place, entry in enumerate(_listed(document)):
        if isinstance(entry, dict) and entry.get("contentUrl") == name:
            return "distribution", place, "sha256"
    return ("distribution",)


def _listed(document: Any) -> list[Any]:
    listed = document.get("distribution") if isinstance(document, dict) else None
    return listed if isinstance(listed, list) else []


def _file(name: str, content: bytes) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "contentUrl": name,
        "contentSize": f"{len(content)} B",
        "encodingFormat": MEDIA[name[name.rindex(".") :]],
        "sha256": hashlib.sha256(content).hexdigest(),
    }


def _records(name: str, what: str, fields: Mapping[str, tuple[str, str]]) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "description": what,
        "key": {"@id": f"{name}/wnid"},
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"{name}/{column}",
                "name": column,
                "description": meaning,
                "dataType": kind,
                "source": {"fileObject": {"@id": f"{name}.csv"}, "extract": {"column": column}},
            }
            for column, (kind, meaning) in fields.items()
        ],
    }
