"""Names in the parameters of a query, checked against the database: class sets, wnids, words. A
misspelt one is an error."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from graphzsl.common.errors import DataError, SplitError
from graphzsl.common.wording import did_you_mean, near
from graphzsl.database.library import query
from graphzsl.database.query_file import HIERARCHIES, Query
from graphzsl.hierarchy.meanings import meanings
from graphzsl.hierarchy.resolver import resolve, unclear
from graphzsl.hierarchy.spelling import (
    QUALIFIER,
    key,
    looks_like_wnid,
    parts_of,
    qualifies,
    readings,
    slips_of_wnid,
    synset_name,
    word_key,
)
from graphzsl.hierarchy.vocabulary import NAMES, NEAR
from graphzsl.sources.tables import WNID

EMPTY_DATABASE = "The database is empty. Run `graphzsl load wordnet` first."
INCOMPLETE = "WordNet was not loaded completely. Run `graphzsl load wordnet` again."
EARLIER = (
    "An earlier version of graphzsl loaded this database. Run `graphzsl load wordnet`, which brings"
    " it up to date."
)
#: Near words are searched among those that start with as many letters.
_START = 2


class Reader(Protocol):
    """Interface that reading names needs; a ``Database`` has it."""

    def rows(self, statement: Query, /, **parameters: Any) -> list[dict[str, Any]]:
        """All rows of a query of the library."""

    def many_rows(self, statement: Query, /, **parameters: Any) -> list[dict[str, Any]]:
        """All rows of a query of the library that may return thousands."""


def check_names(database: Reader, statement: Query, parameters: dict[str, Any]) -> None:
    """Raise SplitError or DataError for the first class set, wnid or word of the parameters that
    the database lacks, and for a statement on the release hierarchy if that is not loaded.

    The message offers near names (difflib). Hubs of the release hierarchy pass: they stand among
    synsets in it. ``parameters`` may be some of those that the statement takes.
    """
    if statement.chosen.get("hierarchy") == HIERARCHIES["release"]:
        require_release(database)
    names = statement.named("CLASS_SET", parameters)
    if names:
        unknown = database.rows(query("unknown_class_sets"), class_sets=names)
        if unknown:
            raise SplitError(unknown_class_set(database, unknown[0]["name"]))
    wnids = statement.named("WNID", parameters)
    if wnids:
        from graphzsl.sources.hierarchy import HUBS

        strange = [row["wnid"] for row in database.rows(query("unknown_wnids"), wnids=wnids)]
        for wnid in strange:
            if wnid not in HUBS:
                raise DataError(unknown_wnid(database, wnid))
    for text in statement.named("WORD", parameters):
        close = near_words(database, text)
        if text.lower() not in (word.lower() for word in close):
            raise DataError(
                _empty(database) or f"No noun synset has the word {text!r}.{did_you_mean(close)}"
            )


def require_release(database: Reader) -> None:
    """Raise DataError, with the command that loads it, if ImageNet's release hierarchy is not in
    the database."""
    if not has_release(database):
        raise DataError("The release hierarchy is not loaded. Run `graphzsl load hierarchy`.")


def has_release(database: Reader) -> bool:
    """True if ImageNet's release hierarchy is loaded."""
    totals = {row["element"]: row["total"] for row in database.rows(query("graph_counts"))}
    return bool(totals["release_parents"])


def is_file(name: str) -> bool:
    """True if the name is an existing file or ends like one."""
    return Path(name).is_file() or Path(name).suffix in (".txt", ".csv", ".tsv")


def unknown_class_set(database: Reader, name: str) -> str:
    """Message for an unknown class set: how to load it, or near names and all names."""
    from graphzsl.sources.published import class_lists, loading

    if name in class_lists():
        return f"There is no class set {name!r}: run `graphzsl load class-set {name}`."
    if hops := re.fullmatch("hops-([1-9])", name):
        return f"There is no class set {name!r}: run `graphzsl split hops --max-hops {hops[1]}`."
    if is_file(name):
        own = Path(name).stem
        return (
            f"There is no class set {name!r}: it is a file, and a database has class sets by their"
            f" names. Run {loading(name)}, and write {own}."
        )
    known = [row["name"] for row in database.rows(query("class_sets"))]
    if not known:
        return (
            f"There is no class set {name!r}, nor any other: run `graphzsl load class-set {name}"
            " --file FILE`."
        )
    offer = did_you_mean(near(name, known))
    return (
        f"There is no class set {name!r}.{offer} Known: {', '.join(known)}; see `graphzsl split"
        " list`."
    )


