"""Tables with a header that names their columns: separated by commas, or by tabs."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from graphzsl.common.checked_names import Looks, text_problem
from graphzsl.common.errors import DataError
from graphzsl.common.text_files import open_text
from graphzsl.common.wording import counted, some

#: The column of files of images, and those of classes, which are one list of names.
_IMAGE, _CLASSES = "image", ("class", "true", "predicted")
#: What a cell may say for yes and for no, whatever the case.
YES, NO = ("1", "yes", "true", "y"), ("0", "no", "false", "n")
#: Names that stand for a class where a table has no other column of classes: graphzsl's own tables
#: have the name of a wnid beside it, and call the outcome of votes a label.
CLASS_OTHERWISE = {"class": ("label", "name")}


def named_rows(
    path: Path,
    needed: Sequence[str],
    optional: Sequence[str] = (),
    also: Mapping[str, Sequence[str]] | None = None,
    otherwise: Mapping[str, Sequence[str]] | None = None,
) -> Iterator[tuple[int, dict[str, str]]]:
    """(line, column -> cell) of every row; columns stand in any order, others are not read.

    Args:
        path: a table in UTF-8. Empty lines do not count.
        needed: columns that must be there, and filled in every row.
        optional: columns that are read where they are there, and may be empty.
        also: column -> other names that it may have. Case does not count.
        otherwise: column -> names that stand for it where no column has a name of ``also`` or its
            own; beside one that has they are not read.

    Raises:
        DataError: names the file, and the line, of a table that is empty or has no row, a column
            that is missing or there twice, a row with another number of cells than the header, a
            cell that is empty, and one that holds what nobody can see.
    """
    path = Path(path)
    expected = f"Expected a header with {', '.join(needed)}" + (
        f", and where they are known {', '.join(optional)}." if optional else "."
    )
    lines = _lines(path, expected)
    line, header = next(lines)
    for place, name in enumerate(header):
        if name and (problem := text_problem(name)):
            raise DataError(f"{path}:{line}: the name of column {place + 1} {problem}.")
    read = (*needed, *optional)
    own = {role: (role, *(also or {}).get(role, ())) for role in read}
    at = column_places(header, own, otherwise or {}, f"{path}:{line}")
    missing = next((role for role in needed if role not in at), None)
    if missing:
        raise DataError(
            f"{path}:{line}: no column is called {missing}; the header is {some(header, 12)}."
            f" {expected}"
        )
    empty, looks = True, defaultdict[str, Looks](Looks)
    for line, cells in lines:
        empty = False
        if len(cells) != len(header):
            raise DataError(
                f"{path}:{line}: {counted(len(cells), 'cell')}, and the header has {len(header)}."
            )
        row = {role: cells[place] for role, place in at.items()}
        lacking = next((role for role in needed if not row[role]), None)
        if lacking:
            raise DataError(f"{path}:{line}: {lacking} is empty. Fill it in, or remove the row.")
        _check_texts(row, looks, path, line)
        yield line, row
    if empty:
        raise DataError(f"{path} has a header and no rows. {expected}")


def column_places(
    header: Sequence[str],
    names: Mapping[str, Sequence[str]],
    otherwise: Mapping[str, Sequence[str]],
    where: str,
) -> dict[str, int]:
    """Role -> the place of its column, of the roles that the header has.

    Args:
        header: names of columns, whose case does not count.
        names: role -> what its column may be called.
        otherwise: role -> what stands for it where no column has one of these names.
        where: what messages call the header.

    Raises:
        DataError: two columns have the same role.
    """
    at = _places(header, names, where)
    lacking = {role: otherwise[role] for role in names if role not in at and role in otherwise}
    return at | _places(header, lacking, where)


def _places(
    header: Sequence[str], names: Mapping[str, Sequence[str]], where: str
) -> dict[str, int]:
    role_of = {name: role for role, called in names.items() for name in called}
    at: dict[str, int] = {}
    for place, name in enumerate(header):
        role = role_of.get(name.strip().lower())
        if role in at:
            raise DataError(
                f"{where}: {header[at[role]]!r} and {name!r} both are the {role}. Remove one"
                " of these columns."
            )
        if role is not None:
            at[role] = place
    return at


def _check_texts(row: Mapping[str, str], looks: Mapping[str, Looks], path: Path, line: int) -> None:
    """DataError for a cell that people cannot tell from others by looking; files of images are
    called what somebody else called them."""
    for role, cell in row.items():
        names = "class" if role in _CLASSES else role
        problem = text_problem(cell) if role == _IMAGE else looks[names].problem(cell)
        if cell and problem:
            raise DataError(f"{path}:{line}: {role} {problem}.")


def _lines(path: Path, expected: str) -> Iterator[tuple[int, list[str]]]:
    """(line, cells) of every line that is not empty, the header first."""
    try:
        with open_text(path) as file:
            first = file.readline()
            file.seek(0)
            reader = csv.reader(file, delimiter="\t" if "\t" in first else ",", strict=True)
            before, found = 0, False
            for cells in reader:
                line, before = before + 1, reader.line_num
                stripped = [cell.strip() for cell in cells]
                if any(stripped):
                    found = True
                    yield line, stripped
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}.") from None
    except csv.Error as error:
        raise DataError(f"{path}:{before + 1}: {error}.") from None
    if not found:
        raise DataError(f"{path} is empty. {expected}")


def yes_or_no(text: str, what: str, path: Path, line: int) -> bool:
    """True if a cell says yes, False if it says no; DataError names file and line of any other
    text."""
    word = text.lower()
    if word in YES or word in NO:
        return word in YES
    raise DataError(
        f"{path}:{line}: {what} must be yes or no (also 1 or 0, true or false), not {text!r}."
    )
