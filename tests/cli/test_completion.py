"""What a TAB offers, through click's own protocol; no server is started or waited for."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.shell_completion import ShellComplete

from graphzsl.cli import completion, main
from graphzsl.sources.published import class_lists


def _offered(line: str) -> list[str]:
    """The words offered for the last word of a line."""
    *words, incomplete = line.split(" ")
    shell = ShellComplete(main, {}, "graphzsl", "_GRAPHZSL_COMPLETE")
    return [item.value for item in shell.get_completions(words, incomplete)]


@pytest.fixture
def no_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home of its own, in which nothing runs."""
    monkeypatch.setenv("GRAPHZSL_HOME", str(tmp_path))
    monkeypatch.delenv("NEO4J_URI", raising=False)
    monkeypatch.setattr(
        "graphzsl.database.server.LocalServer.start", lambda *_: pytest.fail("started")
    )


@pytest.mark.usefixtures("no_server")
@pytest.mark.parametrize(
    ("line", "some"),
    [
        ("spl", ["split"]),
        ("train sg", ["sgcn", "sgc"]),
        ("model show esz", ["eszsl"]),
        ("query run hop_s", ["hop_split"]),
        ("query show see_sp", ["see_split"]),
        ("split build max", ["max-ratio"]),
        ("split recipes def", ["default"]),
        (
            "load class-set published-s",
            [f"published-ssb-{end}" for end in ("easy", "hard", "hard-winter21")],
        ),
        ("split diff hops-1 published-2", ["published-2-hops"]),
        ("papers show X3", ["X31", "X32", "X30"]),
        ("papers claims goz-f", ["goz-frequencies"]),
        ("papers systems X21 D01", ["D01"]),
        ("split ratio hops-1 --dist", ["--distance"]),
        ("split ratio hops-1 --distance jc", ["jcn"]),
    ],
)
def test_names_that_are_shipped_are_offered(line: str, some: list[str]) -> None:
    assert _offered(line) == some


@pytest.mark.usefixtures("no_server")
def test_without_a_server_stored_names_are_not_offered() -> None:
    assert _offered("split check ") == []
    assert _offered("split diff hops-1 ") == list(class_lists())


class _Running:
    def rows(self, _: object) -> list[dict[str, Any]]:
        sets = {"hops-1": "split", "hops-2": "split", "hidden": "list"}
        return [{"name": name, "kind": kind} for name, kind in sets.items()]


def test_class_sets_of_a_running_server_are_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(completion, "_answers", lambda: True)
    monkeypatch.setattr("graphzsl.cli.connection.running_database", _Running)
    assert _offered("split check ") == ["hops-1", "hops-2"]
    assert _offered("split ratio h") == ["hops-1", "hops-2", "hidden"]
    assert _offered("split hops --train hi") == ["hidden"]
    assert _offered("class-set delete hi") == ["hidden"]


def test_a_picture_is_of_what_is_stored_shipped_or_in_a_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(completion, "_answers", lambda: True)
    monkeypatch.setattr("graphzsl.cli.connection.running_database", _Running)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hidden-runs").mkdir()
    (tmp_path / "hidden-runs" / "a.json").touch()
    (tmp_path / "hidden-runs" / "a.parquet").touch()
    assert _offered("picture h") == ["hops-1", "hops-2", "hidden", "hidden-runs/"]
    assert _offered("picture hidden-runs/") == ["hidden-runs/a.json"]
    monkeypatch.setattr(completion, "_answers", lambda: False)
    assert _offered("picture al") == ["all"], "without a server"


def test_an_error_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise OSError("no such server")

    monkeypatch.setattr(completion, "_answers", lambda: True)
    monkeypatch.setattr("graphzsl.cli.connection.running_database", fail)
    assert _offered("split check ") == []


def test_another_server_that_does_not_answer_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:9")
    started = time.process_time()
    assert _offered("split check ") == []
    assert time.process_time() - started < 5


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_lines_of_the_documentation_give_a_script(shell: str) -> None:
    page = Path(__file__).resolve().parents[2] / "docs" / "command-line.md"
    assert f"_GRAPHZSL_COMPLETE={shell}_source graphzsl" in page.read_text()
    code = "from graphzsl.cli import main; main(prog_name='graphzsl')"

    def said(**given: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, **given},
            capture_output=True,
            text=True,
            check=True,
        )
        assert not done.stderr or shell == "bash", done.stderr
        return done.stdout

    assert "_GRAPHZSL_COMPLETE" in said(_GRAPHZSL_COMPLETE=f"{shell}_source")
    words = {"COMP_WORDS": "graphzsl query run hop_sp", "COMP_CWORD": "3"}
    if shell == "fish":
        words["COMP_CWORD"] = "hop_sp"
        words["COMP_WORDS"] = "graphzsl query run"
    assert "hop_split" in said(_GRAPHZSL_COMPLETE=f"{shell}_complete", **words)
