"""Tables of ranked predictions from outside: which line is a header, and which columns are
meant."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphzsl.errors import DataError

_LABELS = frozenset(
    (
        "label",
        "labels",
        "true",
        "truth",
        "true_label",
        "true_class",
        "target",
        "gold",
        "ground_truth",
        "wnid",
        "class",
        "y",
        "y_true",
    )
)
#: Columns that are neither the true class nor a prediction.
_OTHERS = frozenset(
    (
        "image",
        "images",
        "img",
        "id",
        "ids",
        "file",
        "files",
        "filename",
        "file_name",
        "path",
        "index",
        "sample",
        "sample_id",
        "url",
    )
)
_ORDINALS = (
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
)
_PREDICTED = re.compile(
    r"(?:y_)?(?:top|rank|pred|preds|predict|predicted|prediction|guess)(?:_?(?:class|label))?_?(\d*)"
)


@dataclass(frozen=True)
class RankedRow:
    """One line of a table: its number, the true class, and the predicted ones, best first."""

    line: int
    label: str
    predicted: list[str]


@dataclass(frozen=True)
class _Columns:
    """Where the true class and the predictions of a line are; ``predicted`` None: everything behind
    the first cell.

    ``width`` is the number of cells of the header. Where its last column is a prediction, longer
    lines go on with predictions.
    """

    label: int = 0
    predicted: list[int] | None = None
    width: int = 0

    def split(self, cells: Sequence[str], where: str) -> tuple[str, list[str]]:
        if self.predicted is None:
            return cells[0], [cell for cell in cells[1:] if cell]
        chosen = [cells[column] for column in self.predicted if column < len(cells)] + list(
            cells[self.width :]
        )
        if self.predicted[-1] != self.width - 1 and any(cells[self.width :]):
            raise DataError(f"{where}: {len(cells)} cells, but the header has {self.width}.")
        return (cells[self.label] if self.label < len(cells) else ""), [
            cell for cell in chosen if cell
        ]


def read_ranked(
    path: Path, classes: Sequence[str] | None = None, numbered: bool = False
) -> list[RankedRow]:
    """The lines of a table, comma or tab; DataError names file and line.

    Without a header the first cell is the true class and the others are the predictions, best
    first. The first line is a header where none of its cells is a class: one of ``classes``, a
    number where ``numbered``, or, where no classes are given, a cell of another line; in that last
    case it must also name a known column. A header names the true class (label, true, truth,
    target, wnid, …), and the predictions: pred, prediction, top1, top2, …, first, second, …, or
    else every column that is not an id or a file. Lines that are longer than a header that ends
    with a prediction go on with predictions.
    """
    lines = _cells(path)
    known = frozenset(classes) if classes is not None else None
    header = lines.pop(0)[1] if lines and _is_header(lines, known, numbered) else None
    return _ranked(lines, header, str(path), classes, numbered)


def ranked_of_frame(
    frame: Any, classes: Sequence[str] | None = None, numbered: bool = False
) -> list[RankedRow]:
    """The rows of a pandas DataFrame, as ``read_ranked`` takes those of a file; lines count from 0.

    Names of columns are a header; numbers are not.
    """
    names = [name for name in frame.columns if isinstance(name, str)]
    header = [str(name) for name in frame.columns] if names else None
    rows = frame.itertuples(index=False, name=None)
    lines = [(number, [_text(value) for value in row]) for number, row in enumerate(rows)]
    return _ranked(lines, header, "DataFrame", classes, numbered)


def _ranked(
    lines: list[tuple[int, list[str]]],
    header: list[str] | None,
    source: str,
    classes: Sequence[str] | None,
    numbered: bool,
) -> list[RankedRow]:
    known = frozenset(classes) if classes is not None else None
    columns = _named_columns(header, f"{source}:1") if header else _Columns()
    rows = []
    for line, cells in lines:
        where = f"{source}:{line}"
        label, predicted = columns.split(cells, where)
        if not label or not predicted:
            raise DataError(
                f"{where}: expected the true class and at least one prediction, got {cells}."
            )
        if numbered:
            label, *predicted = _names([label, *predicted], classes or (), where)
        if len(set(predicted)) < len(predicted):
            raise DataError(f"{where}: {max(predicted, key=predicted.count)} is predicted twice.")
        stray = [name for name in predicted if known is not None and name not in known]
        if stray:
            raise DataError(f"{where}: {stray[0]} is none of the {len(known or ()):,} candidates.")
        rows.append(RankedRow(line, label, predicted))
    if not rows:
        raise DataError(
            f"{source} holds no prediction; expected lines of the true class and the predicted"
            " ones."
        )
    return rows


def _text(value: Any) -> str:
    """A cell as text: nothing for a missing value, and whole numbers without a fraction."""
    if value is None or value != value:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip()


def _cells(path: Path) -> list[tuple[int, list[str]]]:
    """(line number, cells) of every line that is not empty."""
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as file:
            sample = file.readline()
            file.seek(0)
            rows = csv.reader(file, delimiter="\t" if "\t" in sample else ",")
            numbered = [
                (number, [cell.strip() for cell in row]) for number, row in enumerate(rows, 1)
            ]
    except FileNotFoundError:
        raise DataError(f"{path} does not exist.") from None
    except IsADirectoryError:
        raise DataError(
            f"{path} is a folder; expected an .npz of scores or a table of predictions."
        ) from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise DataError(f"{path}: not a table ({error}).") from None
    return [(number, cells) for number, cells in numbered if any(cells)]


def _is_header(
    lines: list[tuple[int, list[str]]], known: frozenset[str] | None, numbered: bool
) -> bool:
    number, first = lines[0]
    given = [cell for cell in first if cell]
    if number != 1:
        return False
    if numbered:
        return not any(cell.isdigit() for cell in given)
    if known is not None:
        return known.isdisjoint(given)
    others = {cell for _, cells in lines[1:] for cell in cells}
    return others.isdisjoint(given) and any(_role(cell) for cell in given)


def _role(cell: str) -> str:
    """label, other, predicted, or nothing for a name that says none of them."""
    name = _plain(cell)
    if name in _LABELS:
        return "label"
    if name in _OTHERS:
        return "other"
    return "predicted" if name in _ORDINALS or _PREDICTED.fullmatch(name) else ""


def _named_columns(header: list[str], where: str) -> _Columns:
    roles = [_role(cell) for cell in header]
    if "label" not in roles:
        raise DataError(
            f"{where}: none of {', '.join(header)} is a candidate, and as a header it names no"
            " column of true classes. Name it label, true, truth, target or wnid."
        )
    label = roles.index("label")
    predicted = [column for column, role in enumerate(roles) if role == "predicted"]
    predicted.sort(key=lambda column: _place(header[column]))
    if not predicted:
        predicted = [column for column, role in enumerate(roles) if not role and header[column]]
    if not predicted:
        raise DataError(
            f"{where}: the header names no column of predictions. Name them top1, top2, … or"
            " prediction."
        )
    return _Columns(label, predicted, len(header))


def _place(cell: str) -> int:
    """Place of a column of predictions: its number, 1 without."""
    name = _plain(cell)
    if name in _ORDINALS:
        return _ORDINALS.index(name) + 1
    number = _PREDICTED.fullmatch(name)
    return int(number[1]) if number and number[1] else 1


def _plain(cell: str) -> str:
    return re.sub(r"[\s-]+", "_", cell.strip().lower())


def _names(cells: list[str], classes: Sequence[str], where: str) -> list[str]:
    """Positions from 0 in the candidates -> their names."""
    for cell in cells:
        if not (cell.isdigit() and int(cell) < len(classes)):
            raise DataError(
                f"{where}: {cell!r} is not a position from 0 to {len(classes) - 1:,} in the"
                " candidates."
            )
    return [classes[int(cell)] for cell in cells]
