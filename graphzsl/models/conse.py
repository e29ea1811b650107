"""ConSE (Norouzi et al. 2014): the seen classifier's own probabilities, averaged in the space of class embeddings.

f(x) = Σ_t p_t s_t / Σ_t p_t over the ``top`` likeliest seen classes; candidates are ranked by cosine. Nothing is
trained: the model is the seen classifier, so it predicts scores, and no classifier rows for unseen classes.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from graphzsl.class_matrix import CLASSIFIERS, EMBEDDINGS, ClassMatrix
from graphzsl.files import manifest
from graphzsl.models.head import ConSEHead
from graphzsl.models.task import Task, centred_unit

GRID = [{"top": top, "scale": scale} for top in (5, 10, 20, 50) for scale in (3.0, 10.0, 30.0)]


@dataclass(frozen=True)
class Options:
    """Hyper-parameters. The scale multiplies scores of centred unit rows, which are smaller than a network's logits."""

    top: int = field(default=10, metadata={"help": "T: number of seen classes that enter."})
    scale: float = field(default=10.0, metadata={"help": "Inverse temperature of the softmax over seen classes."})


def fit(task: Task, options: Options) -> ConSEHead:
    """The seen classifier as centred unit rows, and centred unit class embeddings."""
    training = task.semantics.rows(task.train)
    wnids = list(dict.fromkeys([*task.train, *task.candidates]))
    values = centred_unit(task.semantics.rows(wnids), training)
    semantics = ClassMatrix(wnids, values, manifest(EMBEDDINGS, centred_on="training classes"))
    rows = task.targets().transform(task.classifiers.rows(task.train)).astype(np.float32)
    seen = ClassMatrix(list(task.train), rows, manifest(CLASSIFIERS, model="conse"))
    return ConSEHead(seen, semantics, list(task.candidates), options.top, options.scale)
