"""docs/clip.md: what it prints is what a model of random weights gives, and its table has every
setting."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from graphzsl.cli import main
from graphzsl.clip.config import _KEYS, _TABLES
from tests.cli.test_help import _parsed, _without_files
from tests.clip.conftest import CLASSES
from tests.pages import DOCUMENT

PAGE = Path(__file__).parents[2] / "docs" / "clip.md"
TEXT = PAGE.read_text()


def _block(name: str) -> str:
    found = re.search(rf"<!-- {re.escape(name)} -->\n```\w*\n(.*?)```", TEXT, re.DOTALL)
    assert found, name
    return found[1]


@DOCUMENT
def test_what_a_run_prints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the model and the images that the page makes."""
    pytest.importorskip("open_clip", reason="pip install 'graphzsl[clip]'")
    import torch

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    with torch.random.fork_rng(devices=[]):
        exec(compile(_block("tiny.py"), "tiny.py", "exec"), {})
    assert _block("classes.txt").split() == CLASSES
    for name in ("classes.txt", "clip.toml"):
        Path(name).write_text(_block(name))
    done = CliRunner().invoke(main, ["clip", "run", "clip.toml", "--format", "table"])
    assert done.exit_code == 0, done.output
    assert f"$ graphzsl clip run clip.toml\n{done.output}" == _block("printed")


def test_the_table_of_settings() -> None:
    table = TEXT[TEXT.index("| setting |") :].split("\n\n")[0]
    named = set(re.findall(r"`\[?([a-z_]+)\]?`", "".join(re.findall(r"^\|(.*?)\|", table, re.M))))
    assert named == {*_KEYS, *_TABLES, *(each for keys in _TABLES.values() for each in keys)}


def test_the_files_of_a_run(tiny: Path) -> None:
    from graphzsl.clip import run

    table = TEXT[TEXT.index("| file |") :].split("\n\n")[0]
    named = set(re.findall(r"`([\w.]+\.\w+)`", "".join(re.findall(r"^\|(.*?)\|", table, re.M))))
    files = {run.HEAD, run.NAMES, run.TEMPLATES, run.CLASSES, run.CLIP_PREDICTIONS, run.CLIP_RUN}
    assert named == {*files, "manifest.json", "run.samples.parquet", "run.classes.parquet"}


def test_the_commands_parse() -> None:
    lines = [line for line in TEXT.splitlines() if line.startswith("graphzsl ")]
    assert len(lines) == 6
    for line in lines:
        with _without_files():
            _parsed(shlex.split(line)[1:])
