"""What a TAB offers, through click's own protocol; no server is started or waited for."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from click.shell_completion import ShellComplete

from graphzsl.cli import completion, main
from graphzsl.sources import class_lists


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
        ("query run hop_s", ["hop_split"]),
        ("query show see_sp", ["see_split"]),
        ("split build max", ["max-ratio"]),
        ("split recipes def", ["default"]),
        (
            "load class-set published-s",
            [f"published-ssb-{end}" for end in ("easy", "hard", "hard-winter21")],
        ),
        ("split diff hops-1 published-2", ["published-2-hops"]),
        ("study papers show X3", ["X31", "X32", "X30"]),
        ("study papers claims goz-f", ["goz-frequencies"]),
        ("study papers systems X21 D01", ["D01"]),
        ("split report hops-1 --dist", ["--distance"]),
        ("split report hops-1 --distance jc", ["jcn"]),
        ("audit sam", ["sample"]),
        ("audit clip.csv --candidates mini", ["mini-imagenet"]),
        ("split overlap awa-s", ["awa-standard"]),
        ("split overlap apy-", ["apy-standard", "apy-proposed"]),
        ("query run hop_split -p ", ["train=", "universe=", "hierarchy=", "max_hops="]),
        ("query run hop_split -p max_hops=2 -p tr", ["train="]),
        ("query run -p train=x hop_split -p hier", ["hierarchy="]),
        ("query show ancestors --browser -p w", ["wnid="]),
        ("db browser see_hcorrect_set -p va", ["valid="]),
        ("query run no_such_query -p ", []),
    ],
)
def test_names_that_are_shipped_are_offered(line: str, some: list[str]) -> None:
    assert _offered(line) == some


#: Help of an option that takes a list of classes by its name.
_TAKES_A_LIST = re.compile(r"\b(class sets?|list by name|shipped lists?)\b", re.IGNORECASE)


def _commands(
    command: click.Command, context: click.Context, path: str = ""
) -> Iterator[tuple[str, click.Command, click.Context]]:
    if not isinstance(command, click.Group):
        yield path, command, context
        return
    names = command.list_commands(context)
    for name in names[:1] if path == "train" else names:  # every model has the same options
        each = command.get_command(context, name)
        assert each is not None
        inner = click.Context(each, parent=context, info_name=name)
        yield from _commands(each, inner, f"{path} {name}".strip())


@pytest.mark.usefixtures("no_server")
def test_every_option_that_takes_a_list_of_classes_offers_the_shipped_ones() -> None:
    """Told by its help; what takes a folder's files alone is left out by its type."""
    takes, lacking = 0, []
    for path, command, context in _commands(main, click.Context(main)):
        for option in command.params:
            if not isinstance(option, click.Option) or option.is_flag:
                continue
            if option.type is not click.STRING or not _TAKES_A_LIST.search(option.help or ""):
                continue
            takes += 1
            offered = [each.value for each in option.shell_complete(context, "ilsvrc2")]
            if offered != ["ilsvrc2012"]:
                lacking.append(f"{path} {option.opts[0]}: {option.help}")
    assert lacking == []
    assert takes > 50


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
    assert _offered("split report h") == ["hops-1", "hops-2", "hidden"]
    assert _offered("split hops --train hi") == ["hidden"]
    assert _offered("split delete hi") == ["hidden"]


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


def test_an_audit_is_of_files_and_of_the_sample(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "samples.csv").touch()
    (tmp_path / "scores.npz").touch()
    (tmp_path / "runs").mkdir()
    assert _offered("audit ") == ["sample", "runs/", "samples.csv", "scores.npz"]
    assert _offered("audit samples") == ["samples.csv"]


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
