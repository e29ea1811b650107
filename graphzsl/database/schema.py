"""The constraints and indexes of a database."""

from __future__ import annotations

from graphzsl.database.client import Database
from graphzsl.database.library import Query, library, query
from graphzsl.errors import DatabaseError


def schema_statements() -> list[Query]:
    """The statements that create graphzsl's constraints and indexes; each has its index's name."""
    return [statement for statement in library().values() if statement.folder == "schema"]


def create_schema(database: Database) -> None:
    """Uniqueness constraints and indexes, which serve every search; they are online afterwards."""
    for statement in schema_statements():
        try:
            database.run_schema(statement)
        except DatabaseError:
            if not _drop_leftover(database, statement.name):
                raise
            database.run_schema(statement)
    database.rows(query("await_indexes"))


def _drop_leftover(database: Database, name: str) -> bool:
    """Whether there was an index without its constraint, now removed: a server that is killed while
    it makes a constraint keeps the index alone, and the name is taken."""
    if name not in {row["name"] for row in database.rows(query("ownerless_indexes"))}:
        return False
    database.run_schema(query("drop_index"), index=name)
    return True
