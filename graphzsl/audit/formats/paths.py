"""Comparison of the true classes of samples with the wnids in the paths of their files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from graphzsl.audit.formats.truth import WNID_FOLDER, WNID_NAME
from graphzsl.common.errors import DataError, GraphZSLError
from graphzsl.common.progress import log
from graphzsl.common.wording import counted
from graphzsl.hierarchy.lexicon import Lexicon
from graphzsl.sources.tables import WNID


def check_paths(
    labels: Sequence[str],
    files: Sequence[str],
    known: Iterable[str],
    place: Callable[[int], str],
) -> None:
    """Compare true classes with the wnids in the paths of their files, and log how many differ.

    A class above or below the wnid of the path does not contradict it.

    Args:
        labels: [N] the true classes; only wnids are compared.
        files: [N] paths: the wnid is their folder, or the beginning of their name.
        known: classes of the predictions, which stand for WordNet where it cannot be read.
        place: what a message calls a sample.

    Raises:
        DataError: most paths hold a known wnid, and most of these are not those of the labels.
    """
    named = list(map(wnid_of_path, files))
    differ = {
        (label, wnid)
        for label, wnid in zip(labels, named, strict=True)
        if wnid is not None and wnid != label and WNID.match(label)
    }
    if not differ:
        return
    wrong = _contradictions(differ, set(known))
    rows = [row for row, pair in enumerate(zip(labels, named, strict=True)) if pair in wrong]
    if not rows:
        return
    agree = sum(label == wnid for label, wnid in zip(labels, named, strict=True))
    first = rows[0]
    said = (
        f"{place(first)}: the true class is {labels[first]}, and the path of its file,"
        f" {files[first]!r}, says {named[first]}"
    )
    if len(rows) > agree and 2 * (agree + len(rows)) > len(labels):
        raise DataError(
            f"{said}. So it is for {len(rows):,} of {counted(len(labels), 'sample')}: the labels"
            " are those of other samples, or in another order. Give labels by file (the"
            " columns file and class), or leave these out and take the classes from the paths.",
            argument="truth",
            value="folder",
        )
    log(
        f"The labels of {len(rows):,} of {counted(len(labels), 'sample')} contradict the wnids in"
        f" the paths of their files: {said}. The labels are taken."
    )


def wnid_of_path(file: str) -> str | None:
    """The wnid that is the folder of a file, or that its name begins with."""
    match = WNID_FOLDER.fullmatch(file) or WNID_NAME.fullmatch(file)
    return match[1] if match else None


def _contradictions(pairs: set[tuple[str, str]], known: set[str]) -> set[tuple[str, str]]:
    """The (label, wnid of a path) of which neither is above the other."""
    try:
        lexicon = Lexicon.load()
    except GraphZSLError:  # without WordNet the classes of the predictions are what is known
        return {(label, wnid) for label, wnid in pairs if wnid in known}
    index = lexicon.index
    return {
        (label, wnid)
        for label, wnid in pairs
        if wnid in index and not (label in index and lexicon.related(index[label], index[wnid]))
    }
