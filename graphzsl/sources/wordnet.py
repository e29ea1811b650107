"""WordNet 3.0's nouns as rows, and its morphology through NLTK's reader."""

from __future__ import annotations

import json
import re
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from graphzsl.common.errors import DataError
from graphzsl.common.files import sha256, sha256_text
from graphzsl.common.reading.bounds import open_file
from graphzsl.sources.wordnet_content import check_content, noun_fields

VERSION = "3.0"


@dataclass(frozen=True)
class SynsetRow:
    """One noun synset. Words keep their case, with spaces between the parts, in WordNet's order."""

    wnid: str
    name: str
    words: list[str]
    gloss: str
    lexname: str
    hypernyms: list[str]
    instance_hypernyms: list[str]


class WordNet:
    """The nouns of one WordNet folder.

    Raises DataError when the folder holds another version than 3.0 (its offsets would be wrong
    wnids), or a file of 3.0 that was cut or changed: see ``graphzsl.sources.wordnet_content``.
    """

    def __init__(self, folder: Path):
        self.folder = folder
        shown = version_of(folder)
        if shown != VERSION:
            raise DataError(
                f"{folder / 'data.noun'} is WordNet {shown or 'of an unknown version'}; graphzsl"
                f" needs {VERSION}, because a wnid is an offset in that version's file. Set"
                " GRAPHZSL_WORDNET to a WordNet 3.0 folder."
            )
        check_content(folder)

    @cached_property
    def sha256(self) -> str:
        """SHA-256 of data.noun: the file that wnids are offsets in."""
        return sha256(self.folder / "data.noun")

    def synsets(self) -> Iterator[SynsetRow]:
        """All noun synsets, in the file's order; a synset is named by its first word, and by which
        sense of that word it is."""
        senses, lexnames = self.senses(), _lexnames(self.folder)
        for record in noun_records(self.folder):
            word = record.words[0]
            yield SynsetRow(
                wnid=record.wnid,
                name=sense_name(word, senses[record.wnid, word.lower()][0]),
                words=record.words,
                gloss=definition(record.gloss),
                lexname=lexnames[record.lexicographer],
                hypernyms=_sorted(record.hypernyms),
                instance_hypernyms=_sorted(record.instance_hypernyms),
            )

    @cached_property
    def _senses(self) -> dict[tuple[str, str], tuple[int, int]]:
        return noun_senses(self.folder)

    def senses(self) -> dict[tuple[str, str], tuple[int, int]]:
        """(wnid, word in lower case) -> (sense number of the word, tagged count of that sense),
        from index.sense.

        A word's sense number is its rank among the word's noun senses; the count is that of the
        semantic concordance.
        """
        return self._senses

    def other_senses(self) -> dict[str, int]:
        """Word in lower case -> how many verb, adjective and adverb senses it has, from
        index.sense; words without any are absent."""
        with open_file(self.folder / "index.sense", "ascii") as file:
            keys = (line.partition("%") for line in file)
            return dict(
                Counter(
                    word.replace("_", " ") for word, _, rest in keys if rest[:2] in _OTHER_PARTS
                )
            )

    def part_counts(self) -> dict[str, tuple[int, int, int]]:
        """Word in lower case -> how often it is tagged as a noun, as a verb, as an adjective or
        adverb, whichever is more; a noun that is never tagged has 0, another part that it is not
        -1; from index.sense."""
        counts: dict[str, Counter[str]] = defaultdict(Counter)
        with open_file(self.folder / "index.sense", "ascii") as file:
            for line in file:
                key, _, _, count = line.split()
                word, _, rest = key.partition("%")
                # satellites are adjectives
                counts[word.replace("_", " ")][rest[0].replace("5", "3")] += int(count)
        return {
            word: (own["1"], own.get("2", -1), max(own.get("3", -1), own.get("4", -1)))
            for word, own in counts.items()
        }

    def relations(self) -> list[dict[str, Any]]:
        """The pointers of ``RELATIONS`` between noun synsets, in the file's order: ``type``,
        ``wnid``, ``other``; where a pointer is between words and not whole synsets, also ``word``
        and ``other_word``, else None.

        DataError when they are not those of WordNet 3.0: ``check_content`` does not read them.
        """
        words: dict[str, list[str]] = {}
        rows: list[dict[str, Any]] = []
        for line in _records(self.folder / "data.noun"):
            fields, end, pointers, _ = noun_fields(line)
            wnid = f"n{fields[0]}"
            words[wnid] = [_text(word) for word in fields[4:end:2]]
            for kind, offset, part, places in zip(*[iter(pointers)] * 4, strict=True):
                if part == "n" and kind in RELATIONS:
                    # numbers of words, 0 for the whole synset; words that stand below come later
                    numbers = {"word": int(places[:2], 16), "other_word": int(places[2:], 16)}
                    ends = {"wnid": wnid, "other": f"n{offset}"}
                    rows.append({"type": RELATIONS[kind], **ends, **numbers})
        for row in rows:
            for place, of in (("word", "wnid"), ("other_word", "other")):
                number = row[place]
                row[place] = words[row[of]][number - 1] if number else None
        if sha256_text(json.dumps(rows)) != _RELATIONS_SHA256:
            raise DataError(
                f"The meronyms, antonyms, topics and regions in {self.folder / 'data.noun'} are not"
                " those of WordNet 3.0. Fetch WordNet 3.0 anew."
            )
        return rows

    def labels(self) -> list[str]:
        """All distinct word labels of noun synsets, sorted: the words of data.noun's records,
        without parsing the rest of them."""
        lemmas: set[str] = set()
        for line in _records(self.folder / "data.noun"):
            _, _, _, count, *words = line.split(" ", 4 + 2 * 28)
            lemmas.update(words[: 2 * int(count, 16) : 2])
        return sorted(map(_text, lemmas))

    def plurals(self, lemma: str) -> list[str]:
        """Forms that WordNet's detachment rules and exceptions may derive from a noun in lower case
        (spaces between its parts)."""
        ends = (
            (new, old)
            for old, new in self._reader.MORPHOLOGICAL_SUBSTITUTIONS["n"]
            if lemma.endswith(new)
        )
        regular = [lemma[: len(lemma) - len(new)] + old for new, old in ends]
        return [*regular, *self._irregular.get(lemma, ())]

    def lemmas(self, form: str) -> list[str]:
        """Nouns in lower case that WordNet's morphology derives from a form."""
        return [_text(lemma) for lemma in self._reader._morphy(form.replace(" ", "_"), "n")]

    @cached_property
    def _reader(self) -> Any:
        """NLTK's reader, for WordNet's morphology."""
        import nltk
        from nltk.corpus.reader.wordnet import WordNetCorpusReader

        folder = self.folder
        if str(folder) not in nltk.data.path:
            nltk.data.path.append(str(folder))  # NLTK opens only files under its data path

        class Reader(WordNetCorpusReader):  # type: ignore[misc]
            """NLTK's reader without what no noun needs: the indexes of all parts of speech,
            which take seconds."""

            def map_wn(self, version: str = "wordnet") -> None:
                """No map to another installed WordNet: it serves other languages."""

            def _scan_satellites(self) -> None:
                self.satellite_offsets: set[int] = set()

            def _load_lemma_pos_offset_map(self) -> None:
                for line in _records(folder / "index.noun"):
                    lemma, part, count, *rest = line.split()
                    offsets = rest[len(rest) - int(count) :]
                    self._lemma_pos_offset_map[lemma][part] = [int(offset) for offset in offsets]

        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="The multilingual functions")
            return Reader(nltk.data.FileSystemPathPointer(str(folder)), omw_reader=None)

    @cached_property
    def _irregular(self) -> dict[str, list[str]]:
        forms_of: dict[str, list[str]] = {}
        for form, lemmas in self._reader._exception_map["n"].items():
            for lemma in lemmas:
                forms_of.setdefault(_text(lemma), []).append(_text(form))
        return forms_of


