"""The Cypher library: every file of ``cypher/``, checked, by name."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from graphzsl.common.errors import QueryFileError
from graphzsl.common.wording import did_you_mean, near
from graphzsl.database.contract import read_query
from graphzsl.database.query_file import HIERARCHIES, Query

__all__ = ["HIERARCHIES", "Query", "folder", "library", "query", "read_query"]


def folder() -> Path:
    """The ``cypher`` folder: of the checkout, or inside the installed package."""
    package = Path(__file__).resolve().parent.parent
    for candidate in (package / "_cypher", package.parent / "cypher"):
        if (candidate / "README.md").exists():
            return candidate
    raise QueryFileError(
        f"The folder of Cypher files is missing beside {package}. Install graphzsl again."
    )


@cache
def library() -> dict[str, Query]:
    """All queries by name, in the order of their folders and names."""
    queries: dict[str, Query] = {}
    for path in sorted(folder().rglob("*.cypher")):
        loaded = read_query(path)
        if loaded.name in queries:
            raise QueryFileError(
                f"{path}: the name {loaded.name} is taken by {queries[loaded.name].path}."
            )
        queries[loaded.name] = loaded
    return queries


def unknown_query(name: str) -> str:
    """Message for an unknown query name: near names, and the command that lists all."""
    offer = did_you_mean(near(name, library(), 3, 0.6))
    return f"There is no query {name!r}.{offer} `graphzsl query list` shows all."


def query(name: str, **choices: Any) -> Query:
    """A query by name, with its ``vary`` choices made, e.g. ``query("hop_split", max_hops=2)``."""
    try:
        chosen = library()[name]
    except KeyError:
        raise QueryFileError(unknown_query(name)) from None
    return chosen.with_choices(**choices)
