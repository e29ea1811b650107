"""Lists of class names: what a file of classes must be to serve as one."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from pathlib import Path

from graphzsl.common.checked_names import holding, shown, unseen_character
from graphzsl.common.class_entries import Entry, refusal, repeated
from graphzsl.common.errors import DataError
from graphzsl.common.reading.number_texts import unsigned
from graphzsl.sources.class_files import read_class_file
from graphzsl.sources.listed_classes import NO_SYNSET, ClassFile, Listed, called, where
from graphzsl.sources.tables import WNID

#: What names in Arabic, Persian, Hebrew and Sinhala hold where they need it and where they do not:
#: marks of a direction of their own, and joiners.
_MARKS = str.maketrans("", "", "\u061c\u200c\u200d\u200e\u200f")


def read_name_list(path: str | Path, key: str | None = None, size: int | None = None) -> ClassFile:
    """Read a list of class names in any form that ``read_class_file`` takes.

    Args:
        path: the file, or ``PACKAGE:PATH``. A name whose wnid is "none" has no synset.
        key: which list of a file that holds several: a key of its JSON, or a name that a Python
            file assigns.
        size: how many names are expected; of several lists the only one of that size is taken.

    Raises:
        DataError: as ``read_class_file``; or entries are wrong: a wnid or key that is repeated, a
            name that is empty or holds a control character. File and line, entry or key of all of
            them are named (of more than ten the first ten).
    """
    found = read_class_file(path, key, size)
    _check(found)
    listed = [each for each in found.entries if each.wnid != NO_SYNSET]
    without = tuple(str(each.name) for each in found.entries if each.wnid == NO_SYNSET)
    if not listed:
        raise DataError(f"{found.path} holds no class: {NO_SYNSET!r} is a name without a synset.")
    return replace(found, entries=listed, without=without) if without else found


def checked_name(name: object, where: str) -> str:
    """A name without the spaces around it; DataError for what no line of a list can hold."""
    if (fault := _fault_of(name)) is not None or not isinstance(name, str):
        raise DataError(f"{where}: {fault}")
    return name.strip()


def _fault_of(name: object) -> str | None:
    """Reason why a value cannot be a name; None if it can.

    These are words for classes, which are told apart by wnids or places: marks of direction and
    joiners stay as people wrote them (more than 500 of Babel-ImageNet's names have some).
    Characters that break a line, turn it, or make two names of one that people see are refused.
    """
    if not isinstance(name, str):
        return f"expected a name, not {called(name)}."
    wrong = next((sign for sign in name if unicodedata.category(sign) in ("Cc", "Zl", "Zp")), None)
    if wrong is not None:
        return (
            f"the name {name!r} holds the control character U+{ord(wrong):04X}, which would break"
            " the line that it stands in."
        )
    if unseen := unseen_character(name.translate(_MARKS)):
        return f"the name {shown(name)} {holding(unseen)}."
    return None if name.strip() else "the name is empty."


def _check(found: ClassFile) -> None:
    """DataError for all wrong entries: those that the reader has found, and those found here."""
    entries = [
        Entry(each.wnid or str(each.name), where(found.path, each.place), each.place)
        for each in found.entries
    ]
    wrong = dict(found.wrong)
    right = [at for at in range(len(entries)) if at not in wrong]
    for at in right:
        entry, first = found.entries[at], found.entries[right[0]]
        if (fault := _fault_beside(entry, first) or _fault(entry)) is not None:
            wrong[at] = fault
    wnids = [
        None if at in wrong or entry.wnid == NO_SYNSET else entry.wnid
        for at, entry in enumerate(found.entries)
    ]
    wrong = {**repeated(entries, wnids), **wrong}
    if None in [entry.wnid for entry in found.entries] and not found.notes:
        empty = "the line is empty; tools would read it as a name."
        for line in found.blank:
            wrong[len(entries)] = empty
            entries.append(Entry("", where(found.path, f"line {line}"), f"line {line}"))
    if wrong:
        lines = [entry.at.removeprefix("line ") for entry in entries]
        order = sorted(range(len(entries)), key=lambda at: unsigned(lines[at]) or 0)
        raise refusal(
            [entries[at] for at in order],
            {place: wrong[at] for place, at in enumerate(order) if at in wrong},
        )


def _fault_beside(entry: Listed, first: Listed) -> str | None:
    """All entries have wnids or none has, and so with names."""
    for own, others, kind in (
        (entry.wnid, first.wnid, "wnid"),
        (entry.name, first.name, "name"),
    ):
        if (own is None) != (others is None):
            return f"there is {'no' if own is None else 'a'} {kind}, unlike in {first.place}."
    return None


def _fault(entry: Listed) -> str | None:
    if entry.wnid == "":
        return f"{entry.name!r} has no wnid yet: write the one that is meant, or {NO_SYNSET}."
    if entry.wnid not in (None, NO_SYNSET) and not WNID.match(str(entry.wnid)):
        return f"{entry.wnid!r} is not a wnid (n and 8 digits)."
    return None if entry.name is None else _fault_of(entry.name)