#: Symbols of the pointers that are loaded when asked for -> the type of their edges, which lead
#: from the synset that has the pointer: the whole to its part, a synset to its topic or region.
RELATIONS = {
    "%m": "MEMBER_MERONYM",
    "%p": "PART_MERONYM",
    "%s": "SUBSTANCE_MERONYM",
    "!": "ANTONYM",
    ";c": "TOPIC",
    ";r": "REGION",
}
#: Of their rows, the same in every build of WordNet 3.0.
_RELATIONS_SHA256 = "45627afcd7a6f73030b0313aae281a05b17fb46912a280f22f6d6036b01c20ce"
#: How index.sense marks verbs, adjectives, adverbs and adjective satellites.
_OTHER_PARTS = frozenset({"2:", "3:", "4:", "5:"})


def noun_senses(folder: Path) -> dict[tuple[str, str], tuple[int, int]]:
    """``WordNet.senses`` of a folder, without NLTK."""
    senses: dict[tuple[str, str], tuple[int, int]] = {}
    with open_file(folder / "index.sense", "ascii") as file:
        for line in file:
            word, is_noun, rest = line.partition("%1:")
            if is_noun:
                _, offset, sense, count = rest.split()
                senses[f"n{offset}", word.replace("_", " ")] = int(sense), int(count)
    return senses


