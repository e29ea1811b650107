"""Softmax on the seen classes: the control that knows nothing of unseen ones, so it predicts
training classes alone.

Minimises mean cross-entropy + ridge/2 ‖W‖² on the samples; from classifier rows it is their
directions, without the lengths that the network's own classifier has.
Its candidates are the training classes: evaluate it with every missing candidate as a miss, for
what its mistakes are worth (hp@k, parents, lowest common ancestors).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from graphzsl.models.base.options import Hyperparameters, option
from graphzsl.models.base.task import Task
from graphzsl.models.base.zero_shot_model import ZeroShotModel, example_model
from graphzsl.models.hybrid.conse import seen_classifier

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
    rows = seen_classifier(task, options.ridge)
    return example_model(
        replace(task, candidates=task.train), rows[:, :-1], model="softmax", bias=rows[:, -1]
    )
