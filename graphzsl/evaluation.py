"""One evaluation for every head: scores in blocks, metrics over all samples, one JSON a run with its provenance."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq

from graphzsl import metrics
from graphzsl.errors import DataError, ModelError
from graphzsl.features.samples import Samples
from graphzsl.files import MANIFEST, manifest, read_json, sha256
from graphzsl.models.head import Head
from graphzsl.progress import progress

HIT_KS = (1, 2, 5, 10, 20)
#: Bytes of one block of scores: memory does not grow with samples × candidates.
_BLOCK_BYTES = 256 * 2**20


def evaluate(
    head: Head,
    samples: Samples,
    hcorrect: dict[int, dict[str, list[str]]] | None = None,
    *,
    rounds: int = 2000,
    level: float = 0.95,
    seed: int = 0,
    **facts: Any,
) -> dict[str, Any]:
    """hit@1, 2, 5, 10, 20 per sample and per class, mean rank, and hp@k for the k of ``hcorrect``, with intervals.

    Candidates are the head's; ``facts`` (split, hierarchy, semantics, …) are kept in the result. ``hcorrect`` maps
    k -> true wnid -> members of its hCorrectSet (see ``load_hcorrect``).

    Raises ModelError for a sample whose class is no candidate, or a score that is not a number.
    """
    index = {wnid: column for column, wnid in enumerate(head.wnids)}
    stray = sorted(set(samples.labels) - index.keys())
    if stray:
        raise ModelError(f"{stray[0]} has samples but is no candidate of the model ({len(stray)} such classes).")
    truth = metrics.columns_of(samples.labels, index)
    lists = _correct_columns(hcorrect or {}, set(samples.labels), index)
    longest = max(lists, default=0)
    rank = np.empty(len(truth), np.int64)
    precisions = {k: np.empty(len(truth)) for k in lists}
    size = max(1, _BLOCK_BYTES // (4 * len(index)))
    for start in progress(range(0, len(truth), size), "scoring", total=-(-len(truth) // size)):
        block = slice(start, start + size)
        scores = head.scores(samples.features[block])
        try:
            rank[block] = metrics.ranks(scores, truth[block])
        except ValueError as error:
            raise ModelError(
                f"The model cannot be evaluated: {error} in samples {start} to {start + len(scores) - 1}."
            ) from None
        if lists:
            top = metrics.top_candidates(scores, longest)
            for k, correct in lists.items():
                precisions[k][block] = metrics.hierarchical_precisions(top, truth[block], correct, k)
    interval = partial(metrics.bootstrap_interval, rounds=rounds, level=level, seed=seed)
    results: dict[str, Any] = {f"hit@{k}": metrics.summary(metrics.hits(rank, k), truth, interval) for k in HIT_KS}
    results |= {f"hp@{k}": metrics.summary(values, truth, interval) for k, values in sorted(precisions.items())}
    results["mean_rank"] = metrics.summary(rank.astype(np.float64), truth, interval)
    return manifest(
        "evaluation",
        metrics=results,
        samples=len(truth),
        classes=len(np.unique(truth)),
        candidates=len(index),
        ties=metrics.TIES_RULE,
        bootstrap={
            "rounds": rounds,
            "level": level,
            "seed": seed,
            "method": "percentile; samples or classes resampled",
        },
        features=samples.facts,
        **facts,
    )


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


def _correct_columns(
    hcorrect: dict[int, dict[str, list[str]]], labels: set[str], index: dict[str, int]
) -> dict[int, dict[int, frozenset[int]]]:
    """k -> true column -> columns; a k larger than the number of candidates has no full list and is left out."""
    lists = {}
    for k, sets in hcorrect.items():
        if k > len(index):
            continue
        missing = sorted(labels - sets.keys())
        if missing:
            raise ModelError(
                f"There is no hCorrectSet of {missing[0]} for k = {k}. Export it with a valid set that holds the class."
            )
        lists[k] = {index[w]: frozenset(index[m] for m in sets[w] if m in index) for w in labels}
    return lists


def headline(
    result: dict[str, Any], names: Sequence[str] = ("hit@1", "hit@2", "hit@5", "hit@10", "hit@20")
) -> dict[str, float]:
    """The per-class values of a run, in per cent (hp and hit) or as they are (mean rank)."""
    values = {name: result["metrics"][name]["per_class"] for name in names if name in result["metrics"]}
    return {name: round(value if name == "mean_rank" else 100 * value, 2) for name, value in values.items()}
