"""Commands and libraries on a disk that is full: one line that says so, and nothing that looks
finished."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import torch
from click.testing import CliRunner
from safetensors.numpy import save_file

from graphzsl.atomic import atomic_write
from graphzsl.cli import main
from graphzsl.errors import DataError
from tests.farm.operations import write_inputs

COMMANDS = {
    "train": "train closest --semantics embeddings.safetensors --classifiers"
    " classifiers.safetensors --train train.txt --candidates test.txt --graph graph --out OUT/m",
    "convert": "convert samples samples.npz --semantics embeddings.safetensors --train train.txt"
    " --test test.txt --out OUT/d",
    "grid": "evaluate grid grid.toml",
    "count": "frequencies count text.txt.gz --out OUT/c.csv",
}


@pytest.fixture
def full(tmp_path: Path) -> Iterator[Path]:
    """A folder on a disk of its own, on which almost nothing is free."""
    place = tmp_path / "full"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(place)]
    done = subprocess.run(mount, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"no file system can be mounted here: {done.stderr.strip()}")
    try:
        with (place / "ballast").open("wb") as file:
            file.write(bytes((64 << 10) - 4096))  # room for empty files, and little more
        yield place
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)


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
def test_whichever_library_meets_it(name: str, full: Path) -> None:
    path = full / "out"
    with (
        pytest.raises(DataError, match=rf"^{path} cannot be written: the disk is full.* \("),
        atomic_write(path) as partial,
    ):
        LIBRARIES[name](partial)
    assert [each.name for each in full.iterdir()] == ["ballast"]


@pytest.mark.parametrize("name", COMMANDS)
def test_a_full_disk_is_one_line(
    name: str, full: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_inputs(tmp_path)
    monkeypatch.chdir(tmp_path)
    grid = tmp_path / "grid.toml"
    grid.write_text(grid.read_text().replace('out = "out"', f'out = "{full}/out"'))
    done = CliRunner().invoke(main, COMMANDS[name].replace("OUT", str(full)).split())
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    lines = [line for line in done.stderr.splitlines() if "the disk is full" in line]
    assert done.exit_code == 1, done.output
    # each run of a grid says so, and the end of it
    assert len(lines) == (7 if name == "grid" else 1), done.output
    assert str(full) in lines[0]
    assert "Traceback" not in done.output
    left = [path for path in full.rglob("*") if path.is_file() and path.name != "ballast"]
    assert not [path for path in left if path.name.endswith((".part", ".old"))], left
    assert not list(full.glob("out/*-0.json"))
    assert not (full / "m").exists()
    assert not (full / "d").exists()
    assert not (full / "c.csv").exists()
