"""A data set in plain form: samples with their parts, class embeddings, training, validation and
test classes; and its folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl.common.checked_names import (
    check_classes,
    check_lists_of_classes,
    check_name,
)
from graphzsl.common.class_entries import as_texts, check_once
from graphzsl.common.errors import DataError
from graphzsl.common.files import (
    MANIFEST,
    atomic_folder,
    check_files,
    folder_manifest,
    manifest,
    sha256,
    write_json,
)
from graphzsl.common.frames import as_table
from graphzsl.common.progress import log
from graphzsl.common.reading.number_texts import unsigned
from graphzsl.common.reading.numpy_files import read_npz
from graphzsl.common.wording import counted, some
from graphzsl.data.class_matrix import EMBEDDINGS, ClassMatrix
from graphzsl.data.own_classes import (
    Vectors,
    as_classes,
    at_positions,
    read_class_embeddings,
    shared_classes,
)
from graphzsl.data.sample_files import Labels, load_samples, read_labels, samples_of_table
from graphzsl.data.samples import Samples
from graphzsl.sources.imagenet import Classes, class_entries

TRAIN, TEST_SEEN, TEST_UNSEEN = "train", "test_seen", "test_unseen"
SAMPLES_FILE, SEMANTICS_FILE = "samples.npz", "class_embeddings.safetensors"


@dataclass(frozen=True, eq=False)
class ZeroShotDataset:
    """Samples with their parts, class embeddings, and training, validation and test classes.

    Args:
        samples: visual features [N, D] with a class each.
        parts: [N] what a sample is for: train, test_seen (held-out samples of training classes),
            test_unseen, or nothing ("").
        semantics: class embeddings [C, S].
        train: the training (seen) classes.
        tests: name -> a list of unseen classes.
        validation: lists of training classes to choose hyper-parameters on.
        metadata: what the data set is and where it comes from.

    Raises:
        DataError: a class is both a training and a test class, or lacks a class embedding; or no
            sample is to train on, or of an unseen class.

    Reference:
        Xian et al. 2017, section 4 (the parts).

    >>> data = gz.ZeroShotDataset.from_arrays(
    ...     features=[[0, 1], [0, 2], [3, 0], [4, 0], [5, 5]],
    ...     labels=["cat", "cat", "dog", "dog", "wolf"],
    ...     class_embeddings={"cat": [1, 0], "dog": [0, 1], "wolf": [0.1, 0.9]},
    ...     seen=["cat", "dog"],
    ...     unseen=["wolf"],
    ... )
    >>> data
    <ZeroShotDataset: 5 samples of 2 dimensions, 2 training and 1 unseen classes>
    >>> data.test_samples()
    <Samples: 1 of 1 classes, 2 dimensions>
    """

    samples: Samples
    parts: np.ndarray
    semantics: ClassMatrix
    train: list[str]
    tests: dict[str, list[str]]
    validation: list[list[str]]
    metadata: dict[str, Any]

    def __post_init__(self) -> None:
        self._check_lists()
        if len(self.parts) != len(self.samples.labels):
            raise DataError(
                f"{len(self.parts)} parts do not fit {len(self.samples.labels)} samples."
            )
        unknown = set(np.unique(self.parts).tolist()) - {TRAIN, TEST_SEEN, TEST_UNSEEN, ""}
        if unknown:
            raise DataError(
                f"A sample's part is train, test_seen, test_unseen or empty, not {min(unknown)!r}."
            )
        known = set(self.semantics.wnids)
        seen = set(self.train)
        for name, members in self.tests.items():
            both = seen & set(members)
            if both:
                raise DataError(f"{min(both)} is both a training class and in {name}.")
        every = dict.fromkeys([*self.train, *chain(*self.tests.values())])
        if bare := [wnid for wnid in every if wnid not in known]:
            raise DataError(
                f"There is no class embedding for {counted(len(bare), 'class', 'classes')} of"
                f" {len(every):,}: {some(bare)}. The embeddings are of"
                f" {some(self.semantics.wnids, 3)}: add theirs, or leave the classes out."
            )
        labels = np.array(self.samples.labels)
        for part, allowed in ((TRAIN, seen), (TEST_SEEN, seen)):
            stray = set(labels[self.parts == part].tolist()) - allowed
            if stray:
                raise DataError(
                    f"{min(stray)} has samples in part {part} but is not a training class."
                )
        stray = set(labels[self.parts == TEST_UNSEEN].tolist()) & seen
        if stray:
            raise DataError(
                f"{min(stray)} is a training class and has samples in part {TEST_UNSEEN}."
            )
        self._check_filled(TRAIN, "No sample is to train on", "training", self.train)
        unseen = list(dict.fromkeys(chain(*self.tests.values())))
        self._check_filled(TEST_UNSEEN, "No sample is of an unseen class", "unseen", unseen)
        without = sorted(seen.difference(labels[self.parts == TRAIN].tolist()))
        if without:
            others = sorted(set(self.samples.labels).difference(every))
            said = f" Labels that are no class: {some(others)}." if others else ""
            raise DataError(
                f"{counted(len(without), 'training class has', 'training classes have')} no sample"
                f" to train on: {some(without)}.{said} Add some samples, or leave the classes out."
            )

    def _check_filled(self, part: str, missing: str, kind: str, classes: list[str]) -> None:
        if (self.parts == part).any():
            return
        labels = sorted(set(self.samples.labels))
        if not labels:
            raise DataError(f"{missing}: there is none at all.")
        if not classes:
            raise DataError(f"{missing}: the list of {kind} classes is empty.")
        if not set(labels).isdisjoint(classes):
            raise DataError(f"{missing}: none has the part {part}.")
        raise DataError(
            f"{missing}: the labels are {some(labels)} ({len(labels):,} in all), the {kind} classes"
            f" {some(classes)} ({len(classes):,} in all). {_way_out(labels)}"
        )

    def _check_lists(self) -> None:
        check_classes(self.train, "training classes")
        if not isinstance(self.tests, dict):
            raise DataError("tests must be a dictionary of name -> unseen classes.")
        for name, members in self.tests.items():
            check_name(name, "a list of unseen classes")
            check_classes(members, name)
        # of two lists: a class that looks like another has no embedding or no sample, and why?
        check_lists_of_classes(
            [
                ("training classes", self.train),
                *self.tests.items(),
                ("class embeddings", self.semantics.wnids),
                ("labels of samples", self.samples.labels),
            ]
        )
        seen = set(self.train)
        for place, held in enumerate(self.validation):
            check_classes(held, f"validation classes {place + 1}")
            if stray := sorted(set(held) - seen):
                raise DataError(
                    f"validation classes {place + 1}: {stray[0]} is not a training class"
                    f" ({len(stray):,} such classes)."
                )

    def __repr__(self) -> str:
        unseen = {wnid for members in self.tests.values() for wnid in members}
        return (
            f"<ZeroShotDataset: {len(self.samples.labels):,} samples of"
            f" {self.samples.features.shape[1]:,} dimensions, {len(self.train):,} training and"
            f" {len(unseen):,} unseen classes>"
        )

    def summary(self) -> str:
        """Training and unseen classes, and the samples of each part, in words."""
        counts = {part: int((self.parts == part).sum()) for part in np.unique(self.parts)}
        tests = ", ".join(f"{name} {len(members):,}" for name, members in self.tests.items())
        return (
            f"{len(self.train):,} training classes, unseen: {tests}; samples:"
            f" {counts.get(TRAIN, 0):,} to train on, {counts.get(TEST_SEEN, 0):,} of seen and"
            f" {counts.get(TEST_UNSEEN, 0):,} of unseen classes to test;"
            f" {self.semantics.values.shape[1]:,} semantic dimensions"
        )

    @classmethod
    def from_arrays(
        cls,
        features: npt.ArrayLike | Path | str,
        labels: Labels | None,
        class_embeddings: Vectors,
        *,
        seen: Classes,
        unseen: Classes,
        classes: Classes | None = None,
        parts: Sequence[str] | None = None,
        held_out: float = 0.2,
        seed: int = 0,
    ) -> ZeroShotDataset:
        """Make a data set of arrays, or of files of them.

        Args:
            features: [N, D] visual features; or a file that ``load_samples`` reads: .npy, .npz, .pt
                or .parquet.
            labels: [N] the class of each sample: as the class embeddings call it, a word or name of
                WordNet's that means one of them, or its position from 0 in ``classes``; or a file
                of labels. None where the file of features holds them.
            class_embeddings: a ``ClassMatrix`` or its file; class -> vector [S]; an array [C, S] or
                its file, whose rows are ``classes``; or a file of word vectors (GloVe, word2vec).
            seen: the training classes: a list, a file, or the name of an ImageNet list.
            unseen: the test classes, likewise.
            classes: what positions and rows are of, in their order, likewise.
            parts: [N] train, test_seen, test_unseen or "" for each sample. Without them the samples
                of unseen classes are test samples, and a share of each seen class is held out.
            held_out: that share.
            seed: of the draw.

        Returns:
            The data set, with one list of test classes, ``test``. stderr says which words were read
            as which classes.

        Raises:
            DataError: shapes do not fit, a value is not finite, a class lacks an embedding, is both
                seen and unseen, or has samples and is neither; a training class has no sample; or
                no sample is to train on, or of an unseen class.
        """
        if isinstance(features, str | Path):
            samples = load_samples(features, labels)
        elif labels is None:
            raise DataError("Give the class of each sample.", argument="labels")
        else:
            metadata = {"features": "given as arrays"}
            samples = Samples.from_arrays(features, read_labels(labels), metadata)
        return cls._of_samples(
            samples, class_embeddings, seen, unseen, classes, parts, held_out, seed
        )

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        class_embeddings: Vectors,
        *,
        seen: Classes,
        unseen: Classes,
        label: str | None = None,
        classes: Classes | None = None,
        held_out: float = 0.2,
        seed: int = 0,
    ) -> ZeroShotDataset:
        """Make a data set of a DataFrame of pandas or polars, or a table of Arrow.

        Args:
            frame: one row per sample: a column ``features`` of lists, or a numbered column for each
                dimension (f0, f1, …), and one of classes. stderr names those that are left out.
            class_embeddings: as for ``from_arrays``.
            seen: the training classes.
            unseen: the test classes.
            label: the column of the classes (default: the first of wnid, label, wnids, labels).
            classes: as for ``from_arrays``.
            held_out: as for ``from_arrays``.
            seed: of the draw.

        Returns:
            The data set.

        Raises:
            DataError: it is no frame, a column is missing, or as ``from_arrays``.
        """
        features, names = samples_of_table(as_table(frame), "the frame", label)
        samples = Samples.from_arrays(features, names, {"features": "given as a frame"})
        return cls._of_samples(
            samples, class_embeddings, seen, unseen, classes, None, held_out, seed
        )

    @classmethod
    def _of_samples(
        cls,
        samples: Samples,
        class_embeddings: Vectors,
        seen: Classes,
        unseen: Classes,
        classes: Classes | None,
        parts: Sequence[str] | None,
        held_out: float,
        seed: int,
    ) -> ZeroShotDataset:
        if not 0 <= held_out < 1:
            raise DataError(f"held_out is a share from 0 to below 1, not {held_out}.")
        data = own_dataset(samples, class_embeddings, seen, unseen, classes, held_out, seed, parts)
        stray = sorted({*data.samples.labels} - {*data.train, *data.tests["test"]})
        if stray:
            raise DataError(
                f"{stray[0]} has samples but is neither seen nor unseen ({len(stray):,} such"
                " classes). Name it in one of the two, or leave its samples out."
            )
        return data

    def part(self, *names: str) -> Samples:
        """The samples of some parts."""
        return self.samples.rows(np.flatnonzero(np.isin(self.parts, names)))

    def test_classes(self, name: str | None = None) -> list[str]:
        """A list of unseen classes; DataError names the known ones."""
        name = name or next(iter(self.tests))
        if name not in self.tests:
            raise DataError(
                f"The data set has no test classes {name!r}; it has {', '.join(self.tests)}."
            )
        return self.tests[name]

    def folds(self) -> list[tuple[list[str], list[str]]]:
        """(training, validation) classes of each validation list."""
        held_out = [(list(held), set(held)) for held in self.validation]
        return [([wnid for wnid in self.train if wnid not in out], held) for held, out in held_out]

    def test_samples(
        self, test: str | Sequence[str] | None = None, generalized: bool = False
    ) -> Samples:
        """The test samples: of the unseen classes (a list by name, or classes), with those of seen
        classes in the generalized setting; DataError where there is none of either."""
        unseen = self.test_classes(test) if test is None or isinstance(test, str) else test
        samples = self.part(TEST_SEEN, TEST_UNSEEN) if generalized else self.part(TEST_UNSEEN)
        present = set(samples.labels)
        if present.isdisjoint(unseen):
            raise DataError(f"No test sample is of an unseen class: none is of {some(unseen)}.")
        if generalized and present.isdisjoint(self.train):
            raise DataError(
                f"The data set has no samples in part {TEST_SEEN}, which the generalized setting"
                " tests: convert it again and hold some out."
            )
        return samples.among({*unseen, *(self.train if generalized else ())})

    def save(self, folder: Path | str) -> None:
        """Write the folder whole: samples.npz, class_embeddings.safetensors and the manifest."""
        with atomic_folder(Path(folder)) as partial:
            np.savez(
                partial / SAMPLES_FILE,
                features=self.samples.features,
                labels=np.array(self.samples.labels),
                parts=self.parts,
            )
            self.semantics.save(partial / SEMANTICS_FILE)
            metadata = manifest(
                "dataset",
                train=self.train,
                tests=self.tests,
                validation=self.validation,
                metadata=self.metadata,
                files={name: sha256(partial / name) for name in (SAMPLES_FILE, SEMANTICS_FILE)},
            )
            write_json(partial / MANIFEST, metadata)

    @classmethod
    def load(cls, folder: Path | str) -> ZeroShotDataset:
        """Read what ``save`` wrote.

        Args:
            folder: the folder of the data set.

        Returns:
            The data set.

        Raises:
            DataError: names what is missing or changed.
        """
        folder = Path(folder)
        metadata = folder_manifest(
            folder, "dataset", "a data set", "graphzsl convert", "Convert it again."
        )
        check_files(folder, metadata, (SAMPLES_FILE, SEMANTICS_FILE), "Convert it again.")
        samples = load_samples(folder / SAMPLES_FILE)
        (parts,) = read_npz(folder / SAMPLES_FILE, "parts", expected="features, labels and parts")
        checksum = samples.metadata["sha256"]
        known = metadata["metadata"]
        if parts.ndim != 1 or parts.dtype.kind != "U":
            raise DataError(f"{folder / SAMPLES_FILE}: parts must be a list of texts.")
        said = {"simulated": True} if samples.metadata.get("simulated") else {}
        source = {"source_sha256": known["sha256"]} if "sha256" in known else {}
        samples = replace(samples, metadata={**known, **said, **source, "sha256": checksum})
        semantics = ClassMatrix.load(folder / SEMANTICS_FILE, EMBEDDINGS)
        lists = metadata["train"], metadata["tests"], metadata["validation"]
        try:
            return cls(samples, parts, semantics, *lists, known)
        except DataError as error:
            raise error.at(f"{folder}: ") from None


def _way_out(labels: Sequence[str]) -> str:
    """A sentence on mending labels that are no classes."""
    if all(unsigned(label) is not None for label in labels):
        return "Numbers are positions in a list of classes: say in which."
    return "Label each sample with its class, as the lists of classes write it."


def own_dataset(
    samples: Samples,
    class_embeddings: Vectors,
    seen: Classes,
    unseen: Classes,
    classes: Classes | None = None,
    held_out: float = 0.2,
    seed: int = 0,
    parts: Sequence[str] | None = None,
) -> ZeroShotDataset:
    """Make a data set of samples and lists whose classes may be called in several ways; see
    ``ZeroShotDataset.from_arrays``. Samples of classes in neither list have no part. The metadata
    say how names were read, ``read_as``."""
    names = None if classes is None else _listed(classes, "classes")
    train, test, labels = (
        at_positions(given, names, called)
        for given, called in (
            (_listed(seen, "seen"), "seen"),
            (_listed(unseen, "unseen"), "unseen"),
            (samples.labels, "labels"),
        )
    )
    if both := shared_classes(train, test):
        lists = [
            Path(given).name if isinstance(given, str | Path) else called
            for given, called in ((seen, "seen"), (unseen, "unseen"))
        ]
        raise DataError(
            f"{counted(len(both), 'duplicate class', 'duplicate classes')} in"
            f" {' and '.join(lists)}: {some(both)}. A class is seen or unseen:"
            " remove each from one of the lists."
        )
    embeddings = read_class_embeddings(class_embeddings, names, [*train, *test])
    class_of = as_classes([*train, *test, *labels], embeddings.wnids, "classes")
    read = {text: wnid for text, wnid in class_of.items() if text != wnid}
    metadata = {**samples.metadata, **({"read_as": read} if read else {})}
    samples = replace(samples, labels=[class_of[text] for text in labels], metadata=metadata)
    if bare := sorted({class_of[text] for text in test}.difference(samples.labels)):
        have = counted(len(bare), "unseen class has", "unseen classes have")
        log(f"{have} no sample, and is a candidate alone: {some(bare)}.")
    seen_classes, tests = [class_of[text] for text in train], [class_of[text] for text in test]
    if parts is None:
        return with_parts(
            samples, embeddings, seen_classes, {"test": tests}, metadata, held_out, seed
        )
    own = np.asarray(parts, dtype=np.str_)
    return ZeroShotDataset(samples, own, embeddings, seen_classes, {"test": tests}, [], metadata)


def _listed(given: Classes, argument: str) -> list[str]:
    """The texts of a list of classes, whole numbers as they are written; an empty list is one."""
    if isinstance(given, list) and not given:
        return []
    entries = as_texts(class_entries(given, argument), argument)
    check_once(entries, argument=argument)
    return [entry.text for entry in entries]


def with_parts(
    samples: Samples,
    semantics: ClassMatrix,
    train: list[str],
    tests: Mapping[str, list[str]],
    metadata: dict[str, Any],
    seen_share: float = 0.2,
    seed: int = 0,
) -> ZeroShotDataset:
    """A data set of samples without published parts: of each training class a seeded share is held
    out (Xian et al.: 20 %)."""
    random = np.random.default_rng(seed)
    labels = np.array(samples.labels)
    unseen = {wnid for members in tests.values() for wnid in members}
    parts = np.array([TEST_UNSEEN if label in unseen else "" for label in labels], dtype="U16")
    for wnid in train:
        rows = random.permutation(np.flatnonzero(labels == wnid))
        held = round(seen_share * len(rows)) if len(rows) > 1 else 0
        parts[rows[:held]], parts[rows[held:]] = TEST_SEEN, TRAIN
    return ZeroShotDataset(
        samples,
        parts,
        semantics,
        list(train),
        dict(tests),
        [],
        {**metadata, "held_out_share": seen_share, "seed": seed},
    )
