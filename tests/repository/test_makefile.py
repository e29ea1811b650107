"""What `make setup` says while it installs."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_installers_say_nothing_but_errors_and_the_sizes_are_said_before() -> None:
    """uv and pip have a line for each of some two hundred packages."""
    if shutil.which("make") is None:
        pytest.skip("make is not installed")
    asked = ["make", "--dry-run", "--always-make", "setup"]
    said = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    lines = said.replace("\\\n", " ").splitlines()
    parts = [part for line in lines for part in line.split("||")]
    installs = [part for part in parts if "pip install" in part and "echo" not in part]
    assert len(installs) == 4
    assert all("--quiet" in part for part in installs), installs
    sizes = next(at for at, line in enumerate(lines) if "GB to download" in line)
    assert sizes < next(at for at, line in enumerate(lines) if installs[0] in line)
