"""Small random zero-shot problems: classes of the mini WordNet, with classifier rows or with samples."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from graphzsl.class_matrix import CLASSIFIERS, EMBEDDINGS, ClassMatrix
from graphzsl.features.samples import Samples
from graphzsl.models.task import Task
from graphzsl.subgraph import Subgraph
from tests.mini import MiniWordNet

#: Options that make every model quick on the mini WordNet.
QUICK: dict[str, dict[str, Any]] = {
    "sgcn": {"hidden": 8, "epochs": 20},
    "gcn6": {"widths": "8,8", "epochs": 20},
    "dense-gcn": {"hidden": 8, "epochs": 20},
    "dgp": {"hidden": 8, "epochs": 20},
    "graph-linear": {"powers": "0,1"},
    "devise": {"margin": 0.3, "epochs": 10},
    "ale": {"margin": 0.3, "epochs": 10},
    "sje": {"margin": 0.3, "epochs": 10},
    "latem": {"maps": 2, "epochs": 10},
    "cmt": {"hidden": 16, "epochs": 20},
    "cmt-star": {"hidden": 16, "epochs": 20},
    "sse": {"epochs": 3, "gamma": 0.1},
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


def mini_task(seed: int = 0, dimensions: int = 12, visual: int = 7) -> Task:
    """25 training classes and 20 candidates, whose classifier rows are a linear function of their embeddings."""
    graph = mini_subgraph()
    random = np.random.default_rng(seed)
    embeddings = random.normal(size=(len(graph.wnids), dimensions)).astype(np.float32)
    rows = (embeddings @ random.normal(size=(dimensions, visual + 1)) + 0.1).astype(np.float32)
    order = random.permutation(len(graph.wnids))
    train, candidates = (sorted(graph.wnids[i] for i in part) for part in (order[:25], order[25:45]))
    semantics = ClassMatrix(graph.wnids, embeddings, {"kind": EMBEDDINGS})
    return Task(graph, semantics, ClassMatrix(graph.wnids, rows, {"kind": CLASSIFIERS}), train, candidates)


def sample_task(seed: int = 0, each: int = 8, noise: float = 0.3) -> Task:
    """The same classes with samples around their rows, and no classifier rows: 8 samples a class, training and candidates."""
    task = mini_task(seed)
    random = np.random.default_rng(seed + 100)
    labels = [wnid for wnid in [*task.train, *task.candidates] for _ in range(each)]
    means = task.rows.rows(labels)[:, :-1]
    features = (means + noise * random.normal(size=means.shape)).astype(np.float32)
    return replace(
        task, classifiers=None, samples=Samples(features, labels, {"features": "made up", "simulated": True})
    )


def candidate_features(task: Task, count: int = 6) -> np.ndarray:
    """The first samples of the candidates."""
    assert task.samples
    return task.samples.of(task.candidates).features[:count]
