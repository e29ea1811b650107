"""Metrics as pure functions of arrays. N samples, C candidates, K list length."""

from graphzsl.metrics.bootstrap import (
    TAIL_DRAWS,
    bootstrap_interval,
    interval_of_counts,
    percentiles,
    rounds_needed,
    tail_draws,
)
from graphzsl.metrics.generalized import area_under, harmonic_mean, seen_unseen_curve
from graphzsl.metrics.means import per_class, summary
from graphzsl.metrics.names import direction, display_order, is_share
from graphzsl.metrics.ranking import (
    EXPECTED,
    LISTS_RULE,
    TIES_RULE,
    Floats,
    Ints,
    columns_of,
    expected_hits,
    hits,
    ranked,
    ranks,
    tied_minimum,
    tied_precision,
)
from graphzsl.metrics.semantic import false_negative_ratio, semantic_interval
from graphzsl.metrics.ties import TieCollector, Ties

__all__ = [
    "EXPECTED",
    "LISTS_RULE",
    "TAIL_DRAWS",
    "TIES_RULE",
    "Floats",
    "Ints",
    "TieCollector",
    "Ties",
    "area_under",
    "bootstrap_interval",
    "columns_of",
    "direction",
    "display_order",
    "expected_hits",
    "false_negative_ratio",
    "harmonic_mean",
    "hits",
    "interval_of_counts",
    "is_share",
    "per_class",
    "percentiles",
    "ranked",
    "ranks",
    "rounds_needed",
    "seen_unseen_curve",
    "semantic_interval",
    "summary",
    "tail_draws",
    "tied_minimum",
    "tied_precision",
]
