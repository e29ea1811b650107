"""Metrics in a hierarchy of classes, as functions of arrays: ``gz.hierarchical``.

Any hierarchy serves, WordNet or your own, a tree or a DAG::

    pets = gz.Hierarchy.from_edges([("poodle", "dog"), ("dog", "pet"), ("cat", "pet")])
    gz.hierarchical.precision_recall_f(pets, ["poodle"], ["dog"])

Classes are nodes (their wnids, names such as dog.n.01, or words of one alone), or numbers with
``classes`` beside them, which also trims the hierarchy to these classes and their ancestors.
``graphzsl.metrics.hierarchical.torchmetrics`` has the same as ``torchmetrics.Metric``.
"""

from graphzsl.metrics.hierarchical.answers import Hedging, hedging, roll_up
from graphzsl.metrics.hierarchical.cuts import (
    cut_accuracy,
    in_subtree,
    level_accuracy,
    superclasses_of,
)
from graphzsl.metrics.hierarchical.decoding import decode
from graphzsl.metrics.hierarchical.paths import (
    PathScores,
    jaccard,
    path_scores,
    tree_induced_error,
)
from graphzsl.metrics.hierarchical.scores import (
    PrecisionRecallF,
    distance_at_k,
    lca_heights,
    lca_information,
    mistake_severity,
    precision_recall_f,
)
from graphzsl.metrics.hierarchical.tradeoff import HedgingCurve, hedge, hedging_curve

__all__ = [
    "Hedging",
    "HedgingCurve",
    "PathScores",
    "PrecisionRecallF",
    "cut_accuracy",
    "decode",
    "distance_at_k",
    "hedge",
    "hedging",
    "hedging_curve",
    "in_subtree",
    "jaccard",
    "lca_heights",
    "lca_information",
    "level_accuracy",
    "mistake_severity",
    "path_scores",
    "precision_recall_f",
    "roll_up",
    "superclasses_of",
    "tree_induced_error",
]
