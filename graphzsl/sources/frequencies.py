"""Word frequencies: a table of word labels and their occurrences in a corpus."""

from __future__ import annotations

from pathlib import Path

from graphzsl.common.checked_names import acting_character
from graphzsl.common.errors import DataError
from graphzsl.common.progress import log
from graphzsl.common.wording import counted
from graphzsl.sources.tables import Column, UniqueKeys, is_count, table_rows, whole_number

_WORDS = Column("word", ("term", "token", "label"))
_COUNTS = Column("frequency", ("count", "counts", "freq", "n"), is_count)


def read_frequencies(path: Path) -> list[tuple[int, str, int]]:
    """(line, word label, occurrences) of a word,frequency table; underscores count as spaces.

    DataError names file and line of an empty, repeated or uncounted word. A word with a control
    character, as corpora hold them, is nobody's label and left out; a line says so.
    """
    once = UniqueKeys(path)
    rows: list[tuple[int, str, int]] = []
    nobodys: list[tuple[int, str, int]] = []
    for line, word, frequency in table_rows(path, _WORDS, _COUNTS):
        text = word.replace("_", " ")
        if not text:
            raise DataError(f"{path}:{line}: the word is empty.")
        once.add(text, line)
        row = (line, text, whole_number(frequency, "frequency", path, line))
        (nobodys if acting_character(text) else rows).append(row)
    if nobodys:
        line, text, _ = nobodys[0]
        words = counted(len(nobodys), "word")
        log(
            f"{path}: {words} with control characters left out, the first on line {line}: {text!a}."
        )
    return rows
