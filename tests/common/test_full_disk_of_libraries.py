"""Libraries that write to a disk that is full: the error names the file and the disk."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import torch
from safetensors.numpy import save_file

from graphzsl.common import DataError
from graphzsl.common.atomic import atomic_write
from tests.disks import BALLAST, fill, mounted


def _through_file(write: Callable[[Any], object]) -> Callable[[Path], None]:
    def opened(path: Path) -> None:
        with path.open("wb") as file:
            write(file)

    return opened


NUMBERS = np.random.default_rng(0).normal(size=40_000)
#: Every way in which this package lets a library write.
LIBRARIES: dict[str, Callable[[Path], object]] = {
    "a text": lambda path: path.write_text("x" * 300_000),
    "numpy": _through_file(lambda file: np.savez(file, a=NUMBERS)),
    "numpy, one array": _through_file(lambda file: np.save(file, NUMBERS)),
    "numpy, its bytes": _through_file(NUMBERS.tofile),
    "Arrow": lambda path: pq.write_table(pa.table({"a": NUMBERS}), path),
    "safetensors": lambda path: save_file({"a": NUMBERS}, path),
    "torch": _through_file(lambda file: torch.save(torch.from_numpy(NUMBERS), file)),
}


@pytest.mark.parametrize("name", LIBRARIES)
def test_whichever_library_meets_it(name: str, tmp_path: Path) -> None:
    with mounted(tmp_path / "disk", "1m") as full:
        fill(full, 8192)
        path = full / "out"
        with (
            pytest.raises(DataError, match=rf"^{path} cannot be written: the disk is full.* \("),
            atomic_write(path) as partial,
        ):
            LIBRARIES[name](partial)
        assert [each.name for each in full.iterdir()] == [BALLAST]
