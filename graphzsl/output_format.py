"""The format of a file that is written: its suffix decides, and one that says nothing is refused before any work."""

from __future__ import annotations

from pathlib import Path

from graphzsl.errors import DataError

#: What rows can be written as.
ROWS = (".jsonl", ".csv", ".parquet")


def checked_suffix(path: Path, suffixes: tuple[str, ...] = ROWS) -> str:
    """The suffix of a path when it is one of ``suffixes``; DataError names those otherwise."""
    suffix = Path(path).suffix
    if suffix not in suffixes:
        known = " or ".join(part for part in (", ".join(suffixes[:-1]), suffixes[-1]) if part)
        raise DataError(f"{path} must end in {known}: the suffix decides what is written.")
    return suffix
