"""Tables of people's judgements of images and labels: votes, judgements, and kinds of mistakes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from graphzsl.common.errors import DataError
from graphzsl.sources.named_columns import CLASS_OTHERWISE, named_rows, yes_or_no

#: Column -> other names for it.
ALSO = {
    "image": ("image_id", "filename", "file_name"),
    "class": ("wnid", "category"),
    "entry": ("annotator", "model", "team"),
    "right": ("correct", "good"),
    "vote": ("answer", "yes"),
    "type": ("kind", "reason"),
    "true": ("truth", "target"),
}
#: A column that says of every row whether it is made up.
SIMULATED = "simulated"


@dataclass(frozen=True)
class Votes:
    """Class -> image -> its votes, in the order of the file: whether the image shows the class.

    ``simulated``: the file says so of a row.
    """

    of_class: Mapping[str, Mapping[str, list[bool]]]
    simulated: bool = False


@dataclass(frozen=True)
class Judgement:
    """Judgement of a label of an image: right or wrong. ``entry`` is who gave the label, and
    ``label`` the class, each empty if the table has no such column."""

    image: str
    label: str
    entry: str
    right: bool
    line: int


@dataclass(frozen=True)
class Judgements:
    """The rows of a table of judgements, in its order. ``simulated``: the file says so of a row."""

    path: Path
    rows: list[Judgement]
    simulated: bool = False


@dataclass(frozen=True)
class Labels:
    """(image, class) -> the line of its first row. ``simulated``: the file says so of a row."""

    line_of: dict[tuple[str, str], int]
    simulated: bool = False


@dataclass(frozen=True)
class LabelledMistake:
    """A mistake and a type that a person gave it, empty where none; ``true`` and ``predicted``
    classes are empty where the table has no such columns."""

    entry: str
    image: str
    type: str
    true: str
    predicted: str
    line: int


@dataclass(frozen=True)
class Mistakes:
    """The rows of a table of mistakes, in its order. ``simulated``: the file says so of a row."""

    rows: list[LabelledMistake]
    simulated: bool = False


def read_votes(path: Path) -> Votes:
    """A table of votes: image, vote (yes or no), and class where there is more than one.

    Raises:
        DataError: names file and line of a row that is not one.
    """
    found: dict[str, dict[str, list[bool]]] = {}
    simulated = False
    for line, row in named_rows(
        path, ("image", "vote"), ("class", SIMULATED), ALSO, CLASS_OTHERWISE
    ):
        images = found.setdefault(row.get("class", ""), {})
        images.setdefault(row["image"], []).append(yes_or_no(row["vote"], "vote", path, line))
        simulated |= _is_simulated(row, path, line)
    return Votes(found, simulated)


def read_judgements(path: Path, needed: tuple[str, ...] = ()) -> Judgements:
    """A table of judgements: image, right (yes or no), and class and entry where they are known.

    Args:
        path: the table.
        needed: which of ``class`` and ``entry`` must be there.

    Raises:
        DataError: names file and line of a row that is not one.
    """
    optional = tuple(name for name in ("class", "entry", SIMULATED) if name not in needed)
    rows, simulated = [], False
    for line, row in named_rows(path, ("image", "right", *needed), optional, ALSO, CLASS_OTHERWISE):
        right = yes_or_no(row["right"], "right", path, line)
        rows.append(
            Judgement(row["image"], row.get("class", ""), row.get("entry", ""), right, line)
        )
        simulated |= _is_simulated(row, path, line)
    return Judgements(Path(path), rows, simulated)


def read_labels(path: Path) -> Labels:
    """A table with the columns image and class: what an entry predicts, or what images are
    annotated with. A pair may be there several times, as boxes are.

    Raises:
        DataError: names file and line of a row that is not one.
    """
    found: dict[tuple[str, str], int] = {}
    simulated = False
    for line, row in named_rows(path, ("image", "class"), (SIMULATED,), ALSO, CLASS_OTHERWISE):
        found.setdefault((row["image"], row["class"]), line)
        simulated |= _is_simulated(row, path, line)
    return Labels(found, simulated)


def read_mistakes(path: Path) -> Mistakes:
    """A table of mistakes: image and type, which may be empty, and entry, true and predicted where
    they are known. A mistake of several types has a row for each.

    Raises:
        DataError: names file and line of a row that is not one, or repeats another.
    """
    columns = ("type", "entry", "true", "predicted")
    first: dict[tuple[str, str, str], int] = {}
    found, simulated = [], False
    for line, row in named_rows(path, ("image",), (*columns, SIMULATED), ALSO, CLASS_OTHERWISE):
        values = (row.get(column, "") for column in columns)
        kind, entry, true, predicted = values
        at = first.setdefault((entry, row["image"], kind), line)
        if at != line:
            raise DataError(
                f"{path}:{line}: {row['image']} has the type {kind!r} on line {at} already."
                " Remove one of them."
            )
        found.append(LabelledMistake(entry, row["image"], kind, true, predicted, line))
        simulated |= _is_simulated(row, path, line)
    return Mistakes(found, simulated)


def _is_simulated(row: Mapping[str, str], path: Path, line: int) -> bool:
    text = row.get(SIMULATED, "")
    return bool(text) and yes_or_no(text, SIMULATED, path, line)
