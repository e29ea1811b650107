"""Resolver of texts to noun synsets: one for every command and function.

====================  ======================================================================
``n02084071``         that synset
``dog.n.01``          the synset of that name; case, blanks and leading noughts do not count
``German shepherd``   the synset that has the word; case, hyphens and underscores do not count
``tench, Tinca t.``   the synset that has all of these words
``kite (toy)``        the synset of the word that has the qualifier above it or in its gloss
``diningtable``, …    names as data sets write them (``graphzsl.hierarchy.spelling``)
====================  ======================================================================

A word of several synsets is read as ``graphzsl.hierarchy.meanings`` settles it, with a line that
says how; open words are refused with all their synsets.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from textwrap import shorten
from typing import TYPE_CHECKING

from graphzsl.common.class_entries import Entry, as_texts, refusal, repeated
from graphzsl.common.errors import DataError
from graphzsl.common.progress import log
from graphzsl.common.wording import counted, did_you_mean
from graphzsl.hierarchy.meanings import (
    NO_CLASSES,
    NUMBER,
    listed_first,
    meanings,
    note_senses,
    settle_list,
    settled,
    tagged_senses,
)
from graphzsl.hierarchy.spelling import (
    is_like_wnid,
    most_tagged,
    offset_as_wnid,
    synset_name,
    word_key,
)
from graphzsl.hierarchy.vocabulary import Vocabulary, WordNetVocabulary
from graphzsl.sources.imagenet import Classes, class_entries
from graphzsl.sources.tables import WNID
from graphzsl.sources.wordnet_versions import other_id, wnids_of_31

if TYPE_CHECKING:
    from graphzsl.hierarchy.lexicon import Lexicon
    from graphzsl.hierarchy.nodes import Nodes

#: Characters of a gloss in a message, and meanings of a text; of each where more than a few are
#: wrong as many as are few.
_GLOSS, _MEANINGS, _FEW = 60, 10, 3
#: What a class may be, in words.
FORMS = "a wnid (n and 8 digits), the name of a noun synset (dog.n.01) or a word of one"


class SeveralMeanings(DataError):
    """A list is refused, and one of its words at least has several synsets of which one is tagged
    most often in text."""


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
    vocabulary = vocabulary or WordNetVocabulary()
    found = settled(text, vocabulary) if isinstance(text, str) else []
    if not _is_clear(found, vocabulary):
        raise DataError(unclear(text, found, vocabulary))
    if len(meanings(text, vocabulary)) > 1:
        note_senses({text: found[0]}, vocabulary)
    return found[0]


def usual_sense(text: str, vocabulary: Vocabulary, among: Collection[str] = ()) -> str:
    """Resolve a text to one synset. Of several senses take the one that is tagged most often in
    text; if none is tagged, the first that is in ``among``, else the first.

    Raises:
        DataError: no synset is called so; near ones are offered.
    """
    every = tagged_senses(text, vocabulary)
    tags = {wnid: count for wnid, count in every.items() if vocabulary.has(wnid)}
    if not tags:
        raise DataError(unclear(text, list(every), vocabulary))
    best = most_tagged(tags)
    if best is not None and tags[best]:
        return best
    return next((wnid for wnid in tags if wnid in among), next(iter(tags)))


def _is_clear(found: Sequence[str], vocabulary: Vocabulary) -> bool:
    return len(found) == 1 and vocabulary.has(found[0])


def unclear(
    text: object, found: Sequence[str], vocabulary: Vocabulary, most: int = _MEANINGS
) -> str:
    """Message about a text that does not mean one synset of a vocabulary; ``found`` are its
    meanings, of which at most ``most`` are listed."""
    if not isinstance(text, str):
        return f"A class is {FORMS}, not {text!r}."
    if len(found) == 1:
        return (
            f"{text!r} is {found[0]}, which is not {vocabulary.what}. Take it off the list, or use"
            " one that holds it."
        )
    if found:
        found = listed_first(found)  # of many senses these are shown
        if (foreign := other_id(text)) is not None:
            called = " or ".join(f"{wnid} ({vocabulary.name(wnid)})" for wnid in found)
            return (
                f"{text!r} is {foreign.what}, and is another synset in another version: {called}."
                " Write the wnid."
            )
        senses = "".join(
            f"\n  {wnid}  {vocabulary.name(wnid)}:"
            f" {shorten(vocabulary.gloss(wnid), _GLOSS, placeholder=' …')}"
            for wnid in found[:most]
        )
        more = f"\n  and {len(found) - most:,} more" if len(found) > most else ""
        return (
            f"{text!r} names {len(found)} noun synsets. Write the wnid or the name of the one that"
            f" is meant:{senses}{more}"
        )
    if word_key(text) in NO_CLASSES:
        return (
            f"{text!r} stands for whatever is no class. Take it off the list, or write a wnid where"
            " a synset of that name is meant."
        )
    if NUMBER.fullmatch(text.strip()):
        wnid = offset_as_wnid(text)
        offer = did_you_mean([wnid] if wnid and vocabulary.has(wnid) else [])
        return (
            f"{text!r} is a number, such as that of a class in some order, and no class by itself."
            f" Write {FORMS}.{offer}"
        )
    offer = did_you_mean(_senses(text, vocabulary) or vocabulary.near(text))
    if WNID.match(text):
        if other := [wnid for wnid in wnids_of_31(int(text[1:])) if vocabulary.has(wnid)]:
            return (
                f"{text} is not {vocabulary.what}: wnids are offsets of WordNet 3.0. In WordNet 3.1"
                f" that offset is {vocabulary.name(other[0])}, whose wnid is {other[0]}. Is the"
                " list of that version? Then write oewn-OFFSET-n for each of its ids."
            )
        return f"{text} is not {vocabulary.what}.{offer} Correct it, or take it off the list."
    if (foreign := other_id(text)) is not None:
        return f"{text!r} is {foreign.what}, and no noun of WordNet 3.0 has it. Remove it."
    wnid = offset_as_wnid(text)
    offer = did_you_mean([wnid] if wnid and vocabulary.has(wnid) else []) or offer
    if is_like_wnid(text):
        return f"{text!r} is not a wnid (n and 8 digits).{offer or ' Correct or remove it.'}"
    return (
        f"{text!r} is not {vocabulary.what}: neither its wnid (n and 8 digits), nor its name"
        f" (dog.n.01), nor a word of it.{offer}"
    )


def _senses(text: str, vocabulary: Vocabulary, most: int = 3) -> list[str]:
    """The names of the synsets of a word, for a name (dog.n.99) of one that it does not have."""
    name = synset_name(text)
    found = vocabulary.of_word(name.rpartition(".n.")[0]) if name else []
    return [vocabulary.name(wnid) for wnid in found if vocabulary.has(wnid)][:most]


def resolve_entries(
    entries: Sequence[Entry],
    vocabulary: Vocabulary | None = None,
    stands: Callable[[str], bool] | None = None,
    argument: str | None = None,
    once: bool = True,
    among: Collection[str] = (),
    usual: bool = False,
) -> list[str]:
    """The wnids of the entries of a list, in their order, each as ``settle_list`` reads it.

    Args:
        entries: as they are written.
        vocabulary: where they are looked up (default: WordNet's nouns); nothing is where all of
            them stand.
        stands: whether a text is taken as it is written, and not looked up.
        argument: the caller's argument that the list came by, for messages.
        once: whether a class must not be there twice.
        among: candidates that are known, which decide what words of several synsets mean.
        usual: read open words in the sense that is tagged most often (``settle_list``).

    Raises:
        DataError: names the place of each entry that is unknown, may mean several synsets, or is
            there twice (of more than ten the first ten). A wnid that stands and is unknown is named
            beside others alone.
    """
    vocabulary = vocabulary or WordNetVocabulary()
    asked = [not (isinstance(text, str) and stands and stands(text)) for text, _, _ in entries]
    if any(asked):
        vocabulary.prepare([entry.text for entry in entries])
    texts = [text for text, _, _ in entries if isinstance(text, str)]
    settled_list = settle_list(texts, vocabulary, among, stands, usual)
    wnids: list[str | None] = []
    wrong: dict[int, list[str]] = {}
    for place, (text, _, _) in enumerate(entries):
        found = settled_list.meanings[text] if isinstance(text, str) else []
        if asked[place] and not _is_clear(found, vocabulary):
            wrong[place] = found
        wnids.append(None if place in wrong else found[0])
    if not wrong:
        settled_list.note(vocabulary)
    if not wrong and (
        foreign := [text for text, _, _ in entries if isinstance(text, str) and other_id(text)]
    ):
        log(
            f"{counted(len(foreign), 'id')} of other WordNets, such as {foreign[0]}: read as wnids"
            " by the table of the Collaborative Interlingual Index."
        )
    if not wrong and (not once or len(set(wnids)) == len(wnids)):
        return [wnid for wnid in wnids if wnid is not None]
    if not any(asked):  # without names, for which WordNet would be read
        raise refusal(entries, repeated(entries, wnids), argument)
    if wrong:
        wrong |= {
            place: []
            for place, (text, _, _) in enumerate(entries)
            if not asked[place] and WNID.match(text) and not vocabulary.has(text)
        }
    raise _refusal(entries, wnids if once else (), wrong, vocabulary, argument)


def resolve_all(
    given: Classes, vocabulary: Vocabulary | None = None, argument: str | None = None
) -> list[str]:
    """The wnids of a file, of a shipped list by its name, or of classes, in their order.

    Args:
        given: a path, a name such as ``ilsvrc2012``, or the classes: wnids, names of synsets or
            words. A line of a file is one class; behind a wnid or the name of a synset the rest of
            the line is a comment.
        vocabulary: where they are looked up (default: WordNet's nouns).
        argument: the caller's argument that the list came by, for messages.

    Raises:
        DataError: names file and line (or the number of a class, from 0) of what is unknown, may
            mean several synsets, or is there twice; there is no such list.

    >>> from graphzsl.hierarchy.resolver import resolve_all
    >>> resolve_all(["n02084071", "cat.n.01", "German shepherd"])
    ['n02084071', 'n02121620', 'n02106662']
    """
    return resolve_entries(class_entries(given, argument), vocabulary, argument=argument)


def wnids_where_named(
    given: Classes,
    keep: Collection[str] = (),
    vocabulary: Vocabulary | None = None,
    argument: str | None = None,
    among: Collection[str] = (),
) -> list[str]:
    """The classes of a list of any classes, each once: wnids and texts of ``keep`` as they stand,
    others resolved; nothing is looked up where there are no others.

    Args:
        given: see ``resolve_all``.
        keep: classes that are known by these texts, such as those of a data set that has names of
            its own.
        vocabulary: where they are looked up (default: WordNet's nouns).
        argument: the caller's argument that the list came by, for messages.
        among: candidates that are known, which decide what words of several synsets mean.

    Raises:
        DataError: as ``resolve_all``.
    """
    known = set(keep)
    return resolve_entries(
        class_entries(given, argument),
        vocabulary,
        lambda text: bool(WNID.match(text)) or text in known,
        argument,
        among=frozenset(among),
    )


def _refusal(
    entries: Sequence[Entry],
    wnids: Sequence[str | None],
    wrong: Mapping[int, list[str]],
    vocabulary: Vocabulary,
    argument: str | None,
) -> DataError:
    """The error for the entries that mean none or several synsets, and those that are there
    twice."""

    def called(wnid: str) -> str:
        name = vocabulary.name(wnid) if vocabulary.has(wnid) else ""
        return f"{wnid} ({name})" if name else wnid

    most = _MEANINGS if len(wrong) <= _FEW else _FEW
    twice: dict[int, str | Callable[[], str]] = {**repeated(entries, wnids, called)}
    # near words take long to find: only for those that are shown
    error = refusal(
        entries,
        twice
        | {
            place: partial(unclear, entries[place].text, found, vocabulary, most)
            for place, found in wrong.items()
        },
        argument,
    )
    several = (entries[place].text for place, found in wrong.items() if len(found) > 1)
    if any(most_tagged(tagged_senses(text, vocabulary)) is not None for text in several):
        return SeveralMeanings(*error.args, argument=argument)
    return error


def check_nodes(
    entries: Sequence[Entry],
    wnids: Sequence[str],
    hierarchy: Nodes,
    argument: str | None = None,
) -> None:
    """DataError names the place of each class of a list that is not a node of a hierarchy.

    Args:
        entries: as they are written.
        wnids: [N] the wnids that were read of them.
        hierarchy: whose nodes they are to be.
        argument: the caller's argument that the list came by.
    """
    if any(wnid not in hierarchy.index for wnid in wnids):
        error = unknown_classes(entries, wnids, hierarchy.vocabulary, argument)
        if error is not None:
            raise error


def unknown_classes(
    entries: Sequence[Entry],
    wnids: Sequence[str],
    vocabulary: Vocabulary,
    argument: str | None = None,
    skip: Collection[str] = (),
) -> DataError | None:
    """The error that names the place of each class of a list that is not a synset of a vocabulary;
    None where all are, or are names that mean one.

    Args:
        entries: as they are written.
        wnids: [N] what was read of them: wnids, or the texts of names that stayed names.
        vocabulary: where they are looked up.
        argument: the caller's argument that the list came by, for messages.
        skip: those of ``wnids`` that are not looked at.
    """
    strange: dict[int, list[str]] = {}
    for place, (wnid, (text, _, _)) in enumerate(zip(wnids, entries, strict=True)):
        if wnid not in skip and not vocabulary.has(wnid):
            found = settled(text, vocabulary) if wnid == text else [wnid]
            if not _is_clear(found, vocabulary):
                strange[place] = found
    return _refusal(entries, (), strange, vocabulary, argument) if strange else None


def resolve_nodes(
    given: Classes, hierarchy: Nodes, argument: str | None = None, once: bool = True
) -> list[str]:
    """The wnids of a list of any classes as nodes of a hierarchy, which stand as they are; numbers
    are texts.

    Args:
        given: a file, a shipped list by its name, or the classes.
        hierarchy: whose nodes they are to be.
        argument: the caller's argument that the list came by, for messages.
        once: whether a class must not be there twice.

    Raises:
        DataError: as ``resolve_entries``.
    """
    entries = as_texts(class_entries(given, argument), argument)
    vocabulary = hierarchy.vocabulary
    return resolve_entries(entries, vocabulary, hierarchy.index.__contains__, argument, once)


def resolve_positions(given: Classes, lexicon: Lexicon) -> list[int]:
    """The positions in a lexicon of the classes of a file, of a shipped list, or of a sequence."""
    return [lexicon.index[wnid] for wnid in resolve_all(given, WordNetVocabulary(lexicon))]
