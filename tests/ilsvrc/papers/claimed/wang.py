"""Claims of Wang et al. (2014), "A poodle or a dog?"."""

from __future__ import annotations

from itertools import pairwise

from graphzsl.ilsvrc.papers import PrintedTable, Verdict
from tests.ilsvrc.papers.cells import column_of, row_of
from tests.ilsvrc.papers.claimed.check import check

#: Classes that the paper groups (section 4.1).
CLASSES = 1372


@check
def fewer_groups(printed: PrintedTable) -> Verdict:
    groups = column_of(printed, "groups")
    return Verdict(
        all(later <= one for one, later in pairwise(groups)),
        f"{groups[0]:,} at λ = 0, {groups[-1]:,} at λ = 1",
    )


@check
def semantic_groups_beat_random_ones(printed: PrintedTable) -> Verdict:
    gains = [row["semantic"] - row["random"] for row in printed.rows()]
    above = sum(gain > 0 for gain in gains)
    return Verdict(
        min(gains) >= 0 and above > 0,
        f"above at {above} of {len(gains)} values of λ, equal at the others; by up to"
        f" {max(gains):.4f}",
    )


@check
def no_groups_without_lambda(printed: PrintedTable) -> Verdict:
    groups = row_of(printed, **{"lambda": 0.0})["groups"]
    return Verdict(
        groups == CLASSES,
        f"{groups:,} groups of {CLASSES:,} classes: classes with the same first word are one group",
    )
