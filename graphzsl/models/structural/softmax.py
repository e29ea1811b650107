"""Softmax on the seen classes: the control that knows nothing of unseen ones, so it predicts
training classes alone.

Minimises mean cross-entropy + ridge/2 ‖W‖² on the samples. From classifier rows nothing is trained:
it is the network itself where images are classified, and directions of weights where rows are.
Its candidates are the training classes: evaluate it with every missing candidate as a miss, for
what its mistakes are worth (hp@k, parents, lowest common ancestors).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from graphzsl.models.base.options import Hyperparameters, option
from graphzsl.models.base.task import Task
from graphzsl.models.base.zero_shot_model import ZeroShotModel, example_model, row_model

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
    """[T, D+1] classifiers of the training classes."""
    rows = task.seen_classifier(options.ridge)
    if task.samples is None:
        return row_model(task.train, rows, "softmax")
    return example_model(
        replace(task, candidates=task.train), rows[:, :-1], model="softmax", bias=rows[:, -1]
    )
