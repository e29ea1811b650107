"""Makes graphzsl/audit/sample_predictions.csv: classifier rows of one network recognized among
those of another.

A ridge regression (weight 10) from the 1,000 classifier rows of EfficientNet-Lite1 to those of
EfficientNet-Lite0 learns from 800 classes of ILSVRC 2012. The row of each other class, every fifth
from the third on, is carried over and compared by cosine with all 1,000 rows of EfficientNet-Lite0:
the class itself is the true class, the five nearest are the predictions. No image is involved.

    python docs/experiments/sample_predictions.py graphzsl/audit/sample_predictions.csv
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from graphzsl.embeddings import packaged_classifiers
from graphzsl.sources import write_table


def directions(network: str) -> tuple[list[str], np.ndarray]:
    """(wnids, rows without biases, centred and of length one)."""
    matrix = packaged_classifiers(network)
    rows = matrix.rows(matrix.wnids)[:, :-1].astype(np.float64)
    rows -= rows.mean(axis=0)
    return list(matrix.wnids), rows / np.linalg.norm(rows, axis=1, keepdims=True)


def lists() -> list[list[str]]:
    """One row per class: the class, then the five nearest."""
    wnids, sources = directions("efficientnet-lite1")
    others, targets = directions("efficientnet-lite0")
    assert wnids == others
    test = np.arange(2, len(wnids), 5)
    train = np.setdiff1d(np.arange(len(wnids)), test)
    known = sources[train]
    weights = np.linalg.solve(known @ known.T + 10 * np.eye(len(train)), targets[train])
    carried = sources[test] @ known.T @ weights
    carried /= np.linalg.norm(carried, axis=1, keepdims=True)
    nearest = np.argsort(-(carried @ targets.T), axis=1, kind="stable")[:, :5]
    return [
        [wnids[true], *(wnids[column] for column in row)]
        for true, row in zip(test, nearest, strict=True)
    ]


if __name__ == "__main__":
    write_table(Path(sys.argv[1]), ["label", *(f"top{k}" for k in range(1, 6))], lists())
