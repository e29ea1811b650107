"""The seen and the unseen side of the generalized setting: the best candidate of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, eq=False)
class Sides:
    """The best seen and the best unseen candidate of each sample.

    ``margin`` [N] is the difference of their scores. ``seen_share`` and ``unseen_share`` [N] are
    the chance that the side's best candidate is the true class: 1 / g where it shares the largest
    score of its side with g - 1 others. Ties count against the model: a side is right only where
    the true class has that score alone.
    """

    margin: npt.NDArray[np.float64]
    seen_share: npt.NDArray[np.float64]
    unseen_share: npt.NDArray[np.float64]

    @property
    def seen_hit(self) -> npt.NDArray[np.bool_]:
        """[N] whether the seen side is right."""
        return np.asarray(self.seen_share == 1)

    @property
    def unseen_hit(self) -> npt.NDArray[np.bool_]:
        """[N] whether the unseen side is right."""
        return np.asarray(self.unseen_share == 1)

    @classmethod
    def from_scores(
        cls, scores: npt.NDArray[Any], truth: npt.NDArray[np.int64], seen: int
    ) -> Sides:
        """From [N, C] scores whose first ``seen`` columns are the seen candidates."""
        best, seen_share = _best_of_side(scores[:, :seen], truth)
        other, unseen_share = _best_of_side(scores[:, seen:], truth - seen)
        return cls(best.astype(np.float64) - other, seen_share, unseen_share)

    @classmethod
    def join(cls, parts: Sequence[Sides]) -> Sides | None:
        """The sides of all blocks of samples; None for none."""
        if not parts:
            return None
        columns = ("margin", "seen_share", "unseen_share")
        return cls(
            *(np.concatenate([getattr(part, column) for part in parts]) for column in columns)
        )


def _best_of_side(
    scores: npt.NDArray[Any], truth: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[Any], npt.NDArray[np.float64]]:
    """([N] largest score, [N] chance that the true class is drawn from those that have it);
    ``truth`` outside [0, C): 0."""
    best = scores.max(axis=1)
    inside = (truth >= 0) & (truth < scores.shape[1])
    has_it = inside & (scores[np.arange(len(scores)), np.where(inside, truth, 0)] == best)
    return best, has_it / np.count_nonzero(scores == best[:, None], axis=1)


def seen_first(names: Sequence[str], seen: Sequence[str]) -> tuple[list[str], list[str]]:
    """(seen classes among the candidates, all candidates with those first), so that both sides are
    slices of the scores."""
    known, among = set(names), set(seen)
    seen_here = [name for name in seen if name in known]
    return seen_here, [*seen_here, *(name for name in names if name not in among)]
