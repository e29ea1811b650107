"""Metrics as pure functions of arrays. N samples, C candidates, K list length."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

#: Metrics that no shares are; the others are shown in per cent.
_PLAIN = re.compile(r"mean_rank|lca_height.*")
#: Metrics of which a smaller value is better.
_SMALL_IS_GOOD = re.compile(r"mean_rank|lca_height.*|unrelated")
#: Metrics that put models in no order: a prediction above or below the true class is neither right nor wrong.
_UNORDERED = re.compile(r"parent|child")


def is_share(name: str) -> bool:
    """Whether a metric is a share, shown in per cent, and not a rank or a height."""
    return _PLAIN.fullmatch(name) is None


def direction(name: str) -> int:
    """1 where larger values of a metric are better, -1 where smaller ones are, 0 where neither is."""
    if _UNORDERED.fullmatch(name):
        return 0
    return -1 if _SMALL_IS_GOOD.fullmatch(name) else 1


def display_order(name: str) -> tuple[int, int]:
    """What metrics are sorted by in tables: hit@k, then hp@k, each by k, then the rest in the order that they have."""
    kind, _, k = name.partition("@")
    return ({"hit": 0, "hp": 1}.get(kind, 2), int(k) if kind in ("hit", "hp") else 0)


Floats = npt.NDArray[np.floating]
Ints = npt.NDArray[np.int64]

#: The rule of every metric here. Where it decides anything, results also hold the mean over all orders of the tied candidates.
TIES_RULE = "ties count against the model: candidates of equal score take the order that is worst for the metric"
EXPECTED = "expected_under_random_ties"
#: What holds instead where only ranked lists are known.
LISTS_RULE = "ranked lists hold no scores, hence no ties: their order is taken as given"


def ranks(scores: Floats, truth: Ints) -> Ints:
    """[N] rank of the true candidate, from 1: the number of candidates whose score is at least its own.

    Ties count against the model. ``scores`` [N, C], ``truth`` [N] columns, -1 where the true class is no candidate: its rank is
    C + 1. A NaN score raises ValueError.
    """
    if np.isnan(scores).any():
        raise ValueError("a score is NaN")
    true = scores[np.arange(len(truth)), truth]
    found = np.count_nonzero(scores >= true[:, None], axis=1)
    return np.where(truth >= 0, found, scores.shape[1] + 1).astype(np.int64)


def top_candidates(scores: Floats, k: int) -> Ints:
    """[N, min(k, C)] columns of the largest scores, best first; equal scores in the order of their columns."""
    import torch

    k = min(k, scores.shape[1])
    best, columns = torch.topk(torch.from_numpy(scores), k, dim=1)
    values, chosen = best.numpy(), columns.numpy()
    ambiguous = np.flatnonzero(np.count_nonzero(scores >= values[:, -1:], axis=1) > k)
    for row in ambiguous:  # a tie across the border: topk took any of them
        last = values[row, -1]
        better = np.flatnonzero(scores[row] > last)
        chosen[row] = np.r_[better, np.flatnonzero(scores[row] == last)[: k - len(better)]]
        values[row] = scores[row, chosen[row]]
    order = np.lexsort((chosen, -values), axis=1)
    return np.asarray(np.take_along_axis(chosen, order, axis=1), dtype=np.int64)


def hits(rank: Ints, k: int) -> npt.NDArray[np.float64]:
    """[N] 1 where the true class is among the first k."""
    return (rank <= k).astype(np.float64)


def expected_hits(better: Ints, rank: Ints, k: int) -> npt.NDArray[np.float64]:
    """[N] chance that the true class is among the first k when tied candidates come in random order.

    ``better`` candidates score more and g = ``rank`` - ``better`` share its score: (k - better) / g, between 0 and 1.
    """
    return np.clip((k - better) / (rank - better), 0.0, 1.0)


def tied_precision(sure: int, correct: int, tied: int, free: int, k: int) -> tuple[float, float]:
    """(worst, expected) hp@k of a list whose last ``free`` places go to a tie of ``tied`` candidates, ``correct`` of them right.

    hp@k = |top-k ∩ hCorrectSet(true class, k)| / k (Frome et al. 2013, appendix A.3, equation 1). ``sure`` are the right ones
    before the tie. At worst the places go to wrong ones first; on average a place is right with chance correct / tied.
    """
    return (sure + max(0, free - (tied - correct))) / k, (sure + free * correct / tied) / k


def tied_minimum(sure: float, values: npt.NDArray[np.float64], free: int) -> tuple[float, float]:
    """(largest, expected) minimum of ``sure`` and ``free`` of the tied ``values``: for heights, where a small one is good.

    The largest takes the ``free`` largest values. For a random subset, P(minimum ≥ v) = C(n, free) / C(g, free) with n of the g
    values at least v, a product of ``free`` factors (n - i) / (g - i).
    """
    ordered = np.sort(values)
    distinct, first = np.unique(np.minimum(ordered, sure), return_index=True)
    least = len(values) - first  # how many values are at least each of the distinct ones
    steps = np.arange(free)
    above = np.prod(np.clip(least[:, None] - steps, 0, None) / (len(values) - steps), axis=1)
    return float(min(sure, ordered[-free])), float(distinct @ (above - np.append(above[1:], 0.0)))


def per_class(values: npt.NDArray[np.float64], truth: Ints) -> npt.NDArray[np.float64]:
    """Mean of the values of each class that has a sample, in the order of the classes' columns (Xian et al. 2017)."""
    _, inverse, counts = np.unique(truth, return_inverse=True, return_counts=True)
    return np.asarray(np.bincount(inverse, values) / counts)


