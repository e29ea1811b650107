"""Parents and children of the true class: semantic intervals, false negatives for each true
positive."""

from __future__ import annotations


def semantic_interval(correct: float, parent: float, child: float) -> tuple[float, float]:
    """Bounds of the semantic accuracy: a parent is right, a child may be (Hascoet et al. 2019,
    section 4.1)."""
    return correct + parent, correct + parent + child


def false_negative_ratio(correct: float, parent: float, child: float) -> float | None:
    """Parents and children for each correct prediction: FN / TP of Hascoet et al. (2019, Table 3);
    None without a correct one."""
    return (parent + child) / correct if correct else None
