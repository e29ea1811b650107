"""Names in the parameters of a query, checked against the database: class sets, wnids, words. A
misspelt one is an error."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from textwrap import shorten
from typing import Any, Protocol

from graphzsl.data.class_names import synset_name
from graphzsl.database.library import query
from graphzsl.database.query import HIERARCHIES, Query
from graphzsl.errors import DataError, SplitError
from graphzsl.sources.tables import WNID

EMPTY = "The database is empty. Run `graphzsl load wordnet` first."
INCOMPLETE = (
    "WordNet was not loaded completely, or by an earlier version of graphzsl. Run `graphzsl load"
    " wordnet` again."
)
#: Near words are searched among those that start with as many letters.
_START = 2


class Reader(Protocol):
    """What reads names: a ``Database``."""

    def rows(self, statement: Query, /, **parameters: Any) -> list[dict[str, Any]]:
        """All rows of a query of the library."""

    def many_rows(self, statement: Query, /, **parameters: Any) -> list[dict[str, Any]]:
        """The same, where there may be thousands."""


def check_names(database: Reader, statement: Query, parameters: dict[str, Any]) -> None:
    """SplitError or DataError for the first class set, wnid or word of the parameters that the
    database does not have, and for a statement on the release hierarchy where that is not loaded.

    The message offers near names (difflib). Hubs of the release hierarchy pass: they stand among
    synsets in it. ``parameters`` may be some of those that the statement takes.
    """
    if statement.chosen.get("hierarchy") == HIERARCHIES["release"]:
        require_release(database)
    names = statement.named("CLASS_SET", parameters)
    if names:
        unknown = database.rows(query("unknown_class_sets"), names=names)
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
        near = near_words(database, text)
        if text.lower() not in (word.lower() for word in near):
            raise DataError(
                _empty(database) or f"No noun synset has the word {text!r}.{_offer(near)}"
            )


def require_release(database: Reader) -> None:
    """DataError, with what loads it, when ImageNet's release hierarchy is not in the database."""
    if not has_release(database):
        raise DataError("The release hierarchy is not loaded. Run `graphzsl load hierarchy`.")


def has_release(database: Reader) -> bool:
    """Whether ImageNet's release hierarchy is loaded."""
    totals = {row["element"]: row["total"] for row in database.rows(query("graph_counts"))}
    return bool(totals["release_parents"])


def unknown_class_set(database: Reader, name: str) -> str:
    """What to say when there is no class set of that name: how to load it, or which names are near,
    and all of them."""
    from graphzsl.sources.published import class_lists

    if name in class_lists():
        return f"There is no class set {name!r}: run `graphzsl load class-set {name}`."
    known = [row["name"] for row in database.rows(query("class_sets"))]
    if not known:
        return (
            f"There is no class set {name!r}, nor any other: run `graphzsl load class-set {name}"
            " --file FILE`."
        )
    offer = _offer(get_close_matches(name, known, 3))
    return (
        f"There is no class set {name!r}.{offer} Known: {', '.join(known)}; see `graphzsl split"
        " list`."
    )


def unknown_wnid(database: Reader, text: str) -> str:
    """What to say when a text is the wnid of no noun synset: the synsets that are called so, or
    nearly so."""
    return _unknown(database, text, "is not a wnid (n and 8 digits) or the name of a noun synset")


def unknown_synset(database: Reader, text: str) -> str:
    """The same where words are taken too."""
    return _unknown(
        database, text, "is neither a wnid (n and 8 digits), nor a name or word of a noun synset"
    )


def _unknown(database: Reader, text: str, what: str) -> str:
    empty = _empty(database)
    if empty or WNID.match(text):
        return empty or f"{text} is not a noun synset of WordNet 3.0."
    rows = database.rows(query("synsets_of_name"), names=[text])
    if not rows:
        words = near_words(database, text.partition(".")[0].replace("_", " "))
        rows = [
            row for word in words[:1] for row in database.rows(query("synsets_of_word"), text=word)
        ]
    near = [f"{row['wnid']} {row['name']}" for row in rows[:5]]
    return f"{text!r} {what}.{_offer(near)}"


def resolve_wnid(database: Reader, text: str) -> str:
    """The wnid of a noun synset, given as a wnid, as a name such as ``dog.n.01``, or as a word that
    names one synset alone.

    Case is ignored, and underscores are spaces. DataError lists the synsets of a word that has
    several, and offers near ones for what is unknown.
    """
    if WNID.match(text):
        return text
    rows = senses_of(database, text)
    if not rows:
        raise DataError(unknown_synset(database, text))
    if len(rows) > 1:
        listed = "".join(
            f"\n  {row['wnid']}  {row['name']}: {shorten(row['gloss'], 60, placeholder=' …')}"
            for row in rows
        )
        raise DataError(f"{text!r} has {len(rows)} noun synsets; give one of them:{listed}")
    return str(rows[0]["wnid"])


def senses_of(database: Reader, text: str) -> list[dict[str, Any]]:
    """The noun synsets that a text names, each once: that of a wnid or of a name, else those of a
    word, most usual sense first.

    Rows have ``wnid``, ``synset`` and ``gloss``; none for what is unknown. Case is ignored, and
    underscores are spaces.
    """
    if WNID.match(text):
        return database.rows(query("synset_glosses"), wnids=[text])
    if wnid := wnids_of_names(database, [text]).get(text):
        return database.rows(query("synset_glosses"), wnids=[wnid])
    word = " ".join(text.replace("_", " ").split())
    near = near_words(database, word)
    if word.lower() not in (each.lower() for each in near):
        return []
    rows = database.rows(query("synsets_of_word"), text=word)
    found: dict[str, dict[str, Any]] = {}
    for row in rows:
        found.setdefault(row["wnid"], row)
    return list(found.values())


def wnids_of_names(database: Reader, texts: Iterable[str]) -> dict[str, str]:
    """Text -> wnid of those that are names of noun synsets, such as ``dog.n.01``, in one look-up.

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
    spellings: dict[str, str] = {}
    for word in words:
        spellings.setdefault(word.lower(), word)
    return [spellings[word] for word in get_close_matches(text.lower(), spellings, 3, cutoff=0.75)]


def is_empty(database: Reader) -> bool:
    """Whether the database holds no synset at all."""
    totals = {row["element"]: row["total"] for row in database.rows(query("graph_counts"))}
    return not totals["synsets"]


def _empty(database: Reader) -> str:
    """What to say when it is the database that lacks WordNet, or a part of it."""
    if is_empty(database):
        return EMPTY
    return INCOMPLETE if _is_incomplete(database) else ""


def require_complete(database: Reader) -> None:
    """DataError when WordNet was not loaded to its end, or by an earlier version of graphzsl whose
    graph lacks what queries match."""
    if _is_incomplete(database):
        raise DataError(INCOMPLETE)


def _is_incomplete(database: Reader) -> bool:
    return "wordnet" in {row["name"] for row in database.rows(query("incomplete_sources"))}


def _offer(near: list[str]) -> str:
    return f" Did you mean {', '.join(near)}?" if near else ""
