"""Disks of a test's own: small file systems in memory, which become full."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

BALLAST = "ballast"


@contextmanager
def mounted(place: Path, size: str) -> Iterator[Path]:
    """A folder on a disk of its own; the test is skipped where none can be mounted."""
    place.mkdir()
    _mount("-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place))
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)


@contextmanager
def read_only(place: Path) -> Iterator[Path]:
    """A folder that nobody may write to, not even root; what it holds stays."""
    _mount("--bind", str(place), str(place))
    try:
        subprocess.run(["mount", "-o", "remount,bind,ro", str(place)], check=True)
        yield place
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)


def _mount(*arguments: str) -> None:
    done = subprocess.run(["mount", *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"no file system can be mounted here: {done.stderr.strip()}")


def fill(place: Path, free: int) -> None:
    """Write a file that leaves so many bytes of the disk free."""
    count = max(0, shutil.disk_usage(place).free - free)
    with (place / BALLAST).open("wb") as file:
        for start in range(0, count, 1 << 20):
            file.write(bytes(min(1 << 20, count - start)))


def held(place: Path) -> dict[str, bytes]:
    """What files of a folder hold, but for the ballast."""
    return {
        str(path.relative_to(place)): path.read_bytes()
        for path in place.rglob("*")
        if path.is_file() and path.name != BALLAST
    }
