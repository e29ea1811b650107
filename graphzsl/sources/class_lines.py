"""Lists of classes in lines of text, and in tables."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from graphzsl.common.checked_names import shown
from graphzsl.common.errors import DataError
from graphzsl.common.reading.number_texts import unsigned
from graphzsl.common.wording import counted
from graphzsl.sources.class_documents import are_positions, by_number
from graphzsl.sources.listed_classes import LIKE_WNID, SYNSET, ClassFile, Listed, as_wnid, is_class

#: What columns are called, in the order in which they are taken.
_WNIDS = ("wnid", "wnids", "synset", "synset_id", "id", "class", "class_id", "label")
_NAMES = (
    *("name", "names", "class_name", "class_names", "classname", "classnames", "printname"),
    *("label", "labels", "lemma", "words", "class", "classes", "category", "species"),
)
_NUMBERS = ("index", "idx", "number", "class_index", "class_idx", "class_id", "id", "no")
#: A column that makes each row one image, and several rows one class.
_IMAGES = ("image", "images", "file", "filename", "path", "image_location", "image_path", "img")
_HEADS = {*_WNIDS, *_NAMES, *_NUMBERS, *_IMAGES}
#: Those that a column alone may have; an index, a file and an image are classes too.
_SINGLE = {*_WNIDS, *_NAMES} - {"words", "lemma"}
_LETTER = re.compile(r"[^\W\d_]")
#: Ends of names of tables.
_TABLES = (".csv", ".tsv")
_BLANK = re.compile(r"[\s,;]+")
_COMMENT = re.compile(r"(?:^|\s)#.*")
_NUMBERED = re.compile(r"\s*([0-9]{1,6})\s*(?:[:.)\t,;=]|\s|->)\s*(\S.*)\Z")
#: What stands between a wnid and its name.
_BETWEEN = re.compile(r"\s*(?:[:,;=|]|->|=>)?\s*")


def classes_of_lines(path: Path, text: str) -> ClassFile:
    """The classes of a text, one or more per line, or of a table; DataError for one without a
    class."""
    numbered = list(enumerate(text.split("\n"), 1))
    lines = [(number, _COMMENT.sub("", line).strip()) for number, line in numbered]
    full = [(number, line) for number, line in lines if line]
    if not full or (len(full) == 1 and re.match(r"wnid(?:\W|\Z)", full[0][1])):
        raise DataError(f"{path} is empty; expected one class per line.")
    blank = [at for at, line in numbered if not line.strip() and at < full[-1][0]]
    return replace(_table(path, full) or _list(path, full), blank=blank)


def _list(path: Path, lines: list[tuple[int, str]]) -> ClassFile:
    return _several(path, lines) or _numbered(path, lines) or _one_per_line(path, lines)


def _table(path: Path, lines: list[tuple[int, str]]) -> ClassFile | None:
    """The classes of lines with a header, or with a wnid in the same column of every line; None for
    any other file."""
    separator = next((mark for mark in "\t,;" if mark in lines[0][1]), None)
    if separator is None:
        return _column(path, lines)
    rows, wrong = _cells(lines, separator)
    head = [cell.lower() for cell in rows[0]]
    if not head:
        return None
    wnids = _column_of_wnids(rows[1:] or rows)
    if wnids is not None and wnids < len(head) and as_wnid(rows[0][wnids]):
        if wnids == 0 or any(is_class(cell) for row in rows for cell in row[:wnids]):
            return None  # a wnid and its name, or several classes per line
        entries = [
            Listed(f"line {number}", as_wnid(row[wnids]), _name_beside(row, wnids))
            for (number, _), row in zip(lines, rows, strict=True)
        ]
        return ClassFile(path, by_number(entries, [unsigned(row[0]) for row in rows]))
    is_csv = path.suffix.lower() in _TABLES
    if head[0] in ("wnid", "wnids") and not is_csv and {*map(len, rows[1:])} - {len(head)}:
        return _list(path, lines[1:])
    if len(rows) == 1 or any(map(is_class, head)):
        return None
    called = wnids if wnids is not None else _at(head, _WNIDS[:4])
    names = _at(head, _NAMES, called)
    if set(head) <= _HEADS and all(len(row) == 1 for row in rows[1:]):
        note = _header_note(path, *lines[0])
        return replace(_list(path, lines[1:]), notes=(note,))
    if called is None and (names is None or not (is_csv or set(head) <= _HEADS)):
        return None
    return _of_columns(path, lines, rows, wrong, called, names)


def _column(path: Path, lines: list[tuple[int, str]]) -> ClassFile | None:
    """The lines below a header without a separator; None where the first line is none."""
    (number, line), *below = lines
    is_wnid = bool(re.match(r"wnids?(?:\s|\Z)", unquoted(line)))
    if not below or not (is_wnid or unquoted(line).lower() in _SINGLE):
        return None
    note = () if is_wnid else (_header_note(path, number, line),)
    return replace(_list(path, below), notes=note)


def _header_note(path: Path, number: int, line: str) -> str:
    return (
        f"{path}:{number}: {line!r} is read as a header. Where it is a class, write a line with the"
        " word wnid above it."
    )


def _of_columns(
    path: Path,
    lines: list[tuple[int, str]],
    rows: list[list[str]],
    wrong: dict[int, str],
    wnids: int | None,
    names: int | None,
) -> ClassFile:
    """The rows below a header: the columns of wnids, of names, or both."""
    head = rows[0]
    entries: list[Listed] = []
    problems: dict[int, str] = {}
    for at, row in enumerate(rows[1:], 1):
        place = f"line {lines[at][0]}"
        if (fault := wrong.get(at)) or len(row) != len(head):
            problems[len(entries)] = fault or f"expected {len(head)} columns, got {len(row)}."
            entries.append(Listed(place, None, None))
            continue
        wnid = None if wnids is None else as_wnid(row[wnids]) or row[wnids]
        entries.append(Listed(place, wnid, None if names is None else row[names]))
    notes = []
    if wnids is None or head[wnids].lower() not in _WNIDS:
        notes.append(_header_note(path, *lines[0]))
        if wnids is None and len(head) > 1 and names is not None:
            notes.append(f"The classes stand in the column {head[names]!r}.")
    if any(cell.lower() in _IMAGES for cell in head) and not problems:
        distinct = {(each.wnid, each.name): each for each in reversed(entries)}
        if len(distinct) < len(entries):
            of = counted(len(distinct), "class", "classes")
            notes.append(f"{path}: {counted(len(entries), 'row')} of images, of {of}.")
            entries = list(distinct.values())[::-1]
    number = _at(head, _NUMBERS, wnids if wnids is not None else names)
    if number is not None and not problems and len(entries) == len(rows) - 1:
        ordered = by_number(entries, [unsigned(row[number]) for row in rows[1:]])
        if ordered != entries:
            notes.append(f"{path}: the classes are in the order of the column {head[number]!r}.")
        entries = ordered
    return ClassFile(path, entries, wrong=problems, notes=tuple(notes))


def _at(head: Sequence[str], known: Iterable[str], taken: int | None = None) -> int | None:
    """Position of the column that is called by the first of some names."""
    places = (at for each in known for at, cell in enumerate(head) if cell == each and at != taken)
    return next(places, None)


def _cells(lines: list[tuple[int, str]], separator: str) -> tuple[list[list[str]], dict[int, str]]:
    """The cells of each line, and place from 0 -> what is wrong with its quotes."""
    rows, wrong = list[list[str]](), dict[int, str]()
    for at, (_, line) in enumerate(lines):
        try:
            row = next(csv.reader([line], delimiter=separator, strict=True), [])
        except csv.Error as error:
            wrong[at], row = f"{error}.", []
        rows.append([cell.strip() for cell in row])
    return rows, wrong


def _column_of_wnids(rows: Sequence[Sequence[str]]) -> int | None:
    """The first column that has a wnid in every row."""
    width = min(map(len, rows), default=0)
    return next((at for at in range(width) if all(as_wnid(row[at]) for row in rows)), None)


def _name_beside(row: Sequence[str], wnids: int) -> str | None:
    """The first cell beside a wnid that is no number."""
    return next(
        (cell for at, cell in enumerate(row) if at != wnids and cell and unsigned(cell) is None),
        None,
    )


def _several(path: Path, lines: list[tuple[int, str]]) -> ClassFile | None:
    """Lines of nothing but wnids and names of synsets, of which one may have several; None for any
    other file."""
    entries = []
    for number, line in lines:
        tokens = [token for token in _BLANK.split(line.strip("\"'")) if token]
        if not all(map(is_class, tokens)):
            return None
        entries += [
            Listed(f"line {number}", as_wnid(token), None if as_wnid(token) else token)
            for token in tokens
        ]
    return ClassFile(path, entries)


def _numbered(path: Path, lines: list[tuple[int, str]]) -> ClassFile | None:
    """The names of a list that numbers them, from 0 or from 1, in every line; None for any other
    file."""
    found = [_NUMBERED.match(line) for _, line in lines]
    rows = [each for each in found if each is not None]
    texts = [each[2] for each in rows]
    if len(rows) < len(found) or len(rows) < 2 or not all(map(_LETTER.search, texts)):
        return None
    numbers = [int(each[1]) for each in rows]
    if not are_positions(numbers):
        return None
    order = sorted(range(len(rows)), key=numbers.__getitem__)
    inner = [(lines[at][0], rows[at][2].strip().rstrip(",").strip("\"'")) for at in order]
    note = (
        f"{path}: the numbers from {min(numbers)} to {max(numbers)} before the names are those of"
        " the classes, and no part of the names."
    )
    found_inside = _several(path, inner) or _one_per_line(path, inner)
    return replace(found_inside, notes=(note,))


def _one_per_line(path: Path, lines: list[tuple[int, str]]) -> ClassFile:
    """One class per line: a wnid and its name, a synset's name and a comment, or a name."""
    split = [_split(line) for _, line in lines]
    behind = [rest for first, rest in split if first is not None]
    # in every line: "n01440764 1 tench", the development kit of ILSVRC
    is_table = path.suffix.lower() in _TABLES
    are_quoted = is_table or all(unquoted(line) != line for _, line in lines)
    kit = len(behind) == len(split) and all(re.match(r"[0-9]{1,5}\s+\S", rest) for rest in behind)
    entries, wrong = list[Listed](), dict[int, str]()
    for (number, line), (first, rest) in zip(lines, split, strict=True):
        place = f"line {number}"
        if fault := _second_class(line, first, rest):
            wrong[len(entries)] = fault
        if first is None:
            text = unquoted(line) if are_quoted else line
            if is_table and text == line and line.startswith('"') and line.count('"') % 2:
                wrong[len(entries)] = "unexpected end of data."
            entries.append(Listed(place, None, text))
            continue
        if kit:
            rest = rest.split(None, 1)[1]
        wnid = as_wnid(first)
        if wnid is None and not LIKE_WNID.match(first):
            entries.append(Listed(place, None, first))
        else:
            entries.append(Listed(place, wnid or first, unquoted(rest) or None))
    return ClassFile(path, entries, wrong=wrong)


