"""Data sets with the published numbers of classes and images (Xian et al. 2017, Table 1), read as
their files come: a file whose parts were read wrongly has other numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graphzsl.data import ZeroShotDataset
from graphzsl.data.dataset import TEST_SEEN, TEST_UNSEEN, TRAIN
from graphzsl.embeddings import read_xlsa17
from graphzsl.ilsvrc import table
from tests.embeddings.formats.test_formats import _v73
from tests.ilsvrc.papers.cells import column_of, row_of

#: Of each image, in place of the 2,048 numbers of ResNet-101.
FEATURES = 2


def _counts(total: int, classes: int) -> np.ndarray:
    """Images of each of so many classes, as even as can be."""
    return np.full(classes, total // classes) + (np.arange(classes) < total % classes)


def write_published(folder: Path, row: dict[str, Any]) -> Path:
    """The files of a data set with the numbers of a row of the table, and random features.

    Classes stand in the order training, validation, test; images of a class follow one another, the
    held-out ones of a seen class last."""
    seen = row["train_classes"] + row["val_classes"]
    labels, parts = [], []
    held = _counts(row["ps_test_seen"], seen)
    for number, (own, apart) in enumerate(
        zip(_counts(row["ps_train"], seen), held, strict=True), start=1
    ):
        labels += [number] * int(own + apart)
        parts += [TRAIN] * int(own) + [TEST_SEEN] * int(apart)
    for number, own in enumerate(_counts(row["ps_test_unseen"], row["test_classes"]), seen + 1):
        labels += [number] * int(own)
        parts += [TEST_UNSEEN] * int(own)
    numbers = np.arange(1, len(labels) + 1)
    validates = np.array(labels) > row["train_classes"]
    att = np.random.default_rng(0).random((row["attributes"], row["classes"]))
    seen_image = np.array(parts) != TEST_UNSEEN
    folder.mkdir(parents=True)
    _v73(
        folder / "res101.mat",
        {
            "features": np.zeros((FEATURES, len(labels)), np.float32),
            "labels": np.array(labels, float)[:, None],
        },
    )
    names = np.array([f"c{number}" for number in range(row["classes"])], dtype=object)
    splits = {
        "att": att,
        "original_att": att,
        "allclasses_names": names[:, None],
        "trainval_loc": numbers[np.array(parts) == TRAIN][:, None],
        "test_seen_loc": numbers[np.array(parts) == TEST_SEEN][:, None],
        "test_unseen_loc": numbers[np.array(parts) == TEST_UNSEEN][:, None],
        # as published, these hold the images of test_seen too
        "train_loc": numbers[seen_image & ~validates][:, None],
        "val_loc": numbers[seen_image & validates][:, None],
    }
    _v73(folder / "att_splits.mat", splits)
    return folder


def _sizes(data: ZeroShotDataset) -> dict[str, int]:
    """The columns of the table, of a data set."""
    images = {part: int((data.parts == part).sum()) for part in (TRAIN, TEST_SEEN, TEST_UNSEEN)}
    (validation,) = data.validation
    return {
        "classes": len(data.semantics.wnids),
        "train_classes": len(data.train) - len(validation),
        "val_classes": len(validation),
        "test_classes": len(data.tests["test"]),
        "attributes": data.semantics.values.shape[1],
        "ps_train": images[TRAIN],
        "ps_test_seen": images[TEST_SEEN],
        "ps_test_unseen": images[TEST_UNSEEN],
    }


@pytest.mark.parametrize("name", column_of(table("gbu-table-1"), "data_set"))
def test_sizes_are_read_as_printed(name: str, tmp_path: Path) -> None:
    row = row_of(table("gbu-table-1"), data_set=name)
    data = read_xlsa17(write_published(tmp_path / name, row))
    read = _sizes(data)
    assert read == {column: row[column] for column in read}
    assert len(data.samples.labels) == row["ss_train"] + row["ss_test"]
    # tuning sees no image of a test part
    for train, held in data.folds():
        assert not {*train, *held} & {*data.tests["test"]}
    data.save(tmp_path / "plain")
    assert _sizes(ZeroShotDataset.load(tmp_path / "plain")) == read
