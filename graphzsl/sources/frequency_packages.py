"""Word frequencies that installed packages carry, of single words.

========== ================================================ ====================================
name       what its numbers are                             read from
========== ================================================ ====================================
wordfreq   occurrences per billion words, from bins of 0.01 ``wordfreq.get_frequency_dict``
           in log10: several corpora, outliers dropped
symspell   counts of Google's n-grams for the words of a    ``frequency_dictionary_en_82_765
           spelling dictionary; 67 words that were added    .txt``; nothing is imported
           by hand have 300,000
wikipedia  counts of the English Wikipedia, 2.4 billion     ``word_frequencies.gz`` of
           words; words below 20 are not listed             pywordfreq; nothing is imported
========== ================================================ ====================================

A label of one word, without a space, has the frequency of its text in lower case. Phrases have
none: wordfreq estimates theirs from their parts, symspellpy's pairs of words are counted on another
scale than its words, and pywordfreq has none. What a package does not list is unknown, not 0.
pywordfreq splits most words at hyphens and apostrophes, and then has the parts alone.

References: Speer 2022, wordfreq (code Apache-2.0, data CC BY-SA 4.0); SymSpell, Wolf Garbe (MIT);
pywordfreq, Gal Ben David (MIT).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from graphzsl.common.errors import DataError
from graphzsl.common.extras import require
from graphzsl.common.files import installed_file, read_lines, sha256
from graphzsl.common.text_files import read_packed_text
from graphzsl.sources.tables import UniqueKeys, whole_number


@dataclass(frozen=True, eq=False)
class PackagedFrequencies:
    """The words of one package: word in lower case -> number, and what a source in the graph says
    of them."""

    name: str
    of_word: dict[str, int]
    package: str
    scale: str
    sha256: str

    def __repr__(self) -> str:
        return f"<PackagedFrequencies {self.name}: {len(self.of_word):,} words, {self.scale}>"

    def of_labels(self, labels: Iterable[str]) -> dict[str, int]:
        """Label -> its frequency, of the single words that the package lists; ``Crane`` and
        ``crane`` have the same."""
        words = ((label, label.lower()) for label in labels if is_single(label))
        return {label: self.of_word[word] for label, word in words if word in self.of_word}


def is_single(label: str) -> bool:
    """True if a label is one word: it has no space."""
    return " " not in label


def packaged_frequencies(name: str) -> PackagedFrequencies:
    """Frequencies of an installed package, by a name of ``PACKAGES``.

    Raises:
        DataError: there is no such name, or the package's list is not what is known of it.
        MissingExtra: the package is not installed.
    """
    if name not in PACKAGES:
        raise DataError(
            f"There are no packaged frequencies {name!r}. Known: {', '.join(PACKAGES)}; or a"
            " word,frequency table."
        )
    return PACKAGES[name]()


def _wordfreq() -> PackagedFrequencies:
    require("wordfreq")
    from wordfreq import available_languages, get_frequency_dict

    shares = get_frequency_dict("en", "large")
    if not shares or not all(0 < share <= 1 for share in shares.values()):
        raise DataError("The English list of the installed wordfreq is not of shares of all words.")
    of_word = {word: round(share * 1e9) for word, share in shares.items()}
    return PackagedFrequencies(
        "wordfreq",
        of_word,
        f"wordfreq {_version('wordfreq')}",
        "occurrences per billion words",
        sha256(Path(available_languages("large")["en"])),
    )


def _symspell() -> PackagedFrequencies:
    require("symspellpy")
    path = installed_file("symspellpy:frequency_dictionary_en_82_765.txt")
    return PackagedFrequencies(
        "symspell",
        _counts(path, read_lines(path), " "),
        f"symspellpy {_version('symspellpy')}",
        "occurrences in Google's n-grams, of words in a spelling dictionary",
        sha256(path),
    )


def _wikipedia() -> PackagedFrequencies:
    require("pywordfreq")
    path = installed_file("pywordfreq:word_frequencies.gz")
    lines = enumerate(read_packed_text(path).split("\n"), 1)
    # what the corpus has between two blanks is counted as a word without a letter
    words = ((line, text) for line, text in lines if text and not text.startswith(";"))
    return PackagedFrequencies(
        "wikipedia",
        _counts(path, words, ";"),
        f"pywordfreq {_version('pywordfreq')}",
        "occurrences in the English Wikipedia, of words with at least 20",
        sha256(path),
    )


def _counts(path: Path, lines: Iterable[tuple[int, str]], separator: str) -> dict[str, int]:
    """Word -> the count behind it; DataError names file and line of what is not one."""
    once, of_word = UniqueKeys(path), {}
    for line, text in lines:
        word, _, count = text.rpartition(separator)
        once.add(word, line)
        of_word[word] = whole_number(count, "the count", path, line)
    if not of_word:
        raise DataError(f"{path} is empty; expected a word and its count per line.")
    return of_word


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "of unknown version"


#: Name -> how it is read; a further package is a line here and its module in an extra.
PACKAGES: dict[str, Callable[[], PackagedFrequencies]] = {
    "wordfreq": _wordfreq,
    "symspell": _symspell,
    "wikipedia": _wikipedia,
}
