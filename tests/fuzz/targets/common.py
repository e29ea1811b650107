"""What targets share: writers, readers, and what must hold for whatever is accepted."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from tests.fuzz.target import must, names

WNIDS = ["n02084071", "n02121620", "n01503061", "n02512053", "n01639765", "n02159955"]


def class_matrix(value: Any) -> None:
    """Rows that are finite, and a class each."""
    names(value.wnids, "wnids")
    must(value.values.shape == (len(value.wnids), value.values.shape[1]), "shape")
    must(value.values.shape[1] > 0, "no columns")
    must(np.isfinite(value.values).all(), "not finite")


def samples(value: Any) -> None:
    """Features that are finite, and a label each."""
    names(value.labels, "labels", once=False)
    must(value.features.ndim == 2 and len(value.features) == len(value.labels), "shape")
    must(value.features.dtype == np.float32 and np.isfinite(value.features).all(), "not finite")


def subgraph(value: Any) -> None:
    """Nodes that are there once, edges between them."""
    names(value.wnids, "wnids")
    must(value.edge_index.shape[0] == 2, "edges")
    if value.edge_index.size:
        must(0 <= value.edge_index.min() <= value.edge_index.max() < len(value.wnids), "edges")
        must((value.edge_index[0] != value.edge_index[1]).all(), "an edge to itself")
    for name, members in value.class_sets.items():
        names([name], "class sets")
        names(members, name)


def dataset(value: Any) -> None:
    """Parts, lists and embeddings that fit each other."""
    samples(value.samples)
    class_matrix(value.semantics)
    names(value.train, "train")
    for members in value.tests.values():
        names(members, "test")
        must(not set(members) & set(value.train), "seen and unseen")
    for held in value.validation:
        names(held, "validation")
        must(set(held) <= set(value.train), "validation classes that are not seen")


def predictions(value: Any) -> None:
    """Labels and candidates with names, ranks from 1."""
    names(value.labels, "labels", once=False)
    names(value.candidates, "candidates")
    rank = np.asarray(value.rank)
    must(len(rank) == len(value.labels) and (rank >= 1).all(), "ranks")


def number_tree(value: Any) -> None:
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            waiting += each.values()
        elif isinstance(each, list):
            waiting += each
        elif isinstance(each, float):
            must(np.isfinite(each), "a number that is not finite")


def wnid_rows(rows: Any) -> None:
    """Rows with wnids in ASCII."""
    for row in rows:
        for each in row:
            if isinstance(each, str) and each[:1] == "n" and each[1:].isdigit():
                must(each.isascii(), "a wnid in other digits")


def sums(*files: str) -> Callable[[Path], None]:
    def fix(folder: Path) -> None:
        from graphzsl.common import sha256

        path = folder / "manifest.json"
        try:
            manifest = json.loads(path.read_bytes())
            manifest["files"] = {name: sha256(folder / name) for name in files}
            path.write_text(json.dumps(manifest))
        except (OSError, ValueError, TypeError, KeyError, IndexError, RecursionError):
            return

    return fix


def matrix(kind: str = "class embeddings", columns: int = 3) -> Any:
    from graphzsl.data import ClassMatrix

    values = np.arange(len(WNIDS) * columns, dtype=np.float32).reshape(len(WNIDS), columns) / 7
    return ClassMatrix(WNIDS, values, {"kind": kind, "semantics": "made up"})


def made_dataset() -> Any:
    from graphzsl.data import ZeroShotDataset

    random = np.random.default_rng(0)
    labels = [wnid for wnid in WNIDS for _ in range(4)]
    return ZeroShotDataset.from_arrays(
        random.normal(size=(24, 3)), labels, matrix(), seen=WNIDS[:4], unseen=WNIDS[4:]
    )


def written(name: str, content: str | bytes | Callable[[], bytes]) -> Callable[[Path], None]:
    def make(folder: Path) -> None:
        made = content() if callable(content) else content
        data = made if isinstance(made, bytes) else made.encode()
        (folder / name).write_bytes(data)

    return make


def values(value: Any) -> None:
    names(value[0], "classes")
    must(all(np.isfinite(each) for each in value[0].values()), "not finite")


def reader(module: str, function: str, name: str, *more: Any) -> Callable[[Path], Any]:
    def read(folder: Path) -> Any:
        from importlib import import_module

        return getattr(import_module(f"graphzsl.{module}"), function)(folder / name, *more)

    return read
