"""Task of a model: classes, their embeddings, and classifier rows or samples to learn from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from graphzsl.common.errors import ModelError
from graphzsl.common.files import manifest
from graphzsl.common.progress import log
from graphzsl.common.wording import counted, some
from graphzsl.data.class_matrix import CLASSIFIERS, ClassMatrix, Matrix, with_column
from graphzsl.data.dataset import TRAIN
from graphzsl.models.base.ridge import Spectrum
from graphzsl.models.base.scaling import Scaling

if TYPE_CHECKING:
    from graphzsl.common.compute import Compute
    from graphzsl.data.dataset import ZeroShotDataset
    from graphzsl.data.samples import Samples
    from graphzsl.data.subgraph import Subgraph
    from graphzsl.models.base.biases import Biases
    from graphzsl.models.base.encoders import SeenClassifier
from graphzsl.models.base.targets import ClassifierScaling

T = TypeVar("T")

#: L2 penalty of the softmax whose rows are targets.
SOFTMAX_RIDGE = 1e-4
#: How classifier rows are made of the samples of the training classes.
ROW_RULES = {
    "class-means": "mean of the scaled training samples of each class, bias 0",
    "softmax": "rows and biases of a softmax regression on the scaled training samples",
}


@dataclass(frozen=True, eq=False)
class Task:
    """A zero-shot problem. Classes are named by strings: wnids wherever a graph is used.

    A model learns from the ``samples`` of ``train`` where there are samples, and else from one
    example for each class, the direction of its classifier row; it predicts ``candidates``. One
    that learns to predict classifier rows takes ``classifiers``, and without them the rows that
    ``row_rule`` makes of the samples.
    ``validation_samples`` holds the samples of the validation classes, where models learn
    from something else (images against classifier rows): validation uses those of held-out training
    classes.

    A Task keeps the rows and samples of its training classes alone, whatever it is given: what a
    test class looks like cannot be reached from it.
    """

    graph: Subgraph | None
    semantics: ClassMatrix
    classifiers: ClassMatrix | None
    train: list[str]
    candidates: list[str]
    seed: int = 0
    samples: Samples | None = None
    validation_samples: Samples | None = None
    feature_scaling: str = "center"
    semantic_scaling: str = "center"
    row_rule: str = "class-means"
    compute: Compute | None = None
    _found: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not self.train or not self.candidates:
            raise ModelError("A task needs training classes and candidate classes.")
        self.semantics.rows(self.train)  # a class without a row is an error now
        self.semantics.rows(self.candidates)
        if self.classifiers is not None:
            self.classifiers.rows(self.train)
        elif self.samples is None:
            raise ModelError(
                "A task needs classifier rows of the training classes, or samples of them."
            )
        if self.row_rule not in ROW_RULES:
            raise ModelError(
                f"Classifier rows are made of samples by {' or '.join(ROW_RULES)}, not"
                f" {self.row_rule!r}."
            )
        self._check_widths()
        self._hide_test_classes()

    def _check_widths(self) -> None:
        """Raise ModelError if samples cannot be of the network that classifier rows are of."""
        if self.classifiers is None:
            return
        weights = self.classifiers.values.shape[1] - 1
        for samples in (self.samples, self.validation_samples):
            if samples is None:
                continue
            width = samples.features.shape[1]
            are_rows = width == weights + 1 and not samples.features[:, -1].any()
            if width != weights and not are_rows:
                raise ModelError(
                    f"Samples of {width:,} features do not fit classifier rows of {weights:,}"
                    " weights and a bias: are they of the same network? Without classifier rows"
                    " those of the samples' own classes are learned from."
                )

    def _hide_test_classes(self) -> None:
        visible = set(self.train)
        for name in ("classifiers", "samples", "validation_samples"):
            given = getattr(self, name)
            if given is not None:
                object.__setattr__(self, name, given.among(visible))

    def once(self, what: str, compute: Callable[[], T]) -> T:
        """The result of ``compute``, computed once for this task and shared by the points of a
        grid. ``what`` names it."""
        if what not in self._found:
            self._found[what] = compute()
        return self._found[what]  # type: ignore[no-any-return]

    @classmethod
    def from_dataset(
        cls,
        data: ZeroShotDataset,
        test: str | None = None,
        generalized: bool = False,
        *,
        graph: Subgraph | None = None,
        semantics: ClassMatrix | None = None,
        classifiers: ClassMatrix | str | None = None,
        **more: Any,
    ) -> Task:
        """Make the zero-shot problem of a data set: candidates are its test classes, and the
        training classes too if ``generalized``.

        Args:
            data: the data set.
            test: which of its lists of unseen classes (default: the first).
            generalized: training classes are candidates too.
            graph: see ``with_graph``.
            semantics: class embeddings (default: those of the data set).
            classifiers: classifier rows, or one of ``ROW_RULES``.
            more: other fields of the task.
        """
        unseen = data.test_classes(test)
        if isinstance(classifiers, str):
            more["row_rule"], classifiers = classifiers, None
        return cls(
            graph,
            semantics or data.semantics,
            classifiers,
            data.train,
            [*data.train, *unseen] if generalized else unseen,
            samples=data.part(TRAIN),
            **more,
        )

    def with_graph(self) -> Task:
        """Add the data that a model of the hierarchy needs: the graph, and an embedding of every
        node.

        Without a graph it is the classes and their ancestors of WordNet's own files. Every node
        gets an embedding (``embed_all_nodes``); stderr says how many have none of their own.

        Raises:
            DataError: a class is no synset of WordNet, or may be several, or a part of the graph
                has no embedding at all.
            ModelError: the graph that is given lacks a class.
        """
        from graphzsl.embeddings.wordnet_graph import wordnet_subgraph

        classes = list(dict.fromkeys([*self.train, *self.candidates]))
        graph = self.graph or wordnet_subgraph(classes)
        absent = [wnid for wnid in classes if wnid not in graph.index]
        if absent:
            raise ModelError(
                f"The graph lacks {len(absent):,} of the {len(classes):,} classes: {some(absent)}."
                " Export it with a class set that holds them; or give none, and it is made of"
                " WordNet's own files."
            )
        return replace(self, graph=graph, semantics=whole_embeddings(graph, self.semantics))

    def with_lists(self, train: Sequence[str], candidates: Sequence[str]) -> Task:
        """Task with the same data and other lists of classes."""
        return replace(self, train=list(train), candidates=list(candidates))

    def targets(self, *, center: bool = True) -> ClassifierScaling:
        """The scale of this task's classifier rows; only training rows enter it."""
        return ClassifierScaling.from_rows(self.rows.rows(self.train), center=center)

    def biases(self, *, center: bool = True) -> Matrix:
        """[T] β of the training classes' classifier rows (see ``Biases``)."""
        return self.targets(center=center).biases(self.rows.rows(self.train))

    def bias_regression(self, *, center: bool = True) -> Biases:
        """The regression of β on class embeddings; computed once per task."""
        from graphzsl.models.base.biases import Biases

        return self.once(
            f"bias regression, {center}",
            lambda: Biases.fit(
                self.examples.s, self.biases(center=center), self.examples.semantic_spectrum
            ),
        )

    def candidate_biases(self, *, center: bool = True) -> Matrix:
        """[C] β that the training classes predict for the candidates; computed once per task."""
        regression = self.bias_regression(center=center)
        return self.once(
            f"candidate biases, {center}", lambda: regression.predict(self.candidate_semantics)
        )

    @cached_property
    def rows(self) -> ClassMatrix:
        """Classifier rows [T, D+1] of the training classes: the given ones, or those of the scaled
        samples by ``row_rule``; computed once per task."""
        if self.classifiers is not None:
            return self.classifiers
        if self.row_rule == "softmax":
            rows = with_column(*self.softmax_classifier(SOFTMAX_RIDGE))
        else:
            rows = with_column(self.examples.class_means, 0.0)
        metadata = manifest(
            CLASSIFIERS, rows=ROW_RULES[self.row_rule], scaling=self.feature_scaling
        )
        return ClassMatrix(list(self.train), rows, metadata)

    @property
    def row_scaling(self) -> Scaling:
        """Scaling of features that classifier rows score: none for rows that are given."""
        return Scaling.none() if self.classifiers is not None else self.examples.scaling

    @property
    def subgraph(self) -> Subgraph:
        """The graph of ``with_graph``."""
        if self.graph is None:
            raise ModelError(
                "A task for a model that looks at the hierarchy is made by with_graph."
            )
        return self.graph

    @property
    def where(self) -> Compute:
        """Device and precision."""
        from graphzsl.common.compute import Compute

        return self.compute or Compute()

    @cached_property
    def examples(self) -> Examples:
        """Examples for the models that learn from samples; computed once per task."""
        semantic = Scaling.fit(self.semantics.rows(self.train), self.semantic_scaling)
        s = semantic(self.semantics.rows(self.train))
        if self.samples is None:
            x = self.targets().transform(self.rows.rows(self.train)).astype(np.float32)
            return Examples(x, np.arange(len(self.train)), s, Scaling.none(), semantic)
        seen = self.samples.select(self.train)
        scaling = Scaling.fit(seen.features, self.feature_scaling)
        index = {wnid: position for position, wnid in enumerate(self.train)}
        y = np.array([index[label] for label in seen.labels], dtype=np.int64)
        return Examples(scaling(seen.features), y, s, scaling, semantic)

    def softmax_classifier(self, ridge: float) -> tuple[Matrix, Matrix]:
        """([T, D] rows, [T] biases) of a softmax regression on the samples; fitted once per ridge,
        however many options share it."""
        from graphzsl.models.base.regression import softmax_regression

        x, y, classes = self.examples.x, self.examples.y, len(self.train)
        return self.once(
            f"softmax {ridge}", lambda: softmax_regression(x, y, classes, ridge, self.where)
        )

    def seen_classifier(self, ridge: float) -> SeenClassifier:
        """Classifier whose softmax is p(y|x) of the training classes: from samples a softmax
        regression with this L2 penalty, from classifier rows the network itself."""
        from graphzsl.models.base.encoders import SeenClassifier

        if self.samples is not None:
            weights, biases = self.softmax_classifier(ridge)
            return SeenClassifier(with_column(weights, biases))
        return SeenClassifier(self.rows.rows(self.train), with_column(self.examples.x, 0.0))

    @cached_property
    def candidate_semantics(self) -> Matrix:
        """[C, S] scaled embeddings of the candidates."""
        return self.examples.semantic_scaling(self.semantics.rows(self.candidates))


