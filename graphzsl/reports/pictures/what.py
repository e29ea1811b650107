"""Classes that a person means by one text: a file, a list, a split, a class or a run."""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from graphzsl.audit.run_files import is_evaluation, read_run
from graphzsl.audit.runs import CLASSES, SAMPLES, file_beside
from graphzsl.common.checked_names import shown
from graphzsl.common.errors import DataError
from graphzsl.common.files import read_json, sha256
from graphzsl.common.progress import log
from graphzsl.common.reading.bounds import MOST_DIGITS, is_file
from graphzsl.common.reading.number_texts import number_of
from graphzsl.common.wording import counted, did_you_mean, near
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.meanings import meanings, note_senses
from graphzsl.hierarchy.resolver import resolve_all, usual_sense
from graphzsl.names.class_values import read_class_rows
from graphzsl.reports.pictures.hierarchies import WORDNET, Measured, shipped
from graphzsl.reports.pictures.runs import of_run
from graphzsl.reports.pictures.subjects import (
    TRAIN,
    UNIVERSE,
    Listed,
    Subject,
    hop_split_classes,
    of_class,
    of_classes,
)
from graphzsl.reports.pictures.training import Lists, beside, recorded
from graphzsl.sources.imagenet import list_name
from graphzsl.sources.published import LITERATURE_NAMES, class_lists, said_of_literature

#: Says that there are no training classes, or no universe.
NONE = "none"
#: Whole numbers of a run's table of classes, and shares.
_COUNTS, _SHARES = (
    ("samples", "hops", "closest_ties"),
    ("hit@1", "hit@1_low", "hit@1_high", "wrong_share"),
)
_AGAIN = (
    "Evaluate again: `graphzsl audit PREDICTIONS --out RUN.json` and `evaluate model` write it"
    " beside the run, a grid does with `keep_samples = true`."
)
#: A list of classes: a file, a shipped list by its name, or the classes.
Classes = str | Path | Iterable[str]


@runtime_checkable
class SplitLike(Protocol):
    """A split: unseen classes, and the names of its training classes and its universe."""

    @property
    def name(self) -> str:
        """The name of the split."""

    @property
    def wnids(self) -> list[str]:
        """The unseen classes."""

    @property
    def train(self) -> str | None:
        """The name of the training classes; None where there are none."""

    @property
    def universe(self) -> str | None:
        """The name of the universe; None where there is none."""


@dataclass(frozen=True)
class StoredClasses:
    """A split or list of a database, as ``SplitLike`` has it. ``hierarchy`` is what its hops are
    counted in, ``measured`` reads its edges, which may not touch all of these classes."""

    name: str
    wnids: list[str]
    train: str | None
    universe: str | None
    hierarchy: str | None = None
    measured: Callable[[list[str]], Measured] | None = None


#: Reads a list of classes: what is given, and the argument that it came by.
Reader = Callable[[Any, str], list[str]]
#: The split or class set that is stored under a name; None where there is none.
Stored = Callable[[str], SplitLike | None]


