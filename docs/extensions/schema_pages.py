"""The pages of the kinds of JSON that graphzsl writes, from their schemas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any

from extensions.links import prose
from graphzsl.common.reading.schema import schema_of


def schema_index() -> str:
    """All kinds of JSON that graphzsl writes."""
    rows = [
        f"| [{kind_of(schema)}](schema-{name}.md) | {prose(schema['title'])} |"
        for name, schema in schemas().items()
    ]
    table = "\n".join(["| kind | what it is |", "|---|---|", *rows])
    names = "\n".join(f"schema-{name}" for name in schemas())
    return (
        "# Schemas\n\nWhat is checked of JSON that graphzsl wrote when it is read again; the files"
        f" are `graphzsl/schemas/`.\n\n{table}\n\n```{{toctree}}\n:hidden:\n\n{names}\n```\n"
    )


def kind_of(schema: dict[str, Any]) -> str:
    """The kind of document that a schema is of."""
    kind: str = schema["properties"]["kind"]["const"]
    return kind


def schemas() -> dict[str, dict[str, Any]]:
    """Name of a file of graphzsl/schemas without its ending -> the schema."""
    names = sorted(
        each.name.removesuffix(".schema.json")
        for each in (files("graphzsl") / "schemas").iterdir()
        if each.name.endswith(".schema.json")
    )
    return {name: schema_of(name) for name in names}


def schema_page(whole: dict[str, Any]) -> str:
    """What is checked of one kind of JSON."""
    rows = [f"| `{place}` | {what} | {said} |" for place, what, said in _places(whole, whole, "")]
    table = "\n".join(["| place | what it is | |", "|---|---|---|", *rows])
    needed = ", ".join(f"`{name}`" for name in whole["required"])
    return (
        f"# {kind_of(whole)}\n\n{prose(whole['title'])}. `*` stands for every key of an object, or"
        f" every item of a list. Each has {needed}.\n\n{table}\n"
    )


def _places(
    schema: dict[str, Any], whole: dict[str, Any], at: str, around: Mapping[str, str] | None = None
) -> Iterator[tuple[str, ...]]:
    """(place, kind of value, description) of what a schema knows, from the outside in; of what
    stands inside itself (``around``: its name -> the place) once."""
    around = dict(around or {})
    if name := schema.get("$ref", "").rpartition("/")[2]:
        if name in around:
            yield at, "", f"As `{around[name]}`."
            return
        around[name] = at
        schema = whole["$defs"][name]
    if at:
        kinds = schema.get("type", [])
        kind = kinds if isinstance(kinds, str) else " or ".join(kinds)
        yield (
            at,
            kind or " or ".join(map(str, schema.get("enum", [schema.get("const", "")]))),
            prose(schema.get("description", "")),
        )
    inside = dict(schema.get("properties", {}))
    for key in ("additionalProperties", "items"):
        if isinstance(schema.get(key), dict):
            inside["*"] = schema[key]
    for name, each in inside.items():
        yield from _places(each, whole, f"{at}/{name}" if at else name, around)
