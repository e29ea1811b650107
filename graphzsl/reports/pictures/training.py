"""Training classes that a run learned from: its JSON holds their number and checksum, by which
lists are found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from graphzsl.audit.runs import read_training_classes
from graphzsl.common.errors import GraphZSLError
from graphzsl.common.files import sha256_text
from graphzsl.common.progress import unlogged
from graphzsl.reports.pictures.subjects import Listed
from graphzsl.sources.imagenet import shipped_classes
from graphzsl.sources.published import class_lists

#: Where else lists of so many classes are.
Lists = Callable[[int], Iterable[Listed]]
#: A file of classes has no more bytes per class: what is larger is none, and not read.
LONGEST = 1000


def learned_by(
    known: Mapping[str, Any], seen: Sequence[str], elsewhere: Sequence[Lists] = ()
) -> Listed | None:
    """All training classes of a run, by their number and checksum in its JSON
    (``provenance.train``): a shipped list or one of ``elsewhere`` with that checksum, or the
    classes that have samples if they are as many; else None."""
    number, checksum = known.get("classes"), str(known.get("sha256"))
    if not number:
        return None
    name = _shipped().get(checksum)
    if name is not None:
        return Listed(name, shipped_classes(name))
    if len(set(seen)) == number:
        return Listed("", seen)
    for lists in elsewhere:
        for found in lists(number):
            if checksum in _checksums(found.wnids):
                return found
    return None


def recorded(samples: Path) -> Lists:
    """The list that the samples of a run hold, if they do."""

    def lists(number: int) -> Iterator[Listed]:
        wnids = read_training_classes(samples)
        if len(wnids) == number:
            yield Listed("", wnids)

    return lists


def beside(path: Path, read: Callable[[Path, str], list[str]]) -> Lists:
    """Lists of classes in the folder of a run: its files that end in .txt. Nobody named them, so
    other texts are skipped without a message."""

    def lists(number: int) -> Iterator[Listed]:
        for file in sorted(path.parent.glob("*.txt")):
            if not file.is_file() or file.stat().st_size > LONGEST * number:
                continue
            try:
                with unlogged():
                    wnids = read(file, "train")
            except GraphZSLError:  # some other text
                continue
            if len(wnids) == number:
                yield Listed(file.stem, wnids)

    return lists


@cache
def _shipped() -> dict[str, str]:
    """Checksum of a shipped list -> its name; the first one of several with the same classes."""
    found: dict[str, str] = {}
    for name in class_lists():
        for checksum in _checksums(shipped_classes(name)):
            found.setdefault(checksum, name)
    return found


def _checksums(wnids: Sequence[str]) -> tuple[str, str]:
    """Checksums of a list in its own order and in the order of the wnids: runs hold either."""
    as_given, ordered = (sha256_text("\n".join(each)) for each in (wnids, sorted(wnids)))
    return as_given, ordered
