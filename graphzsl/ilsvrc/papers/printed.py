"""The papers' tables as they are printed: one TOML file per table, with its source."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from graphzsl.common.errors import DataError
from graphzsl.common.frames import Tabular
from graphzsl.common.text_files import read_toml
from graphzsl.common.wording import counted, did_you_mean, near
from graphzsl.ilsvrc.papers.coverage import system as find_system
from graphzsl.ilsvrc.papers.coverage import systems
from graphzsl.sources.ilsvrc_entries import read_entries, read_gains, read_ratios
from graphzsl.sources.ilsvrc_tables import read_error_types, read_scales, read_sizes
from graphzsl.sources.printed_rows import PrintedNumber
from graphzsl.sources.published import published

FOLDER = Path(__file__).parent / "tables"
#: A number or a text; None is what is not printed, or not held here.
Cell = str | int | float | None
Row = dict[str, Any]
#: The keys of a file, and those without which it is none.
_KEYS = ("ids", "paper", "place", "title", "in_part", "columns", "rows", "published", "ours")
_NEEDED = ("ids", "paper", "place", "title")
#: Kind of a published file -> its reader.
_READERS: dict[str, Callable[[Path], Sequence[Any]]] = {
    "entries": read_entries,
    "ratios": read_ratios,
    "gains": read_gains,
    "sizes": read_sizes,
    "scales": read_scales,
    "error-types": read_error_types,
}


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
        measured: rows of this package's own, where they take minutes to compute; ``ours`` has them.

    >>> gz.papers.table("goz-table-1").column("method")[-1]
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

    def rows(self) -> list[Row]:
        """One dict per printed row; None is what is not printed, or not held here."""
        return [dict(row) for row in self.cells]

    def column(self, name: str) -> list[Any]:
        """The cells of a column, downwards.

        Raises:
            DataError: the table has no such column.
        """
        self._check_column(name)
        return [row[name] for row in self.cells]

    def row(self, **cells: Cell) -> Row:
        """The one row with these cells.

        Raises:
            DataError: the table has no such column, or none or several rows have them.
        """
        for name in cells:
            self._check_column(name)
        found = [row for row in self.cells if all(row[key] == cells[key] for key in cells)]
        if len(found) != 1:
            said = ", ".join(f"{key} {value!r}" for key, value in cells.items())
            raise DataError(f"{self.name} has {counted(len(found), 'row')} with {said}.")
        return found[0]

    def _check_column(self, name: str) -> None:
        if name not in self.cells[0]:
            raise DataError(
                f"{self.name} has no column {name!r}.{did_you_mean(near(name, self.cells[0]))}"
                f" It has {', '.join(self.cells[0])}."
            )

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

    >>> gz.papers.table("gbu-table-4").row(method="SYNC")["2-hops"]
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
        f"There is no table {name!r}.{did_you_mean(near(name, known))} `graphzsl papers` lists all."
    )


def read_table(path: Path) -> PrintedTable:
    """A table's file; errors name the file, and the line or the row of what is wrong."""
    # with the digits that are printed
    given = tomllib.loads(read_toml(path).text, parse_float=PrintedNumber)
    unknown = [key for key in given if key not in _KEYS]
    if unknown:
        raise DataError(f"{path}: {unknown[0]!r} is not a key; known are {', '.join(_KEYS)}.")
    missing = [key for key in _NEEDED if key not in given]
    if missing:
        raise DataError(f"{path}: {missing[0]} is missing.")
    if ("published" in given) == ("rows" in given):
        raise DataError(f"{path}: expected rows with their columns, or published, and one of them.")
    if "published" in given:
        shipped = published()[given["published"]]
        cells = [asdict(each) for each in _READERS[shipped.kind](shipped.path)]
    else:
        cells = _cells(path, given, "rows")
    own = given.get("ours")
    return PrintedTable(
        path.stem,
        tuple(given["ids"]),
        given["paper"],
        given["place"],
        given["title"],
        given.get("in_part"),
        tuple(cells),
        tuple(_cells(path, own, "rows of ours")) if own else (),
    )


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
