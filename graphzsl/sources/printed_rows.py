"""Rows of tables as a paper prints them, where a cell may hold that something is not known."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from graphzsl.common.errors import DataError
from graphzsl.sources.named_columns import named_rows

#: What a cell holds that is not known.
UNKNOWN = "-"


class PrintedNumber(float):
    """A number with the digits that are printed: a table for people shows 5.10 as 5.10."""

    __slots__ = ("text",)
    text: str

    def __new__(cls, text: str) -> PrintedNumber:
        found = super().__new__(cls, text)
        found.text = text
        return found

    def __getnewargs__(self) -> tuple[str]:  # type: ignore[override]
        return (self.text,)


@dataclass(frozen=True)
class PrintedRow:
    """A row, with what each cell must hold."""

    path: Path
    line: int
    cells: dict[str, str]

    def text(self, column: str) -> str:
        """The cell as it stands."""
        return self.cells[column]

    def one_of(self, column: str, known: Collection[str]) -> str:
        """The cell; DataError where it is none of these."""
        found = self.cells[column]
        if found not in known:
            raise DataError(
                f"{self.path}:{self.line}: {found!r} is not a {column}; known are"
                f" {', '.join(known)}."
            )
        return found

    def known(self, column: str) -> str | None:
        """The cell, or None where it is not known."""
        return None if self.cells[column] == UNKNOWN else self.cells[column]


def printed_rows(path: Path, columns: Sequence[str]) -> list[PrintedRow]:
    """The rows of a table with these columns; DataError names file and line of a wrong one."""
    return [PrintedRow(path, line, cells) for line, cells in named_rows(path, columns)]