@dataclass(frozen=True)
class DatabaseVocabulary:
    """The noun synsets of the database, for ``graphzsl.hierarchy.resolver``. Rows are kept as they
    are read.

    Args:
        database: what is read.
        known: wnid -> its row.
        there: wnid -> whether it is a synset.
        names: name of a synset -> its wnid, or None where there is none.
        senses: ``key`` of a word -> the rows of its senses.
    """

    database: Reader
    known: dict[str, dict[str, Any]] = field(default_factory=dict)
    there: dict[str, bool] = field(default_factory=dict)
    names: dict[str, str | None] = field(default_factory=dict)
    senses: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    what = "a noun synset of WordNet 3.0"

    def prepare(self, texts: Sequence[str]) -> None:
        """Read in a query each the wnids, the names of synsets and the words among the texts."""
        given = list(dict.fromkeys(each for each in texts if isinstance(each, str)))
        self._synsets([each for each in given if WNID.match(each)])
        self._read_names(given)
        words = [each for each in given if not WNID.match(each) and not synset_name(each)]
        self._read_senses(
            form
            for word in words
            for reading in (word, *readings(word), *parts_of(word))
            for form in (reading, QUALIFIER.sub("", reading))
        )

    def _read_senses(self, words: Iterable[str]) -> None:
        """Read the senses of those words that were not read before."""
        new = sorted({key(_spaced(word)) for word in words} - self.senses.keys())
        if new:
            self.senses.update((each, []) for each in new)
            for row in self.database.many_rows(query("synsets_of_names"), keys=new):
                self.senses[row["key"]].append(row)

    def _synsets(self, wnids: Sequence[str]) -> list[str]:
        """The wnids among these that are synsets."""
        new = [each for each in wnids if each not in self.there]
        if new:
            rows = self.database.many_rows(query("unknown_wnids"), wnids=new)
            self.there.update(dict.fromkeys(new, True))
            self.there.update({row["wnid"]: False for row in rows})
        return [each for each in wnids if self.there[each]]

    def _read_names(self, texts: Iterable[str]) -> None:
        """Read which of the texts are names of synsets."""
        given = (synset_name(text) for text in texts)
        names = {name for name in given if name and name not in self.names}
        self.names.update(dict.fromkeys(names) | wnids_of_names(self.database, names))

    def _read(self, wnids: Iterable[str]) -> list[str]:
        """Read names and glosses; the wnids that are synsets, in their order."""
        given = list(dict.fromkeys(wnids))
        rows = self.database.many_rows(query("synset_glosses"), wnids=given) if given else []
        self.known.update({row["wnid"]: row for row in rows})
        return [row["wnid"] for row in rows]

    def has(self, wnid: str) -> bool:
        """True if the wnid is a synset."""
        return wnid in self.known or bool(WNID.match(wnid) and self._synsets([wnid]))

    def named(self, name: str) -> str | None:
        """The wnid of the name of a synset."""
        self._read_names([name])
        return self.names.get(synset_name(name) or "")

    def of_word(self, word: str) -> dict[str, int]:
        """wnid of each synset of a word -> its tags; blanks and hyphens count only where that finds
        none."""
        word = _spaced(word)
        self._read_senses([word])
        rows = self.senses[key(word)]
        exact = [row for row in rows if word_key(row["text"]) == word_key(word)]
        if not exact and (qualifier := QUALIFIER.search(word)):
            base = self.of_word(word[: qualifier.start()])
            return {
                wnid: count
                for wnid, count in base.items()
                if self._is_qualified(wnid, qualifier[1])
            }
        counts: dict[str, int] = {}
        for row in exact or rows:
            counts[row["wnid"]] = max(
                row["sense_count"] if exact else 0, counts.get(row["wnid"], 0)
            )
        return counts

    def _is_qualified(self, wnid: str, qualifier: str) -> bool:
        """True if a qualifier names an ancestor of a synset or occurs in its gloss."""
        rows = self.database.rows(query("ancestors"), wnid=wnid)
        above = (row["name"].rpartition(".n.")[0] for row in rows)
        return qualifies(qualifier, above, self.gloss(wnid))

    def name(self, wnid: str) -> str:
        """The name of a synset."""
        return self._of(wnid, "name")

    def gloss(self, wnid: str) -> str:
        """The definition of a synset."""
        return self._of(wnid, "gloss")

    def _of(self, wnid: str, column: str) -> str:
        if wnid not in self.known and self.has(wnid):
            self._read([wnid])
        return str(self.known[wnid][column]) if wnid in self.known else ""

    def near(self, text: str) -> list[str]:
        """Near wnids, synsets of near names, or synsets of the word whose spelling is nearest to
        the text; each by wnid and name."""
        if looks_like_wnid(text):
            found = self._synsets(slips_of_wnid(text))[:NEAR]
        elif name := synset_name(text):
            found = self._near_names(name)
        else:
            words = near_words(self.database, text.replace("_", " "))[:1]
            of_word = query("synsets_of_word")
            rows = [row for word in words for row in self.database.rows(of_word, text=word)]
            found = self._read(row["wnid"] for row in rows[:5])
        return [f"{wnid} ({self.name(wnid)})" for wnid in found]

    def _near_names(self, name: str) -> list[str]:
        """Synsets whose names are spelt nearly like a name."""
        rows = self.database.rows(query("words_starting"), start=name[:_START].replace("_", " "))
        _, dot, number = name.rpartition(".n.")
        numbers = dict.fromkeys((number, "01"))
        words = [row["text"].lower().replace(" ", "_") for row in rows]
        spelt = (f"{word}{dot}{each}" for word in words for each in numbers)
        close = near(name, spelt, 3 * NEAR, NAMES)
        self._read_names(close)
        known = (self.names[each] for each in close)
        return self._read(wnid for wnid in known if wnid is not None)[:NEAR]


