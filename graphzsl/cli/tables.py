"""Rows as a table for people, within the width of the terminal.

Few rows of many columns stand upright, one column per line. Numbers are never broken. Where a table
is too wide its texts are wrapped between words; where that is not enough the names of synsets share
a column with their wnids, and where that is not either, each row becomes a block.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from shutil import get_terminal_size
from typing import Any

import click

from graphzsl.cli.columns import Cell, cells
from graphzsl.database import NAME_COLUMNS

#: Spaces between columns.
GAP = 2
#: A wrapped text is no narrower than the first of these, or it would be a ribbon; the second is for
#: a table that would fall apart otherwise.
NARROW, NARROWEST = 16, 9
#: One row of more columns than this stands upright.
FEW_COLUMNS = 3
#: So do as many rows as this, where they would be too wide or their head taller than this, or where
#: a row of them would take more lines than the last of these and they are shorter upright.
FEW_ROWS, TALL_HEAD, TALL_ROW = 6, 2, 3
#: Where a word that is longer than the whole line may be broken: no number is, and the name of a
#: synset (dog.n.01) behind its underscores alone.
_BREAKS = re.compile(r"(?<=[/\\_:])|(?<=-)(?!\S*\.n\.\d)|(?<=\.)(?!\d|n\.\d)")


def table_lines(
    rows: Sequence[Mapping[str, Any]],
    columns: Sequence[str],
    width: int,
    command: str = "",
    words: Mapping[str, str] | None = None,
) -> list[str]:
    """The lines of the table, none of them wider than ``width``; ``words`` are what people call
    columns and measures."""
    return arranged(rows, columns, width, command, words)[0]


def arranged(
    rows: Sequence[Mapping[str, Any]],
    columns: Sequence[str],
    width: int,
    command: str = "",
    words: Mapping[str, str] | None = None,
) -> tuple[list[str], bool]:
    """(``table_lines``, whether they stand upright: the rows side by side)."""
    names, table = cells(rows, columns, command)
    if not names:
        return [], False
    paired = _worded(*_paired(names, table), words or {})
    names, table = _worded(names, table, words or {})
    few = 0 < len(table) <= FEW_ROWS
    if len(table) == 1 and len(names) > FEW_COLUMNS:
        return _upright(names, table, width) or _blocks(names, table, width), True
    flat = _flat(names, table, width) or _flat(*paired, width)
    upright = _upright(names, table, width) if few else []
    if flat is not None and not (few and _is_tall(flat, len(table), len(upright))):
        return [*flat[0], *flat[1]], False
    if upright:
        return upright, True
    flat = flat or _flat(*paired, width, NARROWEST)
    return ([*flat[0], *flat[1]] if flat else _blocks(names, table, width)), False


def _is_tall(flat: tuple[list[str], list[str]], rows: int, upright: int) -> bool:
    """True if a table has a tall head, or rows so tall that the upright form takes no more
    lines."""
    head, body = flat
    is_ribbon = len(body) - 1 > TALL_ROW * rows
    return len(head) > TALL_HEAD or (is_ribbon and upright <= len(head) + len(body))


def _flat(
    names: list[str], table: list[list[Cell]], width: int, narrowest: int = NARROW
) -> tuple[list[str], list[str]] | None:
    """(the lines of the head, a rule and one line per row, or a few where texts are wrapped); None
    where that does not fit."""
    columns = [[row[at] for row in table] for at in range(len(names))]
    numeric = [
        any(cell.number for cell in cells) and all(cell.number or not cell.text for cell in cells)
        for cells in columns
    ]
    body = [max((len(cell.text) for cell in cells), default=0) for cells in columns]
    room = width - GAP * (len(names) - 1)
    wide = [max(own, len(name)) for own, name in zip(body, names, strict=True)]
    if sum(wide) > room:
        pieces = [max(map(len, _pieces(name))) for name in names]
        wide = [max(own, piece) for own, piece in zip(body, pieces, strict=True)]
        least = [
            max(piece, _least(cells, narrowest))
            for piece, cells in zip(pieces, columns, strict=True)
        ]
        fitting = _shrunk(wide, least, room)
        if fitting is None:
            return None
        wide = fitting
    heads = [_wrapped(_pieces(name), own, "") for name, own in zip(names, wide, strict=True)]
    tall = max(map(len, heads))
    heads = [[""] * (tall - len(head)) + head for head in heads]
    head = [click.style(line, bold=True) for line in _side_by_side(heads, wide, numeric)]
    lines = ["─" * (sum(wide) + GAP * (len(names) - 1))]
    for row in table:
        parts = [
            [cell.text] if cell.number else wrap(cell.text, own)
            for cell, own in zip(row, wide, strict=True)
        ]
        lines += _side_by_side(parts, wide, numeric)
    return head, lines


def _paired(names: list[str], table: list[list[Cell]]) -> tuple[list[str], list[list[Cell]]]:
    """The table with each column of names joined to the column of wnids before it; lists of them
    stay apart."""
    second = [
        at
        for at, name in enumerate(names)
        if at
        and name in NAME_COLUMNS.get(names[at - 1], ())
        and not any("," in row[at].text for row in table)
    ]

    def joined(row: list[Cell]) -> list[Cell]:
        first = {at - 1: Cell(f"{row[at - 1].text} {row[at].text}".strip()) for at in second}
        return [first.get(at, cell) for at, cell in enumerate(row) if at not in second]

    kept = [name for at, name in enumerate(names) if at not in second]
    return kept, [joined(row) for row in table]


def _worded(
    names: list[str], table: list[list[Cell]], words: Mapping[str, str]
) -> tuple[list[str], list[list[Cell]]]:
    """The table with the words for its columns, and for the measures that its rows are about."""
    measures = [at for at, name in enumerate(names) if name == "measure"]

    def worded(row: list[Cell]) -> list[Cell]:
        said = {at: Cell(words[row[at].text]) for at in measures if row[at].text in words}
        return [said.get(at, cell) for at, cell in enumerate(row)]

    return [words.get(name, name) for name in names], [worded(row) for row in table]


def _upright(names: list[str], table: list[list[Cell]], width: int) -> list[str]:
    """One line per column, the rows side by side; empty where a number would not fit."""
    label = max(map(len, names))
    room = width - label - GAP * len(table)
    least = [_least(row) for row in table]
    wide = _shrunk([max(len(cell.text) for cell in row) for row in table], least, room)
    if wide is None:
        return []
    lines = []
    for at, name in enumerate(names):
        parts = [
            [row[at].text] if row[at].number else wrap(row[at].text, own)
            for row, own in zip(table, wide, strict=True)
        ]
        own = _side_by_side([[name], *parts], [label, *wide], [False] * (1 + len(table)))
        lines += [click.style(own[0][:label], bold=True) + own[0][label:], *own[1:]]
    return lines


def _blocks(names: list[str], table: list[list[Cell]], width: int) -> list[str]:
    """Every row upright, a blank line between them; a name has a line of its own where its value
    does not fit beside it."""
    lines: list[str] = []
    for place, row in enumerate(table):
        lines += [""] if place else []
        own = _upright(names, [row], width)
        for name, cell in zip(names, row, strict=True) if not own else ():
            own += [click.style(part, bold=True) for part in wrap(name, width)]
            own += [cell.text] if cell.number else wrap(cell.text, width)
        lines += own
    return lines


def _least(column: Sequence[Cell], narrowest: int = NARROW) -> int:
    """Smallest width of a column: its widest number, its widest word or part of a word."""
    numbers = max((len(cell.text) for cell in column if cell.number), default=0)
    texts = [cell.text for cell in column if not cell.number]
    parts = (part for text in texts for word in text.split(" ") for part in _BREAKS.split(word))
    longest = max(map(len, texts), default=0)
    return max(numbers, min(longest, max(narrowest, *map(len, parts), 0)))


def _shrunk(wide: list[int], least: list[int], room: int) -> list[int] | None:
    """Widths that fit: the widest columns give way first. None where all at their least do not."""
    least = [min(low, own) for low, own in zip(least, wide, strict=True)]
    if sum(least) > room:
        return None
    widths = list(wide)
    while sum(widths) > room:
        slack = [at for at in range(len(widths)) if widths[at] > least[at]]
        widths[max(slack, key=lambda at: widths[at])] -= 1
    return widths


def _side_by_side(parts: list[list[str]], wide: list[int], right: Sequence[bool]) -> list[str]:
    lines = []
    for line in zip_longest(*parts, fillvalue=""):
        placed = [
            text.rjust(own) if at_right else text.ljust(own)
            for text, own, at_right in zip(line, wide, right, strict=True)
        ]
        lines.append((" " * GAP).join(placed).rstrip())
    return lines


def _pieces(name: str) -> list[str]:
    """The words of a column's name, each with the sign that ends it."""
    return [piece for piece in re.split(r"(?<=[_ ])", name) if piece.strip()]


def wrap(text: str, width: int) -> list[str]:
    """Lines of whole words; a word that is longer than a line is broken behind a slash or hyphen
    where it has one."""
    words: list[str] = []
    for word in text.split(" "):
        words += [word] if len(word) <= width else _wrapped(_parts(word, width), width, "")
    return _wrapped(words, width, " ")


def _parts(word: str, width: int) -> list[str]:
    """Places where a word may be broken: behind slashes, then behind other signs, then anywhere."""
    if len(word) <= width:
        return [word]
    for breaks in (re.compile(r"(?<=/)"), _BREAKS):
        parts = [part for part in breaks.split(word) if part]
        if len(parts) > 1:
            return [piece for part in parts for piece in _parts(part, width)]
    return [word[at : at + width] for at in range(0, len(word), width)]


def terminal_width() -> int:
    """Columns of the terminal; a table that goes elsewhere is not cut to 80 of them."""
    return get_terminal_size((200, 50)).columns


def _wrapped(pieces: Sequence[str], width: int, between: str) -> list[str]:
    lines = [""]
    for piece in pieces:
        longer = f"{lines[-1]}{between}{piece}" if lines[-1] else piece
        if len(longer.rstrip()) <= width or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(piece)
    return [line.rstrip() for line in lines]
