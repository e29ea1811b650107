"""A data set in plain form: samples with their parts, class embeddings, training, validation and
test classes; and its folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from graphzsl.data.class_matrix import EMBEDDINGS, ClassMatrix
from graphzsl.data.samples import Samples, load_samples
from graphzsl.errors import DataError
from graphzsl.files import (
    MANIFEST,
    atomic_folder,
    check_files,
    manifest,
    read_json,
    read_npz,
    sha256,
    write_json,
)

TRAIN, TEST_SEEN, TEST_UNSEEN = "train", "test_seen", "test_unseen"
SAMPLES_FILE, SEMANTICS_FILE = "samples.npz", "class_embeddings.safetensors"


@dataclass(frozen=True)
class Dataset:
    """``parts`` [N] says what a sample is for: train, test_seen (held-out samples of training
    classes), test_unseen, or nothing ("").

    ``tests`` names lists of unseen classes; ``validation`` lists training classes to choose
    hyper-parameters on. No class is both a training and a test class: DataError names one that is.
    """

    samples: Samples
    parts: np.ndarray
    semantics: ClassMatrix
    train: list[str]
    tests: dict[str, list[str]]
    validation: list[list[str]]
    facts: dict[str, Any]

    def __post_init__(self) -> None:
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
        every = {*self.train, *(wnid for members in self.tests.values() for wnid in members)}
        if every - known:
            raise DataError(
                f"There is no class embedding for {min(every - known)} ({len(every - known)} such"
                " classes)."
            )
        labels = np.array(self.samples.labels)
        for part, allowed in ((TRAIN, seen), (TEST_SEEN, seen)):
            stray = set(labels[self.parts == part].tolist()) - allowed
            if stray:
                raise DataError(
                    f"{min(stray)} has samples in part {part} but is no training class."
                )
        stray = set(labels[self.parts == TEST_UNSEEN].tolist()) & seen
        if stray:
            raise DataError(
                f"{min(stray)} is a training class and has samples in part {TEST_UNSEEN}."
            )

    def part(self, *names: str) -> Samples:
        """The samples of some parts."""
        rows = np.flatnonzero(np.isin(self.parts, names))
        return Samples(
            self.samples.features[rows],
            [self.samples.labels[row] for row in rows],
            self.samples.facts,
        )

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
        self, test: str | Sequence[str] | None = None, generalised: bool = False
    ) -> Samples:
        """The test samples: of the unseen classes (a list by name, or classes), with those of seen
        classes in the generalised setting."""
        unseen = self.test_classes(test) if test is None or isinstance(test, str) else test
        found = self.part(TEST_SEEN, TEST_UNSEEN) if generalised else self.part(TEST_UNSEEN)
        wanted = {*unseen, *(self.train if generalised else ())}
        return found.of([wnid for wnid in dict.fromkeys(found.labels) if wnid in wanted])

    def save(self, folder: Path) -> None:
        """Write the folder whole: samples.npz, class_embeddings.safetensors and the manifest."""
        with atomic_folder(folder) as partial:
            np.savez(
                partial / SAMPLES_FILE,
                features=self.samples.features,
                labels=np.array(self.samples.labels),
                parts=self.parts,
            )
            self.semantics.save(partial / SEMANTICS_FILE)
            facts = manifest(
                "dataset",
                train=self.train,
                tests=self.tests,
                validation=self.validation,
                facts=self.facts,
                files={name: sha256(partial / name) for name in (SAMPLES_FILE, SEMANTICS_FILE)},
            )
            write_json(partial / MANIFEST, facts)

    @classmethod
    def load(cls, folder: Path) -> Dataset:
        """Read what ``save`` wrote; DataError names what is missing or changed."""
        if not (folder / MANIFEST).is_file():
            raise DataError(
                f"{folder} is not the folder of a data set: it has no {MANIFEST}. `graphzsl"
                " convert` writes one."
            )
        facts = read_json(folder / MANIFEST)
        if facts.get("kind") != "dataset":
            raise DataError(
                f"{folder} holds no data set: its manifest describes {facts.get('kind')!r}. See"
                " `graphzsl convert`."
            )
        check_files(folder, facts, (SAMPLES_FILE, SEMANTICS_FILE), "Convert it again.")
        samples = load_samples(folder / SAMPLES_FILE)
        (parts,) = read_npz(folder / SAMPLES_FILE, "parts", expected="features, labels and parts")
        samples = replace(samples, facts={**facts["facts"], "sha256": samples.facts["sha256"]})
        semantics = ClassMatrix.load(folder / SEMANTICS_FILE, EMBEDDINGS)
        return cls(
            samples,
            parts,
            semantics,
            facts["train"],
            facts["tests"],
            facts["validation"],
            facts["facts"],
        )


def with_parts(
    samples: Samples,
    semantics: ClassMatrix,
    train: list[str],
    tests: Mapping[str, list[str]],
    facts: dict[str, Any],
    seen_share: float = 0.2,
    seed: int = 0,
) -> Dataset:
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
    return Dataset(
        samples,
        parts,
        semantics,
        list(train),
        dict(tests),
        [],
        {**facts, "held_out_share": seen_share, "seed": seed},
    )
