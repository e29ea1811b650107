"""Good samples: what a supervised model gets right (Hascoet et al. 2019, appendix C,
algorithm 1), balanced test sets, and samples split into a part to tune on and a part to report on
(Frome et al. 2013, appendix A.1).

A round draws classes none of which is above another, trains a linear probe on some samples of each
and tests it on the rest. A sample is good when most of the rounds that probed it got it right.
Rounds draw classes with unprobed samples first and end when every sample was probed (a class of no
more than the training samples never is), or at the limit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from graphzsl.common.errors import DataError
from graphzsl.common.extras import require
from graphzsl.common.files import (
    MANIFEST,
    atomic_folder,
    atomic_write,
    checked_suffix,
    manifest,
    sha256,
    sha256_text,
    write_json,
)
from graphzsl.common.progress import progress_bar
from graphzsl.common.reading.numpy_files import read_npz
from graphzsl.data.sample_files import load_samples, save_samples
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.search import row_of
from graphzsl.sources.named_columns import named_rows
from graphzsl.sources.tables import WNIDS, Column, table_rows, write_table

if TYPE_CHECKING:
    from graphzsl.data.samples import Samples

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class ProbedSamples:
    """Probes of each sample: how often it was probed, and how often it was right."""

    probed: Ints
    right: Ints
    rounds: int

    @property
    def good(self) -> npt.NDArray[np.bool_]:
        """[N] right in more than half of its rounds."""
        return 2 * self.right > self.probed


def draw_classes(
    hierarchy: Hierarchy,
    classes: Sequence[str],
    count: int,
    rng: np.random.Generator,
    first: Sequence[str] = (),
) -> list[str]:
    """At most ``count`` random classes, none above another; those of ``first`` are tried before the
    others. Sorted."""
    ahead = [*rng.permutation(sorted(first)), *rng.permutation(sorted(set(classes) - set(first)))]
    positions = hierarchy.positions(ahead)
    related = hierarchy.related(positions)
    related = (related + related.T).tocsr()
    blocked = np.zeros(len(ahead), dtype=bool)
    drawn: list[str] = []
    for place, wnid in enumerate(ahead):
        if len(drawn) == count:
            break
        if not blocked[place]:
            drawn.append(str(wnid))
            blocked[row_of(related, place)] = True
    return sorted(drawn)


def probe_samples(
    samples: Samples,
    hierarchy: Hierarchy,
    *,
    classes_per_round: int = 1000,
    training: int = 250,
    max_rounds: int = 50,
    seed: int = 0,
    state: Path | None = None,
) -> ProbedSamples:
    """Algorithm 1 on any features. ``state`` keeps what is done after every round; the same call
    goes on there.

    DataError when no class has more than ``training`` samples, or a class is not a node of the
    hierarchy.
    """
    require("sklearn")
    labels = np.array(samples.labels)
    classes, class_numbers, sizes = np.unique(labels, return_inverse=True, return_counts=True)
    usable = classes[sizes > training]
    hierarchy.positions([str(wnid) for wnid in classes])
    if len(usable) < 2:
        raise DataError(
            f"{len(usable)} classes have more than {training} samples; a probe needs two. Lower the"
            " training samples."
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
    probed, right, done = _start(state, key, len(labels))
    for number in progress_bar(
        range(done, max_rounds), "rounds of sample selection", total=max_rounds - done
    ):
        open_classes = [wnid for wnid in usable if (probed[labels == wnid] == 0).any()]
        if not open_classes:
            break
        rng = np.random.default_rng([seed, number])
        chosen = draw_classes(
            hierarchy,
            [str(wnid) for wnid in usable],
            classes_per_round,
            rng,
            [str(wnid) for wnid in open_classes],
        )
        train, test = _split(class_numbers, np.searchsorted(classes, chosen), training, rng, probed)
        predicted = _probe(samples.features, class_numbers, train, test)
        probed[test] += 1
        right[test] += predicted == class_numbers[test]
        done = number + 1
        if state is not None:
            with atomic_write(state) as partial, partial.open("wb") as file:
                np.savez(file, key=np.array(key), asked=probed, right=right, done=np.array(done))
    return ProbedSamples(probed, right, done)


def _start(state: Path | None, key: str, count: int) -> tuple[Ints, Ints, int]:
    if state is not None and state.exists():
        kept, probed, right, done = read_npz(
            state, "key", "asked", "right", "done", expected="the state of a sample selection"
        )
        if str(kept) == key:
            return probed.astype(np.int64), right.astype(np.int64), int(done)
    return np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64), 0


def _split(
    class_numbers: Ints, chosen: Ints, training: int, rng: np.random.Generator, probed: Ints
) -> tuple[Ints, Ints]:
    """Rows to train on and rows to probe: of each class ``training`` random rows, those already
    probed first."""
    train, test = [], []
    for number in chosen:
        rows = rng.permutation(np.flatnonzero(class_numbers == number))
        rows = rows[np.argsort(-(probed[rows] > 0).astype(int), kind="stable")]
        train.append(rows[:training])
        test.append(rows[training:])
    return np.concatenate(train), np.concatenate(test)


def _probe(features: npt.NDArray[np.float32], class_numbers: Ints, train: Ints, test: Ints) -> Ints:
    """Answers of a multinomial logistic regression on standardised features: a linear softmax
    probe."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    model: Any = make_pipeline(StandardScaler(), LogisticRegression(max_iter=200, C=0.1))
    model.fit(features[train], class_numbers[train])
    return np.asarray(model.predict(features[test]), dtype=np.int64)


