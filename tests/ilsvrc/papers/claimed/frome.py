"""Claims of Frome et al. (2013), DeViSE."""

from __future__ import annotations

from itertools import pairwise

from graphzsl.ilsvrc.papers import PrintedTable, Verdict
from tests.ilsvrc.papers.claimed.check import check
from tests.ilsvrc.papers.claimed.hascoet import nearer_than_chance


@check
def sets_are_larger_than_k(printed: PrintedTable) -> Verdict:
    ratios = [row[f"k{k}"] / k for row in printed.rows() for k in (2, 5, 10, 20)]
    return Verdict(
        min(ratios) > 1,
        f"mean sizes are {min(ratios):.1f} to {max(ratios):.0f} times k",
    )


@check
def more_labels_make_larger_sets(printed: PrintedTable) -> Verdict:
    rows = sorted(printed.rows(), key=lambda row: row["labels"])
    falls = [
        f"{one['label_set']} to {other['label_set']} at k = {k}"
        for one, other in pairwise(rows)
        for k in (2, 5, 10, 20)
        if other[f"k{k}"] < one[f"k{k}"]
    ]
    return Verdict(not falls, "falls: " + ", ".join(falls) if falls else "it never falls")


@check
def synonyms_are_near(meanings: PrintedTable) -> Verdict:
    return nearer_than_chance(meanings, "synonym")
