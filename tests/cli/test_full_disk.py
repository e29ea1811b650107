"""Commands on a disk that is full: one line that says so, and nothing that looks finished."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from graphzsl.cli import main
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
