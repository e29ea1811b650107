"""A small random zero-shot problem on the mini WordNet."""

from __future__ import annotations

import numpy as np

from graphzsl.class_matrix import CLASSIFIERS, EMBEDDINGS, ClassMatrix
from graphzsl.models.task import Task
from graphzsl.subgraph import Subgraph
from tests.mini import MiniWordNet


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
    graph = mini_subgraph()
    random = np.random.default_rng(seed)
    embeddings = random.normal(size=(len(graph.wnids), dimensions)).astype(np.float32)
    rows = (embeddings @ random.normal(size=(dimensions, visual + 1)) + 0.1).astype(np.float32)
    order = random.permutation(len(graph.wnids))
    train, candidates = (sorted(graph.wnids[i] for i in part) for part in (order[:25], order[25:45]))
    semantics = ClassMatrix(graph.wnids, embeddings, {"kind": EMBEDDINGS})
    return Task(graph, semantics, ClassMatrix(graph.wnids, rows, {"kind": CLASSIFIERS}), train, candidates)
