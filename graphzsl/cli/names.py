"""Names beside the wnids of what is printed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from graphzsl import hierarchy
from graphzsl.cli.connection import open_database
from graphzsl.common import step
from graphzsl.database import NAME_COLUMNS
from graphzsl.sources import WNID


def with_names(
    rows: Iterable[dict[str, Any]], columns: Sequence[str] | None = None
) -> tuple[list[dict[str, Any]], list[str] | None]:
    """The rows and their columns, with a column of names behind each column of wnids that has
    none.

    A column counts by its name (``NAME_COLUMNS``) and by holding a wnid, or lists of wnids, in a
    row; nothing else is a column of wnids. Names come from the database that the command has open,
    from WordNet's nouns where it has none; a node without a name keeps None. One look-up
    serves all rows.
    """
    found = [dict(row) for row in rows]
    own = list(columns) if columns is not None else columns_of(found)
    wanted = {
        column: next((name for name in names if name in own), names[0])
        for column, names in NAME_COLUMNS.items()
        if column in own
        and not any(row.get(name) is not None for row in found for name in names)
        and any(_wnids(row.get(column)) for row in found)
    }
    if not wanted:
        return found, own if columns is not None else None
    with step("names of classes"):
        names = names_of({w for row in found for column in wanted for w in _wnids(row.get(column))})
    for column, name in wanted.items():
        if name not in own:
            own.insert(own.index(column) + 1, name)
        for row in found:
            row[name] = _named(row.get(column), names)
    return [{column: row.get(column) for column in own if column in row} for row in found], own


def columns_of(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Every column that any of the rows has, in the order of first appearance."""
    return list(dict.fromkeys(column for row in rows for column in row))


def names_of(wnids: Iterable[str]) -> Mapping[str, str]:
    """wnid -> name of those that have one: from the database that the command has open, else from
    WordNet's nouns."""
    database = open_database()
    if database is not None:
        from graphzsl.database import names_of

        return names_of(database, wnids)
    nouns = hierarchy.load_wordnet()
    return dict(zip(nouns.wnids, nouns.names, strict=True))


def _wnids(value: Any) -> list[str]:
    values = value if isinstance(value, list | tuple) else [value]
    return [item for item in values if isinstance(item, str) and WNID.match(item)]


def _named(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, list | tuple):
        return [names.get(item) for item in value]
    return names.get(value) if value is not None else None
