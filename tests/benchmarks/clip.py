"""The audit of one set of logits, 50,000 samples of 1,000 classes, against CLIP_benchmark's own
numbers of them."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import click
import numpy as np

import graphzsl as gz
from graphzsl.hierarchy import Hierarchy
from graphzsl.sources.imagenet import listed_classes
from tests.benchmarks.timing import line, seconds

SAMPLES = 50_000


def bench_clip() -> None:
    """Simulated logits: noise, and more for the true class."""
    try:
        from clip_benchmark.metrics import zeroshot_classification as peer
    except ImportError:
        click.echo("clip: its peer is not installed: pip install 'graphzsl[names]'")
        return
    import torch

    # its accuracy() calls float() of arrays of one element, which numpy refuses from 2.4 on
    peer.float = lambda value: np.asarray(value).item()
    classes = listed_classes("ilsvrc2012")
    random = np.random.default_rng(0)
    labels = random.integers(0, len(classes), SAMPLES)
    scores = random.normal(size=(SAMPLES, len(classes))).astype(np.float32)
    scores[np.arange(SAMPLES), labels] += 3
    logits, target = torch.from_numpy(scores), torch.from_numpy(labels)

    def theirs() -> None:
        first = logits.argmax(axis=1)
        peer.accuracy(logits, target, topk=(1, 5))
        peer.balanced_accuracy_score(target, first)

    def with_report() -> None:
        theirs()
        peer.classification_report(target, logits.argmax(axis=1), digits=3)

    name = f"{SAMPLES:,} x {len(classes):,} logits"
    numbers, report = seconds(theirs), seconds(with_report)
    hierarchy = Hierarchy.load()
    for said, within in (("hit@k with intervals", None), ("with the hierarchy", hierarchy)):
        started = time.perf_counter()
        gz.evaluate(labels, scores, candidates=classes, wordnet=within)
        ours = time.perf_counter() - started
        line(f"{said}, {name}", ours, "acc1, acc5, mean recall", numbers)
        line(f"{said}, {name}", ours, "the same and its report per class", report)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "logits.npz")
        np.savez(path, scores=scores, labels=labels, classes=np.array(classes))
        ours = seconds(lambda: gz.evaluate(path, wordnet=hierarchy))
    line(f"of a file, with the hierarchy, {name}", ours, "of what is in memory", report)
