"""Word frequencies: a table of word labels and their occurrences in a corpus."""

from __future__ import annotations

from pathlib import Path

from graphzsl.errors import DataError
from graphzsl.sources.tables import UniqueKeys, table_rows, whole_number


def read_frequencies(path: Path) -> list[tuple[int, str, int]]:
    """(line, word label, occurrences) of a word,frequency table; underscores count as spaces.

    DataError names file and line of an empty, repeated or uncounted word.
    """
    once, rows = UniqueKeys(path), []
    for line, word, frequency in table_rows(path, ("word", "frequency")):
        text = word.replace("_", " ")
        if not text:
            raise DataError(f"{path}:{line}: the word is empty.")
        once.add(text, line)
        rows.append((line, text, whole_number(frequency, "frequency", path, line)))
    return rows