def harmonic_mean(one: float, other: float) -> float:
    """2ab / (a + b); 0 when both are 0 (Xian et al. 2017, equation 16)."""
    return 2 * one * other / (one + other) if one + other else 0.0


def semantic_interval(correct: float, parent: float, child: float) -> tuple[float, float]:
    """Bounds of the semantic accuracy: a parent is right, a child may be (Hascoet et al. 2019, section 4.1)."""
    return correct + parent, correct + parent + child


def false_negative_ratio(correct: float, parent: float, child: float) -> float | None:
    """Parents and children for each correct prediction: FN / TP of Hascoet et al. (2019, Table 3); None without a correct one."""
    return (parent + child) / correct if correct else None


def seen_unseen_curve(
    margin: npt.NDArray[np.float64],
    seen_hit: npt.NDArray[Any],
    unseen_hit: npt.NDArray[Any],
    weights: npt.NDArray[np.float64],
) -> npt.NDArray[np.float64]:
    """[P, 2] (seen, unseen) accuracies of calibrated stacking, as the amount taken off the seen scores grows.

    ``margin`` [N] is the best seen score less the best unseen one, ``seen_hit`` and ``unseen_hit`` [N] whether each is right, ``weights``
    [N] what a sample adds to its side's accuracy (1 / classes of that side / samples of its class). With γ taken off, a sample
    goes to the seen side where margin > γ. The curve starts with everything seen and ends with everything unseen
    (Chao et al. 2016).
    """
    order = np.argsort(margin, kind="stable")
    steps = np.flatnonzero(np.diff(margin[order], append=np.inf))  # samples with equal margins move together
    lost = np.cumsum((weights * seen_hit)[order])[steps]
    won = np.cumsum((weights * unseen_hit)[order])[steps]
    total = float((weights * seen_hit).sum())
    return np.stack([np.r_[total, total - lost], np.r_[0.0, won]], axis=1)


def area_under(curve: npt.NDArray[np.float64]) -> float:
    """Area under a seen-unseen curve, by trapezoids (AUSUC)."""
    return float(np.trapezoid(curve[:, 1], -curve[:, 0]))


def bootstrap_interval(
    values: npt.NDArray[np.float64], rounds: int = 2000, level: float = 0.95, seed: int = 0
) -> tuple[float, float]:
    """Percentile interval of the mean under resampling of the values (Russakovsky et al. 2015, section 6.2).

    The mean of n draws depends on how often each distinct value is drawn, so a round is one multinomial draw over the
    distinct values: the same distribution, without n random indices a round.
    """
    distinct, counts = np.unique(values, return_counts=True)
    total = len(values)
    draws = np.random.default_rng(seed).multinomial(total, counts / total, size=rounds)
    tail = (1 - level) / 2
    low, high = np.quantile(draws @ distinct / total, [tail, 1 - tail])
    return float(low), float(high)


#: Draws beyond each end of a percentile interval below which it is called thin.
TAIL_DRAWS = 10


def tail_draws(rounds: int, level: float) -> float:
    """How many of the bootstrap draws lie beyond each end of the interval: rounds × (1 - level) / 2."""
    return round(rounds * (1 - level) / 2, 6)


def rounds_needed(level: float) -> int:
    """The fewest rounds with ``TAIL_DRAWS`` draws beyond each end."""
    return math.ceil(round(2 * TAIL_DRAWS / (1 - level), 6))


def summary(
    values: npt.NDArray[np.float64],
    classes: Ints,
    interval: Callable[[npt.NDArray[np.float64]], tuple[float, float]] | None = None,
    expected: npt.NDArray[np.float64] | None = None,
) -> dict[str, Any]:
    """Per-sample and per-class mean, the samples' standard deviation, and intervals of the means (samples and classes resampled,
    respectively).

    ``expected`` [N] are the values under random order of tied candidates. Where one differs, ``expected_under_random_ties``
    holds their means, and the share of samples that differ.
    """
    means = per_class(values, classes)
    found: dict[str, Any] = {"per_class": float(means.mean()), "per_sample": float(values.mean())}
    found["per_sample_sd"] = float(values.std())
    if interval:
        found |= {"per_class_interval": list(interval(means)), "per_sample_interval": list(interval(values))}
    differs = ~np.isclose(values, values if expected is None else expected, rtol=0, atol=1e-9)
    if expected is not None and differs.any():
        found[EXPECTED] = {
            "per_class": float(per_class(expected, classes).mean()),
            "per_sample": float(expected.mean()),
            "tied_samples": float(differs.mean()),
        }
    return found


def columns_of(wnids: Sequence[str], index: Mapping[str, int]) -> Ints:
    """Columns of wnids; KeyError for one that is no candidate."""
    return np.array([index[wnid] for wnid in wnids], dtype=np.int64)
