"""A trained model's predictions for samples, scored in blocks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from graphzsl import metrics
from graphzsl.data.samples import Samples
from graphzsl.errors import ModelError
from graphzsl.evaluation.predictions import DEPTH, Predictions
from graphzsl.evaluation.ranked_lists import columns_of
from graphzsl.evaluation.sides import Sides, seen_first
from graphzsl.metrics.ties import TieCollector
from graphzsl.models.base.zero_shot_model import ZeroShotModel
from graphzsl.progress import progress

#: Bytes of one block of scores: memory does not grow with samples × candidates.
_BLOCK_BYTES = 64 * 2**20


def predict(
    model: ZeroShotModel,
    samples: Samples,
    seen: Sequence[str] = (),
    *,
    depth: int = DEPTH,
    missing: str = "error",
) -> Predictions:
    """Score samples in blocks. ``seen`` are the training classes, for the generalized setting.

    ``missing`` says what a sample means whose class is not a candidate: error, or miss (it counts,
    as a miss). Raises ModelError for such a sample, or a score that is not a number.
    """
    seen_here, candidates = seen_first(model.wnids, seen)
    if seen_here:
        model = model.select(candidates)
    stray = sorted(set(samples.labels) - set(candidates))
    if stray and missing == "error":
        raise ModelError(
            f"{stray[0]} has samples but is not a candidate of the model ({len(stray)} such"
            " classes). Evaluate other classes, or count them as missed (missing: miss)."
        )
    truth = columns_of(samples.labels, candidates)
    top = np.empty((len(truth), min(depth, len(candidates))), np.int64)
    rank = np.empty(len(truth), np.int64)
    sides: list[Sides] = []
    ties = TieCollector()
    features = model.features(samples)
    size = max(1, _BLOCK_BYTES // (4 * len(candidates)))
    for start in progress(range(0, len(truth), size), "scoring", total=-(-len(truth) // size)):
        block = slice(start, start + size)
        scores = model.scores(features[block])
        try:
            found = metrics.ranked(scores, truth[block], depth)
        except ValueError as error:
            last = start + len(scores) - 1
            raise ModelError(
                f"The model cannot be evaluated: {error} in samples {start} to {last}."
            ) from None
        rank[block], top[block] = found.rank, found.top
        ties.add(scores, found)
        if 0 < len(seen_here) < len(candidates):
            sides.append(Sides.from_scores(scores, truth[block], len(seen_here)))
    return Predictions(
        candidates,
        samples.labels,
        top,
        rank,
        True,
        seen_here,
        Sides.join(sides),
        ties.ties(),
        samples.metadata,
    )
