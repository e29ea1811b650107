"""Hierarchical metrics of 50,000 samples of 1,000 classes, against hiclass and loops over pairs."""

from __future__ import annotations

import click
import numpy as np

from graphzsl.hierarchy import Hierarchy
from graphzsl.metrics.hierarchical import (
    distance_at_k,
    level_accuracy,
    mistake_severity,
    precision_recall_f,
    roll_up,
)
from tests.benchmarks.timing import line, seconds

SAMPLES = 50_000
LEVELS = (10, 10, 10)


def bench_hierarchical() -> None:
    """A tree of three levels of ten, whose paths hiclass takes; one sample in four is a mistake of
    any class."""
    from hiclass import metrics as hiclass

    names: list[list[str]] = [[f"{a}"] for a in range(LEVELS[0])]
    for count in LEVELS[1:]:
        names = [[*path, f"{path[-1]}.{b}"] for path in names for b in range(count)]
    paths = np.array(names)
    classes = paths[:, -1].tolist()
    edges = {(path[d], path[d - 1]) for path in names for d in range(1, len(LEVELS))}
    tree = Hierarchy.from_edges([*edges, *((path[0], "root") for path in names)])
    random = np.random.default_rng(0)
    true = random.integers(0, len(classes), SAMPLES)
    wrong = random.integers(0, len(classes), SAMPLES)
    predicted = np.where(random.random(SAMPLES) < 0.25, wrong, true)
    true_paths, predicted_paths = paths[true], paths[predicted]
    prepare = seconds(lambda: precision_recall_f(tree, true[:1], predicted[:1], classes=classes))

    def theirs() -> None:
        for metric in (hiclass.precision, hiclass.recall, hiclass.f1):
            metric(true_paths, predicted_paths)

    peer = seconds(theirs)
    what = f"hP, hR and hF of {SAMPLES:,} samples, {len(classes):,} classes"
    note = f"; {prepare:.3g} s more the first time, to trim the hierarchy"
    ours = seconds(lambda: precision_recall_f(tree, true, predicted, classes=classes))
    line(f"{what}, as numbers", ours, "hiclass", peer, note)
    words = np.array(classes)[true], np.array(classes)[predicted]
    ours = seconds(lambda: precision_recall_f(tree, *words))
    line(f"{what}, as names", ours, "hiclass", peer)

    heights = tree.heights_among(classes)

    def one_by_one() -> None:
        for y, p in zip(*(each.tolist() for each in words), strict=True):
            tree.lca_height(y, p, heights)

    ours = seconds(lambda: mistake_severity(tree, true, predicted, classes=classes))
    line("mistake severity", ours, "Hierarchy.lca_height, pair by pair", seconds(one_by_one))
    scores = random.dirichlet(np.full(len(classes), 0.01), 10_000)
    top = np.argsort(-scores, axis=1)[:, :20]
    few = true[: len(top)]
    for name, work in (
        ("levels", lambda: level_accuracy(tree, true, predicted, classes=classes)),
        ("distance@20 of 10,000 samples", lambda: distance_at_k(tree, few, top, classes=classes)),
        ("roll-up of 10,000 x 1,000 scores", lambda: roll_up(tree, scores, classes, 0.9)),
    ):
        click.echo(f"{name}: {seconds(work):.3g} s")
