"""Check that the files of a folder are WordNet 3.0's, in every part that graphzsl reads.

WordNet 3.0 is distributed in several builds. Princeton's and Debian's differ in 13,200 lines of
data.noun, because the synsets of adjectives, which nouns point to, lie at other offsets. So the
files themselves cannot be pinned by one checksum: pinned is the part that graphzsl reads, which is
the same in every build. Files whose bytes are known need no second check.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path

from graphzsl.common.errors import DataError
from graphzsl.common.files import sha256
from graphzsl.common.reading.bounds import open_file

#: SHA-256 of whole files: of Princeton's WNdb-3.0.tar.gz, which extjwnl-data-wn30 holds unchanged,
#: and of Debian's wordnet-base and wordnet-sense-index 1:3.0.
KNOWN_FILES = {
    "data.noun": (
        "489f145e0f68877c0be5bd0eb4117adaaac52f38f6204eb8d85dbe2158b614cc",
        "fea17d2f9656611334eac790e5d69e47645fa180c4aa481fb4cd9b3520754ca2",
    ),
    "index.sense": (
        "68b3a468cddfd8e92134b9b0624339a02a1b837159243c297c5f138a3d618392",
        "ce997000ec806318ff1dfadf77d314ac527358e127d7bbe3d1f4e83a1c5c1c2b",
    ),
    "index.noun": ("a490d99d93d017bf4822fe2f0ffa51fd73911ce271dc7535fade21f8814b5a04",),
    "noun.exc": ("2b5d675c380b39ecf595af9fa9d4e7feb1d58c643b0bff08c40ed5bfe41fab7a",),
}
#: SHA-256 of what graphzsl reads of the files that differ between builds; computed from both.
CONTENT = {
    "data.noun": "4a11763487d6d85473bb0184ecec1ef69c0cd63f6887319ea8516b9a757a8a5e",
    "index.sense": "a23e1221271cb2046d3969f4bdd6d1d77cfedc1f4c1ac17b2e174dd0cda94de6",
}
#: The lexicographer files by number, and their syntactic category (1 noun, 2 verb, 3 adjective, 4
#: adverb).
LEXNAMES = (
    ("adj.all", 3),
    ("adj.pert", 3),
    ("adv.all", 4),
    ("noun.Tops", 1),
    ("noun.act", 1),
    ("noun.animal", 1),
    ("noun.artifact", 1),
    ("noun.attribute", 1),
    ("noun.body", 1),
    ("noun.cognition", 1),
    ("noun.communication", 1),
    ("noun.event", 1),
    ("noun.feeling", 1),
    ("noun.food", 1),
    ("noun.group", 1),
    ("noun.location", 1),
    ("noun.motive", 1),
    ("noun.object", 1),
    ("noun.person", 1),
    ("noun.phenomenon", 1),
    ("noun.plant", 1),
    ("noun.possession", 1),
    ("noun.process", 1),
    ("noun.quantity", 1),
    ("noun.relation", 1),
    ("noun.shape", 1),
    ("noun.state", 1),
    ("noun.substance", 1),
    ("noun.time", 1),
    ("verb.body", 2),
    ("verb.change", 2),
    ("verb.cognition", 2),
    ("verb.communication", 2),
    ("verb.competition", 2),
    ("verb.consumption", 2),
    ("verb.contact", 2),
    ("verb.creation", 2),
    ("verb.emotion", 2),
    ("verb.motion", 2),
    ("verb.perception", 2),
    ("verb.possession", 2),
    ("verb.social", 2),
    ("verb.stative", 2),
    ("verb.weather", 2),
    ("adj.ppl", 3),
)


def check_content(folder: Path) -> None:
    """DataError naming the first file of the folder that is not WordNet 3.0's."""
    check_databases(folder)
    _check_lexnames(folder)


def check_databases(folder: Path) -> None:
    """DataError naming the first file that is not WordNet 3.0's, of all but ``lexnames``, which
    some builds lack."""
    for name, known in KNOWN_FILES.items():
        path = folder / name
        try:
            if sha256(path) not in known and not _has_content(path):
                raise DataError(
                    f"{path} is not WordNet 3.0's file: it was cut, changed, or belongs to another"
                    " version. Fetch WordNet 3.0 anew, and set GRAPHZSL_WORDNET to its folder or"
                    " unset it to let graphzsl find or fetch a copy."
                )
        except FileNotFoundError:
            raise DataError(
                f"{path} does not exist: not a complete folder of WordNet 3.0 database files."
            ) from None


def _check_lexnames(folder: Path) -> None:
    path = folder / "lexnames"
    try:
        with open_file(path, "ascii", errors="replace") as file:
            rows = [tuple(line.split()) for line in file]
    except FileNotFoundError:
        raise DataError(
            f"{path} does not exist: not a complete folder of WordNet 3.0 database files."
        ) from None
    if rows != [(f"{number:02d}", name, str(part)) for number, (name, part) in enumerate(LEXNAMES)]:
        raise DataError(
            f"{path} is not WordNet 3.0's list of 45 lexicographer files. Remove it or fetch"
            " WordNet 3.0 anew."
        )


def _has_content(path: Path) -> bool:
    if path.name not in CONTENT:
        return False
    digest = hashlib.sha256()
    try:
        with open_file(path, "utf-8") as file:
            for text in _READ[path.name](file):
                digest.update(text.encode())
    except (ValueError, IndexError):
        return False  # a line that is not a record of the format
    return digest.hexdigest() == CONTENT[path.name]


def _noun_records(lines: Iterator[str]) -> Iterator[str]:
    """Offset, lexicographer file, words, pointers to hypernyms, and gloss of every record of
    data.noun."""
    for line in lines:
        if not line.startswith("  "):
            fields, end, pointers, gloss = noun_fields(line)
            hypernyms = [
                text
                for at in range(0, len(pointers), 4)
                if pointers[at] in ("@", "@i")
                for text in pointers[at : at + 2]
            ]
            yield " ".join(fields[:end] + hypernyms) + "|" + gloss


def noun_fields(line: str) -> tuple[list[str], int, list[str], str]:
    """The fields of a record of data.noun before its gloss, the place behind its words, its
    pointers (symbol, offset, part of speech, and the two words in hexadecimal, again and again),
    and the gloss."""
    record, _, gloss = line.partition(" | ")
    fields = record.split()
    end = 4 + 2 * int(fields[3], 16)
    return fields, end, fields[end + 1 : end + 1 + 4 * int(fields[end])], gloss


def _senses(lines: Iterator[str]) -> Iterator[str]:
    """The lines of noun senses of index.sense, and the keys of the others."""
    for line in lines:
        key = line.split(" ", 1)[0]
        yield line if key.partition("%")[2].startswith("1:") else key + "\n"


_READ: dict[str, Callable[[Iterator[str]], Iterator[str]]] = {
    "data.noun": _noun_records,
    "index.sense": _senses,
}
