"""Classes of predictions that prevent a hierarchy, with the lines where they stand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from graphzsl.audit.predictions import Predictions
from graphzsl.common.errors import DataError
from graphzsl.common.reading.bounds import open_file
from graphzsl.common.wording import counted, some
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.spelling import looks_like_wnid, synset_name
from graphzsl.names.class_language import AsWnids, Candidates
from graphzsl.sources.tables import WNID

#: Classes that a message names with their lines, and the files that have lines.
_SHOWN = 5
_TEXTS = (".csv", ".tsv", ".txt", ".json", ".jsonl")


def unclear_names(read: Sequence[AsWnids | Candidates]) -> list[str]:
    """Names that were not clear when they were read, each once."""
    return list(dict.fromkeys(name for each in read for name in each.open))


def unplaced_classes(predictions: Predictions, read: Sequence[AsWnids | Candidates]) -> list[str]:
    """Classes that prevent a hierarchy although other classes have a place in it: wnids that
    WordNet lacks, or names that are not clear. Empty if no class has a place."""
    names = unclear_names(read)
    classes = list(dict.fromkeys([*predictions.labels, *predictions.candidates]))
    if not names and any(map(WNID.match, classes)):
        index = Hierarchy.load().index
        names = [name for name in classes if name not in index]
        names = names if len(names) < len(classes) else []
    return names


def check_names_are_clear(read: Sequence[AsWnids | Candidates]) -> None:
    """Raise DataError with the names that are not clear, if any."""
    left = unclear_names(read)
    if left:
        are = "is" if len(left) == 1 else "are"
        raise DataError(
            f"{counted(len(left), 'name')} {are} not clear: {some(left, _SHOWN)}. Say what they"
            " mean in a file of wnids and names.",
            argument="names",
        )


def why_no_hierarchy(classes: Sequence[str], path: Path | None) -> str:
    """The line on an evaluation without a hierarchy, with the classes that prevent one; empty for
    none."""
    if not classes:
        return ""
    others = len(classes) - 1
    more = f" and {counted(others, 'other class', 'other classes')}" if others else ""
    first = _with_lines(classes[:1], path)[0]
    is_class = looks_like_wnid(classes[0]) or synset_name(classes[0])
    remedy = "" if is_class else "--names says what names mean; "
    return (
        f"Warning: hit@k alone, without the hierarchy, for {first}{more}"
        f" {'have' if others else 'has'} no clear place in it. {remedy}--strict makes that an"
        " error."
    )


def with_lines(error: DataError, classes: Sequence[str], path: Path | None) -> DataError:
    """The error about such classes, with the lines where the first of them stand in a file."""
    found = [each for each in _with_lines(classes[:_SHOWN], path) if each.endswith(")")]
    if not found:
        return error
    more = " …" * (len(classes) > _SHOWN)
    return DataError(
        f"{error.message}\nFirst in {path}: {', '.join(found)}{more}.",
        argument=error.argument,
        value=error.value,
    )


def _with_lines(names: Sequence[str], path: Path | None) -> list[str]:
    """Classes, with the first line of a text file that holds each."""
    left = {name: re.compile(rf"(?<![\w.]){re.escape(name)}(?![\w.])") for name in names}
    lines: dict[str, int] = {}
    if path is not None and path.suffix.lower() in _TEXTS:
        with suppress(OSError), open_file(path, "utf-8", errors="replace") as file:
            for number, line in enumerate(file, 1):
                for name in [name for name, pattern in left.items() if pattern.search(line)]:
                    lines[name] = number
                    del left[name]
                if not left:
                    break
    return [f"{name} (line {lines[name]})" if name in lines else name for name in names]
