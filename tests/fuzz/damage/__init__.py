"""Damage of a valid file: bytes anywhere, and values where the format has some."""

from __future__ import annotations

from pathlib import Path

from tests.fuzz.damage.containers import mat5, npy, npz, parquet, pickled, safetensors, torch_file
from tests.fuzz.damage.raw import Change, bytes_
from tests.fuzz.damage.tars import tar
from tests.fuzz.damage.texts import json_, json_lines, text, toml

#: Suffix of a file -> how it is changed.
BY_SUFFIX: dict[str, Change] = {
    ".json": json_,
    ".jsonl": json_lines,
    ".toml": toml,
    ".csv": text,
    ".tsv": text,
    ".txt": text,
    ".xml": text,
    ".npy": npy,
    ".npz": npz,
    ".parquet": parquet,
    ".safetensors": safetensors,
    ".tar": tar,
    ".pt": torch_file,
    ".pred": torch_file,
    ".pkl": pickled,
    ".mat": mat5,
}


def change_of(path: Path) -> Change:
    """Find the change for a file of this name."""
    return BY_SUFFIX.get(path.suffix, bytes_)
