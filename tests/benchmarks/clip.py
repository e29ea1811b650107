"""The audit of one set of logits, 50,000 samples of 1,000 classes, against scikit-learn's and
CLIP_benchmark's own numbers of them."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import numpy as np

import graphzsl as gz
from graphzsl.hierarchy import Hierarchy
from graphzsl.sources.imagenet import listed_classes
from tests.benchmarks.timing import line, seconds

SAMPLES = 50_000


def bench_clip() -> None:
    """Simulated logits: noise, and more for the true class."""
    import torch
    from clip_benchmark.metrics import zeroshot_classification as peer
    from sklearn.metrics import accuracy_score, classification_report, top_k_accuracy_score

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

    def of_sklearn() -> None:
        first = scores.argmax(axis=1)
        accuracy_score(labels, first)
        top_k_accuracy_score(labels, scores, k=5, labels=np.arange(len(classes)))
        classification_report(labels, first, digits=3)

    name = f"{SAMPLES:,} x {len(classes):,} logits"
    numbers, report = seconds(theirs), seconds(with_report)
    sklearn = seconds(of_sklearn)
    hierarchy = Hierarchy.load()
    for said, within in (("hit@k with intervals", None), ("with the hierarchy", hierarchy)):
        started = time.perf_counter()
        gz.evaluate(labels, scores=scores, candidates=classes, wordnet=within)
        ours = time.perf_counter() - started
        line(f"{said}, {name}", ours, "acc1, acc5, mean recall", numbers)
        line(f"{said}, {name}", ours, "the same and its report per class", report)
        line(f"{said}, {name}", ours, "scikit-learn's accuracy, top-5 and report", sklearn)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "logits.npz")
        np.savez(path, scores=scores, labels=labels, classes=np.array(classes))
        ours = seconds(lambda: gz.evaluate(path, wordnet=hierarchy))
    line(f"of a file, with the hierarchy, {name}", ours, "of what is in memory", report)
    _half_floats(random)


def _half_floats(random: np.random.Generator) -> None:
    """An .npy of half floats, mapped and ranked in blocks, against one partial sort of each row."""
    classes = listed_classes("imagenet-fall11")
    scores = random.normal(size=(10_000, len(classes))).astype(np.float16)
    labels = random.integers(0, len(classes), len(scores))
    sorting = seconds(lambda: np.argpartition(scores.astype(np.float32), -20, axis=1))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "logits.npy")
        np.save(path, scores)
        ours = seconds(lambda: gz.evaluate(path, labels=labels, candidates=classes, wordnet=None))
    line(f"10,000 x {len(classes):,} half floats", ours, "numpy's argpartition alone", sorting)
