"""Softmax on the seen classes: the control that knows nothing of unseen ones, so it predicts
training classes alone.

Minimises mean cross-entropy + ridge/2 ‖W‖² on the samples. From classifier rows nothing is trained:
it is the network itself where images are classified, and directions of weights where rows are.
Its candidates are the training classes: evaluate it with every missing candidate as a miss, for
what its mistakes are worth (hp@k, parents, lowest common ancestors).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from graphzsl.models.base.options import Hyperparameters, option
from graphzsl.models.base.task import Task
from graphzsl.models.base.zero_shot_model import ZeroShotModel, example_model

#: It predicts no other classes, so it takes no candidates.
TRAINING_ALONE = True
GRID: list[dict[str, object]] = [{}]


@dataclass(frozen=True)
class Options(Hyperparameters):
    """Hyper-parameters."""

    ridge: float = option(
        1e-4, "L2 penalty of the softmax regression, where there are samples.", least=0
    )


def fit(task: Task, options: Options) -> ZeroShotModel:
    """The seen classifier as encoder; each training class has its own score."""
    own = replace(task, candidates=task.train)
    encoder = task.seen_classifier(options.ridge)
    one_hot = np.eye(len(task.train), dtype=np.float32)
    return example_model(own, one_hot, model="softmax", encoder=encoder)
