"""Facts about metrics by their names: shares or not, which direction is good, the order in which
they are shown."""

from __future__ import annotations

import re

#: Metrics that no shares are; the others are shown in per cent.
_PLAIN = re.compile(r"mean_rank|lca_height.*|information.*")
#: Metrics of which a smaller value is better.
_SMALL_IS_GOOD = re.compile(r"mean_rank|lca_height.*|unrelated")
#: Metrics that put models in no order: a prediction above or below the true class is neither right
#: nor wrong.
_UNORDERED = re.compile(r"parent|child")


def is_share(name: str) -> bool:
    """True if a metric is a share, shown in per cent, and not a rank or a height."""
    return _PLAIN.fullmatch(name) is None


def direction(name: str) -> int:
    """1 where larger values of a metric are better, -1 where smaller ones are, 0 where neither
    is."""
    if _UNORDERED.fullmatch(name):
        return 0
    return -1 if _SMALL_IS_GOOD.fullmatch(name) else 1


def is_certain(name: str, candidates: int) -> bool:
    """True if a metric says nothing because its lists hold every candidate: hit@k, hp@k or a
    height."""
    kind, _, k = name.partition("@")
    return kind in ("hit", "hp", "lca_height") and int(k) >= max(2, candidates)


def display_order(name: str) -> tuple[int, int]:
    """Sort key of metrics in tables: hit@k, then hp@k, each by k, then the rest in the order they
    have."""
    kind, _, k = name.partition("@")
    return ({"hit": 0, "hp": 1}.get(kind, 2), int(k) if kind in ("hit", "hp") else 0)
