"""Two lists of classes against each other, without a database: wnids, names of synsets, or names as
data sets write them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from graphzsl.analysis.structure.overlap import (
    COLUMNS,
    RELATIONS,
    UNKNOWN,
    count_relations,
    meanings_of,
    overlap_rows,
    standing_of,
)
from graphzsl.data.class_names import (
    key,
    readings,
    refuse_wrong_wnids,
    shipped_lists,
    synset_name,
)
from graphzsl.errors import DataError
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.settings import Settings
from graphzsl.sources.imagenet import read_class_list, read_numbered_names
from graphzsl.sources.published import class_lists, list_path
from graphzsl.sources.tables import WNID

#: The first relation of ``overlap`` under its own name: here B need not be training classes.
SAME = "same"
#: The columns of the rows.
OVERLAP_COLUMNS = (*COLUMNS, "above", "below")


def listed_texts(text: str) -> list[tuple[str, str]] | None:
    """(place, class) of a file or of a shipped list, of wnids or of names; None where ``text`` is
    neither."""
    if Path(text).is_file():
        return [(f"{text}:{line}", name) for line, name in read_numbered_names(Path(text))]
    if text in class_lists():
        rows = read_class_list(list_path(text))
        return [(f"{text}, line {line}", wnid) for line, wnid in rows]
    names = shipped_lists().get(text)
    return None if names is None else [(text, name) for name in names]


@dataclass(frozen=True)
class Meanings:
    """What classes mean in WordNet, read from its files.

    Args:
        hierarchy: whose nodes they are.
        settings: where WordNet's files are.
    """

    hierarchy: Hierarchy
    settings: Settings = field(default_factory=Settings)

    def of(self, classes: Sequence[tuple[str, str]]) -> dict[str, list[str]]:
        """Class -> the wnids that it may mean, the most usual first, for (place, class) pairs.

        DataError names the place of a wnid that is not a node, and of what is meant as one and is
        none; and a list without any class.
        """
        if not classes:
            raise DataError("A list of classes is empty, so nothing overlaps.")
        for place, text in classes:
            try:
                refuse_wrong_wnids([text])
                if WNID.match(text):
                    self.hierarchy.positions([text])
            except DataError as error:
                raise DataError(f"{place}: {error}") from None
        texts = [text for _, text in classes]
        named = {text: name for text in texts if (name := synset_name(text))}
        wnids = {text: self._wnid_of[name] for text, name in named.items() if name in self._wnid_of}
        rest = [text for text in texts if not WNID.match(text) and text not in wnids]
        return meanings_of(texts, self._labels(rest), wnids)

    @cached_property
    def _wnid_of(self) -> dict[str, str]:
        return {name: wnid for wnid, name in self.hierarchy.names.items()}

    def _labels(self, names: Iterable[str]) -> dict[str, list[str]]:
        """Key of a word label -> the synsets that it names, the most usual sense first."""
        wanted = {key(text) for name in names for text in readings(name)}
        if not wanted:
            return {}
        found: dict[str, list[tuple[int, str, str]]] = defaultdict(list)
        for (wnid, word), (number, _) in self._senses.items():
            if key(word) in wanted:
                found[key(word)].append((number, word, wnid))
        return {
            label: list(dict.fromkeys(wnid for _, _, wnid in sorted(senses)))
            for label, senses in found.items()
        }

    @cached_property
    def _senses(self) -> dict[tuple[str, str], tuple[int, int]]:
        from graphzsl.sources.wordnet import WordNet
        from graphzsl.sources.wordnet_files import wordnet_folder

        return WordNet(wordnet_folder(self.settings)).senses()


def class_overlap(
    hierarchy: Hierarchy, one: dict[str, list[str]], other: dict[str, list[str]]
) -> list[dict[str, Any]]:
    """How every class of one list stands to the classes of the other.

    Args:
        hierarchy: what is above and below, and what hops are counted on.
        one: class -> its meanings, of ``Meanings.of``.
        other: the same of the other list, which has all of its meanings as classes.

    Returns:
        One row per class and meaning: ``class``, ``reading``, ``wnid``, ``name``, ``relation``
        (same, above, below, beside: a shared parent, apart; the first that holds), ``hops`` to the
        ``closest`` class (of several the smallest wnid), and how many classes it is ``above`` and
        ``below``. A name that no synset has is an ``unknown name``.
    """
    against = list(dict.fromkeys(wnid for some in other.values() for wnid in some))
    rows = overlap_rows(one, standing_of(hierarchy, against, one), hierarchy.names)
    for row in rows:
        if row["relation"] == RELATIONS[0]:
            row["relation"] = SAME
    return rows


def overlap_counts(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """One row per relation: ``relation``, ``classes``, ``share``; a class of several meanings
    counts once, by the first of its relations in this order."""
    back = {SAME: RELATIONS[0]}
    counts = count_relations(
        {**row, "relation": back.get(row["relation"], row["relation"])} for row in rows
    )
    total = sum(counts.values())
    return [
        {"relation": shown, "classes": counts[relation], "share": counts[relation] / total}
        for relation in (*RELATIONS, UNKNOWN)
        for shown in [SAME if relation == RELATIONS[0] else relation]
    ]
