"""One evaluation for every classifier, ours or from outside: metrics of its predictions, one JSON a run with its provenance."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq

from graphzsl import metrics
from graphzsl.errors import DataError, ModelError
from graphzsl.files import MANIFEST, manifest, read_json, sha256, sha256_text
from graphzsl.outcomes import false_negatives_on_training, first_predictions
from graphzsl.predictions import Predictions
from graphzsl.relations import OUTCOMES, Relations

HIT_KS = (1, 2, 5, 10, 20)
HP_KS = (2, 5, 10, 20)
#: Borders of the population groups: below the first, from the first to below the second, …
POPULATIONS = (10, 100, 300, 1000)

Interval = Callable[[np.ndarray], tuple[float, float]]


@dataclass(frozen=True)
class Judge:
    """What predictions are held against, beside the labels.

    ``relations`` adds outcomes and lowest common ancestors; the whole hierarchy adds hp@k with ``valid`` labels (default: the
    candidates), heights in full WordNet and, with ``train``, groups by hops. ``hcorrect`` k -> class -> members gives hCorrectSets
    that were exported instead.
    """

    relations: Relations | None = None
    hcorrect: dict[int, dict[str, list[str]]] = field(default_factory=dict)
    valid: Sequence[str] | None = None
    valid_name: str = "given"  #: what the result calls ``valid``
    train: Sequence[str] = ()
    rounds: int = 2000
    level: float = 0.95
    seed: int = 0

    @property
    def interval(self) -> Interval:
        """Bootstrap interval of a mean."""
        return partial(metrics.bootstrap_interval, rounds=self.rounds, level=self.level, seed=self.seed)


def judge(predictions: Predictions, against: Judge, **facts: Any) -> dict[str, Any]:
    """All metrics of a run, as a manifest of kind ``evaluation``; ``facts`` (split, semantics, …) are kept in it.

    ``metrics`` holds hit@k, hp@k, mean rank, shares of outcomes and heights of lowest common ancestors, each per class and per sample with
    intervals. Where training classes are among the candidates, they are of the samples of unseen classes alone, and
    ``generalised`` holds ts, tr and H for every k, the area under the seen-unseen curve and, with a hierarchy, the share of
    false negatives that fall on training classes.
    """
    seen = set(predictions.seen)
    is_seen = np.array([label in seen for label in predictions.labels], dtype=bool)
    unseen = predictions.of(~is_seen) if is_seen.any() and not is_seen.all() else predictions
    found = _metrics(unseen, against)
    result: dict[str, Any] = {
        "metrics": found,
        "samples": len(unseen.labels),
        "labels_sha256": sha256_text("\n".join(predictions.labels)),
        "classes": len(set(unseen.labels)),
        "candidates": len(predictions.candidates),
        "ties": metrics.TIES_RULE,
        "lists": "scores" if predictions.complete else f"the first {predictions.top.shape[1]}",
        "not_candidates": len(set(predictions.labels) - set(predictions.candidates)),
        "bootstrap": {"rounds": against.rounds, "level": against.level, "seed": against.seed,
                      "method": "percentile; samples or classes resampled"},
        "features": predictions.facts,
    }  # fmt: skip
    if against.relations is not None:
        result |= _hierarchical_facts(unseen, against, found)
    if unseen is not predictions:
        result["generalised"] = generalised(predictions, is_seen)
        if against.relations is not None:
            share = false_negatives_on_training(
                unseen.labels, first_predictions(unseen), predictions.seen, against.relations
            )
            result["generalised"]["false_negatives_on_training"] = share
    return manifest("evaluation", **result, **facts)


#: What of a model's manifest a run keeps.
_PROVENANCE = (
    "model", "family", "options", "given_options", "chosen_on_validation", "validation", "validated_with", "seed", "semantics", "scaling", "classifiers", "samples",
    "graph",
)  # fmt: skip


def provenance_of(facts: dict[str, Any], train: Sequence[str], candidates: Sequence[str]) -> dict[str, Any]:
    """Where a run comes from: what the model's manifest says of it, and the training classes and candidates by number and checksum."""
    lists = {"train": train, "candidates": candidates}
    named = {key: {"classes": len(names), "sha256": sha256_text("\n".join(names))} for key, names in lists.items()}
    return {key: facts[key] for key in _PROVENANCE if key in facts} | named