def balanced(
    labels: Sequence[str], count: int, seed: int = 0, keep: npt.NDArray[np.bool_] | None = None
) -> tuple[Ints, list[str]]:
    """(rows, classes that have fewer): ``count`` random rows per class among those to ``keep``, in
    the order of the rows.

    Classes with fewer rows give none: every class weighs the same (Hascoet et al. 2019, appendix F:
    100 per class).
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


def select_samples(
    features: Path,
    out: Path,
    hierarchy: Hierarchy,
    *,
    classes_per_round: int = 1000,
    training: int = 250,
    max_rounds: int = 50,
    flags: Path | None = None,
    seed: int = 0,
) -> dict[str, Any]:
    """Write the samples of a file that ``probe_samples`` finds good.

    What is done is kept in OUT.state, from which the same call goes on. ``flags`` is a table to
    write, as ``write_flags`` does. Returns the counts.
    """
    samples, state = load_samples(features), out.with_name(out.name + ".state")
    found = probe_samples(
        samples,
        hierarchy,
        classes_per_round=classes_per_round,
        training=training,
        max_rounds=max_rounds,
        seed=seed,
        state=state,
    )
    rows = np.flatnonzero(found.good)
    save_samples(samples.rows(rows), out)
    if flags:
        write_flags(flags, samples.labels, found)
    state.unlink(missing_ok=True)
    return {
        "samples": len(samples.labels),
        "asked": int((found.probed > 0).sum()),
        "kept": len(rows),
        "classes": len(set(samples.labels)),
        "classes_kept": len({samples.labels[row] for row in rows}),
        "rounds": found.rounds,
        "never_asked": int((found.probed == 0).sum()),
        "seed": seed,
    }


def balance_samples(features: Path, out: Path, count: int, seed: int = 0) -> dict[str, Any]:
    """Write ``balanced`` samples of a file. Returns the counts, and the classes that are left
    out; DataError if no class has so many."""
    samples = load_samples(features)
    rows, short = balanced(samples.labels, count, seed)
    if not len(rows):
        raise DataError(f"{features}: no class has {count} samples.")
    save_samples(samples.rows(rows), out)
    return {
        "classes": len(rows) // count,
        "samples": len(rows),
        "classes_left_out": len(short),
        "left_out": short,
        "seed": seed,
    }


def write_flags(path: Path, labels: Sequence[str], answers: ProbedSamples) -> None:
    """A CSV with one line per sample, in their order: row, wnid, asked, right, good (0 or 1).
    ``read_flags`` reads it."""
    checked_suffix(path, (".csv",))
    numbers = zip(labels, answers.probed, answers.right, answers.good, strict=True)
    write_table(
        path,
        FLAGS,
        [
            (row, wnid, probed, right, int(good))
            for row, (wnid, probed, right, good) in enumerate(numbers)
        ],
    )


#: Columns of the table of flags.
FLAGS = ("row", "wnid", "asked", "right", "good")


def read_flags(path: Path, labels: Sequence[str]) -> npt.NDArray[np.bool_]:
    """[N] whether each sample of a run is good, from a CSV with the columns wnid and good (0 or 1),
    one line per sample.

    The run may be about fewer classes than the table: lines of other classes are passed over.
    DataError where what remains is not the run's samples in their order, and names the line of what
    is not a flag.
    """
    known, wnids, good = set(labels), [], []
    for line, row in named_rows(path, ("wnid", "good")):
        if row["good"] not in ("0", "1"):
            raise DataError(f"{path}:{line}: good must be 0 or 1, not {row['good']!r}.")
        if row["wnid"] in known:
            wnids.append(row["wnid"])
            good.append(row["good"] == "1")
    if wnids != list(labels):
        place = next(
            (n for n, (a, b) in enumerate(zip(wnids, labels, strict=False)) if a != b),
            min(len(wnids), len(labels)),
        )
        raise DataError(
            f"{path}: its {len(wnids):,} samples of the run's classes are not the run's"
            f" {len(labels):,} samples in their order (the first difference is at sample {place})."
            " Select from the features of the run."
        )
    return np.array(good, dtype=bool)


def tuning_rows(labels: Sequence[str], share: float = 0.1, seed: int = 0) -> npt.NDArray[np.bool_]:
    """[N] True for the samples to tune on: a seeded random ``share`` of every class, the rest are
    for the report.

    The parts' sizes are round(share * N) and what is left. Each class gives the whole part of its
    share; the samples that are still missing come from the classes with the largest fractions,
    equal ones in random order. DataError for a share that leaves a part empty.

    Reference: Frome et al. 2013, appendix A.1: the 50,000 validation images of ILSVRC 2012 split
    10/90 (5,000 of 1,000 balanced classes). Tuning samples and reported ones are of the same
    classes: for choices between zero-shot models hold out classes instead.
    """
    total = round(share * len(labels))
    if not 0 < total < len(labels):
        raise DataError(
            f"A share of {share:g} of {len(labels):,} samples leaves a part empty: choose another."
        )
    rng = np.random.default_rng(seed)
    class_numbers, sizes = np.unique(labels, return_inverse=True, return_counts=True)[1:]
    exact = share * sizes
    wanted = np.floor(exact + 1e-9).astype(np.int64)
    fractions = np.round(exact - wanted, 9)
    order = np.lexsort((rng.permutation(len(sizes)), -fractions))
    wanted[order[: total - int(wanted.sum())]] += 1
    tune = np.zeros(len(class_numbers), dtype=bool)
    for number, count in enumerate(wanted):
        tune[rng.permutation(np.flatnonzero(class_numbers == number))[:count]] = True
    return tune


def split_samples(
    file: Path, folder: Path, share: float = 0.1, seed: int = 0
) -> dict[str, dict[str, int]]:
    """Write the parts tuning and report of labelled samples, which ``tuning_rows`` chooses, and a
    manifest to a folder.

    Args:
        file: features (.npz or .parquet), or a table of images and their wnids; the parts have the
            same form.
        folder: what is written, whole or not at all.
        share, seed: as of ``tuning_rows``.

    Returns:
        Part -> its ``samples`` and ``classes``.

    Raises:
        DataError: the file holds no labelled samples; the share leaves a part empty.
    """
    samples = load_samples(file) if file.suffix in (".npz", ".parquet") else None
    images: list[tuple[str, str]] = []
    if samples is None:
        image = Column("image", ("file", "path"))
        images = [(path, wnid) for _, path, wnid in table_rows(file, image, WNIDS)]
    labels = [wnid for _, wnid in images] if samples is None else samples.labels
    tune = tuning_rows(labels, share, seed)
    counts, files = {}, {}
    with atomic_folder(folder) as partial:
        for name, chosen in (("tuning", tune), ("report", ~tune)):
            rows = np.flatnonzero(chosen).tolist()
            path = partial / f"{name}.{'csv' if samples is None else 'npz'}"
            if samples is None:
                write_table(path, ("image", "wnid"), [images[row] for row in rows])
            else:
                save_samples(samples.rows(rows), path)
            files[path.name] = sha256(path)
            counts[name] = {"samples": len(rows), "classes": len({labels[row] for row in rows})}
        described = manifest(
            "samples split",
            source={"file": file.name, "sha256": sha256(file)},
            share=share,
            seed=seed,
            parts=counts,
            stratified_by="class",
            files=files,
        )
        write_json(partial / MANIFEST, described)
    return counts
