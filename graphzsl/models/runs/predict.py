"""A trained model's predictions, scored in blocks: of samples, and of features alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from graphzsl.audit.class_names import columns_of
from graphzsl.audit.predictions import Predictions, predictions_of_blocks
from graphzsl.audit.scored_blocks import (
    DEPTH,
    ScoredBlocks,
    UnlabelledPredictions,
    block_size,
)
from graphzsl.audit.sides import seen_first
from graphzsl.common.errors import ModelError
from graphzsl.common.progress import progress_bar
from graphzsl.common.wording import counted
from graphzsl.data.samples import Samples
from graphzsl.models.base.zero_shot_model import ZeroShotModel


def predict(
    model: ZeroShotModel,
    samples: Samples,
    seen: Sequence[str] = (),
    *,
    depth: int = DEPTH,
    missing: str = "error",
) -> Predictions:
    """Score samples in blocks. ``seen`` are the training classes, for the generalized setting.

    ``missing`` is what to do if a true class is not a candidate: 'error' raises ModelError, 'miss'
    counts its samples as wrong. A score that is not a number raises ModelError.
    """
    seen_here, candidates = seen_first(model.wnids, seen)
    if seen_here:
        model = model.select(candidates)
    stray = sorted(set(samples.labels) - set(candidates))
    if stray and missing == "error":
        raise ModelError(
            f"{stray[0]} has samples but is not a candidate of the model, like"
            f" {counted(len(stray), 'class', 'classes')} in all. Evaluate other classes, or count"
            " their samples as missed.",
            argument="missing",
            value="miss",
        )
    truth = columns_of(samples.labels, candidates)
    blocks = ScoredBlocks(candidates, seen_here, depth)
    _score(model, model.features(samples), truth, blocks)
    return predictions_of_blocks(blocks, samples.labels, samples.metadata)


def predict_features(
    model: ZeroShotModel, features: npt.NDArray[np.float32]
) -> UnlabelledPredictions:
    """Score features [N, D] in blocks; ModelError for a score that is not a number."""
    blocks = ScoredBlocks(model.wnids, ())
    _score(model, features, np.full(len(features), -1), blocks)
    return UnlabelledPredictions(model.wnids, blocks.top())


def _score(
    model: ZeroShotModel,
    features: npt.NDArray[np.float32],
    truth: npt.NDArray[np.int64],
    blocks: ScoredBlocks,
) -> None:
    size = block_size(len(blocks.candidates))
    for start in progress_bar(range(0, len(truth), size), "scoring", total=-(-len(truth) // size)):
        block = slice(start, start + size)
        scores = model.scores(features[block])
        try:
            blocks.add(scores, truth[block])
        except ValueError as error:
            last = start + len(scores) - 1
            raise ModelError(
                f"The model cannot be evaluated: {error} in samples {start} to {last}."
            ) from None
