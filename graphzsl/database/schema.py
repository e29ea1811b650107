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
    """Whether all constraints and indexes are there."""
    there = {row["name"] for row in database.rows(query("index_names"))}
    return {statement.name for statement in schema_statements()} <= there


def create_schema(database: Database) -> None:
    """Uniqueness constraints and indexes, which serve every search; they are online afterwards, but
    for those of ``create_later_indexes``, which are soon after."""
    create_constraints(database)
    create_indexes(database)
    await_indexes(database)
    create_later_indexes(database)


def create_constraints(database: Database) -> None:
    """The constraints, whose own indexes serve a load; they are online afterwards."""
    _create(database, [each for each in schema_statements() if each.name.startswith("unique_")])


def create_indexes(database: Database) -> None:
    """The indexes that a load waits for; Neo4j fills them meanwhile."""
    own = [each for each in schema_statements() if each.name.startswith("index_")]
    _create(database, [each for each in own if each.name not in _LATER])


def await_indexes(database: Database) -> None:
    """Wait until all indexes that were created are filled."""
    database.rows(query("await_indexes"))


def create_later_indexes(database: Database) -> None:
    """The indexes that nobody waits for; Neo4j fills them meanwhile."""
    _create(database, [each for each in schema_statements() if each.name in _LATER])


def _create(database: Database, statements: Iterable[Query]) -> None:
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
