"""A trained model's predictions for samples, scored in blocks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl import metrics
from graphzsl.data.samples import Samples
from graphzsl.errors import ModelError
from graphzsl.evaluation.predictions import DEPTH, Predictions
from graphzsl.evaluation.ranked_lists import columns_of
from graphzsl.evaluation.sides import Sides, seen_first
from graphzsl.metrics.ranking import Ranked
from graphzsl.metrics.ties import TieCollector
from graphzsl.models.base.zero_shot_model import ZeroShotModel
from graphzsl.progress import progress
from graphzsl.wording import counted

#: Bytes of one block of scores: memory does not grow with samples × candidates.
_BLOCK_BYTES = 64 * 2**20
#: Samples of one block at most: shards are whole blocks.
_BLOCK_SAMPLES = 256


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
            f"{stray[0]} has samples but is not a candidate of the model, like"
            f" {counted(len(stray), 'class', 'classes')} in all. Evaluate other classes, or count"
            " their samples as missed.",
            argument="missing",
            value="miss",
        )
    truth = columns_of(samples.labels, candidates)
    blocks = ScoredBlocks(candidates, seen_here, depth)
    features = model.features(samples)
    size = block_size(len(candidates))
    for start in progress(range(0, len(truth), size), "scoring", total=-(-len(truth) // size)):
        block = slice(start, start + size)
        scores = model.scores(features[block])
        try:
            blocks.add(scores, truth[block])
        except ValueError as error:
            last = start + len(scores) - 1
            raise ModelError(
                f"The model cannot be evaluated: {error} in samples {start} to {last}."
            ) from None
    return blocks.predictions(samples.labels, samples.metadata)


def block_size(candidates: int) -> int:
    """How many samples are scored at once."""
    return max(1, min(_BLOCK_SAMPLES, _BLOCK_BYTES // (4 * candidates)))


class ScoredBlocks:
    """Predictions from one block of scores after the other.

    Args:
        candidates: [C] the classes of the columns, the seen ones first.
        seen: the training classes among them.
        depth: length of the lists that are kept.
    """

    def __init__(self, candidates: Sequence[str], seen: Sequence[str], depth: int = DEPTH):
        self.candidates, self.seen, self.depth = list(candidates), list(seen), depth
        self._found: list[Ranked] = []
        self._sides: list[Sides] = []
        self._ties = TieCollector()

    def add(self, scores: npt.NDArray[np.floating], truth: npt.NDArray[np.int64]) -> Ranked:
        """A block of scores [n, C] and its true columns [n], -1 for what is no candidate; what was
        found in it. ValueError for a score that is not a number."""
        found = metrics.ranked(scores, truth, self.depth)
        self._found.append(found)
        self._ties.add(scores, found)
        if 0 < len(self.seen) < len(self.candidates):
            self._sides.append(Sides.from_scores(scores, truth, len(self.seen)))
        return found

    def predictions(self, labels: list[str], metadata: dict[str, Any]) -> Predictions:
        """The predictions of all blocks."""
        return Predictions(
            self.candidates,
            labels,
            np.concatenate([each.top for each in self._found]),
            np.concatenate([each.rank for each in self._found]),
            True,
            self.seen,
            Sides.join(self._sides),
            self._ties.ties(),
            metadata,
        )
