"""The wheel, in an environment that has only it and its dependencies."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

pytestmark = pytest.mark.thorough("the package as it is installed")

ROOT = Path(__file__).resolve().parents[2]


def test_the_installed_wheel_works_without_the_checkout(tmp_path: Path) -> None:
    build = [
        sys.executable,
        "-m",
        "build",
        "--wheel",
        "--no-isolation",
        "--outdir",
        str(tmp_path),
        str(ROOT),
    ]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    venv.create(tmp_path / "env", with_pip=False)
    python = tmp_path / "env" / "bin" / "python"
    target = (
        tmp_path
        / "env"
        / "lib"
        / f"python{sys.version_info.major}.{sys.version_info.minor}"
        / "site-packages"
    )
    install = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-compile",
        "--target",
        str(target),
        str(wheel),
    ]
    subprocess.run(install, check=True)
    # the dependencies, but not the checkout: a .pth file inside a folder named by a .pth file is
    # not read
    (target / "dependencies.pth").write_text(sysconfig.get_paths()["purelib"])
    code = """
import graphzsl, pathlib
from graphzsl.database.library import folder, library
from graphzsl.database.jars import locked_jars
from graphzsl.ilsvrc.papers import systems, tables
from graphzsl.sources.published import published
from importlib.resources import files
print(pathlib.Path(graphzsl.__file__).parent)
print(folder(), len(library()), len(locked_jars()))
assert (files("graphzsl.reports") / "page.html").is_file()
assert (files("graphzsl") / "py.typed").is_file()
assert (len(systems()), len(tables())) == (171, 26)
assert len(published()) == 30 and all(found.path.is_file() for found in published().values())
"""
    environment = {**os.environ, "PYTHONPATH": ""}
    done = subprocess.run(
        [python, "-c", code],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    where, found = done.stdout.splitlines()
    assert Path(where).is_relative_to(tmp_path)
    assert found.startswith(str(tmp_path))
    assert int(found.split()[1]) > 60
    command = [python, "-m", "graphzsl", "query", "show", "hop_split"]
    shown = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    assert "// name: hop_split" in shown.stdout
