"""Baselines of a published benchmark that know its structure alone, without any image.

All of them know the hierarchy and the training classes, and nothing of the test images; values are
expected ones under random ties. Trained models are not among them: they need images, and a network
trained on the training classes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl.benchmark.record import Benchmark
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.search import closest_sources, row_of
from graphzsl.sources.imagenet import shipped_classes
from graphzsl.sources.published import class_lists

Floats = npt.NDArray[np.float64]
#: Lengths of the list of predictions.
KS = (1, 5, 20)
COLUMNS = (
    *("split", "baseline", "train", "hierarchy", "features", "semantics", "seeds"),
    *("candidates", "ties", *(f"hit@{k}" for k in KS)),
)
#: Baseline -> what it does, for readers.
MEANING = {
    "random": "guesses among all candidates",
    "closest training classes": (
        "is told the closest training classes of each image, and guesses among the candidates that"
        " have the same ones"
    ),
    "hops from a closest training class": (
        "is told one closest training class of each image, and ranks the candidates by their hops"
        " from it"
    ),
}
#: Lists of the literature that a benchmark is compared with, beside all of the universe.
OTHERS = ("published-2-hops", "published-3-hops")


def rows(benchmark: Benchmark) -> list[dict[str, Any]]:
    """A row per split and baseline, the benchmark's own first; shares with six digits."""
    lists = {benchmark.name: benchmark.test, **dict(_others(benchmark))}
    hits = group_hits(benchmark.graph, benchmark.training, list(lists.values()))
    own, *others = (
        _row(benchmark, name, len(classes), "closest training classes", each)
        for (name, classes), each in zip(lists.items(), hits, strict=True)
    )
    size = len(benchmark.test)
    guess = _row(benchmark, benchmark.name, size, "random", [min(1.0, k / size) for k in KS])
    ranked = hop_hits(benchmark)
    by_hops = _row(benchmark, benchmark.name, size, "hops from a closest training class", ranked)
    return [guess, own, by_hops, *others]


def group_hits(
    hierarchy: Hierarchy, train: Sequence[str], lists: Sequence[Sequence[str]]
) -> list[list[float]]:
    """Expected hit@k, per class, of one who knows the closest training classes and guesses among
    the test classes that have exactly the same ones; for each list of test classes.

    hit@1 is the number of such groups over the number of classes. A class that no training class
    reaches is never found.
    """
    hops, closest = closest_sources(hierarchy.adjacency, hierarchy.positions(train))
    found = []
    for test in lists:
        positions = hierarchy.positions(test)
        groups = Counter(
            tuple(sorted(row_of(closest, each).tolist())) for each in positions if hops[each] >= 0
        )
        sizes = np.array(list(groups.values()), dtype=np.float64)
        # each class of a group of g is among the first k with k / g
        found.append([float(np.minimum(sizes, k).sum() / len(positions)) for k in KS])
    return found


def hop_hits(benchmark: Benchmark) -> list[float]:
    """Expected hit@k, per class, of one who knows a closest training class (any of several) and
    ranks the test classes by their hops from it; a class that none reaches is never found."""
    place = {wnid: at for at, wnid in enumerate(benchmark.training)}
    found = np.zeros(len(KS))
    for at, closest in enumerate(benchmark.closest):
        if closest:
            columns = benchmark.distances[:, [place[wnid] for wnid in closest]]
            found += expected_hits(columns, at).mean(axis=0)
    return [float(value) for value in found / max(1, len(benchmark.test))]


def expected_hits(hops: npt.NDArray[Any], true: int) -> Floats:
    """[S, K] expected hit@k of candidate ``true`` where candidates are ranked by a column of hops
    [T, S], ties at random."""
    nearer = (hops < hops[true]).sum(axis=0)
    tied = (hops == hops[true]).sum(axis=0)
    shares: Floats = (np.array(KS)[None] - nearer[:, None]) / tied[:, None]
    return np.clip(shares, 0.0, 1.0)


def _others(benchmark: Benchmark) -> Iterable[tuple[str, list[str]]]:
    """Lists of the literature, where the benchmark is on their universe and training classes."""
    lists = class_lists()
    if not {benchmark.train, benchmark.universe} <= lists.keys():
        return
    training = shipped_classes(benchmark.train)
    universe = shipped_classes(benchmark.universe)
    if benchmark.training != training or not {*universe} <= benchmark.graph.index.keys():
        return
    for name in OTHERS:
        yield name, shipped_classes(name)
    known = set(training)
    yield f"all of {benchmark.universe}", [wnid for wnid in universe if wnid not in known]


def _row(
    benchmark: Benchmark, split: str, candidates: int, baseline: str, hits: Sequence[float]
) -> dict[str, Any]:
    values = (
        *(split, baseline, benchmark.train, benchmark.hierarchy, "none", "none", "none"),
        *(candidates, "expected", *(round(hit, 6) for hit in hits)),
    )
    return dict(zip(COLUMNS, values, strict=True))
