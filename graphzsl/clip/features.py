"""Features of images in blocks: computed by a CLIP model, or read from a file; and written while
they are computed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from graphzsl.common.checked_names import check_class_names, names_of_array
from graphzsl.common.errors import DataError
from graphzsl.common.files import (
    atomic_write,
    checked_suffix,
    manifest,
    manifest_path,
    sha256,
    write_result,
)
from graphzsl.common.progress import progress_bar
from graphzsl.common.reading.numpy_files import read_npz
from graphzsl.common.reading.parquet_files import open_parquet
from graphzsl.data.feature_folder import FeatureFolder, feature_matrix, feature_table
from graphzsl.data.sample_files import COLUMNS, load_samples, save_samples
from graphzsl.data.samples import Samples

if TYPE_CHECKING:
    from graphzsl.clip.model import ClipModel
    from graphzsl.embeddings.features.image_source import ImageSource

#: Rows of a file that are read at once.
_ROWS = 4096
_EXPECTED = "Expected the columns features and wnid."


@dataclass(frozen=True, eq=False)
class Block:
    """Features [n, D] with the class and the name of each."""

    features: npt.NDArray[np.float32]
    labels: list[str]
    names: list[str]


def image_blocks(
    images: ImageSource, model: ClipModel, batch: int = 64, workers: int = 0
) -> Iterator[Block]:
    """Features of images by a model's image tower, of length 1, batch by batch."""
    from graphzsl.embeddings.features.image_batches import image_batches

    batches = image_batches(images, model.preprocess, batch, workers)
    total = -(-len(images) // batch) or None
    for inputs, labels, names in progress_bar(batches, "images", total=total):
        yield Block(model.encode_images(inputs), labels, names)


def file_blocks(path: Path) -> Iterator[Block]:
    """Features of a ``.npz`` (whole in memory), a ``.parquet`` or a folder of parts (read in
    parts), as ``load_samples`` reads them.

    Raises:
        DataError: names the file, and what is wrong with it.
    """
    path = Path(path)
    if path.is_dir():
        yield from _folder_blocks(FeatureFolder.open(path))
        return
    if path.suffix != ".parquet":
        samples = load_samples(path)
        for start in range(0, len(samples.labels), _ROWS):
            rows = slice(start, start + _ROWS)
            labels = samples.labels[rows]
            yield Block(samples.features[rows], labels, _numbered(start, len(labels)))
        return
    yield from _parquet_blocks(path)


def file_labels(path: Path) -> list[str]:
    """The distinct labels of such a file, in the order of their first samples; features are not
    read where it is Parquet."""
    path = Path(path)
    if path.is_dir():
        return list(dict.fromkeys(FeatureFolder.open(path).labels))
    if path.suffix != ".parquet":
        (labels,) = read_npz(path, "wnids|labels", expected="features [N, D] and wnids [N]")
        what = f"{path}: labels"
        names = dict.fromkeys(names_of_array(labels, what))
    else:
        with open_parquet(path, _EXPECTED) as file:
            label = _label_column(file, path)
            what, names = f"{path}: {label}", {}
            for part in file.iter_batches(columns=[label]):
                names |= dict.fromkeys(names_of_array(part.column(0).unique().to_pylist(), what))
    check_class_names(names, what)
    return list(names)


def _folder_blocks(folder: FeatureFolder) -> Iterator[Block]:
    for start in range(0, int(folder.borders[-1]), _ROWS):
        labels = folder.labels[start : start + _ROWS]
        features = folder.read(np.arange(start, start + len(labels)))
        yield Block(features, labels, _numbered(start, len(labels)))


def _numbered(start: int, count: int) -> list[str]:
    return [f"sample {start + row}" for row in range(count)]


def _label_column(file: Any, path: Path) -> str:
    known = file.schema_arrow.names
    label = next((name for name in COLUMNS if name in known), None)
    if label is None or "features" not in known:
        raise DataError(
            f"{path}: expected the columns features and wnid (or label); it has {', '.join(known)}."
        )
    return label


def _parquet_blocks(path: Path) -> Iterator[Block]:
    with open_parquet(path, _EXPECTED) as file:
        label = _label_column(file, path)
        has_names = "file" in file.schema_arrow.names
        start = 0
        for part in file.iter_batches(
            _ROWS, columns=["features", label, *(["file"] if has_names else [])]
        ):
            labels = names_of_array(part.column(label).to_pylist(), f"{path}: {label}")
            names = part.column("file").to_pylist() if has_names else None
            features = feature_matrix(part.column("features"), path, start)
            yield Block(features, labels, names or _numbered(start, len(labels)))
            start += len(labels)


def save_features(blocks: Iterable[Block], path: Path, **metadata: Any) -> tuple[int, int]:
    """Write features as they come, and a manifest beside them; (images, dimensions).

    ``.parquet`` is written in parts: file, label, features. ``.npz`` (features, labels) is held in
    memory first. Both are what ``load_samples`` reads.

    Raises:
        DataError: another suffix, or no image.
    """
    suffix = checked_suffix(path, (".parquet", ".npz"))
    blocks = iter(blocks)
    if (first := next(blocks, None)) is None:
        raise DataError("There is no image.")
    count, width = 0, first.features.shape[1]
    if suffix == ".npz":
        every = [first, *blocks]
        features = np.concatenate([block.features for block in every])
        labels = [label for block in every for label in block.labels]
        save_samples(Samples(features, labels, {}), path)
        count = len(labels)
    else:
        with feature_writer(path) as write:
            for block in chain([first], blocks):
                write(block)
                count += len(block.labels)
    facts = {"images": count, "dimensions": width, "files": {path.name: sha256(path)}}
    write_result(manifest_path(path), manifest("image features", **facts, **metadata))
    return count, width


@contextmanager
def feature_writer(path: Path) -> Iterator[Any]:
    """A function that adds blocks to a Parquet file, which is there when the block ends."""
    import pyarrow.parquet as pq

    with atomic_write(path) as partial:
        writer: Any = None

        def write(block: Block) -> None:
            nonlocal writer
            table = feature_table(block.names, block.labels, block.features)
            writer = writer or pq.ParquetWriter(partial, table.schema)
            writer.write_table(table)

        try:
            yield write
        finally:
            if writer is not None:
                writer.close()
