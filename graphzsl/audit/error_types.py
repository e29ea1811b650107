"""Types of mistakes: the types that people gave them, counted; and fine-grained confusions, which
the hierarchy can find.

Reference: Russakovsky et al. 2015, section 6.4.2.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from graphzsl.common.errors import DataError
from graphzsl.common.wording import called
from graphzsl.hierarchy.class_lists import wnids_of_lines
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.sources.judgements import LabelledMistake, Mistakes

#: The type of a mistake that nobody gave one.
NONE = "none given"
#: The type of what is near the true class in the hierarchy.
NEAR = "fine-grained by height"


@dataclass(frozen=True)
class NearMistakes:
    """Mistakes within a height of the lowest common ancestor are fine-grained.

    Args:
        hierarchy: where true and predicted classes are nodes.
        height: the largest height that is near: 1 are siblings that are leaves.
        among: classes in whose trimmed hierarchy heights are, with those of the mistakes.
    """

    hierarchy: Hierarchy
    height: int
    among: Sequence[str]

    def of(self, mistakes: Sequence[LabelledMistake]) -> list[LabelledMistake]:
        """The mistakes that are near, of those that have a true and a predicted class."""
        whole = [row for row in mistakes if row.true and row.predicted]
        classes = {name for row in whole for name in (row.true, row.predicted)}
        heights = self.hierarchy.heights_among({*self.among, *classes})
        return [
            row
            for row in whole
            if self.hierarchy.lca_height(row.true, row.predicted, heights) <= self.height
        ]


def error_types(
    mistakes: Mistakes | Sequence[LabelledMistake], near: NearMistakes | None = None
) -> list[dict[str, Any]]:
    """One row per entry and type: its ``mistakes``, one of an image counting once, the ``count`` of
    those of the type, and their ``share``. Shares of an entry add up to more than 1 where a mistake
    has several types.

    Types come by their first appearance, ``none given`` last. ``near`` adds a type to mistakes that
    have true and predicted classes, wnids; DataError where one is not a node. Rows say
    ``simulated`` where a table of mistakes does.
    """
    listed, mark = list(mistakes.rows if isinstance(mistakes, Mistakes) else mistakes), {}
    if isinstance(mistakes, Mistakes) and mistakes.simulated:
        mark = {"simulated": True}
    images: dict[str, set[str]] = defaultdict(set)
    typed: dict[str, set[str]] = defaultdict(set)
    counts: Counter[tuple[str, str]] = Counter()
    order: dict[str, None] = {}
    close: dict[str, set[str]] = defaultdict(set)
    for row in near.of(listed) if near else ():
        close[row.entry].add(row.image)
    for row in listed:
        images[row.entry].add(row.image)
        if row.type:
            typed[row.entry].add(row.image)
            counts[row.entry, row.type] += 1
            order.setdefault(row.type)
    rows = []
    for entry, own in images.items():
        of_entry = {kind: counts[entry, kind] for kind in order}
        if near is not None:
            of_entry[NEAR] = len(close[entry])
            typed[entry] |= close[entry]
        if len(own) > len(typed[entry]):
            of_entry[NONE] = len(own - typed[entry])
        rows += [
            {
                "entry": entry or None,
                "mistakes": len(own),
                "type": kind,
                "count": count,
                "share": count / len(own),
                **mark,
            }
            for kind, count in of_entry.items()
        ]
    return rows


def resolved_mistakes(found: Mistakes, path: Path, hierarchy: Hierarchy) -> Mistakes:
    """The mistakes of a table with the wnids of their classes, where they have both.

    DataError if no mistake has both, for what is no class of the hierarchy, and if the two are the
    same class.
    """
    whole = [row for row in found.rows if row.true and row.predicted]
    if not whole:
        raise DataError(
            f"{path}: no row has a true and a predicted class. Fill in the columns true and"
            " predicted.",
            argument="height",
        )
    first = {name: row.line for row in reversed(whole) for name in (row.true, row.predicted)}
    wnid_of = wnids_of_lines(first, path, hierarchy)
    right = next((row for row in whole if wnid_of[row.true] == wnid_of[row.predicted]), None)
    if right is not None:
        raise DataError(
            f"{path}:{right.line}: true and predicted are the same class"
            f" {called(wnid_of[right.true], hierarchy.names)}, which is no mistake. Correct it, or"
            " remove the row."
        )
    rows = [
        replace(row, true=wnid_of[row.true], predicted=wnid_of[row.predicted])
        if row.true and row.predicted
        else row
        for row in found.rows
    ]
    return replace(found, rows=rows)