def _metrics(predictions: Predictions, against: Judge) -> dict[str, Any]:
    classes, interval = predictions.class_ids, against.interval
    names = sorted(set(predictions.labels))
    depth = predictions.top.shape[1]
    ks = [k for k in HIT_KS if predictions.complete or k <= depth]
    values = {f"hit@{k}": predictions.hits(k) for k in ks}
    for k, sets in sorted(_hcorrect(predictions, against, names).items()):
        if k <= min(depth, len(predictions.candidates)):
            values[f"hp@{k}"] = metrics.hierarchical_precisions(
                predictions.top, classes, _columns(predictions, sets, names), k
            )
    if predictions.complete:
        values["mean_rank"] = predictions.rank.astype(np.float64)
    if against.relations is not None:
        values |= _relational(predictions, against.relations)
    return {name: metrics.summary(value, classes, interval) for name, value in values.items()}


def _hcorrect(predictions: Predictions, against: Judge, names: list[str]) -> dict[int, dict[str, list[str]]]:
    for k, sets in against.hcorrect.items():
        missing = sorted(set(names) - sets.keys())
        if missing:
            raise ModelError(
                f"There is no hCorrectSet of {missing[0]} for k = {k}. Export it with a valid set that holds the class."
            )
    if against.hcorrect or against.relations is None or not against.relations.whole:
        return against.hcorrect
    valid = sorted({*(against.valid or predictions.candidates), *names})
    return against.relations.hcorrect_sets(names, valid, [k for k in HP_KS if k <= len(valid)])


def _columns(predictions: Predictions, sets: dict[str, list[str]], names: list[str]) -> dict[int, frozenset[int]]:
    """Class number -> columns of its hCorrectSet that are candidates."""
    index = {name: column for column, name in enumerate(predictions.candidates)}
    return {number: frozenset(index[m] for m in sets[name] if m in index) for number, name in enumerate(names)}


def _relational(predictions: Predictions, relations: Relations) -> dict[str, np.ndarray]:
    """[N] each: the outcome of the first prediction as 0/1, and heights of lowest common ancestors."""
    relations.check({*predictions.labels, *predictions.candidates})
    firsts = [predictions.candidates[column] for column in predictions.top[:, 0]]
    outcomes = [relations.outcome(true, found) for true, found in zip(predictions.labels, firsts, strict=True)]
    values = {name: np.array([outcome == name for outcome in outcomes], dtype=np.float64) for name in OUTCOMES}
    trimmed = relations.heights({*predictions.labels, *predictions.candidates})
    values["lca_height@1"] = _lca(predictions, relations, trimmed, 1)
    values["lca_height@5"] = _lca(predictions, relations, trimmed, 5)
    if relations.whole:
        values["lca_height_wordnet@1"] = _lca(predictions, relations, relations.heights(), 1)
    return values


def _lca(predictions: Predictions, relations: Relations, heights: dict[str, int], k: int) -> np.ndarray:
    """[N] smallest height over the first k predictions (Russakovsky et al. 2015, section 4.1)."""
    known: dict[tuple[str, int], int] = {}
    found = np.empty(len(predictions.labels))
    for row, (label, columns) in enumerate(zip(predictions.labels, predictions.top[:, :k].tolist(), strict=True)):
        best = None
        for column in columns:
            if column < 0:
                continue
            if (label, column) not in known:
                known[label, column] = relations.lca_height(label, predictions.candidates[column], heights)
            height = known[label, column]
            best = height if best is None else min(best, height)
        found[row] = best if best is not None else np.nan
    return found


def _hierarchical_facts(predictions: Predictions, against: Judge, found: dict[str, Any]) -> dict[str, Any]:
    """The semantic interval, and hits by groups of classes."""
    relations = against.relations
    assert relations is not None
    shares = {
        kind: [found[name][kind] for name in ("correct", "parent", "child")] for kind in ("per_class", "per_sample")
    }
    groups: dict[str, list[dict[str, Any]]] = {}
    if relations.whole and against.train:
        hops = relations.hops_from(against.train)
        groups["hops"] = _groups(predictions, lambda wnid: str(hops.get(wnid, "unreachable")))
    if any(wnid in relations.populations for wnid in set(predictions.labels)):
        groups["population"] = _groups(predictions, lambda wnid: _population_group(relations.populations.get(wnid)))
    valid = set(against.valid or predictions.candidates)
    added = set(predictions.labels) - valid
    kind = "exported" if against.hcorrect else against.valid_name if against.valid else "the candidates"
    return {
        "semantic_interval": {kind: list(metrics.semantic_interval(*values)) for kind, values in shares.items()},
        "false_negative_ratio": {kind: metrics.false_negative_ratio(*values) for kind, values in shares.items()},
        "groups": groups,
        "hierarchy": {key: relations.graph.facts.get(key) for key in ("hierarchy", "whole", "queries", "sources")},
        "hp_valid_set": {"labels": kind, "size": len(valid | added), "true_classes_added": len(added)},
    }