def subject_of(
    what: Classes | SplitLike,
    hierarchy: Hierarchy,
    train: Classes | None = None,
    universe: Classes | None = None,
    read: Reader | None = None,
    stored: Stored | None = None,
    lists: Lists | None = None,
) -> Subject:
    """Build the subject of a picture from a text, classes, or a split.

    A text is looked for as a file (the JSON of a run, or a list of classes), a shipped list, what
    is stored, a hop split by its name (``hops-2``, ``all``), and a class, in this order.

    Args:
        what: a text, classes, or a split.
        hierarchy: whose nodes the classes are.
        train: the training classes; "none" for none (default: ilsvrc2012; those of a stored split
            are its own, and of a run those that it has).
        universe: what other candidates are shown; "none" for none (default: imagenet-fall11 of hop
            splits and of a class; a stored split's own; none of lists and runs).
        read: what reads lists of classes (default: files and shipped lists).
        stored: what looks a name up among what is stored (default: nothing is).
        lists: the stored lists of so many classes, among which the training classes of a run are
            found by their checksum (default: none), as they are among the files beside it; what
            the run's own samples hold has no name, and comes last.

    Raises:
        DataError: nothing is called so, a file cannot be read, or classes are not nodes.
    """
    read = read or (lambda given, argument: resolve_all(given, hierarchy.vocabulary, argument))

    def listed(given: Classes | None, default: str | None, argument: str) -> Listed | None:
        chosen = default if given is None else given
        if chosen is None or is_none(chosen):
            return None
        return Listed(list_name(chosen, "classes"), read(chosen, argument))

    def of_split(split: SplitLike) -> Subject:
        learned = listed(train, split.train or TRAIN, "train")
        others = listed(universe, split.universe, "universe")
        own = Listed(split.name, split.wnids)
        return of_classes(hierarchy, own, learned, others, _measured(split, learned))

    if isinstance(what, SplitLike):
        return of_split(what)
    if not isinstance(what, str | Path):
        classes = Listed("classes", read(what, "what"))
        return of_classes(
            hierarchy, classes, listed(train, TRAIN, "train"), listed(universe, None, "universe")
        )
    text = str(what)
    if is_file(what):
        path = Path(what)
        if path.suffix.lower() == ".json" and is_evaluation(read_json(path)):
            found = [beside(path, read), *([lists] if lists else [])]
            learned = listed(train, None, "train")
            return run_subject(path, hierarchy, learned, is_none(train), found)
    elif text not in class_lists():
        split = stored(text) if stored else None
        if split is not None:
            return of_split(split)
        learned, others = listed(train, TRAIN, "train"), listed(universe, UNIVERSE, "universe")
        if text in LITERATURE_NAMES:
            log(said_of_literature(text))
            text = LITERATURE_NAMES[text]
        hops = hop_split_classes(
            text, hierarchy, learned.wnids if learned else (), others.wnids if others else ()
        )
        if hops is not None:
            _check_hops(text, hops, hierarchy, learned, others)
            return of_classes(hierarchy, Listed(text, hops), learned, others)
        wnid = _class(what, hierarchy, stored is not None, others.wnids if others else ())
        return of_class(hierarchy, wnid, learned, others)
    classes = Listed(list_name(what, "classes"), read(what, "what"))
    return of_classes(
        hierarchy, classes, listed(train, TRAIN, "train"), listed(universe, None, "universe")
    )


def is_none(given: Classes | None) -> bool:
    """True if the text "none" is given: no training classes, or no universe."""
    return isinstance(given, str) and given == NONE


def _measured(split: SplitLike, train: Listed | None) -> Measured | None:
    """The hierarchy in which a split's hops are counted; None for WordNet's hierarchy."""
    name = getattr(split, "hierarchy", None) or WORDNET
    if name == WORDNET:
        return None
    classes = [*split.wnids, *(train.wnids if train else ())]
    read: Callable[[list[str]], Measured] | None = getattr(split, "measured", None)
    return read(classes) if read else shipped(name, classes)


def run_subject(
    path: Path,
    hierarchy: Hierarchy,
    train: Listed | None,
    only_tested: bool = False,
    lists: Sequence[Lists] = (),
) -> Subject:
    """The subject of a run by its JSON, whose table of classes stands beside it; DataError names
    the file that is missing or damaged."""
    result = read_run(path)
    class_table = file_beside(path, result, "class_table", CLASSES)
    _check_table(path, result, class_table)
    rows = read_class_rows(class_table, ("wnid", "hit@1"))
    _check_numbers(class_table, rows)
    samples = file_beside(path, result, "samples_file", SAMPLES)
    found = [*lists, recorded(samples)]
    return of_run(hierarchy, result, rows, train, path.stem, only_tested, found)


def _check_table(path: Path, result: Mapping[str, Any], class_table: Path) -> None:
    """DataError for a table of classes that is missing, or of another run by its checksum."""
    if not class_table.is_file():
        raise DataError(
            f"{class_table} does not exist: {path.name} is a run without its table of classes,"
            f" which a picture is of. {_AGAIN}"
        )
    known = (result.get("class_table") or {}).get("sha256")
    if known is not None and sha256(class_table) != known:
        raise DataError(
            f"{class_table} is not the table of classes of {path.name}: its checksum is another"
            f" than that in the run, so it is of another evaluation. {_AGAIN}"
        )


