"""Predictions, and features of samples."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from tests.fuzz.target import Target
from tests.fuzz.targets.common import made_dataset, predictions, samples, written
from tests.fuzz.targets.own import CSV


def _read_predictions(name: str) -> Callable[[Path], Any]:
    def read(folder: Path) -> Any:
        from graphzsl.audit import read_predictions

        return read_predictions(folder / name)

    return read


def make_scores(folder: Path) -> None:
    random = np.random.default_rng(0)
    arrays = {"scores": random.random((5, 3)), "classes": np.array(["cat", "dog", "owl"])}
    np.savez(folder / "p.npz", labels=np.array([0, 1, 2, 0, 1]), **arrays)


def _make_topk(folder: Path) -> None:
    topk = np.array([["cat", "dog"], ["dog", "owl"]])
    np.savez_compressed(folder / "p.npz", topk=topk, labels=np.array(["cat", "owl"]))


def _make_parquet(folder: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = [
        dict(zip(("file", "label", "top1"), line.split(","), strict=False)) for line in CSV.split()
    ]
    pq.write_table(pa.Table.from_pylist(rows[1:]), folder / "p.parquet")


def _samples_npz(folder: Path) -> None:
    from graphzsl.data import save_samples

    save_samples(made_dataset().samples, folder / "s.npz")


def _samples_parquet(folder: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    data = made_dataset().samples
    table = {"features": data.features.tolist(), "wnid": data.labels}
    pq.write_table(pa.table(table), folder / "s.parquet")


def _read_samples(name: str) -> Callable[[Path], Any]:
    def read(folder: Path) -> Any:
        from graphzsl.data import load_samples

        return load_samples(folder / name)

    return read


def _read_blocks(folder: Path) -> Any:
    from graphzsl.clip import file_blocks, file_labels

    path = folder / "s.parquet"
    return file_labels(path), [block.features for block in file_blocks(path)]


TARGETS = (
    Target("predictions, csv", written("p.csv", CSV), _read_predictions("p.csv"), predictions, 2),
    Target("predictions, npz of scores", make_scores, _read_predictions("p.npz"), predictions, 2),
    Target("predictions, npz of lists", _make_topk, _read_predictions("p.npz"), predictions),
    Target("predictions, parquet", _make_parquet, _read_predictions("p.parquet"), predictions),
    Target(
        "predictions, json",
        written(
            "p.json",
            json.dumps(
                [
                    {"file": f"{n}.jpg", "label": "cat", "top1": "dog", "top2": "cat"}
                    for n in range(4)
                ]
            ),
        ),
        _read_predictions("p.json"),
        predictions,
        2,
    ),
    Target(
        "predictions, json lines",
        written(
            "p.jsonl",
            "\n".join(json.dumps({"label": "cat", "prediction": ["cat", "dog"]}) for _ in range(4)),
        ),
        _read_predictions("p.jsonl"),
        predictions,
    ),
    Target("samples, npz", _samples_npz, _read_samples("s.npz"), samples, 2),
    Target("samples, parquet", _samples_parquet, _read_samples("s.parquet"), samples),
    Target("blocks of features", _samples_parquet, _read_blocks),
)
