"""The record of what was loaded into the database: one (:Source) each."""

from __future__ import annotations

from typing import Any

from graphzsl.database.client import Database
from graphzsl.database.library import Query, query

#: A statement and its parameters, as Database.write takes them.
Step = tuple[Query, dict[str, Any]]


def sources(database: Database) -> dict[str, dict[str, Any]]:
    """Source -> its properties, of everything that was loaded, or is being loaded."""
    return {row["name"]: row["properties"] for row in database.rows(query("sources"))}


def source_checksums(database: Database) -> dict[str, str | None]:
    """Source -> checksum of its file, of everything that was loaded: what manifests keep."""
    return {name: source.get("sha256") for name, source in sources(database).items()}


def source_step(name: str, source: dict[str, Any], status: str = "loaded") -> Step:
    """The statement that records a source, with the time of it."""
    return query("put_source"), {"source": name, "properties": {**source, "status": status}}
