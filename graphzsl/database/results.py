"""Answers of the driver as plain Python values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import neo4j
import neo4j.graph

from graphzsl.database.failures import one_line
from graphzsl.database.library import Query

#: Labels, types and properties that no node or edge has: what a misspelt name looks like.
_UNKNOWN = ("01N50", "01N51", "01N52")


def plain(value: Any) -> Any:
    """A value of a row as JSON can hold it: nodes as their labels and properties, relationships as
    their type and properties, paths as texts of their nodes, times as texts, points as numbers."""
    if isinstance(value, neo4j.graph.Node):
        return {"labels": sorted(value.labels), **_plain_map(value)}
    if isinstance(value, neo4j.graph.Relationship):
        return {"type": value.type, **_plain_map(value)}
    if isinstance(value, neo4j.graph.Path):
        named = [[node.get(key) for key in ("wnid", "name", "text")] for node in value.nodes]
        # a hub of the release hierarchy has its wnid for a name
        kept = [dict.fromkeys(str(each) for each in node if each is not None) for node in named]
        return [" ".join(texts) for texts in kept]
    if isinstance(value, dict):
        return _plain_map(value)
    if isinstance(value, bytes | bytearray):
        return value.hex()
    if hasattr(value, "iso_format"):
        return value.iso_format()
    return [plain(item) for item in value] if isinstance(value, list | tuple) else value


def _plain_map(value: Mapping[str, Any]) -> dict[str, Any]:
    return {key: plain(item) for key, item in value.items()}


def as_rows(result: neo4j.Result) -> list[dict[str, Any]]:
    """A dictionary per row."""
    keys, values = _as_table(result)
    return [dict(zip(keys, row, strict=True)) for row in values]


def with_remarks(result: neo4j.Result) -> tuple[list[str], list[list[Any]], list[str]]:
    """Columns, rows, and the names in the statement that the database does not have."""
    columns, values = _as_table(result)
    remarks = result.consume().gql_status_objects
    unknown = [each for each in remarks if each.gql_status in _UNKNOWN]
    return columns, values, [one_line(each.status_description) for each in unknown]


def _as_table(result: neo4j.Result) -> tuple[list[str], list[list[Any]]]:
    return list(result.keys()), result.values()


def in_thousands(statement: Query) -> str:
    """A query whose records hold a thousand of its rows each, as lists of values."""
    values = ", ".join(statement.returns)
    return (
        f"CALL () {{\n{statement.text}\n}}\nWITH collect([{values}]) AS rows\n"
        "UNWIND range(0, size(rows) - 1, 1000) AS first\nRETURN rows[first..first + 1000] AS rows"
    )