def _check_numbers(class_table: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """DataError for a cell that is neither empty nor such a number as its column is there for: a
    table without a checksum may be of another program."""
    for row in rows:
        for name in (*_COUNTS, *_SHARES):
            if not _fits(row.get(name), name):
                whole = "whole " if name in _COUNTS else ""
                raise DataError(
                    f"{class_table}: {name} of {row['wnid']} is {shown(row[name])}, not a"
                    f" {whole}number. {_AGAIN}"
                )


def _fits(value: Any, column: str) -> bool:
    """True if a cell is empty, nan (pandas' empty cell), or a number that the column can hold."""
    if value in (None, ""):
        return True
    if column == "samples" and isinstance(value, str):
        return value.isascii() and value.isdecimal() and len(value) <= MOST_DIGITS
    number = number_of(value)
    if number is None:
        return False
    is_whole = number.is_integer()
    return math.isnan(number) or is_whole or (column in _SHARES and math.isfinite(number))


def _class(what: str | Path, hierarchy: Hierarchy, stored: bool, universe: Sequence[str]) -> str:
    """The synset of a text that is nothing else; of a word with several the usual one, or the first
    of the universe, which is logged."""
    vocabulary = hierarchy.vocabulary
    text = str(what)
    if isinstance(what, str) and meanings(text, vocabulary):
        if text not in hierarchy.index and _is_folder(text):
            runs = sorted(Path(text).glob("*.json"))
            example = f", such as {runs[0]}" if runs else ""
            raise DataError(
                f"{text!r} is a folder here, and a word: a folder is no class. Name a file in"
                f" it{example}; or for the class its wnid or its name,"
                f" {hierarchy.names.get(meanings(text, vocabulary)[0], 'dog.n.01')}.",
                argument="what",
            )
        wnid = usual_sense(text, vocabulary, set(universe))
        if len(meanings(text, vocabulary)) > 1:
            note_senses({text: wnid}, vocabulary)
        return wnid
    if _is_folder(text) and (runs := _runs_in(Path(text))):
        raise DataError(
            f"{text!r} is a folder of {counted(len(runs), 'run')}, and a picture is of one file:"
            f" `graphzsl picture {shlex.quote(str(runs[0]))}`. One page of a whole folder is"
            f" `graphzsl report {shlex.quote(text)}`.",
            argument="what",
        )
    lists = [*class_lists(), "hops-1", "hops-2", "all"]
    offered = near(text, lists) or list(vocabulary.near(text))
    without = ", what a database that runs holds" if stored else ""
    raise DataError(
        f"{text!r} is {'a folder, and ' * _is_folder(text)}neither a file, nor a shipped list"
        f"{without}, a hop split (hops-1, hops-2, …, all), nor"
        f" a class: a wnid, a name such as dog.n.01, or a word.{did_you_mean(offered)} Shipped"
        f" lists: {', '.join(class_lists())}.",
        argument="what",
    )


def _runs_in(folder: Path) -> list[Path]:
    """The runs of a folder; files that cannot be read are skipped."""
    found = []
    for path in sorted(folder.glob("*.json")):
        try:
            if is_evaluation(read_json(path)):
                found.append(path)
        except DataError:
            continue
    return found


def _check_hops(
    name: str,
    classes: list[str],
    hierarchy: Hierarchy,
    train: Listed | None,
    universe: Listed | None,
) -> None:
    if name == "all" and classes:
        return
    if train is None or universe is None:
        lacking, argument = ("training classes", "train") if train is None else ("universe", "")
        raise DataError(
            f"{name} is made of the distances between training classes and a universe, and the"
            f" {lacking} {'are' if argument else 'is'} none. Name a list.",
            argument=argument or "universe",
        )
    away = hierarchy.hops_from(train.wnids)
    farthest = max(away.get(wnid, 0) for wnid in universe.wnids)
    if not classes or int(name.split("-")[1]) > farthest:
        raise DataError(
            f"{name} is no split: the farthest class of {universe.name} is"
            f" {counted(farthest, 'hop')} from {train.name}. Choose other hops or lists.",
            argument="what",
        )


def _is_folder(text: str) -> bool:
    """True if the folder exists; False for a text too long to be a name."""
    try:
        return Path(text).is_dir()
    except (OSError, ValueError):
        return False