def class_of_line(text: str) -> str:
    """The class of one line: without the comment behind a wnid or the name of a synset, and without
    the quotes in which tables write a name that has commas."""
    first, _ = _split(text)
    return unquoted(text) if first is None else as_wnid(first) or first


def _split(line: str) -> tuple[str | None, str]:
    """(the wnid or name of a synset that a line begins with, or None; what stands behind it)."""
    first = _BLANK.split(line.lstrip("\"'"), maxsplit=1)[0].rstrip(":\"'")
    if not is_class(first):
        return None, line
    rest = line.lstrip("\"'")[len(first) :].lstrip("\"'")
    return first, _BETWEEN.sub("", rest, count=1).strip()


def _second_class(line: str, first: str | None, rest: str) -> str | None:
    """Message for a line that has a class where it is not looked for; None without any."""
    tokens = [token.strip("\"'") for token in _BLANK.split(rest)]
    second = next((token for token in tokens if as_wnid(token) or SYNSET.match(token)), None)
    if second is None or (first is None and unquoted(line) == second):
        return None
    if first is not None:
        return (
            f"{second} stands behind {first}, and other words too: a line is one class and its"
            " name, or classes alone."
        )
    return (
        f"{shown(line)} has {second} behind something else. A line is one class, its wnid first; or"
        " every line has a wnid in the same column."
    )


def unquoted(text: str) -> str:
    """A text without the quotes in which tables write a name that has commas."""
    text = text.strip()
    quoted = re.fullmatch(r'"((?:[^"]|"")+)"', text) or re.fullmatch(r"'([^']+)'", text)
    return quoted[1].replace('""', '"').strip() if quoted else text
