"""Class lists: from a file of classes, or a shipped list by its name."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
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
from graphzsl.common.files import read_lines
from graphzsl.common.progress import log
from graphzsl.common.reading.bounds import is_file
from graphzsl.common.wording import did_you_mean, near
from graphzsl.sources.class_documents import Documents
from graphzsl.sources.class_files import read_class_file
from graphzsl.sources.listed_classes import NO_SYNSET, ClassFile, Listed, class_of_text, where
from graphzsl.sources.published import class_lists, list_path
from graphzsl.sources.tables import WNID

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
    """The classes of a file in any form that ``read_class_file`` takes, as they are written: the
    wnid of an entry, or its name where it has no wnid. What was taken for what is logged.

    Raises:
        DataError: as ``read_class_file``, or an entry is no name of a class.
    """
    return _entries_of(read_class_file(path))


def _entries_of(found: ClassFile) -> list[Entry]:
    path = found.path
    for note in found.notes:
        log(note)
    entries = [
        Entry((_class_of(each) or "").strip(), where(path, each.place), each.place)
        for each in found.entries
    ]
    if found.wrong:
        raise refusal(entries, found.wrong)
    return _named(entries)


def _class_of(entry: Listed) -> str | None:
    """The class of an entry: its wnid, or its name where it has none."""
    return entry.name if entry.name and entry.wnid == NO_SYNSET else entry.wnid or entry.name


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


def read_names(path: Path) -> list[str]:
    """The texts of ``read_entries``; DataError for one that is there twice, too."""
    return _texts(read_entries(path))


def shipped_classes(name: str) -> list[str]:
    """The wnids of a shipped list, in its order, whatever file of that name there may be."""
    return [wnid for _, wnid in read_class_list(list_path(name))]


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
    if isinstance(given, Mapping):  # as a document of JSON has it
        document = {str(key): value for key, value in given.items()}
        return _entries_of(Documents(Path(argument or "classes"), None, None).read(document))
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
        each._replace(text=class_of_text(each.text)) if isinstance(each.text, str) else each
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
