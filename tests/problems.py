"""Small random zero-shot problems: classes of the mini WordNet, with classifier rows or with
samples."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from graphzsl.data import (
    CLASSIFIERS,
    EMBEDDINGS,
    ClassMatrix,
    Samples,
    Subgraph,
    ZeroShotDataset,
    save_samples,
    save_subgraph,
)
from graphzsl.models import Task
from tests.mini import MiniWordNet

#: Options that make every model quick on the mini WordNet.
QUICK: dict[str, dict[str, Any]] = {
    "sgcn": {"hidden": 8, "epochs": 20, "check_every": 10},
    "gcn6": {"widths": (8, 8), "epochs": 20, "check_every": 10},
    "dense-gcn": {"hidden": 8, "epochs": 20, "check_every": 10},
    "dgp": {"hidden": 8, "epochs": 20, "check_every": 10},
    "graph-linear": {"powers": (0, 1)},
    "devise": {"margin": 0.3, "epochs": 10},
    "ale": {"margin": 0.3, "epochs": 10},
    "sje": {"margin": 0.3, "epochs": 10},
    "latem": {"maps": 2, "epochs": 10},
    "cmt": {"hidden": 16, "epochs": 20},
    "cmt-star": {"hidden": 16, "epochs": 20},
    "sse": {"epochs": 4, "gamma": 0.1, "instance": 1.0},
    "random-embedding": {"margin": 0.3, "epochs": 5},
    "sync": {"sigma": 0.5},
    "dap": {"ridge": 0.001},
}


def mini_subgraph() -> Subgraph:
    mini = MiniWordNet()
    wnids = sorted(row.wnid for row in mini.rows)
    rows = {row.wnid: row for row in mini.rows}
    index = {wnid: position for position, wnid in enumerate(wnids)}
    edges = np.array([[index[a], index[b]] for a, b in mini.edges()], dtype=np.int64).T
    sets = {"everything": wnids}
    return Subgraph(
        wnids,
        [rows[w].name for w in wnids],
        [rows[w].words for w in wnids],
        [rows[w].gloss for w in wnids],
        edges,
        sets,
        {},
    )


def mini_problem(seed: int = 0, dimensions: int = 12, visual: int = 7) -> tuple[Task, ClassMatrix]:
    """25 training classes and 20 candidates, and the rows of all: a linear function of their
    embeddings."""
    graph = mini_subgraph()
    random = np.random.default_rng(seed)
    embeddings = random.normal(size=(len(graph.wnids), dimensions)).astype(np.float32)
    values = (embeddings @ random.normal(size=(dimensions, visual + 1)) + 0.1).astype(np.float32)
    order = random.permutation(len(graph.wnids))
    train, candidates = (
        sorted(graph.wnids[i] for i in part) for part in (order[:25], order[25:45])
    )
    semantics = ClassMatrix(graph.wnids, embeddings, {"kind": EMBEDDINGS})
    rows = ClassMatrix(graph.wnids, values, {"kind": CLASSIFIERS})
    return Task(graph, semantics, rows, train, candidates), rows


def mini_task(seed: int = 0, dimensions: int = 12, visual: int = 7) -> Task:
    """The task of ``mini_problem``."""
    return mini_problem(seed, dimensions, visual)[0]


def sample_task(seed: int = 0, each: int = 8, noise: float = 0.3) -> Task:
    """The same classes learned from samples around their rows, and no classifier rows: 8 samples
    for each class."""
    return replace(mini_task(seed), classifiers=None, samples=mini_samples(seed, each, noise))


def mini_samples(seed: int = 0, each: int = 8, noise: float = 0.3) -> Samples:
    """Samples of the training classes and of the candidates."""
    task, rows = mini_problem(seed)
    random = np.random.default_rng(seed + 100)
    labels = [wnid for wnid in [*task.train, *task.candidates] for _ in range(each)]
    means = rows.rows(labels)[:, :-1]
    features = (means + noise * random.normal(size=means.shape)).astype(np.float32)
    return Samples(features, labels, {"features": "made up", "simulated": True})


def candidate_features(task: Task, count: int = 6) -> np.ndarray:
    """The first samples of the candidates of ``sample_task``."""
    return mini_samples().select(task.candidates).features[:count]


def save_sample_task(folder: Path) -> Task:
    """The task of ``sample_task``, and its embeddings, samples and lists of classes as files of the
    folder."""
    task = sample_task()
    task.semantics.save(folder / "words.safetensors")
    save_samples(mini_samples(), folder / "samples.npz")
    (folder / "train.txt").write_text("\n".join(task.train))
    (folder / "test.txt").write_text("\n".join(task.candidates))
    return task


def save_experiment(folder: Path) -> None:
    """A graph, its whole, embeddings, classifier rows, samples and lists, as files."""
    task, rows = mini_problem()
    graph = mini_subgraph()
    manifest = {"kind": "subgraph", "hierarchy": "wordnet"}
    sets = {"chosen": [*task.train, *task.candidates], "train": task.train, "test": task.candidates}
    save_subgraph(replace(graph, manifest=manifest, class_sets=sets), folder / "graph")
    save_subgraph(
        replace(graph, manifest={**manifest, "whole": True}, class_sets={}), folder / "whole"
    )
    task.semantics.save(folder / "embeddings.safetensors")
    rows.save(folder / "classifiers.safetensors")
    save_samples(mini_samples(), folder / "samples.npz")
    for name in ("train", "test"):
        (folder / f"{name}.txt").write_text("\n".join(sets[name]))


def letters() -> ZeroShotDataset:
    """Eight classes in four dimensions, whose samples lie around their class embeddings."""
    random = np.random.default_rng(0)
    embeddings = {name: random.normal(size=4) for name in "abcdefgh"}
    labels = [name for name in "abcdefgh" for _ in range(10)]
    features = [embeddings[name] + 0.1 * random.normal(size=4) for name in labels]
    return ZeroShotDataset.from_arrays(
        features, labels, embeddings, seen=list("abcdef"), unseen=list("gh")
    )
