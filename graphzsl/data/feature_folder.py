"""Features in a folder of Parquet files: more than fit into memory, written in parts and read by
rows.

``part-00000.parquet``, … have the columns file, label and features; the manifest lists them with
their rows and checksums. A folder without a manifest is not finished.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl.common.errors import DataError
from graphzsl.common.files import MANIFEST, check_files, folder_manifest, sha256_text
from graphzsl.common.reading.bounds import check_memory
from graphzsl.common.reading.parquet_files import read_parquet

KIND = "features"
#: What stands in a folder that is being written.
UNFINISHED = "unfinished.json"
_AGAIN = "Remove it, and give the command that wrote the folder again."


def part_name(number: int) -> str:
    """The file of a part, from 0."""
    return f"part-{number:05}.parquet"


@dataclass(frozen=True, eq=False)
class FeatureFolder:
    """Features [N, D] in parts.

    Args:
        path: the folder.
        manifest: its manifest.
    """

    path: Path
    manifest: dict[str, Any]

    @classmethod
    def open(cls, path: Path) -> FeatureFolder:
        """A folder that is finished; DataError says what it is instead."""
        path = Path(path)
        if (path / UNFINISHED).exists() and not (path / MANIFEST).exists():
            raise DataError(
                f"{path} is not finished: give the command that writes it again, which goes on"
                " where it stopped."
            )
        manifest = folder_manifest(path, KIND, "features", "graphzsl convert images", _AGAIN)
        rows = manifest["rows"]
        if len(rows) != len(manifest["files"]) or sum(rows) != manifest["images"]:
            raise DataError(
                f"{path / MANIFEST} is damaged: {len(manifest['files']):,} files and"
                f" {manifest['images']:,} images, but {len(rows):,} parts of {sum(rows):,} rows."
                f" {_AGAIN}"
            )
        return cls(path, manifest)

    @property
    def dimensions(self) -> int:
        return int(self.manifest["dimensions"])

    @cached_property
    def borders(self) -> npt.NDArray[np.int64]:
        """[P + 1] the first row of each part, and the number of all rows."""
        return np.concatenate([[0], np.cumsum(self.manifest["rows"], dtype=np.int64)])

    @property
    def metadata(self) -> dict[str, Any]:
        """Origin of the folder's samples: its name and the checksum of its files."""
        files = self.manifest["files"]
        listed = "\n".join(f"{name} {files[name]}" for name in sorted(files))
        return {"features": self.path.name, "sha256": sha256_text(listed)}

    @cached_property
    def labels(self) -> list[str]:
        """[N] the class of each row; features are not read."""
        found: list[str] = []
        for number in range(len(self.borders) - 1):
            found += map(str, self._table(number, ["label"])["label"].to_pylist())
        return found

    def read(self, rows: npt.NDArray[np.int64] | None = None) -> npt.NDArray[np.float32]:
        """[n, D] the features of ascending rows (None: all); beside them one part is in memory.

        Raises:
            DataError: a part is missing, or is not the file that the manifest describes.
        """
        if rows is None:
            check_memory(8 * int(self.borders[-1]), f"{self.path}: {self.borders[-1]:,} rows")
            rows = np.arange(self.borders[-1])
        ends = np.searchsorted(rows, self.borders)
        if not len(rows):
            check_memory(4 * self.dimensions, f"{self.path}: a row of features")
            return np.empty((0, self.dimensions), dtype=np.float32)
        values = np.empty((0, 0), dtype=np.float32)
        for number, (begin, end) in enumerate(pairwise(ends)):
            if begin == end:
                continue
            name = part_name(number)
            check_files(self.path, self.manifest, (name,), _AGAIN)
            matrix = feature_matrix(self._table(number, ["features"])["features"], self.path / name)
            if matrix.shape[1] != self.dimensions:
                raise DataError(
                    f"{self.path / name} has {matrix.shape[1]} dimensions; the folder has"
                    f" {self.dimensions:,}. {_AGAIN}"
                )
            if not len(values):
                size = 4 * len(rows) * self.dimensions
                check_memory(size, f"{self.path}: features of {len(rows):,} rows")
                values = np.empty((len(rows), self.dimensions), dtype=np.float32)
            values[begin:end] = matrix[rows[begin:end] - self.borders[number]]
        return values

    def _table(self, number: int, columns: list[str]) -> Any:
        path = self.path / part_name(number)
        table = read_parquet(path, columns, expected=_AGAIN)
        if len(table) != self.manifest["rows"][number]:
            raise DataError(
                f"{path} has {len(table):,} rows; the manifest says"
                f" {self.manifest['rows'][number]:,}. {_AGAIN}"
            )
        return table


def feature_table(
    names: Sequence[str], labels: Sequence[str], features: npt.NDArray[np.floating]
) -> Any:
    """A table with the columns file, label and features [n, D]."""
    import pyarrow as pa

    flat = pa.array(np.ascontiguousarray(features).ravel(), pa.float32())
    return pa.table(
        {
            "file": pa.array(names, pa.string()),
            "label": pa.array(labels, pa.string()),
            "features": pa.FixedSizeListArray.from_arrays(flat, features.shape[1]),
        }
    )


def feature_matrix(column: Any, path: Path, start: int = 0) -> npt.NDArray[np.float32]:
    """[n, D] of a column of lists.

    Args:
        column: an Arrow array, or one in chunks.
        path: what messages call the file.
        start: the row of the file that the column begins with.

    Raises:
        DataError: it holds no lists, lists of several lengths, or a value that is not finite.
    """
    import pyarrow as pa

    if isinstance(column, pa.ChunkedArray):
        parts = [
            feature_matrix(chunk, path, start + sum(map(len, column.chunks[:place])))
            for place, chunk in enumerate(column.chunks)
        ]
        if len({part.shape[1] for part in parts if len(part)}) > 1:
            raise DataError(f"{path}: features must be lists of one length.")
        return np.concatenate(parts) if parts else np.empty((0, 0), np.float32)
    kind = column.type
    is_lists = pa.types.is_list(kind) or pa.types.is_fixed_size_list(kind)
    if not is_lists or column.null_count:
        raise DataError(f"{path}: features must be lists of numbers, one per row.")
    try:
        values = np.asarray(column.flatten(), dtype=np.float32)
    except (TypeError, ValueError, OverflowError):
        raise DataError(f"{path}: features must be lists of numbers.") from None
    width = len(values) // len(column) if len(column) else 0
    if pa.types.is_list(kind):
        lengths = np.diff(np.asarray(column.offsets))
        if (lengths != width).any():
            raise DataError(f"{path}: features must be lists of one length.")
    matrix = values.reshape(len(column), width)
    bad = np.flatnonzero(~np.isfinite(matrix).all(axis=1))
    if len(bad):
        raise DataError(f"{path}: the features of row {start + int(bad[0])} are not finite.")
    return matrix
