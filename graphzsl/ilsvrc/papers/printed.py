"""Tables of the papers as they are printed: one TOML file per table, with its source, and rows of
this package's own beside it."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from graphzsl.common.errors import DataError
from graphzsl.common.frames import Tabular
from graphzsl.common.text_files import read_toml
from graphzsl.common.wording import counted, did_you_mean, near
from graphzsl.ilsvrc.papers.coverage import system as find_system
from graphzsl.ilsvrc.papers.coverage import systems
from graphzsl.sources.printed_rows import PrintedNumber

FOLDER = Path(__file__).parent / "tables"
#: A number or a text; None is what is not printed, or not held here.
Cell = str | int | float | None
Row = dict[str, Any]
#: Keys that every file has, and all that one may have.
_NEEDED = ("ids", "paper", "place", "title", "columns", "rows")
_KEYS = (*_NEEDED, "in_part", "measured", "computed")


@dataclass(frozen=True, eq=False, repr=False)
class PrintedTable(Tabular):
    """A table of a paper; ``rows()`` are its rows.

    Args:
        name: what it is called here.
        ids: the systems that it belongs to, such as X29.
        paper: authors and year.
        place: where in the paper.
        title: what its numbers are.
        in_part: what of it is held here, where that is not all.
        cells: one dict per row, column -> a number or a text; None is what is not printed, or not
            held here.
        measured: rows of this package's own, where they take minutes to compute.
        computed: rows of this package's own, computed from the cells or the data that are shipped;
            a test computes them again. ``ours`` has these, or those that are measured.

    >>> gz.papers.table("goz-table-1").rows()[-1]["method"]
    'Trivial'
    """

    name: str
    ids: tuple[str, ...]
    paper: str
    place: str
    title: str
    in_part: str | None
    cells: tuple[Row, ...]
    measured: tuple[Row, ...] = ()
    computed: tuple[Row, ...] = ()

    def rows(self) -> list[Row]:
        """One dict per printed row; None is what is not printed, or not held here."""
        return [dict(row) for row in self.cells]

    def __repr__(self) -> str:
        return f"<PrintedTable {self.name}: {self.paper}, {self.place}; {len(self.cells)} rows>"


@cache
def _all() -> dict[str, PrintedTable]:
    return {path.stem: read_table(path) for path in sorted(FOLDER.glob("*.toml"))}


def tables(system: str | None = None) -> list[PrintedTable]:
    """The tables that are held here.

    Args:
        system: only those of this id, such as X29.

    Returns:
        Tables in the order of their names; none where there is none of that id.

    Raises:
        DataError: there is no such id, or a shipped file is damaged.

    >>> gz.papers.tables("X29")
    [<PrintedTable gbu-table-4: Xian et al. 2017, Table 4, section 5.1; 8 rows>]
    """
    return list(_all().values()) if system is None else _of(find_system(system).id)


def _of(identifier: str) -> list[PrintedTable]:
    return [each for each in _all().values() if identifier in each.ids]


def table(name: str) -> PrintedTable:
    """A table by its name, or the first one of an id.

    Args:
        name: such as gbu-table-4, or X29.

    Returns:
        The table.

    Raises:
        DataError: there is no table of that name.

    >>> gz.papers.table("gbu-table-4").rows()[-1]["2-hops"]
    9.26
    """
    found = _all().get(name.lower())
    if found is not None:
        return found
    of_system = _of(name.upper())
    if of_system:
        return of_system[0]
    known = [*_all(), *(each.id for each in systems())]
    raise DataError(
        f"There is no table {name!r}.{did_you_mean(near(name, known))} `graphzsl study papers`"
        " lists all."
    )


def ours(table: PrintedTable) -> list[Row]:
    """Rows of this package's own beside a table: computed from its cells or from the data that are
    shipped, or measured.

    Args:
        table: one of ``tables()``.

    Returns:
        One dict per row, with columns of its own; empty where there is nothing.

    Raises:
        DataError: the cells are not those of a table that is shipped, whose rows are stored.

    >>> row = gz.papers.ours(gz.papers.table("goz-table-3"))[9]
    >>> row["model"], row["split"], round(row["ratio"], 2)
    ('GCN', '1-hop', 3.32)
    """
    shipped = _all().get(table.name)
    if shipped is None or shipped.cells != table.cells:
        raise DataError(f"{table!r} has other cells than the table that is shipped.")
    return [dict(row) for row in shipped.computed or shipped.measured]


def read_table(path: Path) -> PrintedTable:
    """Read the file of a table; errors name the file, and the line or the row of what is wrong."""
    # with the digits that are printed
    given = tomllib.loads(read_toml(path).text, parse_float=PrintedNumber)
    unknown = [key for key in given if key not in _KEYS]
    if unknown:
        raise DataError(f"{path}: {unknown[0]!r} is not a key; known are {', '.join(_KEYS)}.")
    missing = [key for key in _NEEDED if key not in given]
    if missing:
        raise DataError(f"{path}: {missing[0]} is missing.")
    return PrintedTable(
        path.stem,
        tuple(given["ids"]),
        given["paper"],
        given["place"],
        given["title"],
        given.get("in_part"),
        tuple(_cells(path, given, "rows")),
        tuple(_own_rows(path, given, "measured")),
        tuple(
            {column: _in_full(cell) for column, cell in row.items()}
            for row in _own_rows(path, given, "computed")
        ),
    )


def _own_rows(path: Path, given: dict[str, Any], key: str) -> list[Row]:
    """Rows of the arrays of tables with this key; those of one array have columns of their own."""
    return [row for part in given.get(key, ()) for row in _cells(path, part, f"{key} rows")]


def _in_full(cell: Cell) -> Cell:
    """A cell of a computed row: a number in full has no printed digits. 11.20 repeats a number of
    the paper."""
    if isinstance(cell, PrintedNumber) and cell.text == repr(float(cell)):
        return float(cell)
    return cell


def _cells(path: Path, given: dict[str, Any], what: str) -> list[Row]:
    columns: Sequence[str] = given.get("columns", ())
    rows = given.get("rows", ())
    if not columns or not rows or len(set(columns)) < len(columns):
        raise DataError(f"{path}: {what} need columns, each with a name of its own.")
    for number, row in enumerate(rows, 1):
        if len(row) != len(columns):
            raise DataError(
                f"{path}: row {number} of the {what} has {counted(len(row), 'cell')}, and there are"
                f" {counted(len(columns), 'column')}."
            )
    return [
        {column: None if cell == "-" else cell for column, cell in zip(columns, row, strict=True)}
        for row in rows
    ]
