"""Class lists: from a file of classes, or a shipped list by its name."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from itertools import repeat
from pathlib import Path
from typing import Any

from graphzsl.common.checked_names import check_kind, wrong_names
from graphzsl.common.class_entries import (
    Entry,
    check_once,
    is_number,
    of_classes,
    of_line,
    of_list,
    refusal,
    repeated,
)
from graphzsl.common.errors import DataError
from graphzsl.common.files import read_json, read_lines
from graphzsl.common.progress import log
from graphzsl.common.reading.bounds import is_file, open_file
from graphzsl.common.wording import did_you_mean, near
from graphzsl.sources.published import class_lists, list_path
from graphzsl.sources.tables import WNID

#: What the column of wnids is called in tables of other tools.
_HEADS = ("wnid", "wnids", "synset", "synset_id", "class", "class_id", "label", "id")
#: What a column of names is called; as the first line of a list, it is a header.
_NAME_HEADS = (
    "name",
    "names",
    "class_name",
    "classname",
    "category",
    "species",
    "labels",
    "classes",
)
#: What separates a wnid from what stands behind it.
_BEHIND_WNID = re.compile(r"[\s,;]")
#: Classes: a file of them, a shipped list by its name, or the classes themselves.
Classes = str | Path | Iterable[str | Entry]


def list_name(given: Classes, otherwise: str) -> str:
    """Name of a list of classes: of a file without its suffix; ``otherwise`` of classes
    themselves."""
    if not isinstance(given, str | Path):
        return otherwise
    return Path(given).stem if is_file(given) else str(given)


def read_class_list(path: Path) -> list[tuple[int, str]]:
    """(line, wnid) of a file with one wnid per line; text after the wnid is a comment.

    DataError names file and line of what is not a wnid, or is there twice.
    """
    lines = read_lines(path)
    if not lines:
        raise DataError(f"{path} is empty; expected one wnid per line.")
    rows = [(line, _BEHIND_WNID.split(text, maxsplit=1)[0]) for line, text in lines]
    entries = [of_line(wnid, path, line) for line, wnid in rows]
    wrong: dict[int, str] = {
        place: f"{wnid!r} is not a wnid (n and 8 digits)."
        for place, (_, wnid) in enumerate(rows)
        if not WNID.match(wnid)
    }
    if wrong := repeated(entries, [wnid for _, wnid in rows]) | wrong:
        raise refusal(entries, wrong)
    return rows


def read_entries(path: Path) -> list[Entry]:
    """The classes of a file with one per line: any text; behind a wnid or the name of a synset
    (dog.n.01) the rest of the line is a comment. A first line that begins with the word wnid, or is
    nothing but what a column of classes is called (synset, class, name), is a header; stderr says
    so of all but wnid. Of a table that has wnids in another column, or another header above them,
    they are the classes; of a JSON list its texts are.

    DataError for a file that cannot be read, holds none, is other JSON, or has a wnid behind
    something else in some lines alone.
    """
    if (listed := _json_list(Path(path))) is not None:
        return listed
    lines = read_lines(path)
    entries = _column_of_wnids(path, lines)
    if entries is None:
        entries = [of_line(class_of_line(text), path, line) for line, text in lines]
        if entries and _is_header(path, lines):
            del entries[0]
    if not entries:
        raise DataError(f"{path} is empty; expected one class per line.")
    _check_wnids_first(entries)
    return _named(entries)


def _is_header(path: Path, lines: list[tuple[int, str]]) -> bool:
    """True if the first line is a header."""
    number, text = lines[0]
    if re.match(r"wnid(?:\W|\Z)", text.strip(' "')):
        return True
    heads = {*_HEADS, *_NAME_HEADS}
    if len(lines) == 1 or not heads.issuperset(map(str.lower, _cells(text))):
        return False
    log(
        f"{path}:{number}: {text!r} is read as a header. Where it is a class, write a line with the"
        " word wnid above it."
    )
    return True


def _named(entries: list[Entry], argument: str | None = None) -> list[Entry]:
    """The entries, of texts; DataError for those that are no names of classes."""
    # data sets number their names: "1<tab>antelope"
    texts = [entry.text.replace("\t", " ") for entry in entries]
    problems = wrong_names(dict.fromkeys(texts))
    wrong: dict[int, str | Callable[[], str]] = {
        place: f"the class {problems[text]}."
        for place, text in enumerate(texts)
        if text in problems
    }
    if wrong:
        raise refusal(entries, wrong, argument)
    return entries


def _json_list(path: Path) -> list[Entry] | None:
    """The texts of a JSON list; None for a file of lines."""
    try:
        with open_file(path) as file:
            start = file.read(64).removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    except OSError:
        return None
    if path.suffix.lower() != ".json" and start not in (b"[", b"{"):
        return None
    try:
        found = read_json(path)
    except DataError:
        if path.suffix.lower() != ".json":
            return None
        raise
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        what = "a JSON object" if isinstance(found, dict) else "JSON, but no list of texts"
        raise DataError(
            f"{path} is {what}. A list of classes has one class per line, or is a JSON list of"
            ' texts: ["n02084071", "cat.n.01"].'
        )
    if not found:
        raise DataError(f"{path} is empty; expected one class or more.")
    return _named(
        [
            Entry(text.strip(), f"{path}: entry {at}", f"entry {at}")
            for at, text in enumerate(found, 1)
        ]
    )


def _column_of_wnids(path: Path, lines: list[tuple[int, str]]) -> list[Entry] | None:
    """The wnids of a table that has one in the same column of every line but a header; None for any
    other file."""
    separator = next((mark for mark in "\t,;" if lines and mark in lines[0][1]), None)
    if separator is None:
        return None
    rows = [[cell.strip(' "') for cell in text.split(separator)] for _, text in lines]
    for column, head in enumerate(rows[0]):
        below = [row[column] if column < len(row) else "" for row in rows[1:]]
        is_header = bool(below) and head.lower() in _HEADS
        if (is_header or WNID.match(head)) and all(map(WNID.match, below)):
            wnids = below if is_header else [head, *below]
            numbers = [line for line, _ in lines[is_header:]]
            return [of_line(*each) for each in zip(wnids, repeat(path), numbers, strict=False)]
    return None


def _cells(text: str) -> list[str]:
    """The cells of a line, whatever separates them."""
    return [cell.strip(' "') for cell in re.split(r"[\t,;]", text)]


def _check_wnids_first(entries: list[Entry]) -> None:
    """DataError names the lines with a wnid behind something else: which of them is meant?"""
    wrong: dict[int, str] = {}
    for place, entry in enumerate(entries):
        cells = _cells(entry.text)
        if len(cells) > 1 and (found := [cell for cell in cells if WNID.match(cell)]):
            wrong[place] = (
                f"{entry.text!r} has {found[0]} behind something else. A line is one class, its"
                " wnid first; or every line has a wnid in the same column."
            )
    if wrong:
        raise refusal(entries, wrong)


def read_names(path: Path) -> list[str]:
    """The texts of ``read_entries``; DataError for one that is there twice, too."""
    return _texts(read_entries(path))


def class_of_line(text: str) -> str:
    """A line without the comment behind a wnid, a misspelt one too, or the name of a synset, and
    without the quotes in which tables write a name that has commas."""
    if quoted := re.fullmatch(r'"((?:[^"]|"")+)"', text):
        text = quoted[1].replace('""', '"').strip()
    first = _BEHIND_WNID.split(text, maxsplit=1)[0]
    return first if re.fullmatch(r"[nN][0-9]{5,}|\S+\.n\.[0-9]{1,3}", first) else text


def class_entries(given: Classes, argument: str | None = None) -> list[Entry]:
    """The classes of a file, of a shipped list by its name, or of classes, as they are written:
    the one reader behind all that take a list of classes.

    Args:
        given: a path, a name such as ``ilsvrc2012``, or the classes.
        argument: the caller's argument that the list came by, for messages.

    Returns:
        The entries, without the spaces around a class.

    Raises:
        DataError: a single text is neither a file nor a shipped list, a file cannot be read, there
            is no class, or an entry is no name of one (``graphzsl.common.checked_names``).
    """
    if not isinstance(given, str | Path):
        return _of_several(given, argument)
    try:
        if is_file(given):
            return read_entries(Path(given))
    except DataError as error:
        error.argument = argument
        raise
    name = str(given)
    if name in class_lists():
        return [of_list(wnid, name, line) for line, wnid in read_class_list(list_path(name))]
    known = (
        f"Known lists: {', '.join(class_lists())}; or give the classes themselves. `graphzsl split"
        " export` writes a class set of a database to a file."
    )
    offer = did_you_mean(near(name, class_lists()))
    what = "a folder, and " if name and os.path.isdir(name) else ""
    raise DataError(
        f"{name!r} is {what}neither a file nor an ImageNet list.{offer} {known}", argument=argument
    )


def _of_several(given: Any, argument: str | None) -> list[Entry]:
    """The entries of a list, an array, a series or anything else that has classes one by one."""
    check_kind(given, argument or "Classes", argument)
    for method in ("tolist", "to_pylist"):  # numpy, pandas, torch; Arrow
        if hasattr(given, method):
            given = getattr(given, method)()
            break
    if isinstance(given, str):  # an array without an axis
        return class_entries(given, argument)
    if not isinstance(given, Iterable) or isinstance(given, bytes) or hasattr(given, "columns"):
        called = repr(given) if is_number(given) else type(given).__name__
        raise DataError(
            f"{called} is neither a file, an ImageNet list, nor several classes.",
            argument=argument,
        )
    entries = of_classes(given, argument)
    wrong = {
        place: f"a class is a text, not {entry.text!r}."
        for place, entry in enumerate(entries)
        if not (isinstance(entry.text, str) or is_number(entry.text))
    }
    if wrong:
        raise refusal(entries, wrong, argument)
    if not entries:
        raise DataError(
            f"{argument or 'The list of classes'} is empty; expected one class or more. Leave it"
            " out where there are none.",
            argument=argument,
        )
    entries = [
        each._replace(text=each.text.strip()) if isinstance(each.text, str) else each
        for each in entries
    ]
    _named([each for each in entries if isinstance(each.text, str)], argument)
    return entries


def listed_classes(given: Classes, argument: str | None = None) -> list[str]:
    """The texts of ``class_entries``; DataError for one that is there twice, too."""
    return _texts(class_entries(given, argument), argument)


def _texts(entries: list[Entry], argument: str | None = None) -> list[str]:
    check_once(entries, argument=argument)
    return [entry.text for entry in entries]