@dataclass(frozen=True)
class NounRecord:
    """A record of data.noun as it stands there: the gloss with its examples, hypernyms in the
    file's order."""

    wnid: str
    lexicographer: int
    words: list[str]
    gloss: str
    hypernyms: list[str]
    instance_hypernyms: list[str]


def noun_records(folder: Path) -> Iterator[NounRecord]:
    """The records of data.noun in the file's order. NLTK's reader takes seven times as long.

    Reference: wndb(5WN), the format of WordNet's database files.
    """
    for line in _records(folder / "data.noun"):
        fields, end, pointers, gloss = noun_fields(line)
        targets: dict[str, list[str]] = {"@": [], "@i": []}
        for kind, offset in zip(pointers[::4], pointers[1::4], strict=True):
            if kind in targets:
                targets[kind].append(f"n{offset}")
        words = [_text(word) for word in fields[4:end:2]]
        yield NounRecord(
            f"n{fields[0]}", int(fields[1]), words, gloss.strip(), targets["@"], targets["@i"]
        )


def version_of(folder: Path) -> str:
    """The version that the licence at the head of data.noun names, e.g. ``3.0``; empty when it
    names none."""
    try:
        with open_file(folder / "data.noun", "ascii", errors="replace") as file:
            head = "".join(next(file, "") for _ in range(29))
    except FileNotFoundError:
        raise DataError(f"{folder / 'data.noun'} does not exist.") from None
    match = re.search(r"WordNet (\d+\.\d+) Copyright", head) or re.search(
        r"WordNet (\d+\.\d+)", head
    )
    return match[1] if match else ""


def depths(synsets: list[SynsetRow]) -> dict[str, tuple[int, int]]:
    """Fewest and most hypernym or instance-hypernym edges from each synset up to a root (roots:
    0)."""
    children: dict[str, list[str]] = defaultdict(list)
    unknown: dict[str, int] = {}
    for synset in synsets:
        above = synset.hypernyms + synset.instance_hypernyms
        unknown[synset.wnid] = len(above)
        for parent in above:
            children[parent].append(synset.wnid)
    order = [wnid for wnid, parents in unknown.items() if not parents]
    found = dict.fromkeys(order, (0, 0))
    for wnid in order:  # which grows: a synset follows when all its parents are known
        fewest, most = found[wnid]
        for child in children.get(wnid, ()):
            few, many = found.get(child, (fewest + 1, most + 1))
            found[child] = min(few, fewest + 1), max(many, most + 1)
            unknown[child] -= 1
            if not unknown[child]:
                order.append(child)
    return found


def label_rows(
    synsets: list[SynsetRow], senses: dict[tuple[str, str], tuple[int, int]]
) -> Iterator[dict[str, Any]]:
    """One row per word label of a synset: rank from 1, sense number and sense count, and the
    sense's own name (``polar_bear.n.01`` of ice_bear.n.01)."""
    for synset in synsets:
        if len(set(synset.words)) < len(synset.words):
            repeated = next(word for word, times in Counter(synset.words).items() if times > 1)
            raise DataError(f"Synset {synset.wnid} lists the word {repeated!r} twice.")
        for rank, word in enumerate(synset.words, 1):
            sense = senses.get((synset.wnid, word.lower()))
            if sense is None:
                raise DataError(
                    f"index.sense has no line for the word {word!r} of synset {synset.wnid}."
                )
            yield {
                "wnid": synset.wnid,
                "text": word,
                "rank": rank,
                "sense_number": sense[0],
                "sense_count": sense[1],
                "name": sense_name(word, sense[0]),
            }


def sense_name(word: str, number: int) -> str:
    """The name of a sense of a noun; that of a synset's first word is the synset's own name."""
    return f"{word.lower().replace(' ', '_')}.n.{number:02d}"


def _sorted(wnids: list[str]) -> list[str]:
    """Each once."""
    return sorted({*wnids}) if len(wnids) > 1 else wnids


def _records(path: Path) -> Iterator[str]:
    """The lines of a file of WordNet behind its licence."""
    with open_file(path, "utf-8") as file:
        yield from (line for line in file if not line.startswith("  "))


def _lexnames(folder: Path) -> list[str]:
    """Names of the lexicographers' files, by their numbers."""
    with open_file(folder / "lexnames", "ascii") as file:
        return [line.split()[1] for line in file]


def _text(lemma_name: str) -> str:
    return lemma_name.replace("_", " ")


def definition(text: str) -> str:
    """The definition of a gloss, then its examples, as NLTK divides it."""
    if '"' not in text:
        return text.strip().strip("; ")
    without = re.sub(r'".*?"', "", text).strip().strip("; ")
    return without + "".join(f'; "{example}"' for example in re.findall(r'"([^"]*)"', text))