def whole_embeddings(graph: Subgraph, semantics: ClassMatrix) -> ClassMatrix:
    """Give every node of a graph an embedding (``embed_all_nodes``); stderr says how many had none
    of their own."""
    from graphzsl.data.node_embeddings import embed_all_nodes

    whole = embed_all_nodes(graph, semantics)
    if whole is not semantics:
        filled = whole.metadata["filled"]
        log(
            f"{filled['nodes']:,} of {counted(len(graph.wnids), 'node')} of the graph have no class"
            f" embedding of their own: {filled['rule']}."
        )
    return whole


@dataclass(frozen=True, eq=False)
class Examples:
    """Training samples ``x`` [N, D], ``y`` [N] positions in the training classes, their embeddings
    ``s`` [T, S].

    All scaled; classifier rows as samples are directions of weights, without their biases.
    """

    x: Matrix
    y: np.ndarray
    s: Matrix
    scaling: Scaling
    semantic_scaling: Scaling

    @cached_property
    def spectrum(self) -> Spectrum:
        """The eigenvalues and eigenvectors of XᵀX."""
        return Spectrum.from_rows(self.x)

    @cached_property
    def semantic_spectrum(self) -> Spectrum:
        """Spectrum of SᵀS."""
        return Spectrum.from_rows(self.s)

    @cached_property
    def class_means(self) -> Matrix:
        """[T, D] mean sample of each training class."""
        order = np.argsort(self.y, kind="stable")
        counts = np.bincount(self.y, minlength=len(self.s))
        rows_of = np.split(order, np.cumsum(counts)[:-1])
        sums = [self.x[rows].sum(axis=0, dtype=np.float64) for rows in rows_of]
        return np.asarray(np.stack(sums) / counts[:, None], dtype=np.float32)

    @cached_property
    def principal_axes(self) -> Matrix:
        """[D, min(N, D)] principal axes of the samples, largest spread first: eigenvectors of XᵀX,
        or of XXᵀ where that is smaller, in 64 bits. Without spread they are rounding alone, neither
        unit nor orthogonal."""
        centred = (self.x - self.x.mean(axis=0)).astype(np.float64)
        is_wide = len(centred) < centred.shape[1]
        values, axes = np.linalg.eigh(centred @ centred.T if is_wide else centred.T @ centred)
        if is_wide:
            rounding = values[-1] * len(values) * np.finfo(np.float64).eps
            axes = centred.T @ axes / np.sqrt(np.maximum(values, max(rounding, 1e-300)))
        axes = axes[:, ::-1]
        return np.asarray(axes, dtype=np.float32)
