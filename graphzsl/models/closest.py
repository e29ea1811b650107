"""The closest-training-class solution: what the hierarchy's structure alone gives away.

The classifier of an unseen class is the mean of the rows of its closest training classes, all ties kept (Hascoet et al.
2019, appendix E, with ties averaged). Distances are hops in the exported subgraph.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from graphzsl.class_matrix import CLASSIFIERS, ClassMatrix, unit_rows
from graphzsl.errors import ModelError
from graphzsl.files import manifest
from graphzsl.hops import Adjacency, closest_sources
from graphzsl.models.head import LinearHead
from graphzsl.models.task import Task

GRID: list[dict[str, object]] = [{}]


@dataclass(frozen=True)
class Options:
    """Hyper-parameters."""

    ties: str = field(default="average", metadata={"help": "average, first (lowest wnid) or random (seeded)."})


def fit(task: Task, options: Options) -> LinearHead:
    """[C, D+1] centred unit rows; ModelError names a candidate that no training class reaches.

    Candidates that share their closest training classes get equal rows, so they tie: ties count against the model.
    """
    child, parent = task.graph.edge_index
    wnids = task.graph.wnids
    edges = ((wnids[a], wnids[b]) for a, b in zip(child, parent, strict=True))
    adjacency = Adjacency.from_edges(edges, wnids)
    train = sorted(task.train)
    hops, inherited = closest_sources(adjacency, adjacency.positions(train))
    rows = task.targets().transform(task.classifiers.rows(train))
    random = np.random.default_rng(task.seed)
    values = np.empty((len(task.candidates), rows.shape[1]), np.float32)
    for row, wnid in enumerate(task.candidates):
        position = adjacency.index.get(wnid, -1)
        if position < 0 or hops[position] < 0:
            raise ModelError(f"No training class is reachable from candidate {wnid} in the subgraph.")
        ties = np.sort(inherited.indices[inherited.indptr[position] : inherited.indptr[position + 1]])
        values[row] = rows[_reduced(ties, options.ties, random)].mean(axis=0)
    facts = manifest(CLASSIFIERS, model="closest")
    return LinearHead(ClassMatrix(task.candidates, unit_rows(values).astype(np.float32), facts))


def _reduced(ties: np.ndarray, rule: str, random: np.random.Generator) -> np.ndarray:
    if rule == "average":
        return ties
    if rule == "first":
        return ties[:1]
    if rule == "random":
        return random.choice(ties, 1)
    raise ModelError(f"ties is average, first or random, not {rule!r}.")
