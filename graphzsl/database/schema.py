"""The constraints and indexes of a database."""

from __future__ import annotations

from typing import Any

from graphzsl.common.errors import DatabaseError
from graphzsl.database.client import Database
from graphzsl.database.library import Query, library, query

#: Indexes that a load does not wait for. A statement goes round one that is not filled yet, but for
#: the full-text index of words, which no query of the library needs.
_LATER = (
    *("index_label_name", "index_synset_depth", "index_synset_lexname"),
    *("index_word_search", "index_word_text"),
)


def schema_statements() -> list[Query]:
    """The statements that create graphzsl's constraints and indexes; each has its index's name."""
    return [statement for statement in library().values() if statement.folder == "schema"]


def has_schema(database: Database) -> bool:
    """True where all constraints and indexes are there, as they should be."""
    rows = database.rows(query("index_names"))
    leftovers = _leftovers(rows)
    there = {row["name"] for row in rows if row not in leftovers}
    return {statement.name for statement in schema_statements()} <= there


def create_schema(database: Database) -> None:
    """Uniqueness constraints and the indexes that a load waits for; they are online afterwards."""
    rows = database.rows(query("index_names"))
    _drop(database, [row for row in _leftovers(rows) if row["state"] == "FAILED"])
    first = [each for each in schema_statements() if each.name not in _LATER]
    # one transaction of each kind; Neo4j fills the indexes while it makes the constraints
    for kind in ("index_", "unique_"):
        steps: list[tuple[Query, dict[str, Any]]] = [
            (each, {}) for each in first if each.name.startswith(kind)
        ]
        try:
            database.write(*steps)
        except DatabaseError:
            leftovers = _leftovers(database.rows(query("index_names")))
            if not leftovers:
                raise
            _drop(database, leftovers)
            database.write(*steps)
    database.rows(query("await_indexes"))


def create_later_indexes(database: Database) -> None:
    """The indexes that nobody waits for; Neo4j fills them meanwhile."""
    database.write(*[(each, {}) for each in schema_statements() if each.name in _LATER])


def _leftovers(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows of graphzsl's indexes that stand in the way of new ones: an index whose constraint was
    not made when the server was killed, and one that could not be filled on a full disk."""
    own = {statement.name for statement in schema_statements()}
    free = [row for row in rows if row["name"] in own and not row["constraint"]]
    return [row for row in free if row["state"] == "FAILED" or row["name"].startswith("unique_")]


def _drop(database: Database, rows: list[dict[str, Any]]) -> None:
    for row in rows:
        database.write((query("drop_index"), {"index": row["name"]}))
