"""Claims of Frome et al. (2013), DeViSE."""

from __future__ import annotations

from itertools import pairwise

from graphzsl.ilsvrc.papers.claimed.claim import Claims, Verdict
from graphzsl.ilsvrc.papers.printed import PrintedTable

CLAIMS = Claims()


@CLAIMS.of(
    "D10",
    "devise-table-1",
    place="appendix A.3",
    statement="A set for k above 1 rarely has k labels: it has more (here: the mean size is above"
    " k).",
)
def sets_are_larger_than_k(printed: PrintedTable) -> Verdict:
    ratios = [row[f"k{k}"] / k for row in printed.rows() for k in (2, 5, 10, 20)]
    return Verdict(
        min(ratios) > 1,
        f"mean sizes are {min(ratios):.1f} to {max(ratios):.0f} times k",
    )


@CLAIMS.of(
    "D12",
    "devise-table-1",
    place=None,
    statement="A larger label set has larger sets at every k.",
)
def more_labels_make_larger_sets(printed: PrintedTable) -> Verdict:
    rows = sorted(printed.rows(), key=lambda row: row["labels"])
    falls = [
        f"{one['label_set']} to {other['label_set']} at k = {k}"
        for one, other in pairwise(rows)
        for k in (2, 5, 10, 20)
        if other[f"k{k}"] < one[f"k{k}"]
    ]
    return Verdict(not falls, "falls: " + ", ".join(falls) if falls else "it never falls")
