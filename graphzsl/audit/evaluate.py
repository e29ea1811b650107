"""One evaluation for every classifier, ours or from outside: metrics of its predictions, one JSON a
run with its provenance."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from graphzsl import metrics
from graphzsl.audit.evaluation_options import EvaluationOptions
from graphzsl.audit.generalized import generalized, samples_of_seen
from graphzsl.audit.measures import Measure, measure, precision_measures, with_expected
from graphzsl.audit.outcomes import false_negatives_on_training
from graphzsl.audit.predictions import Predictions
from graphzsl.common.errors import ModelError
from graphzsl.common.files import manifest, sha256_text
from graphzsl.common.reading.number_texts import unsigned
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.hcorrect import hcorrect_sets

#: Borders of the population groups: below the first, from the first to below the second, …
POPULATIONS = (10, 100, 300, 1000)

#: Key of what a value would be on average if tied candidates came in random order; there only where
#: a tie decides something.
EXPECTED = metrics.EXPECTED


def evaluate(
    predictions: Predictions,
    against: EvaluationOptions,
    measures: Mapping[str, Measure] | None = None,
    **metadata: Any,
) -> dict[str, Any]:
    """All metrics of a run, as a manifest of kind ``evaluation``; ``metadata`` (split, semantics)
    are kept in it.

    ``metrics`` holds hit@k, hp@k, mean rank, shares of outcomes and heights of lowest common
    ancestors, each per class and per sample with intervals. All count ties against the model; where
    a tie decides a value, ``expected_under_random_ties`` stands beside it. Where training classes
    are among the candidates, they are of the samples of unseen classes alone, and ``generalized``
    holds ts, tr and H for every k, the area under the seen-unseen curve and, with a hierarchy, the
    share of false negatives that fall on training classes. ``measures`` are those of
    ``measures_of`` where they are known already.
    """
    is_seen = samples_of_seen(predictions)
    is_evaluated = _evaluated(is_seen)
    unseen = predictions if is_evaluated.all() else predictions.subset(is_evaluated)
    if measures is None:
        values = measure(unseen, _hcorrect(unseen, against), against.hierarchy, against.ks)
    else:
        values = {name: each.subset(is_evaluated) for name, each in measures.items()}
    summaries = {
        name: metrics.summary(each.worst, unseen.class_ids, against.interval, each.expected)
        for name, each in values.items()
    }
    result: dict[str, Any] = {
        "metrics": summaries,
        "samples": len(unseen.labels),
        "labels_sha256": sha256_text("\n".join(predictions.labels)),
        "classes": len(set(unseen.labels)),
        "candidates": len(predictions.candidates),
        "ties": metrics.TIES_RULE if predictions.ties else metrics.LISTS_RULE,
        "lists": "scores" if predictions.complete else f"the first {predictions.top.shape[1]}",
        "not_candidates": len(set(predictions.labels) - set(predictions.candidates)),
        "bootstrap": {
            "rounds": against.rounds,
            "level": against.confidence,
            "seed": against.seed,
            "draws_beyond_each_end": metrics.tail_draws(against.rounds, against.confidence),
            "method": "percentile; samples or classes resampled",
        },
        "features": predictions.metadata,
    }
    if against.hierarchy is not None:
        result |= _hierarchical_metrics(unseen, against, summaries)
    if unseen is not predictions:
        result["generalized"] = generalized(predictions, is_seen, against.ks)
        if against.hierarchy is not None:
            share = false_negatives_on_training(
                unseen.labels,
                unseen.predicted(against.hierarchy),
                predictions.seen,
                against.hierarchy,
                {
                    row: [predictions.candidates[column] for column in tied.tolist()]
                    for row, tied in unseen.tied_first.items()
                },
            )
            result["generalized"]["false_negatives_on_training"] = share
    return manifest("evaluation", **result, **metadata)


#: What of a model's manifest a run keeps.
_PROVENANCE = (
    "model",
    "family",
    "options",
    "given_options",
    "chosen_on_validation",
    "validation",
    "validated_with",
    "calibration",
    "seed",
    "semantics",
    "scaling",
    "classifiers",
    "samples",
    "graph",
)


def provenance_of(
    manifest: dict[str, Any], train: Sequence[str], candidates: Sequence[str]
) -> dict[str, Any]:
    """Provenance of a run: what the model's manifest says of it, and the training classes and
    candidates by number and a checksum that does not depend on their order."""
    lists = {"train": train, "candidates": candidates}
    named = {
        key: {"classes": len(names), "sha256": sha256_text("\n".join(sorted(names)))}
        for key, names in lists.items()
    }
    return {key: manifest[key] for key in _PROVENANCE if key in manifest} | named


def measures_of(predictions: Predictions, against: EvaluationOptions) -> dict[str, Measure]:
    """Metric -> its value for every sample, of seen classes too. hCorrectSets are of the classes
    that are evaluated, so in the generalized setting samples of seen classes have no hp@k (nan)."""
    is_evaluated = evaluated_samples(predictions)
    if is_evaluated.all():
        return measure(predictions, _hcorrect(predictions, against), against.hierarchy, against.ks)
    unseen = predictions.subset(is_evaluated)
    precisions = precision_measures(unseen, _hcorrect(unseen, against))
    return measure(predictions, {}, against.hierarchy, against.ks) | {
        name: each.within(is_evaluated) for name, each in precisions.items()
    }


def evaluated_samples(predictions: Predictions) -> np.ndarray:
    """[N] the samples that metrics are of: those of unseen classes, where there are such."""
    return _evaluated(samples_of_seen(predictions))


def _evaluated(is_seen: np.ndarray) -> np.ndarray:
    """[N] the samples that metrics are of: those of unseen classes, or all where there is but one
    kind."""
    return ~is_seen if is_seen.any() and not is_seen.all() else np.ones_like(is_seen)


def _hcorrect(
    predictions: Predictions, against: EvaluationOptions
) -> dict[int, dict[str, list[str]]]:
    names = sorted(set(predictions.labels))
    for k, sets in against.hcorrect.items():
        missing = [name for name in names if name not in sets]
        if missing:
            raise ModelError(
                f"There is no hCorrectSet of {missing[0]} for k = {k}. Export it with a valid set"
                " that holds the class."
            )
    if against.hcorrect or against.hierarchy is None or not against.hierarchy.whole:
        return against.hcorrect
    valid = sorted({*(against.valid or predictions.candidates), *names})
    ks = tuple(k for k in against.ks if 1 < k <= len(valid))
    return _members(against.hierarchy, tuple(names), tuple(valid), ks)


@lru_cache(maxsize=1)  # the models of a split are asked for the same classes, one after another
def _members(
    hierarchy: Hierarchy, names: tuple[str, ...], valid: tuple[str, ...], ks: tuple[int, ...]
) -> dict[int, dict[str, list[str]]]:
    """k -> class -> members of its hCorrectSet."""
    hierarchy.check_classes(valid)
    members_of: dict[int, dict[str, list[str]]] = {k: {} for k in ks}
    for row in hcorrect_sets(hierarchy, names, valid, ks) if ks else ():
        members_of[row.k][row.wnid] = row.members
    return members_of


@lru_cache(maxsize=1)
def _hops_from(hierarchy: Hierarchy, train: tuple[str, ...]) -> dict[str, int]:
    return hierarchy.hops_from(train)


def _hierarchical_metrics(
    predictions: Predictions, against: EvaluationOptions, summaries: dict[str, Any]
) -> dict[str, Any]:
    """The semantic interval, and hits by groups of classes."""
    hierarchy = against.hierarchy
    assert hierarchy is not None
    groups: dict[str, list[dict[str, Any]]] = {}
    if hierarchy.whole and against.train:
        hops = _hops_from(hierarchy, tuple(against.train))
        groups["hops"] = _groups(predictions, lambda wnid: str(hops.get(wnid, "unreachable")))
    if any(wnid in hierarchy.populations for wnid in set(predictions.labels)):
        groups["population"] = _groups(
            predictions, lambda wnid: population_group(hierarchy.populations.get(wnid))
        )
    valid = set(against.valid or predictions.candidates)
    added = set(predictions.labels) - valid
    kind = (
        "exported"
        if against.hcorrect
        else against.valid_name
        if against.valid
        else "the candidates"
    )
    return {
        "semantic_interval": _from_shares(
            summaries, lambda *shares: list(metrics.semantic_interval(*shares))
        ),
        "false_negative_ratio": _from_shares(summaries, metrics.false_negative_ratio),
        "groups": groups,
        "hierarchy": dict(hierarchy.provenance),
        "hp_valid_set": {
            "labels": kind,
            "size": len(valid | added),
            "true_classes_added": len(added),
        },
    }


def _from_shares(summaries: dict[str, Any], function: Callable[..., Any]) -> dict[str, Any]:
    """A function of the shares of correct, parent and child predictions, per class and per sample;
    of the expected shares too, where a tie decides one."""

    def of_shares(shares: Sequence[dict[str, Any]]) -> dict[str, Any]:
        kinds = ("per_class", "per_sample")
        return {kind: function(*(each[kind] for each in shares)) for kind in kinds}

    return with_expected(of_shares, [summaries[name] for name in ("correct", "parent", "child")])


def population_group(images: int | None) -> str:
    """The group of a class by its images: ``10 to 99 images``, or ``unknown``."""
    if images is None:
        return "unknown"
    borders = (0, *POPULATIONS)
    low = max(border for border in borders if border <= images)
    following = [border for border in borders if border > low]
    return f"{low} to {following[0] - 1} images" if following else f"{low} images or more"


def order_of_group(name: str) -> tuple[bool, int, str]:
    """Sort key of groups: by the number at the start of the name; groups without a number come
    last."""
    first = unsigned(name.partition(" ")[0])
    return first is None, first or 0, name


def _groups(predictions: Predictions, group: Callable[[str], str]) -> list[dict[str, Any]]:
    """One row per group of true classes, in their order."""
    names = np.array([group(label) for label in predictions.labels])
    rows = []
    for name in sorted(set(names.tolist()), key=order_of_group):
        part = predictions.subset(names == name)
        hits = {
            k: metrics.summary(part.hits(k), part.class_ids, None, part.expected_hits(k))
            for k in (1, 5)
            if part.reaches(k)
        }
        row: dict[str, Any] = {
            "group": name,
            "classes": len(set(part.labels)),
            "samples": len(part.labels),
        }
        row |= {f"hit@{k}": value["per_class"] for k, value in hits.items()}
        expected = {
            f"hit@{k}": value[EXPECTED]["per_class"]
            for k, value in hits.items()
            if EXPECTED in value
        }
        rows.append(row | ({EXPECTED: expected} if expected else {}))
    return rows
