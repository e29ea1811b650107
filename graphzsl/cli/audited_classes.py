"""Classes of an audit: those that prevent a hierarchy, with their lines, and the table of how names
were read."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from graphzsl.cli.common import note
from graphzsl.common import DataError, counted, open_file, some
from graphzsl.hierarchy import looks_like_wnid, synset_name

if TYPE_CHECKING:
    from graphzsl.audit import Predictions
    from graphzsl.names import AsWnids, Candidates

#: Classes that a message names with their lines, and the files that have lines.
_SHOWN = 5
_TEXTS = (".csv", ".tsv", ".txt", ".json", ".jsonl")


def unplaced_classes(predictions: Predictions, read: Sequence[AsWnids | Candidates]) -> list[str]:
    """Classes that prevent a hierarchy although other classes have a place in it: wnids that
    WordNet lacks, or names that are not clear. Empty if no class has a place."""
    from graphzsl.hierarchy import Hierarchy
    from graphzsl.sources import WNID

    names = _unclear(read)
    classes = list(dict.fromkeys([*predictions.labels, *predictions.candidates]))
    if not names and any(map(WNID.match, classes)):
        index = Hierarchy.load().index
        names = [name for name in classes if name not in index]
        names = names if len(names) < len(classes) else []
    return names


def _unclear(read: Sequence[AsWnids | Candidates]) -> list[str]:
    """Names that were not clear when they were read, each once."""
    return list(dict.fromkeys(name for each in read for name in each.open))


def note_no_hierarchy(classes: Sequence[str], path: Path) -> None:
    """Print the last line of an audit without a hierarchy, with the classes that prevent one."""
    if not classes:
        return
    others = len(classes) - 1
    more = f" and {counted(others, 'other class', 'other classes')}" if others else ""
    first = _with_lines(classes[:1], path)[0]
    is_class = looks_like_wnid(classes[0]) or synset_name(classes[0])
    remedy = "" if is_class else "--names says what names mean; "
    note(
        f"Warning: hit@k alone, without the hierarchy, for {first}{more}"
        f" {'have' if others else 'has'} no clear place in it. {remedy}--strict makes that an"
        " error."
    )


def check_names_are_clear(read: Sequence[AsWnids | Candidates]) -> None:
    """Raise DataError with the names that are not clear, if any."""
    left = _unclear(read)
    if left:
        are = "is" if len(left) == 1 else "are"
        raise DataError(
            f"{counted(len(left), 'name')} {are} not clear: {some(left, _SHOWN)}. Say what they"
            " mean in a file of wnids and names.",
            argument="names",
        )


def with_lines(error: DataError, classes: Sequence[str], path: Path) -> DataError:
    """Extend the error about such classes by the lines where the first of them stand in a file."""
    found = [each for each in _with_lines(classes[:_SHOWN], path) if each.endswith(")")]
    if not found:
        return error
    more = " …" * (len(classes) > _SHOWN)
    return DataError(
        f"{error.message}\nFirst in {path}: {', '.join(found)}{more}.",
        argument=error.argument,
        value=error.value,
    )


def _with_lines(names: Sequence[str], path: Path) -> list[str]:
    """Classes, with the first line of a text file that holds each."""
    left = {name: re.compile(rf"(?<![\w.]){re.escape(name)}(?![\w.])") for name in names}
    lines: dict[str, int] = {}
    if path.suffix.lower() in _TEXTS:
        with suppress(OSError), open_file(path, "utf-8", errors="replace") as file:
            for number, line in enumerate(file, 1):
                for name in [name for name, pattern in left.items() if pattern.search(line)]:
                    lines[name] = number
                    del left[name]
                if not left:
                    break
    return [f"{name} (line {lines[name]})" if name in lines else name for name in names]


def names_table(read: Mapping[str, str]) -> str:
    """``wnid,name``: how names were read. --names takes this table, and it is a list of classes."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["wnid", "name"])
    writer.writerows([wnid, name] for name, wnid in read.items())
    return text.getvalue()


def write_names(path: Path, read: Sequence[AsWnids | Candidates]) -> None:
    """Write ``names_table`` of all names that were read; DataError where there were none."""
    from graphzsl.common import write_text

    names = {name: wnid for each in read for name, wnid in each.read.items()}
    if not names:
        raise DataError(
            "No name of a class was read: the classes are wnids, or numbers of candidates, or no"
            " words of ImageNet's classes. Leave the table of names out.",
            argument="names_out",
        )
    write_text(path, names_table(names))
    left = _unclear(read)
    are = "is" if len(left) == 1 else "are"
    without = f"; {counted(len(left), 'name')} left out that {are} not clear: " if left else ""
    shown = ", ".join(islice(left, _SHOWN)) + " …" * (len(left) > _SHOWN)
    note(f"{counted(len(names), 'name')} with their wnids in {path}{without}{shown}.")
