"""Which noun synset a person means: one resolver for every command and function.

====================  ======================================================================
``n02084071``         that synset
``dog.n.01``          the synset of that name; case, blanks and leading noughts do not count
``German shepherd``   the synset that has the word; case, hyphens and underscores do not count
``tench, Tinca t.``   the synset that has all of these words
``kite (toy)``        the synset of the word that has the qualifier above it or in its gloss
``diningtable``, …    names as data sets write them (``graphzsl.hierarchy.spelling``)
====================  ======================================================================

A word that several synsets have is refused with all of them. What a text may mean is looked up in a
``Vocabulary``: WordNet's cached nouns, a hierarchy, or a database.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING

from graphzsl.errors import DataError
from graphzsl.hierarchy.spelling import (
    is_like_wnid,
    offset_as_wnid,
    parts_of,
    readings,
    synset_name,
)
from graphzsl.hierarchy.vocabulary import Vocabulary, WordNetVocabulary
from graphzsl.sources.imagenet import read_class_list, read_numbered_names
from graphzsl.sources.published import class_lists, list_path
from graphzsl.sources.tables import WNID
from graphzsl.wording import counted, did_you_mean, near

if TYPE_CHECKING:
    from graphzsl.hierarchy.lexicon import Lexicon

#: Characters of a gloss in a message, classes of a list that a message has, meanings of each.
_GLOSS, _CLASSES, _MEANINGS = 60, 3, 10
#: What a class may be, in words.
FORMS = "a wnid (n and 8 digits), the name of a noun synset (dog.n.01) or a word of one"


def meanings(text: str, vocabulary: Vocabulary) -> list[str]:
    """The wnids of all synsets that a text may mean, the best known first; none where it is
    unknown."""
    text = text.strip()
    if vocabulary.has(text):
        return [text]
    if WNID.match(text) or is_like_wnid(text):
        return []
    if (name := synset_name(text)) and (wnid := vocabulary.named(name)):
        return [wnid]
    if wnid := vocabulary.named(text):
        return [wnid]
    for reading in (text, *readings(text)):
        if reading and (found := vocabulary.of_word(reading)):
            return list(dict.fromkeys(found))
    several = parts_of(text)
    if len(several) < 2:
        return []
    first, *others = (list(vocabulary.of_word(part)) for part in several)
    return [wnid for wnid in dict.fromkeys(first) if all(wnid in other for other in others)]


def resolve(text: str, vocabulary: Vocabulary | None = None) -> str:
    """The wnid that a person means by one text.

    Args:
        text: a wnid, the name of a synset, or a word.
        vocabulary: where it is looked up (default: WordNet's nouns).

    Raises:
        DataError: it is unknown (near ones are offered), or may mean several synsets, which are
            listed with their glosses.

    >>> from graphzsl.hierarchy.resolver import resolve
    >>> resolve("dog.n.01"), resolve("German shepherd"), resolve("crane (wading bird)")
    ('n02084071', 'n02106662', 'n02012849')
    """
    if not isinstance(text, str):
        raise DataError(f"A class is {FORMS}, not {text!r}.")
    vocabulary = vocabulary or WordNetVocabulary()
    found = meanings(text, vocabulary)
    if len(found) != 1:
        raise DataError(unclear(text, found, vocabulary))
    if not vocabulary.has(found[0]):
        raise DataError(
            f"{text!r} is {found[0]}, which is not {vocabulary.what}. Take it off the list, or use"
            " one that holds it."
        )
    return found[0]


def unclear(text: str, found: Sequence[str], vocabulary: Vocabulary) -> str:
    """What to say of a text that may mean none or several synsets, ``found``."""
    if found:
        listed = "".join(
            f"\n  {wnid}  {vocabulary.name(wnid)}:"
            f" {shorten(vocabulary.gloss(wnid), _GLOSS, placeholder=' …')}"
            for wnid in found[:_MEANINGS]
        )
        more = f"\n  and {len(found) - _MEANINGS:,} more" if len(found) > _MEANINGS else ""
        return (
            f"{text!r} names {len(found)} noun synsets. Write the wnid or the name of the one that"
            f" is meant:{listed}{more}"
        )
    if WNID.match(text):
        return f"{text} is not {vocabulary.what}. Correct it, or take it off the list."
    wnid = offset_as_wnid(text)
    offer = did_you_mean([wnid] if wnid and vocabulary.has(wnid) else [])
    if is_like_wnid(text):
        return f"{text!r} is not a wnid (n and 8 digits).{offer or ' Correct or remove it.'}"
    offer = offer or did_you_mean(vocabulary.near(text))
    return (
        f"{text!r} is not {vocabulary.what}: neither its wnid (n and 8 digits), nor its name"
        f" (dog.n.01), nor a word of it.{offer}"
    )


def resolve_placed(
    entries: Iterable[tuple[str, str]],
    vocabulary: Vocabulary | None = None,
) -> list[str]:
    """The wnids of (place, text) pairs, in their order.

    Raises:
        DataError: names the place of each text that is unknown or may mean several synsets (of
            more than three the first three), or of a class that is there twice.
    """
    vocabulary, pairs = vocabulary or WordNetVocabulary(), list(entries)
    first: dict[str, str] = {}
    for (place, text), wnid in zip(pairs, _each(pairs, vocabulary), strict=True):
        if wnid in first:
            name = vocabulary.name(wnid)
            called = f"{wnid} ({name})" if name else wnid
            raise DataError(
                f"{place}: {text!r} is there twice: {called} was already given at {first[wnid]}."
                " Remove one."
            )
        first[wnid] = f"{place} as {text!r}"
    return list(first)


def _each(
    entries: Iterable[tuple[str, str]],
    vocabulary: Vocabulary,
) -> list[str]:
    """The wnid of each; DataError names the places of those that have none or several."""
    found: list[str] = []
    wrong: list[tuple[str, str]] = []
    for place, text in entries:
        meant = meanings(text, vocabulary) if isinstance(text, str) else []
        if len(meant) == 1 and vocabulary.has(meant[0]):
            found += meant
        else:
            wrong.append((place, text))
    if wrong:
        more = len(wrong) - _CLASSES
        rest = f"\n{counted(more, 'more class is', 'more classes are')} not clear." * (more > 0)
        # near words take long to find: only for those that are shown
        said = [_refused(place, text, vocabulary) for place, text in wrong[:_CLASSES]]
        raise DataError("\n".join(said) + rest)
    return found


def _refused(place: str, text: str, vocabulary: Vocabulary) -> str:
    """What to say of a text that does not mean one synset."""
    try:
        return f"{place}: {resolve(text, vocabulary)}"
    except DataError as error:
        return f"{place}: {error}"


def placed(given: str | Path | Iterable[str]) -> list[tuple[str, str]]:
    """(place, class) of a file, of a shipped list by its name, or of classes.

    Raises:
        DataError: a single text is neither a file nor a shipped list, or a file is empty.
    """
    if not isinstance(given, str | Path):
        return [(f"class {at}", text) for at, text in enumerate(given)]
    if Path(given).is_file():
        return [(f"{given}:{line}", text) for line, text in read_numbered_names(Path(given))]
    name = str(given)
    if name in class_lists():
        rows = read_class_list(list_path(name))
        return [(f"{name}, line {line}", wnid) for line, wnid in rows]
    raise DataError(
        f"{name!r} is neither a file nor an ImageNet list.{did_you_mean(near(name, class_lists()))}"
        f" Known lists: {', '.join(class_lists())}."
    )


def resolve_all(
    given: str | Path | Iterable[str],
    vocabulary: Vocabulary | None = None,
) -> list[str]:
    """The wnids of a file, of a shipped list by its name, or of classes, in their order.

    Args:
        given: a path, a name such as ``ilsvrc2012``, or the classes: wnids, names of synsets or
            words. A line of a file is one class; behind a wnid or the name of a synset the rest of
            the line is a comment.
        vocabulary: where they are looked up (default: WordNet's nouns).

    Raises:
        DataError: names file and line (or the number of a class, from 0) of what is unknown, may
            mean several synsets, or is there twice; there is no such list.

    >>> from graphzsl.hierarchy.resolver import resolve_all
    >>> resolve_all(["n02084071", "cat.n.01", "German shepherd"])
    ['n02084071', 'n02121620', 'n02106662']
    """
    return resolve_placed(placed(given), vocabulary)


def resolve_positions(given: str | Path | Iterable[str], lexicon: Lexicon) -> list[int]:
    """``resolve_all`` as positions in a lexicon."""
    return [lexicon.index[wnid] for wnid in resolve_all(given, WordNetVocabulary(lexicon))]


def wnids_where_named(
    given: str | Path | Iterable[str],
    keep: Collection[str] = (),
    vocabulary: Vocabulary | None = None,
) -> list[str]:
    """The classes of a list of any classes, each once: wnids and texts of ``keep`` as they stand,
    others resolved; nothing is looked up where there are no others.

    Args:
        given: see ``resolve_all``.
        keep: classes that are known by these texts, such as those of a data set that has names of
            its own.
        vocabulary: where they are looked up (default: WordNet's nouns).

    Raises:
        DataError: as ``resolve_all``.
    """
    entries = placed(given)
    others = [pair for pair in entries if not (WNID.match(pair[1]) or pair[1] in keep)]
    found: dict[str, str] = {}
    if others:
        wnids = _each(others, vocabulary or WordNetVocabulary())
        found = dict(zip((text for _, text in others), wnids, strict=True))
    first: dict[str, str] = {}
    for place, text in entries:
        wnid = found.get(text, text)
        if wnid in first:
            called = "it" if wnid == text else wnid
            raise DataError(
                f"{place}: {text!r} is there twice: {called} was already given at {first[wnid]}."
                " Remove one."
            )
        first[wnid] = f"{place} as {text!r}"
    return list(first)
