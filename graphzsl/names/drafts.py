"""Names of another data set as a draft of the classes that they mean: one row per name, the open
ones first. The draft goes back in as a list of names when it is settled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphzsl.common.frames import Tabular
from graphzsl.common.reading.bounds import is_file
from graphzsl.hierarchy.lexicon import Lexicon
from graphzsl.hierarchy.meanings import NO_CLASSES, listed_first, meanings, settled
from graphzsl.hierarchy.spelling import word_key
from graphzsl.hierarchy.vocabulary import WordNetVocabulary
from graphzsl.names.readings import NameResolution, read_as_imagenet
from graphzsl.sources.class_files import read_class_file
from graphzsl.sources.imagenet import class_entries
from graphzsl.sources.listed_classes import NO_SYNSET
from graphzsl.sources.tables import WNID
from graphzsl.sources.wordnet_versions import wnids_of_31

#: Columns of a draft. ``wnid`` and ``name`` make it a list of names.
DRAFT_COLUMNS = ("wnid", "name", "synset", "sure", "gloss", "others")


@dataclass(frozen=True)
class DraftRow:
    """One name: its class where it is clear, how sure that is, and the other readings."""

    name: str
    wnid: str | None
    synset: str | None
    sure: str
    gloss: str | None
    others: list[str]


@dataclass(frozen=True, eq=False)
class NameDraft(Tabular):
    """The rows of a draft: first the open names, then the others, each in the order of the list.
    ``repeated`` counts the names that the list had before, each of which has one row."""

    draft: Sequence[DraftRow]
    repeated: int = 0

    def __repr__(self) -> str:
        return f"<NameDraft of {len(self.draft):,} names, {len(self.open):,} open>"

    @property
    def open(self) -> list[DraftRow]:
        """Rows without a class."""
        return [row for row in self.draft if row.wnid is None]

    def rows(self) -> list[dict[str, Any]]:
        """One row per name, its other readings as one text."""
        rows = ({**vars(row), "others": "; ".join(row.others)} for row in self.draft)
        return [{column: row[column] for column in DRAFT_COLUMNS} for row in rows]


def draft_names(names: Path | str | Sequence[str], lexicon: Lexicon | None = None) -> NameDraft:
    """Draft which synsets names mean, as an audit reads them.

    A name is clear where it is a wnid or the name of a synset, has one sense in WordNet, is known
    by a list of ImageNet's names that has all of the names, or where its class is the usual sense.

    Args:
        names: a file in any form, or the names.
        lexicon: WordNet's nouns; by default those of the package.

    Raises:
        DataError: the file cannot be read, or holds no names.

    >>> from graphzsl.names import draft_names
    >>> [(row.name, row.synset, row.sure) for row in draft_names(["dog", "boy", "face"]).draft]
    [('boy', None, 'open'), ('face', None, 'open'), ('dog', 'dog.n.01', 'usual sense')]
    """
    lexicon = lexicon or Lexicon.load()
    given = [str(entry.text) for entry in class_entries(names, "names")]
    named = _named(Path(names)) if isinstance(names, str | Path) and is_file(names) else {}
    texts = list(dict.fromkeys(text for text in given if not named))
    repeated = 0 if named else len(given) - len(texts)
    reading = read_as_imagenet(texts, None, lexicon)
    rows = [_row(text, reading, lexicon) for text in texts]
    rows += [_written(name, wnid, lexicon) for name, wnid in named.items()]
    return NameDraft(sorted(rows, key=lambda row: row.wnid is not None), repeated)


def _named(path: Path) -> dict[str, str]:
    """Name -> the wnid that stands beside it in every entry of a file; empty for another file."""
    found = read_class_file(path).entries
    pairs = {each.name: each.wnid for each in found if each.name and each.wnid}
    return pairs if len(pairs) == len(found) else {}


def _written(name: str, wnid: str, lexicon: Lexicon) -> DraftRow:
    """The row of a name beside a wnid, with what the name means elsewhere."""
    vocabulary = WordNetVocabulary(lexicon)
    if not vocabulary.has(wnid):
        return DraftRow(name, None, None, "open", None, _offered(wnid, vocabulary))
    every = meanings(name, vocabulary)
    others = [f"{each} ({vocabulary.name(each)})" for each in every if wnid not in every]
    gloss = vocabulary.gloss(wnid)
    return DraftRow(name, wnid, vocabulary.name(wnid), "as written", gloss, others)


def _offered(text: str, vocabulary: WordNetVocabulary) -> list[str]:
    """Readings that an unknown text may have."""
    if word_key(text) in NO_CLASSES:
        return [NO_SYNSET]
    if WNID.match(text) and (newer := wnids_of_31(int(text[1:]))):
        return [f"{wnid} ({vocabulary.name(wnid)})" for wnid in newer if vocabulary.has(wnid)]
    return list(vocabulary.near(text))


def _row(text: str, reading: NameResolution, lexicon: Lexicon) -> DraftRow:
    vocabulary = WordNetVocabulary(lexicon)
    every = meanings(text, vocabulary)
    found = reading.meanings[text]
    others = listed_first(wnid for wnid in dict.fromkeys([*found, *every]) if found != [wnid])
    listed = [f"{wnid} ({vocabulary.name(wnid)})" for wnid in others]
    if len(found) != 1 or not vocabulary.has(found[0]):
        sure = "open" if others else "unknown"
        return DraftRow(text, None, None, sure, None, listed or _offered(text, vocabulary))
    (wnid,) = found
    if reading.matcher.is_told(text):
        sure = "as written"
    elif len(every) == 1:
        sure = "only sense"
    elif settled(text, vocabulary) == [wnid]:
        sure = "usual sense"
    else:
        sure = f"word of {reading.read_as}"
    return DraftRow(text, wnid, vocabulary.name(wnid), sure, vocabulary.gloss(wnid), listed)
