"""Lists, ranks and ties of blocks of scores, and ranked candidates without true classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl import metrics
from graphzsl.audit.sides import Sides
from graphzsl.common.frames import Tabular
from graphzsl.common.wording import counted
from graphzsl.metrics.ranking import Ranked
from graphzsl.metrics.ties import TieCollector, Ties

#: Length of the lists that are kept.
DEPTH = 20
#: Bytes of one block of scores: memory does not grow with samples × candidates.
_BLOCK_BYTES = 64 * 2**20
#: Samples of one block at most: shards are whole blocks.
_BLOCK_SAMPLES = 256


@dataclass(frozen=True, eq=False)
class UnlabelledPredictions(Tabular):
    """Ranked candidates of N samples whose true classes are not known.

    Args:
        candidates: [C] the classes that are chosen from.
        top: [N, K] columns of the best candidates, best first; equal scores in their order.
    """

    candidates: list[str]
    top: npt.NDArray[np.int64]

    def __repr__(self) -> str:
        return (
            f"<UnlabelledPredictions: {counted(len(self.top), 'sample')},"
            f" {counted(len(self.candidates), 'candidate')}>"
        )

    def predicted(self) -> list[str]:
        """[N] the first candidate of each sample."""
        return [self.candidates[column] for column in self.top[:, 0].tolist()]

    def rows(self) -> list[dict[str, Any]]:
        """One row per sample: top1, top2, … With a column ``label`` their frame can be
        evaluated."""
        places = [f"top{place + 1}" for place in range(self.top.shape[1])]
        classes = np.array(self.candidates, dtype=object)[self.top].tolist()
        return [dict(zip(places, row, strict=True)) for row in classes]


def block_size(candidates: int) -> int:
    """Number of samples that are scored at once."""
    return max(1, min(_BLOCK_SAMPLES, _BLOCK_BYTES // (4 * candidates)))


class ScoredBlocks:
    """Lists, ranks and ties of one block of scores after the other (``predictions_of_blocks``).

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

    def rank(self) -> npt.NDArray[np.int64]:
        """[N] ranks of the true classes in all blocks."""
        return np.concatenate([each.rank for each in self._found])

    def top(self) -> npt.NDArray[np.int64]:
        """[N, K] columns of the best candidates in all blocks."""
        return np.concatenate([each.top for each in self._found])

    def sides(self) -> Sides | None:
        """Sums that calibrated stacking needs of each sample; None where all candidates are seen,
        or none is."""
        return Sides.join(self._sides)

    def ties(self) -> Ties:
        """The candidates of equal score in all blocks."""
        return self._ties.ties()
