"""Cells of a printed table by their row and column."""

from __future__ import annotations

from typing import Any

from graphzsl.ilsvrc.papers import PrintedTable
from graphzsl.ilsvrc.papers.printed import Cell, Row


def column_of(table: PrintedTable, name: str) -> list[Any]:
    """Cells of a column, downwards."""
    return [row[name] for row in table.cells]


def row_of(table: PrintedTable, **cells: Cell) -> Row:
    """The one row with these cells."""
    (row,) = (row for row in table.cells if all(row[key] == cells[key] for key in cells))
    return row
