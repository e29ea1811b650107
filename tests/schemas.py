"""What a test does with the JSON that graphzsl wrote: it must fit its schema."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from graphzsl.common.files import read_json
from graphzsl.common.reading.schema import schema_of


def fitting(path: Path, kind: str) -> Any:
    """The document of a file, which fits the schema of its kind by a validator of JSON Schema."""
    document = read_json(path)
    fits(document, kind)
    return document


def fits(document: Any, kind: str) -> None:
    """Also that the schema speaks of every key, so that a reader finds out what each is."""
    import jsonschema  # with ``dev``

    schema = schema_of(kind)
    jsonschema.Draft202012Validator(schema).validate(document)
    assert document["kind"] == kind
    assert not document.keys() - schema["properties"].keys()