def _population_group(images: int | None) -> str:
    if images is None:
        return "unknown"
    borders = (0, *POPULATIONS)
    low = max(border for border in borders if border <= images)
    following = [border for border in borders if border > low]
    return f"{low} to {following[0] - 1} images" if following else f"{low} images or more"


def _groups(predictions: Predictions, group: Callable[[str], str]) -> list[dict[str, Any]]:
    """One row a group of true classes, by the number that its name starts with."""
    names = np.array([group(label) for label in predictions.labels])
    rows = []
    for name in sorted(
        set(names.tolist()), key=lambda text: (not text[0].isdigit(), int(text.split()[0]) if text[0].isdigit() else 0)
    ):
        part = predictions.of(names == name)
        hits = {f"hit@{k}": metrics.summary(part.hits(k), part.class_ids)["per_class"] for k in (1, 5)}
        rows.append({"group": name, "classes": len(set(part.labels)), "samples": len(part.labels), **hits})
    return rows


def generalised(predictions: Predictions, is_seen: np.ndarray) -> dict[str, Any]:
    """ts, tr and H for every k, per class and per sample, and the area under the seen-unseen curve, per class.

    ts is the accuracy on samples of unseen classes, tr on those of seen classes, both among all candidates (Xian et al. 2017).
    """
    found: dict[str, Any] = {}
    for k in HIT_KS:
        if not predictions.complete and k > predictions.top.shape[1]:
            continue
        sides: dict[str, Any] = {}
        for name, rows in (("ts", ~is_seen), ("tr", is_seen)):
            part = predictions.of(rows)
            sides[name] = metrics.summary(part.hits(k), part.class_ids)
        found[f"hit@{k}"] = {
            kind: {
                "ts": sides["ts"][kind],
                "tr": sides["tr"][kind],
                "h": metrics.harmonic_mean(sides["ts"][kind], sides["tr"][kind]),
            }
            for kind in ("per_class", "per_sample")
        }
    if predictions.sides is not None:
        sides_of = predictions.sides
        curve = metrics.seen_unseen_curve(
            sides_of.margin, sides_of.seen_hit, sides_of.unseen_hit, _weights(predictions.class_ids, is_seen)
        )
        found["ausuc"] = metrics.area_under(curve)
        points = np.unique(np.linspace(0, len(curve) - 1, 50).astype(int))
        found["curve"] = [[round(float(a), 6), round(float(b), 6)] for a, b in curve[points]]
    found["seen_samples"], found["seen_classes"] = int(is_seen.sum()), len(predictions.seen)
    return found


def _weights(classes: np.ndarray, is_seen: np.ndarray) -> np.ndarray:
    counts = np.bincount(classes)
    weights = 1 / counts[classes]
    for side in (is_seen, ~is_seen):
        weights[side] /= max(1, len(np.unique(classes[side])))
    return np.asarray(weights)


def load_hcorrect(folder: Path) -> tuple[dict[int, dict[str, list[str]]], dict[str, Any]]:
    """(k -> wnid -> members, manifest) of a folder that ``graphzsl export hcorrect`` wrote as Parquet."""
    facts = read_json(folder / MANIFEST)
    path = folder / "hcorrect.parquet"
    if facts.get("kind") != "hcorrect" or not path.exists():
        raise DataError(f"{folder} holds no hcorrect.parquet. Run `graphzsl export hcorrect --out {folder}`.")
    if sha256(path) != facts["files"][path.name]:
        raise DataError(f"{path} is not the file that its manifest describes. Export it again.")
    found: dict[int, dict[str, list[str]]] = {}
    for row in pq.read_table(path, columns=["wnid", "k", "members"]).to_pylist():
        found.setdefault(row["k"], {})[row["wnid"]] = row["members"]
    return found, facts
