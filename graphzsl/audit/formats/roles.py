"""Roles of the columns of a table of predictions, by their names."""

from __future__ import annotations

import re

#: The true class, and nothing else.
TRUTH = frozenset(
    (
        "true",
        "truth",
        "true_label",
        "true_class",
        "target",
        "targets",
        "gold",
        "ground_truth",
        "gt",
        "y",
        "y_true",
    )
)
#: The true class, or the predicted one where a tool says so by the other columns.
LABEL = frozenset(("label", "labels", "wnid", "class"))
#: Columns whose cells are paths, or the names of files.
FILE = frozenset(
    (
        "image",
        "images",
        "img",
        "file",
        "files",
        "filename",
        "filenames",
        "file_name",
        "path",
        "filepath",
        "file_path",
        "image_path",
        "url",
    )
)
#: Columns that name a sample, or nothing of interest.
SAMPLE = frozenset(("id", "ids", "sample", "sample_id", "image_id", "imageid", "index"))
#: Numbers of rows that pandas writes beside the columns; they say nothing.
_COUNTED = re.compile(r"__index_level_\d+__|unnamed:_\d+(?:_level_\d+)?|level_\d+")
ORDINALS = (
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
)
#: Ranks of a classification of living beings, as pybioclip names its columns, the highest first.
TAXA = ("kingdom", "phylum", "class", "order", "family", "genus", "species")
_PREDICTED = re.compile(
    r"(?:y_)?(?:top|rank|preds?|predict|predicted|predictions?|predictionstring|guess"
    r"|classification)(?:_?(?:class(?:es)?|labels?|k))?_?(\d*)"
)
_SCORE = re.compile(
    r"(?:pred(?:icted|iction)?_)?"
    r"(?:scores?|probs?|probabilit(?:y|ies)|logits?|confidences?|similarit(?:y|ies))_?(\d*)"
)
_NUMBERED = re.compile(r"(label|index)_(\d+)")


def plain(name: str) -> str:
    """A name in lower case, with one underscore for blanks and hyphens."""
    return re.sub(r"[\s-]+", "_", name.strip().lower())


def role(name: str) -> str:
    """Role of a column by its name: truth, label (which may be truth or prediction), predicted,
    score, rank, file, sample, label_i or index_i (a numbered one), skipped; empty for any other
    name."""
    name = plain(name)
    if name == "rank":
        return "rank"
    if _COUNTED.fullmatch(name):
        return "skipped"
    for names, kind in ((TRUTH, "truth"), (LABEL, "label"), (FILE, "file"), (SAMPLE, "sample")):
        if name in names:
            return kind
    if name in ORDINALS or _PREDICTED.fullmatch(name):
        return "predicted"
    if _SCORE.fullmatch(name):
        return "score"
    numbered = _NUMBERED.fullmatch(name)
    return f"{numbered[1]}_i" if numbered else ""


def place(name: str) -> int:
    """The number at the end of a column's name, that of an ordinal, or 1 without."""
    name = plain(name)
    if name in ORDINALS:
        return ORDINALS.index(name) + 1
    number = re.search(r"(?<![0-9])[0-9]{1,6}\Z", name)
    return int(number[0]) if number else 1
