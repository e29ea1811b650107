"""Samples worth asking for: what a supervised model gets right (Hascoet et al. 2019, appendix C, algorithm 1), and balanced test sets.

A round draws classes none of which is above another, trains a linear probe on some samples of each and asks it for the rest. A sample is
good when most of the rounds that asked it got it right. Rounds draw classes with unasked samples first and end when every sample was asked (a
class of no more than the training samples never is), or at the limit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from graphzsl.dag import Dag
from graphzsl.errors import DataError
from graphzsl.files import read_npz, replacing, sha256_text
from graphzsl.hops import row_of
from graphzsl.progress import progress

if TYPE_CHECKING:
    from graphzsl.features.samples import Samples

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Judged:
    """How often each sample was asked and answered right."""

    asked: Ints
    right: Ints
    rounds: int

    @property
    def good(self) -> npt.NDArray[np.bool_]:
        """[N] right in more than half of the rounds that asked."""
        return 2 * self.right > self.asked


def draw_classes(
    dag: Dag, classes: Sequence[str], count: int, rng: np.random.Generator, first: Sequence[str] = ()
) -> list[str]:
    """At most ``count`` random classes, none above another; those of ``first`` are tried before the others. Sorted."""
    ahead = [*rng.permutation(sorted(first)), *rng.permutation(sorted(set(classes) - set(first)))]
    positions = dag.positions(ahead)
    related = dag.related(positions)
    related = (related + related.T).tocsr()
    blocked = np.zeros(len(ahead), dtype=bool)
    found: list[str] = []
    for place, wnid in enumerate(ahead):
        if len(found) == count:
            break
        if not blocked[place]:
            found.append(str(wnid))
            blocked[row_of(related, place)] = True
    return sorted(found)


def judge_samples(
    samples: Samples,
    dag: Dag,
    *,
    classes_per_round: int = 1000,
    training: int = 250,
    max_rounds: int = 50,
    seed: int = 0,
    state: Path | None = None,
) -> Judged:
    """Algorithm 1 on any features. ``state`` keeps what is done after every round; the same call goes on there.

    DataError when no class has more than ``training`` samples, or a class is no node of the hierarchy.
    """
    labels = np.array(samples.labels)
    classes, of, sizes = np.unique(labels, return_inverse=True, return_counts=True)
    usable = classes[sizes > training]
    dag.positions([str(wnid) for wnid in classes])
    if len(usable) < 2:
        raise DataError(
            f"{len(usable)} classes have more than {training} samples; a probe needs two. Lower the training samples."
        )
    key = sha256_text(
        repr(
            (
                sorted(samples.labels),
                samples.features.shape,
                float(samples.features.sum()),
                classes_per_round,
                training,
                seed,
            )
        )
    )
    asked, right, done = _start(state, key, len(labels))
    for number in progress(range(done, max_rounds), "rounds of sample selection", total=max_rounds - done):
        open_classes = [wnid for wnid in usable if (asked[labels == wnid] == 0).any()]
        if not open_classes:
            break
        rng = np.random.default_rng([seed, number])
        chosen = draw_classes(
            dag, [str(wnid) for wnid in usable], classes_per_round, rng, [str(wnid) for wnid in open_classes]
        )
        train, test = _split(of, np.searchsorted(classes, chosen), training, rng, asked)
        answers = _probe(samples.features, of, train, test)
        asked[test] += 1
        right[test] += answers == of[test]
        done = number + 1
        if state is not None:
            with replacing(state) as partial, partial.open("wb") as file:
                np.savez(file, key=np.array(key), asked=asked, right=right, done=np.array(done))
    return Judged(asked, right, done)


def _start(state: Path | None, key: str, count: int) -> tuple[Ints, Ints, int]:
    if state is not None and state.exists():
        kept, asked, right, done = read_npz(
            state, "key", "asked", "right", "done", expected="the state of a sample selection"
        )
        if str(kept) == key:
            return asked.astype(np.int64), right.astype(np.int64), int(done)
    return np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64), 0


def _split(of: Ints, chosen: Ints, training: int, rng: np.random.Generator, asked: Ints) -> tuple[Ints, Ints]:
    """Rows to train on and rows to ask: of each class ``training`` random rows, those already asked first."""
    train, test = [], []
    for number in chosen:
        rows = rng.permutation(np.flatnonzero(of == number))
        rows = rows[np.argsort(-(asked[rows] > 0).astype(int), kind="stable")]
        train.append(rows[:training])
        test.append(rows[training:])
    return np.concatenate(train), np.concatenate(test)


def _probe(features: npt.NDArray[np.float32], of: Ints, train: Ints, test: Ints) -> Ints:
    """Answers of a multinomial logistic regression on standardised features: a linear softmax probe."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    model: Any = make_pipeline(StandardScaler(), LogisticRegression(max_iter=200, C=0.1))
    model.fit(features[train], of[train])
    return np.asarray(model.predict(features[test]), dtype=np.int64)


def balanced(
    labels: Sequence[str], count: int, seed: int = 0, keep: npt.NDArray[np.bool_] | None = None
) -> tuple[Ints, list[str]]:
    """(rows, classes that have fewer): ``count`` random rows a class among those to ``keep``, in the order of the rows.

    Classes with fewer rows give none: every class weighs the same (Hascoet et al. 2019, appendix F: 100 a class).
    """
    names = np.array(labels)
    usable = np.ones(len(names), dtype=bool) if keep is None else keep
    rng = np.random.default_rng(seed)
    rows, short = [], []
    for wnid in np.unique(names):
        own = np.flatnonzero((names == wnid) & usable)
        if len(own) < count:
            short.append(str(wnid))
        else:
            rows.append(rng.choice(own, size=count, replace=False))
    return (np.sort(np.concatenate(rows)) if rows else np.array([], dtype=np.int64)), short
