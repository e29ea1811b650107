"""The constraints and indexes of a database."""

from __future__ import annotations

from collections.abc import Iterable

from graphzsl.database.client import Database
from graphzsl.database.library import Query, library, query
from graphzsl.errors import DatabaseError

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
    """True where all constraints and indexes are there, none of them failed."""
    rows = database.rows(query("index_names"))
    there = {row["name"] for row in rows if row["state"] != "FAILED"}
    return {statement.name for statement in schema_statements()} <= there


def create_schema(database: Database) -> None:
    """Uniqueness constraints and the indexes that a load waits for; they are online afterwards."""
    _create(database, [each for each in schema_statements() if each.name not in _LATER])
    database.rows(query("await_indexes"))


def create_later_indexes(database: Database) -> None:
    """The indexes that nobody waits for; Neo4j fills them meanwhile."""
    _create(database, [each for each in schema_statements() if each.name in _LATER])


def _create(database: Database, statements: Iterable[Query]) -> None:
    """Make what is not there; an index that could not be filled, for want of space on the disk, is
    made anew."""
    own = {statement.name for statement in schema_statements()}
    for row in database.rows(query("index_names")):
        if row["state"] == "FAILED" and row["name"] in own:
            _drop_leftover(database, row["name"])
    for statement in statements:
        try:
            database.run_schema(statement)
        except DatabaseError:
            if not _drop_leftover(database, statement.name):
                raise
            database.run_schema(statement)


def _drop_leftover(database: Database, name: str) -> bool:
    """Whether there was an index without its constraint, now removed: a server that is killed while
    it makes a constraint keeps the index alone, and the name is taken."""
    if name not in {row["name"] for row in database.rows(query("ownerless_indexes"))}:
        return False
    database.run_schema(query("drop_index"), index=name)
    return True