def _spaced(word: str) -> str:
    """A word with one space where spaces or underscores are."""
    return " ".join(word.replace("_", " ").split())


def unknown_wnid(database: Reader, text: str) -> str:
    """Message for a text that is not a noun synset: near ones, or that WordNet is not loaded."""
    return _empty(database) or unclear(text, [], DatabaseVocabulary(database))


def resolve_wnid(database: Reader, text: str) -> str:
    """The wnid of a noun synset of the database; see ``graphzsl.hierarchy.resolver.resolve``.

    DataError lists the synsets of a word that has several, offers near ones for what is unknown,
    and says what is not loaded.
    """
    if WNID.match(text):
        return text
    vocabulary = DatabaseVocabulary(database)
    if not meanings(text, vocabulary) and (lacking := _empty(database)):
        raise DataError(lacking)
    return resolve(text, vocabulary)


def wnids_of_names(database: Reader, texts: Iterable[str]) -> dict[str, str]:
    """Text -> wnid of those that are names of noun synsets, by whichever of their words, such as
    ``ice_bear.n.01`` and ``polar_bear.n.01``, in one look-up.

    Case is ignored, spaces are underscores, and ``dog.n.1`` is ``dog.n.01``.
    """
    names = {text: name for text in texts if (name := synset_name(text))}
    if not names:
        return {}
    rows = database.rows(query("synsets_of_name"), names=sorted(set(names.values())))
    wnids = {row["name"]: row["wnid"] for row in rows}
    return {text: wnids[name] for text, name in names.items() if name in wnids}


def names_of(database: Reader, wnids: Iterable[str]) -> dict[str, str]:
    """wnid -> name of those that are noun synsets, in one look-up."""
    rows = database.many_rows(query("synset_names"), wnids=sorted(set(wnids)))
    return {row["wnid"]: row["name"] for row in rows}


def near_words(database: Reader, text: str) -> list[str]:
    """At most three words of noun synsets like ``text``, case ignored; the word itself first where
    there is one."""
    if not database.rows(query("unknown_words"), texts=[text]):
        return [text]
    words = [row["text"] for row in database.rows(query("words_starting"), start=text[:_START])]
    return near(text, words)


def is_empty(database: Reader) -> bool:
    """True if the database holds no synset at all."""
    totals = {row["element"]: row["total"] for row in database.rows(query("graph_counts"))}
    return not totals["synsets"]


def _empty(database: Reader) -> str:
    """Message for a database that lacks WordNet or a part of it; empty if it is complete."""
    if is_empty(database):
        return EMPTY_DATABASE
    return incomplete(database)


def require_complete(database: Reader) -> None:
    """Raise DataError if WordNet was not loaded to its end, or was loaded by an earlier version of
    graphzsl whose graph lacks data that queries match."""
    if problem := incomplete(database):
        raise DataError(problem)


def incomplete(database: Reader) -> str:
    """Message for a database whose WordNet is not complete, or is of an earlier version; else
    empty."""
    status = {row["name"]: row["status"] for row in database.rows(query("incomplete_sources"))}
    if "wordnet" not in status:
        return ""
    return EARLIER if status["wordnet"] == "loaded" else INCOMPLETE
