"""One sample for each class from its classifier row, for the task of hidden classes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from graphzsl.common.errors import ModelError
from graphzsl.common.wording import counted
from graphzsl.data.class_matrix import CLASSIFIERS, ClassMatrix
from graphzsl.data.samples import Samples
from graphzsl.models.base.targets import ClassifierScaling


def class_row_samples(path: Path, train: Sequence[str], wnids: Sequence[str]) -> Samples:
    """One sample for each of these classes from a file of classifier rows: see
    ``class_samples``.

    Raises:
        ModelError: one of the classes is a training class.
    """
    trained = sorted(set(train).intersection(wnids))
    if trained:
        raise ModelError(
            f"{trained[0]} is a training class and a candidate"
            f" ({counted(len(trained), 'class is', 'classes are')} both): the model was trained on"
            " its classifier row, which is not a test sample. Give held-out samples, or unseen"
            " classes only."
        )
    rows = ClassMatrix.load(path, CLASSIFIERS)
    return class_samples(rows, wnids, ClassifierScaling.from_rows(rows.rows(train)))


def class_samples(
    classifiers: ClassMatrix, wnids: Sequence[str], targets: ClassifierScaling
) -> Samples:
    """One sample for each class, the direction of its true classifier row, for the hidden-class
    task.

    Features [N, D+1] end in 0 where an image's end in 1: a candidate's predicted bias counts for
    images, and not here.
    """
    directions = targets.transform(classifiers.rows(wnids))
    features = np.concatenate([directions, np.zeros((len(directions), 1))], axis=1)
    metadata = {
        "features": f"classifier rows of {classifiers.metadata.get('network')}",
        "task": "hidden classes",
    }
    return Samples(features.astype(np.float32), list(wnids), metadata)
