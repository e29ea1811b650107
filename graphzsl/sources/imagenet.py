"""Class lists: from a file of wnids, or a shipped list by its name."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from graphzsl.errors import DataError
from graphzsl.files import read_lines
from graphzsl.sources.published import class_lists, list_path
from graphzsl.sources.tables import WNID, UniqueKeys, checked_wnid


def read_class_list(path: Path) -> list[tuple[int, str]]:
    """(line, wnid) of a file with one wnid per line; text after the wnid is a comment.

    DataError names file and line of what is not a wnid, or is there twice.
    """
    once, rows = UniqueKeys(path), []
    for line, text in read_lines(path):
        wnid = checked_wnid(text.split()[0].rstrip(","), path, line)
        once.add(wnid, line)
        rows.append((line, wnid))
    if not rows:
        raise DataError(f"{path} is empty; expected one wnid per line.")
    return rows


def read_names(path: Path) -> list[str]:
    """The classes of a file with one per line: any text, each once; behind a wnid or the name of a
    synset (dog.n.01) the rest of the line is a comment."""
    return [name for _, name in read_numbered_names(path)]


def read_numbered_names(path: Path) -> list[tuple[int, str]]:
    """(line, class) of ``read_names``; a first line that begins with the word wnid is a header."""
    once, names = UniqueKeys(path), list[tuple[int, str]]()
    for line, text in read_lines(path):
        name = _class_of_line(text)
        if not names and re.match(r"wnid(?:\W|\Z)", name):
            continue
        once.add(name, line)
        names.append((line, name))
    if not names:
        raise DataError(f"{path} is empty; expected one class per line.")
    return names


def _class_of_line(text: str) -> str:
    """A line without the comment behind a wnid or the name of a synset."""
    first = re.split(r"[\s,;]", text, maxsplit=1)[0]
    return first if WNID.match(first) or re.fullmatch(r"\S+\.n\.\d{1,3}", first) else text


def listed_classes(given: str | Path | Iterable[str]) -> list[str]:
    """Classes as they are given, arrays and series as lists; a single text or path names a file or
    a shipped list."""
    if isinstance(given, str | Path):
        return named_classes(str(given))
    if hasattr(given, "tolist"):
        return list(given.tolist())
    if not isinstance(given, Iterable):
        raise DataError(f"{given!r} is neither a file, an ImageNet list, nor several classes.")
    return list(given)


def named_classes(text: str) -> list[str]:
    """The classes of a file, or of a shipped list by its name."""
    if Path(text).is_file():
        return read_names(Path(text))
    if text in class_lists():
        return [wnid for _, wnid in read_class_list(list_path(text))]
    raise DataError(
        f"{text!r} is neither a file nor an ImageNet list. Known lists: {', '.join(class_lists())}."
    )
