"""A row per class: class embeddings [C, S] and classifiers [C, D+1], as safetensors with their
wnids and manifest."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors.numpy import save_file

from graphzsl.common.checked_names import check_classes, check_kind
from graphzsl.common.errors import DataError
from graphzsl.common.files import atomic_write, checked_suffix
from graphzsl.common.reading.json_text import parsed_json
from graphzsl.common.reading.safetensors_files import read_safetensors
from graphzsl.common.reading.schema import check_document

Matrix = npt.NDArray[np.float32]
EMBEDDINGS, CLASSIFIERS = "class embeddings", "classifiers"


@dataclass(frozen=True, eq=False)
class ClassMatrix:
    """One row of numbers for each class: class embeddings [C, S], or classifiers [C, D+1].

    Args:
        wnids: [C] the classes, each once.
        values: [C, ·] float32, finite. A classifier row is D weights, then the bias.
        metadata: what it is and where it comes from; ``metadata["kind"]`` is ``class embeddings``
            or ``classifiers``.

    Raises:
        DataError: shapes do not fit, a class has two rows, or a row is not finite.

    >>> embeddings = gz.ClassMatrix.from_rows({"cat": [1, 0], "dog": [0, 1]})
    >>> embeddings
    <ClassMatrix: class embeddings of 2 classes, 2 columns>
    >>> embeddings.rows(["dog"]).tolist()
    [[0.0, 1.0]]
    """

    wnids: list[str]
    values: Matrix
    metadata: dict[str, Any]

    def __post_init__(self) -> None:
        check_classes(self.wnids)
        if self.values.ndim != 2 or len(self.wnids) != len(self.values):
            raise DataError(
                f"{len(self.wnids)} wnids do not fit a matrix of shape {self.values.shape}."
            )
        if not self.values.shape[1]:
            raise DataError("The matrix has no columns: there is nothing in its rows.")
        if self.values.dtype.kind not in "fiu":
            raise DataError(f"A matrix of classes holds numbers, not {self.values.dtype}.")
        bad = np.flatnonzero(~np.isfinite(self.values).all(axis=1))
        if len(bad):
            raise DataError(f"The row of {self.wnids[bad[0]]} is not finite.")

    def __repr__(self) -> str:
        kind = self.metadata.get("kind", "values")
        classes, columns = self.values.shape
        return f"<ClassMatrix: {kind} of {classes:,} classes, {columns:,} columns>"

    @classmethod
    def from_rows(
        cls,
        rows: Mapping[str, npt.ArrayLike],
        metadata: dict[str, Any] | None = None,
        *,
        kind: str = EMBEDDINGS,
    ) -> ClassMatrix:
        """A matrix of rows by class.

        Args:
            rows: class -> its row.
            metadata: where the rows come from.
            kind: what they are: ``class embeddings`` or ``classifiers``.

        Returns:
            The matrix, its classes in the order of ``rows``.

        Raises:
            DataError: the rows differ in length or are not numbers.
        """
        for name, row in rows.items():
            check_kind(row, f"The numbers of {name}")
        try:
            values = np.array([np.asarray(row, np.float32) for row in rows.values()], np.float32)
        except (TypeError, ValueError) as error:
            raise DataError(f"Rows must be numbers, all of one length ({error}).") from None
        return cls(list(rows), values, {"kind": kind, **(metadata or {})})

    @cached_property
    def index(self) -> dict[str, int]:
        """wnid -> row."""
        return {wnid: row for row, wnid in enumerate(self.wnids)}

    def rows(self, wnids: Sequence[str]) -> Matrix:
        """[len(wnids), ·] rows in that order; DataError names a class without a row: there is no
        silent zero vector."""
        missing = [wnid for wnid in wnids if wnid not in self.index]
        if missing:
            more = f" and {len(missing) - 1} more classes" if len(missing) > 1 else ""
            raise DataError(
                f"There are no {self.metadata.get('kind', 'values')} for {missing[0]}{more}."
            )
        return self.values[[self.index[wnid] for wnid in wnids]]

    def among(self, wnids: Collection[str]) -> ClassMatrix:
        """The rows of whichever of these classes have one, in their order here."""
        wanted = set(wnids)
        if wanted.issuperset(self.wnids):
            return self
        rows = [row for row, wnid in enumerate(self.wnids) if wnid in wanted]
        return ClassMatrix([self.wnids[row] for row in rows], self.values[rows], self.metadata)

    def save(self, path: Path | str) -> None:
        """Write the ``.safetensors`` file whole, or not at all; DataError for another suffix."""
        path = Path(path)
        checked_suffix(path, (".safetensors",))
        with atomic_write(path) as partial:
            header = {"manifest": json.dumps(self.metadata), "wnids": json.dumps(self.wnids)}
            save_file(
                {"values": np.ascontiguousarray(self.values, dtype=np.float32)},
                partial,
                metadata=header,
            )

    @classmethod
    def load(cls, path: Path | str, kind: str | None = None) -> ClassMatrix:
        """Read and check what ``save`` wrote.

        Args:
            path: the .safetensors file.
            kind: what it must hold (default: anything).

        Returns:
            The matrix.

        Raises:
            DataError: names the file, and what is wrong with it.
        """
        expected = "values, wnids and a manifest, as graphzsl writes them"
        header, arrays = read_safetensors(Path(path), ("values",), expected=expected)
        values = arrays["values"]
        missing = [name for name in ("manifest", "wnids") if name not in header]
        if missing:
            raise DataError(f"{path}: its header has no {missing[0]}. Expected {expected}.")
        metadata, wnids = (
            parsed_json(header[name], f"{path}: {name}") for name in ("manifest", "wnids")
        )
        if not isinstance(metadata, dict):
            raise DataError(f"{path}: its manifest is not an object. Expected {expected}.")
        if kind and metadata.get("kind") != kind:
            raise DataError(f"{path} holds {metadata.get('kind')}; {kind} were expected.")
        if (held := metadata.get("kind")) in (EMBEDDINGS, CLASSIFIERS):
            check_document(metadata, held, Path(path), "manifest", "Make the file again.")
        try:
            with np.errstate(over="ignore"):
                return cls(wnids, values.astype(np.float32, copy=False), metadata)
        except DataError as error:
            raise error.at(f"{path}: ") from None


def distinct_rows(rows: Matrix) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """([U] where each different row stands first, [N] which of them every row is); -0.0 is 0.0."""
    bits = np.ascontiguousarray(rows).view(f"u{rows.itemsize}")
    # equal rows have equal sums of bit patterns; the shift drops the sign bit, the only one in
    # which 0.0 and -0.0 differ
    if len(np.unique(bits.sum(axis=1, dtype=bits.dtype) << 1)) == len(rows):
        return np.arange(len(rows)), np.arange(len(rows))
    seen: dict[bytes, int] = {}  # by 128 bits of each: the rows themselves are as large as a model
    zero = rows.dtype.type(0)
    number = [
        seen.setdefault(blake2b((row + zero).tobytes(), digest_size=16).digest(), len(seen))
        for row in rows
    ]
    which = np.array(number, dtype=np.intp)
    return np.unique(which, return_index=True)[1], which


def with_column(rows: Matrix, column: Matrix | float) -> Matrix:
    """[C, E+1] rows with a last column."""
    wider = np.empty((len(rows), rows.shape[1] + 1), np.float32)
    wider[:, :-1], wider[:, -1] = rows, column
    return wider


def unit_rows(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Rows divided by their L2 norm; a zero row stays zero."""
    norms = np.linalg.norm(values, axis=1, keepdims=True)
    return values / np.where(norms > 0, norms, 1)
