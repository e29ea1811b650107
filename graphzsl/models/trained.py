"""``graphzsl.train``, ``graphzsl.load_model`` and the model that they return."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, overload

import numpy.typing as npt

from graphzsl.audit.formats.arrays import as_array
from graphzsl.audit.predictions import Predictions
from graphzsl.audit.scored_blocks import UnlabelledPredictions
from graphzsl.common.compute import Compute
from graphzsl.common.errors import DataError, ModelError
from graphzsl.data.class_matrix import ClassMatrix
from graphzsl.data.dataset import ZeroShotDataset
from graphzsl.data.samples import Samples, as_numbers, check_features
from graphzsl.data.subgraph import Subgraph
from graphzsl.models import training
from graphzsl.models.base.task import Task
from graphzsl.models.base.zero_shot_model import ZeroShotModel
from graphzsl.models.base.zero_shot_model import load_model as _load_model
from graphzsl.models.registry import known_models, model_module, needs
from graphzsl.models.runs.predict import predict, predict_features

#: Values of a model's options.
OptionValue = bool | int | float | str | Sequence[int]


@dataclass(frozen=True, eq=False)
class Model:
    """A trained zero-shot model.

    Args:
        scorer: scores features [N, D] against the candidates.
        manifest: its options, how they were chosen, its classes, where its data come from.

    >>> model.save("eszsl")
    >>> gz.load_model("eszsl")
    <Model eszsl: 6 training classes, 2 candidates>
    """

    scorer: ZeroShotModel
    manifest: dict[str, Any]

    def __repr__(self) -> str:
        name = self.manifest.get("model", "classifiers")
        seen = f"{len(self.train):,} training classes, " if self.train else ""
        return f"<Model {name}: {seen}{len(self.candidates):,} candidates>"

    @property
    def options(self) -> dict[str, Any]:
        """The options that it was trained with, given and chosen."""
        written, name = self.manifest.get("options") or {}, self.manifest.get("model")
        if name not in known_models():
            return dict(written)
        return dict(model_module(name).Options.typed(written))

    @property
    def train(self) -> list[str]:
        """The training classes."""
        return list(self.manifest.get("train") or ())

    @property
    def candidates(self) -> list[str]:
        """The classes that it chooses from."""
        return self.scorer.wnids

    @overload
    def predict(
        self,
        samples: Samples,
        *,
        candidates: Iterable[str] | None = None,
        missing: Literal["error", "miss"] = "error",
    ) -> Predictions: ...

    @overload
    def predict(
        self, samples: npt.ArrayLike, *, candidates: Iterable[str] | None = None
    ) -> UnlabelledPredictions: ...

    def predict(
        self,
        samples: Samples | npt.ArrayLike,
        *,
        candidates: Iterable[str] | None = None,
        missing: Literal["error", "miss"] = "error",
    ) -> Predictions | UnlabelledPredictions:
        """Score samples.

        Args:
            samples: visual features with their true classes; or features [N, D] alone, an array of
                numpy or torch, prepared as those of training were.
            candidates: choose from these classes alone (default: all candidates).
            missing: what to do if a true class is not a candidate: 'error' raises, 'miss' counts
                its samples as wrong.

        Returns:
            Predictions; of features alone ``predicted()`` and ``to_frame()``, and nothing to
            evaluate.

        Raises:
            DataError: a class of ``candidates`` is none of the model's, or features are not finite
                numbers [N, D].
            ModelError: features do not fit, or a sample's class is not a candidate.
        """
        scorer = self.scorer if candidates is None else self.scorer.select(list(candidates))
        if isinstance(samples, str | Path):
            raise DataError("predict takes samples or an array [N, D], not the path of a file.")
        if not isinstance(samples, Samples):
            features = as_numbers(as_array(samples, "features"))
            check_features(features)
            if not len(features):
                raise DataError("There is no sample.")
            return predict_features(scorer, features)
        return replace(predict(scorer, samples, self.train, missing=missing), source=self.manifest)

    def save(self, folder: Path | str) -> None:
        """Write the folder that ``load_model`` and `graphzsl evaluate model` read; DataError where
        it would replace something else."""
        training.save(Path(folder), self.scorer, self.manifest)


def train(
    name: str,
    data: ZeroShotDataset | Task,
    /,
    *,
    test: str | None = None,
    generalized: bool = False,
    graph: Subgraph | None = None,
    classifiers: ClassMatrix | Literal["class-means", "softmax"] = "class-means",
    feature_scaling: str = "center",
    semantic_scaling: str = "center",
    seed: int = 0,
    validation_seed: int | None = None,
    tune: bool = True,
    calibrate: bool = False,
    device: str = "cpu",
    precision: str = "float32",
    **options: OptionValue,
) -> Model:
    """Train a zero-shot model. Options that are not given are chosen on held-out training classes.

    Args:
        name: of the model; `graphzsl train --list` shows all, `graphzsl train NAME --help` the
            options of one.
        data: a data set, or a ``Task`` for problems without samples; all of the following but
            ``validation_seed``, ``tune`` and ``calibrate`` are the task's own then.
        test: which of the data set's lists of unseen classes (default: the first).
        generalized: training classes are candidates too.
        graph: for models that look at the hierarchy, an export of the database (default: the
            classes and all their ancestors, of WordNet's own files). A node without a class
            embedding gets the mean of those of its descendants.
        classifiers: what models that predict classifier rows learn from: rows of the network that
            the features are of, or how rows are made of the training samples: class-means (scaled,
            with bias 0), or softmax (the rows and biases of a softmax regression on them).
        feature_scaling: none, unit, center or standard.
        semantic_scaling: the same, of class embeddings.
        seed: of every random step.
        validation_seed: of the validation folds (default: those of the data set, or ``seed``).
        tune: choose options on held-out classes; without it the defaults are taken.
        calibrate: in the generalized setting, take an amount off the scores of training classes
            (calibrated stacking, Chao et al. 2016): the one of the best harmonic mean of seen and
            unseen accuracy on the validation folds, with samples that no model learned from.
        device: cpu, cuda, mps, or auto for the fastest there is.
        precision: float32 or bfloat16, of dense products.
        options: the model's own, typed: numbers, words, and tuples such as ``powers=(0, 1, 2)``.

    Returns:
        The model, fitted on all training classes; test classes enter nowhere.

    Raises:
        ModelError: an unknown model or option, a value out of its range, or data that the model
            cannot learn from.

    Reference:
        Xian et al. 2017 (options are chosen on validation classes, which are not test classes);
        `graphzsl train NAME --help` names the paper of each model.

    >>> import numpy as np
    >>> random = np.random.default_rng(0)
    >>> embeddings = {name: random.normal(size=4) for name in "abcdefgh"}
    >>> labels = [name for name in "abcdefgh" for _ in range(10)]
    >>> features = [embeddings[name] + 0.1 * random.normal(size=4) for name in labels]
    >>> data = gz.ZeroShotDataset.from_arrays(
    ...     features, labels, embeddings, seen=list("abcdef"), unseen=list("gh")
    ... )
    >>> model = gz.train("eszsl", data)
    >>> model
    <Model eszsl: 6 training classes, 2 candidates>
    >>> model.predict(data.test_samples())
    <Predictions: 20 samples of 2 classes, 2 candidates>
    >>> model.predict([embeddings["h"], embeddings["g"]]).predicted()
    ['h', 'g']
    """
    folds = None
    task = data
    if isinstance(data, ZeroShotDataset):
        if classifiers != "class-means" and "classifiers" not in needs(model_module(name)):
            raise ModelError(
                f"{name} learns from the samples, and not from classifier rows.",
                argument="classifiers",
            )
        default = (device, precision) == ("cpu", "float32")
        task = Task.from_dataset(
            data,
            test,
            generalized,
            graph=graph,
            classifiers=classifiers,
            feature_scaling=feature_scaling,
            semantic_scaling=semantic_scaling,
            seed=seed,
            compute=None if default else Compute(device, precision),
        )
        folds = data.folds() if data.validation else None
    if not isinstance(task, Task):
        raise DataError(f"Models are trained on a ZeroShotDataset or a Task, not {type(data)}.")
    model, manifest = training.train(
        name,
        task,
        _plain(options),
        tune=tune,
        folds=folds,
        validation_seed=validation_seed,
        calibrate=calibrate,
    )
    return Model(model, manifest)


def load_model(path: Path | str) -> Model:
    """Read a model.

    Args:
        path: a folder of ``Model.save`` or `graphzsl train`, or a file of classifiers.

    Returns:
        The model.

    Raises:
        DataError: a file is missing, or is not the one that the manifest describes.
        ModelError: the folder holds something else.

    >>> model.save("eszsl")
    >>> gz.load_model("eszsl").options["gamma"] == model.options["gamma"]
    True
    """
    return Model(*_load_model(Path(path)))


def _plain(options: dict[str, Any]) -> dict[str, Any]:
    """numpy's numbers and arrays as Python's."""
    return {
        name: value.tolist() if hasattr(value, "tolist") else value
        for name, value in options.items()
    }
