"""Agreement between a classifier's names and WordNet's: each name should belong to a class that
WordNet gives it to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from graphzsl.common.errors import DataError
from graphzsl.common.progress import log
from graphzsl.common.wording import counted, near, some
from graphzsl.hierarchy.lexicon import Lexicon
from graphzsl.hierarchy.spelling import word_key
from graphzsl.names.name_check import check_names
from graphzsl.names.name_findings import Finding
from graphzsl.names.name_matching import Names
from graphzsl.names.name_matching import check_names as read_checked
from graphzsl.sources.listed_classes import ClassFile, Listed
from graphzsl.sources.tables import WNID

#: Findings that say that WordNet has the name for something else.
_ELSEWHERE = ("another class", "another synset")
#: One name of so many that is another class's is what good lists have; more are another order.
_FEW = 10
#: Names that a message shows, and names that near ones are looked for.
_SHOWN, _LOOKED_UP = 3, 20


def check_agreement(
    listed: ClassFile, classes: Sequence[str] = (), lexicon: Lexicon | None = None
) -> None:
    """Log how many names WordNet gives to another synset than the list does.

    Args:
        listed: the names, with wnids or in the order of ``classes``.
        classes: the candidates, as wnids.
        lexicon: WordNet's nouns; by default those of the package.

    Raises:
        DataError: names without wnids are in another order than the classes: more of them are words
            of other classes than of their own, or two or more, and one of ten, are words of other
            classes alone.
    """
    own = [entry.wnid for entry in listed.entries if entry.wnid is not None]
    among = list(dict.fromkeys([*filter(WNID.match, classes), *own]))
    if not listed.has_wnids and len(among) < len(listed.entries):
        return  # names of classes that are no wnids
    found = [
        finding
        for part in _one_name_each(listed)
        for finding in check_names(part, among, ignore_others=True, lexicon=lexicon).findings
    ]
    moved = [each for each in found if each.finding == "another class"]
    if not listed.has_wnids:
        order = next((each for each in found if each.finding == "order"), None)
        if order is not None or len(moved) > max(1, len(listed.entries) / _FEW):
            raise _other_order(listed, order, moved)
    elsewhere = [each for each in found if each.finding in _ELSEWHERE]
    if not elsewhere:
        return
    shown = "; ".join(
        f"{each.place}: {each.name!r} stands for {each.wnid}, and {each.why}"
        for each in elsewhere[:_SHOWN]
    )
    more = f"; and {len(elsewhere) - _SHOWN:,} more" if len(elsewhere) > _SHOWN else ""
    are = "is a word" if len(elsewhere) == 1 else "are words"
    log(
        f"{listed.path}: {len(elsewhere):,} of {counted(len(listed.entries), 'name')} {are} of"
        f" another synset than the one that the list gives: {shown}{more}. They are read as the"
        " list says; `graphzsl names check` shows all of them."
    )


def _one_name_each(listed: ClassFile) -> list[ClassFile]:
    """A list whose classes have several names as lists of one name per class."""
    parts: list[list[Listed]] = []
    times: Counter[str | None] = Counter()
    for entry in listed.entries:
        place = times[entry.wnid] if listed.has_wnids else 0
        times[entry.wnid] += 1
        if place == len(parts):
            parts.append([])
        parts[place].append(entry)
    return [replace(listed, entries=part) for part in parts]


def _other_order(listed: ClassFile, order: Finding | None, moved: Sequence[Finding]) -> DataError:
    if order is not None:
        first, why = order, order.why
    else:
        first = moved[0]
        why = (
            f"{len(moved):,} of {counted(len(listed.entries), 'name')} are words of another class"
            f" of the set; {first.name!r} stands for {first.wnid}, and {first.why}"
        )
    return DataError(
        f"{listed.path}: {first.place}: the names seem to be in another order than"
        f" the candidates: {why}. Put them in the order of the candidates; or write the wnid"
        " before each name, with a tab between them, where they are what the classifier"
        " called these classes.",
        argument="names",
    )


def note_unused(listed: ClassFile, given: Names, used: Iterable[str]) -> None:
    """Log names of a list that no prediction has: those that one is spelt nearly as, and all where
    they are given one by one.

    Args:
        listed: the names.
        given: what they were read from.
        used: the names of predictions and candidates.
    """
    written = {word_key(name): name for name in used}
    listed_names = {word_key(str(entry.name)): str(entry.name) for entry in listed.entries}
    unused = [name for key, name in listed_names.items() if key not in written]
    untold = [name for key, name in written.items() if key not in listed_names]
    meant = {name: near(name, untold, 1) for name in unused[:_LOOKED_UP]}
    offers = [f"{name!r}, is {close[0]!r} meant?" for name, close in meant.items() if close]
    if not unused or not (offers or isinstance(given, Mapping)):
        return
    stand = "stands" if len(unused) == 1 else "stand"
    said = "; ".join(offers[:_SHOWN]) or f"{some(unused)}."
    log(
        f"{listed.path}: {len(unused):,} of {counted(len(listed_names), 'name')} {stand} nowhere in"
        f" the predictions: {said}"
    )


def check_use(
    names: Names, classes: Sequence[str], used: Iterable[str], lexicon: Lexicon | None = None
) -> None:
    """``check_agreement`` and ``note_unused`` of names that predictions or candidates were looked
    up in."""
    listed = read_checked(names, len(classes) or None)
    check_agreement(listed, classes, lexicon)
    note_unused(listed, names, used)
