"""CI and the browser: with one no test of a page is skipped, without one the last lines say so."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests import chromium

ROOT = Path(__file__).resolve().parents[2]


def run_ci(folder: Path, programs: dict[str, str]) -> tuple[int, list[str]]:
    """(exit code, lines) of .ci/run where only these programs are found, and those of the shell
    that it takes."""
    tools, repository = folder / "bin", folder / "repository"
    tools.mkdir()
    for name in ("bash", "dirname", "env"):
        (tools / name).symlink_to(str(shutil.which(name)))
    for name, body in programs.items():
        (tools / name).write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
        (tools / name).chmod(0o755)
    (repository / ".ci").mkdir(parents=True)
    shutil.copy(ROOT / ".ci" / "run", repository / ".ci" / "run")
    environment = {key: value for key, value in os.environ.items() if "CHROMIUM" not in key}
    done = subprocess.run(
        [repository / ".ci" / "run"],
        env={**environment, "PATH": str(tools)},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout.splitlines()


SAID = 'echo "$1 needs=$GRAPHZSL_NEED_CHROMIUM"'


@pytest.mark.parametrize("tests", [0, 1], ids=["tests pass", "a test fails"])
def test_without_a_browser_the_last_lines_say_so(tests: int, tmp_path: Path) -> None:
    fails = f'{SAID}; [ "$1" != test ] || exit {tests}'
    programs = {"make": fails, "id": "echo 0", "apt-get": "exit 1"}
    code, lines = run_ci(tmp_path, programs)
    assert (code != 0) is bool(tests)
    assert lines[:2] == ["lint needs=", "test needs="]
    assert "NO CHROMIUM" in " ".join(lines[-2:])


def test_with_a_browser_no_test_of_a_page_skips(tmp_path: Path) -> None:
    code, lines = run_ci(tmp_path, {"make": SAID, "id": "echo 1000", "chromium": "exit 0"})
    assert (code, lines) == (0, ["lint needs=", "test needs=1", "test-all needs=1"])


def test_every_query_is_run_on_the_newest_neo4j_too() -> None:
    lane = (ROOT / "Makefile").read_text(encoding="utf-8").split("\ntest-all: setup\n")[1]
    (line,) = [line for line in lane.split("\n\n")[0].splitlines() if "NEO4J" in line]
    version = line.split()[0].partition("=")[2]
    assert (ROOT / "tests" / "neo4j" / f"neo4j-{version}.lock").exists()
    files = line.split()[2:]
    assert files == ["tests/database/test_mini.py", "tests/database/test_remote.py"]
    assert all((ROOT / name).exists() for name in files)


def test_screenshots_of_the_browser_are_kept_where_git_ignores_them(tmp_path: Path) -> None:
    said = '[ "$1" != test ] || echo "$GRAPHZSL_SCREENSHOTS"'
    code, lines = run_ci(tmp_path, {"make": said, "id": "echo 1000", "chromium": "exit 0"})
    folder = tmp_path / "repository" / "build" / "screenshots"
    assert (code, lines) == (0, [str(folder)])
    assert "build/" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()


def test_a_browser_is_installed_where_it_can_be(tmp_path: Path) -> None:
    """apt-get that fails at first, as with old package lists."""
    tools = tmp_path / "bin"
    install = (
        f'if [ "$1" = update ]; then : > {tmp_path}/updated; exit 0; fi\n'
        f"[ -e {tmp_path}/updated ] || exit 1\n"
        f"printf '#!/bin/sh\\n' > {tools}/chromium && {shutil.which('chmod')} 755 {tools}/chromium"
    )
    code, lines = run_ci(tmp_path, {"make": SAID, "id": "echo 0", "apt-get": install})
    assert (code, lines) == (0, ["lint needs=", "test needs=1", "test-all needs=1"])


@pytest.mark.parametrize("is_needed", [True, False])
def test_a_browser_that_is_missing(is_needed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chromium, "CHROMIUM", None)
    monkeypatch.setattr(chromium, "NEEDED", is_needed)
    wanted = pytest.fail.Exception if is_needed else pytest.skip.Exception
    with pytest.raises(wanted, match="Chromium is not"):
        chromium.require_chromium()
