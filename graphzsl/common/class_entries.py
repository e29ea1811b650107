"""The classes of a list as they are written, the place of each, and the messages about wrong ones.

Every reader of a list of classes, of files, arrays and arguments alike, refuses what is wrong with
``refusal``: all wrong entries in one error, the first ``SHOWN`` of them by their places.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from numbers import Real
from pathlib import Path
from typing import Any, NamedTuple

from graphzsl.common.errors import DataError
from graphzsl.common.wording import counted

#: How many wrong entries of a list a message shows.
SHOWN = 10


class Entry(NamedTuple):
    """A class as it is written.

    Args:
        text: what is written.
        where: the place of the class, for the beginning of a message: ``mine.txt:3``.
        at: its place within the list: ``line 3``.
    """

    text: str
    where: str
    at: str


def of_line(text: str, path: Path | str, line: int) -> Entry:
    """A class of a file."""
    return Entry(text, f"{path}:{line}", f"line {line}")


def of_list(text: str, name: str, number: int, unit: str = "line") -> Entry:
    """A class of a list that has a name: ``ilsvrc2012, line 3``."""
    return Entry(text, f"{name}, {unit} {number}", f"{unit} {number}")


def of_classes(classes: Iterable[str | Entry], what: str | None = None) -> list[Entry]:
    """Entries of classes that are given themselves, numbered from 0 (``train, class 3`` if ``what``
    is "train"); entries stay as they are."""
    before = f"{what}, " if what else ""
    return [
        each if isinstance(each, Entry) else Entry(each, f"{before}class {at}", f"class {at}")
        for at, each in enumerate(classes)
    ]


def as_texts(entries: Sequence[Entry], argument: str | None = None) -> list[Entry]:
    """Entries of texts, and of whole numbers as they are written (1.0 is 1).

    DataError names the places of all others.
    """
    wrong = {
        place: f"a class is a text, or a whole number, not {entry.text!r}."
        for place, entry in enumerate(entries)
        if not isinstance(entry.text, str) and not _is_whole(entry.text)
    }
    if wrong:
        raise refusal(entries, wrong, argument)
    return [
        each if isinstance(each.text, str) else each._replace(text=str(int(each.text)))
        for each in entries
    ]


def is_number(value: object) -> bool:
    """True if a value is a real number; numpy's durations are not, although they are instances of
    Real."""
    return isinstance(value, Real) and type(value).__name__ != "timedelta64"


def _is_whole(value: Any) -> bool:
    return is_number(value) and not isinstance(value, bool) and value == value // 1


def duplicate_message(called: str, first: str, second: str) -> str:
    """Message for an entry that a list holds twice.

    >>> duplicate_message("n02084071 (dog.n.01)", "line 1", "line 3")
    'n02084071 (dog.n.01) is there twice: line 1 and line 3. Remove one of them.'
    """
    return f"{called} is there twice: {first} and {second}. Remove one of them."


def repeated(
    entries: Sequence[Entry],
    classes: Sequence[Hashable],
    called: Callable[[str], str] = str,
) -> dict[int, str]:
    """Place from 0 -> message for each entry whose class an earlier one has.

    Args:
        entries: as they are written.
        classes: [N] what each of them means; None where that is not known.
        called: a class with its name.
    """
    first: dict[Hashable, int] = {}
    found: dict[int, str] = {}
    for place, name in enumerate(classes):
        if name is None or first.setdefault(name, place) == place:
            continue
        one, other = entries[first[name]], entries[place]
        written = [
            f"{each.at} as {each.text!r}" if one.text != other.text else each.at
            for each in (one, other)
        ]
        found[place] = duplicate_message(called(str(name)), *written)
    return found


def refusal(
    entries: Sequence[Entry],
    wrong: Mapping[int, str | Callable[[], str]],
    argument: str | None = None,
    noun: str = "class",
    nouns: str = "classes",
) -> DataError:
    """The error that names all wrong entries of a list.

    Args:
        entries: the list.
        wrong: place from 0 -> the message for the entry, or a function that makes it if that takes
            long.
        argument: the caller's argument that the list came by.
        noun: what an entry is.
        nouns: what several are.
    """
    places = sorted(wrong)
    lines = []
    for place in places[:SHOWN]:
        said = wrong[place]
        lines.append(f"{entries[place].where}: {said if isinstance(said, str) else said()}")
    more = len(places) - SHOWN
    if more > 0:
        of = counted(len(entries), noun, nouns)
        lines.append(f"And {counted(more, 'more is', 'more are')} wrong, of {of}.")
    return DataError("\n".join(lines), argument=argument)


def check_ordered(classes: object, argument: str) -> None:
    """DataError for a set: its order, which scores and positions go by, is another one each
    time."""
    if isinstance(classes, set | frozenset):
        raise DataError(
            f"{argument} is a set, which has no order, and scores and positions go by one. Give a"
            " list.",
            argument=argument,
        )


def check_once(
    classes: Sequence[str | Entry], what: str = "classes", argument: str | None = None
) -> None:
    """DataError for classes that occur twice, letter by letter; ``what`` names the list in
    messages."""
    if len({each.text if isinstance(each, Entry) else each for each in classes}) == len(classes):
        return
    entries = of_classes(classes, what)
    raise refusal(entries, repeated(entries, [each.text for each in entries]), argument)
