r"""Real runs on a hierarchy of nine nodes, small enough to count by hand.

              thing
             /     \
        animal      plant
        /    \        |
      dog     cat    tree
     /   \     |     /
 poodle  pug  lynx  oak        trained: cat and tree, so hops are 1 for lynx and oak, 3 for the dogs

The lynx is an animal by an edge of its own, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from graphzsl.audit import Predictions
from graphzsl.audit.evaluation import evaluate_run
from graphzsl.hierarchy import Hierarchy

EDGES = [
    ("animal", "thing"),
    ("plant", "thing"),
    ("dog", "animal"),
    ("cat", "animal"),
    ("tree", "plant"),
    ("poodle", "dog"),
    ("pug", "dog"),
    ("lynx", "cat"),
    ("oak", "tree"),
    ("lynx", "animal"),
]
TREE = Hierarchy.from_edges(
    EDGES,
    names={name: f"{name}.n.01" for edge in EDGES for name in edge},
    populations={"poodle": 40, "pug": 400, "lynx": 500},
    provenance={"whole": True, "hierarchy": "made up"},
)
TRAIN = ["cat", "tree"]
UNSEEN = ["lynx", "oak", "poodle", "pug"]


def write_run(
    path: Path,
    firsts: Mapping[str, Sequence[str]],
    model: str,
    seed: int = 0,
    hierarchy: Hierarchy | None = TREE,
    **more: Any,
) -> Path:
    """A run as `graphzsl audit` writes it.

    ``firsts`` are the first predictions of the samples of each true class; where one is wrong, the
    true class comes second. Training classes among them make the run generalized.
    """
    given = [(label, first) for label, own in firsts.items() for first in own]
    seen = [name for name in TRAIN if name in firsts]
    names = [*seen, *UNSEEN]
    scores = np.tile(-np.arange(len(names), dtype=float), (len(given), 1))
    for row, (label, first) in enumerate(given):
        scores[row, names.index(label)] = 1
        scores[row, names.index(first)] = 2
    labels = [label for label, _ in given]
    predictions = Predictions.from_scores(
        scores, names, labels, seen=seen, metadata={"features": "drawn"}
    )
    manifest = {"model": model, "seed": seed}
    run = evaluate_run(predictions, manifest, TRAIN, hierarchy=hierarchy, rounds=50)
    run.manifest.update({"model_label": model, **more})
    run.save(path)
    return path


def hits(counts: Mapping[str, int], wrong: Mapping[str, str], of: int = 4) -> dict[str, list[str]]:
    """First predictions: of ``of`` samples of a class so many are right, the others ``wrong``."""
    return {name: [name] * count + [wrong[name]] * (of - count) for name, count in counts.items()}


#: What each class is taken for.
WRONG = {
    "lynx": "pug",
    "oak": "lynx",
    "poodle": "pug",
    "pug": "poodle",
    "cat": "lynx",
    "tree": "oak",
}


def write_counts(folder: Path, model: str, seed: int, counts: tuple[int, ...], **more: Any) -> None:
    """A run in a folder of some; ``counts`` are the right samples of four of lynx, oak, poodle and
    pug."""
    folder.mkdir(exist_ok=True)
    given = dict(zip(("lynx", "oak", "poodle", "pug"), counts, strict=True))
    path = folder / f"{len(list(folder.glob('*.json')))}.json"
    more = {"split": "far: …", "semantics_name": "glosses", **more}
    write_run(path, hits(given, WRONG), model, seed, **more)
