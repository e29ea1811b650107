"""People's judgements of labels: precision of an entry's predictions, precision by depth of audited
classes, and two annotators compared with each other.

Rows say ``simulated`` where the judgements do.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, combinations
from typing import Any

from graphzsl.audit.class_table import wilson_interval
from graphzsl.common.errors import DataError
from graphzsl.hierarchy.class_lists import wnids_of_lines
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.metrics.significance import Paired
from graphzsl.sources.judgements import Judgement, Judgements


def settled(rows: Iterable[Judgement]) -> dict[tuple[str, str, str], bool]:
    """(entry, image, class) -> whether the label is right: more than half of those who judged it
    say so, a tie is not."""
    votes: dict[tuple[str, str, str], list[bool]] = defaultdict(list)
    for row in rows:
        votes[row.entry, row.image, row.label].append(row.right)
    return {at: 2 * sum(said) > len(said) for at, said in votes.items()}


def precision_row(right: int, judged: int, level: float = 0.95) -> dict[str, Any]:
    """``judged``, ``right``, ``precision`` and the ends of its Wilson interval; None where nothing
    is judged."""
    if not judged:
        return {"judged": 0, "right": 0, "precision": None, "low": None, "high": None}
    low, high = wilson_interval(right, judged, level)
    return {
        "judged": judged,
        "right": right,
        "precision": right / judged,
        "low": float(low),
        "high": float(high),
    }


def precision_of_entries(
    judgements: Judgements,
    entries: Mapping[str, Iterable[tuple[str, str]]],
    level: float = 0.95,
) -> list[dict[str, Any]]:
    """One row per entry: the share of its predictions that people found right afterwards.

    A judgement is of an image and a class, whoever predicted it. ``least_share`` takes what is not
    judged for wrong, ``most_share`` for right.

    Args:
        judgements: what people said.
        entries: entry -> its predictions, (image, class) pairs, each once. Without any, the
            judgements' own entries, all of whose predictions are judged.
        level: confidence of the Wilson intervals.

    Reference:
        Russakovsky et al. 2015, section 7.3.
    """
    found = settled(judgements.rows)
    if not entries:
        own: dict[str, list[bool]] = defaultdict(list)
        for (entry, _, _), right in found.items():
            own[entry].append(right)
        return [
            {"entry": name or None, **_precision(judgements, level, said)}
            for name, said in own.items()
        ]
    right_of = settled(_anyone(judgements.rows))
    rows = []
    for name, pairs in entries.items():
        predicted = list(pairs)
        said = [right_of[at] for pair in predicted if (at := ("", *pair)) in right_of]
        unknown = len(predicted) - len(said)
        rows.append(
            {
                "entry": name,
                "predictions": len(predicted),
                **precision_row(sum(said), len(said), level),
                "least_share": sum(said) / len(predicted),
                "most_share": (sum(said) + unknown) / len(predicted),
                **_mark(judgements),
            }
        )
    return rows


def unjudged_predictions(
    judgements: Judgements, entries: Mapping[str, Iterable[tuple[str, str]]]
) -> list[tuple[str, str]]:
    """The (image, class) pairs that an entry predicts and nobody judged, each once, sorted: what
    to show people next. Who predicted them is not said, so that nobody is judged by name."""
    known = {(row.image, row.label) for row in judgements.rows}
    return sorted({pair for pairs in entries.values() for pair in pairs} - known)


def precision_by_class(judgements: Judgements, level: float = 0.95) -> list[dict[str, Any]]:
    """One row per class of what is judged, by its name: ``wnid`` and ``precision_row``."""
    of_class: dict[str, list[bool]] = defaultdict(list)
    for (_, _, label), right in settled(_anyone(judgements.rows)).items():
        of_class[label].append(right)
    return [
        {"wnid": label, **_precision(judgements, level, said)}
        for label, said in sorted(of_class.items())
    ]


def precision_by_depth(
    judgements: Judgements, place_of: Mapping[str, tuple[str, int]], level: float = 0.95
) -> list[dict[str, Any]]:
    """One row per root and depth of audited classes, and one of all: ``root``, ``depth``,
    ``classes`` that were judged, and ``precision_row`` of their images.

    Args:
        judgements: whether images show their classes.
        place_of: class -> (root, depth), of ``ilsvrc.labelling.audit.classes_below``.
        level: confidence of the Wilson intervals.

    Raises:
        DataError: names file and line of a class that is at none of these places.

    Reference:
        Deng et al. 2009, figure 4; Russakovsky et al. 2015, section 3.1.3.
    """
    for given in judgements.rows:
        if given.label not in place_of:
            raise DataError(
                f"{judgements.path}:{given.line}: {given.label} is not a class at or below the"
                " roots. Give its root too, or remove the row."
            )
    judged: dict[tuple[str, int], list[tuple[str, bool]]] = {at: [] for at in place_of.values()}
    for (_, _, label), right in settled(_anyone(judgements.rows)).items():
        judged[place_of[label]].append((label, right))

    def row(root: str, depth: int | None, said: Sequence[tuple[str, bool]]) -> dict[str, Any]:
        known = {"root": root, "depth": depth, "classes": len({label for label, _ in said})}
        return {**known, **_precision(judgements, level, [right for _, right in said])}

    rows = [row(*at, said) for at, said in judged.items() if said]
    return [*rows, row("all", None, [*chain.from_iterable(judged.values())])]


def annotator_rows(judgements: Judgements) -> list[dict[str, Any]]:
    """One row per two annotators: the images that both labelled, how many both, one alone and
    neither got right, error rates, and ``optimistic_error``, where neither is right.

    Raises:
        DataError: fewer than two annotators, an image that one labelled twice, or two without a
            common image.

    Reference:
        Russakovsky et al. 2015, section 6.4.1, "Annotator comparison".
    """
    right_of: dict[str, dict[str, tuple[bool, int]]] = defaultdict(dict)
    for row in judgements.rows:
        first = right_of[row.entry].setdefault(row.image, (row.right, row.line))
        if first[1] != row.line:
            raise DataError(
                f"{judgements.path}:{row.line}: {row.entry} labelled {row.image} on line"
                f" {first[1]} already. Remove one of them."
            )
    if len(right_of) < 2:
        raise DataError(
            f"{judgements.path} is about one annotator. Give rows of two, by the column entry."
        )
    return [
        _compared(judgements, one, other, right_of[one], right_of[other])
        for one, other in combinations(right_of, 2)
    ]


def _compared(
    judgements: Judgements,
    one: str,
    other: str,
    first: Mapping[str, tuple[bool, int]],
    second: Mapping[str, tuple[bool, int]],
) -> dict[str, Any]:
    images: Sequence[str] = [image for image in first if image in second]
    if not images:
        raise DataError(f"{judgements.path}: {one} and {other} have no image in common.")
    pairs = [(first[image][0], second[image][0]) for image in images]
    table = Paired(*(pairs.count(kind) for kind in _KINDS))
    return {"first": one, "second": other, **paired_row(table), **_mark(judgements)}


#: Both, the first alone, the second alone, neither.
_KINDS = ((True, True), (True, False), (False, True), (False, False))


def paired_row(table: Paired) -> dict[str, Any]:
    """The table's counts with their shares, error rates, and the error of an optimistic annotator,
    who is right where either is."""
    counts = {
        "both": table.both,
        "only_first": table.only_first,
        "only_second": table.only_second,
        "neither": table.neither,
    }
    test = table.statistics()
    return {
        "images": table.total,
        **counts,
        **{f"{name}_share": count / table.total for name, count in counts.items()},
        "error_first": test["error_first"],
        "error_second": test["error_second"],
        "optimistic_error": table.optimistic_error,
        "p": test["p"],
    }


def _anyone(rows: Iterable[Judgement]) -> Iterable[Judgement]:
    """The rows as if of one entry: a label is right or not, whoever gave it."""
    return (Judgement(row.image, row.label, "", row.right, row.line) for row in rows)


def _precision(judgements: Judgements, level: float, said: Sequence[bool]) -> dict[str, Any]:
    """``precision_row`` of judgements, and whether they are simulated."""
    return {**precision_row(sum(said), len(said), level), **_mark(judgements)}


def _mark(judgements: Judgements) -> dict[str, Any]:
    """The ``simulated`` entry of a row; empty for judgements that people made."""
    return {"simulated": True} if judgements.simulated else {}


def with_wnids(judgements: Judgements, hierarchy: Hierarchy) -> Judgements:
    """The judgements with the wnids of their classes; DataError names the lines of what is no class
    of the hierarchy."""
    first = {row.label: row.line for row in reversed(judgements.rows)}
    wnid_of = wnids_of_lines(first, judgements.path, hierarchy)
    rows = [replace(row, label=wnid_of[row.label]) for row in judgements.rows]
    return replace(judgements, rows=rows)
