"""What the tour and the analyses of the documentation say is what happens."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

from graphzsl.benchmark import Built
from graphzsl.cli import main
from graphzsl.common import Settings
from graphzsl.database import Database, members
from tests.command import for_programs
from tests.database.test_browser import dump
from tests.pages import DOCUMENT

ROOT = Path(__file__).resolve().parents[2]


def _block(page: str) -> str:
    """The first block of commands of a page of docs/."""
    found = re.search(r"```bash\n(.*?)```", (ROOT / "docs" / page).read_text(), re.DOTALL)
    assert found
    return found[1]


def own_environment(settings: Settings) -> dict[str, str]:
    """The variables by which a command finds the server of these settings."""
    return {
        "GRAPHZSL_HOME": str(settings.home),
        "GRAPHZSL_BOLT_PORT": str(settings.bolt_port),
        "GRAPHZSL_HTTP_PORT": str(settings.http_port),
    }


def _environment(settings: Settings) -> dict[str, str]:
    return {
        **os.environ,
        **own_environment(settings),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }


@dataclass
class Done:
    """What a command did."""

    returncode: int
    stdout: str
    stderr: str


def _commands(page: str, settings: Settings, folder: Path) -> Iterator[tuple[str, Done]]:
    """(command, what it did) of each in a page's first block; it must succeed, without a traceback.

    The first three are processes of a shell, as a user starts them; the others run here, where
    the libraries are imported already.
    """
    started = 0
    for command in re.sub(r"\\\n", "", _block(page)).splitlines():
        command = command.partition("  #")[0].strip()
        if not command or command.startswith("#"):
            continue
        program, *arguments = shlex.split(command, comments=True)
        if started < 3 or program != "graphzsl" or set(command) & set("|<>;&$*"):
            done = _in_a_shell(command, settings, folder)
            started += 1
        else:
            done = _here(arguments, settings, folder)
        assert done.returncode == 0, f"{command}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
        assert "Traceback" not in done.stderr
        yield command, done


def _in_a_shell(command: str, settings: Settings, folder: Path) -> Done:
    done = subprocess.run(
        command,
        shell=True,
        cwd=folder,
        env=_environment(settings),
        capture_output=True,
        text=True,
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr)


def _here(arguments: list[str], settings: Settings, folder: Path) -> Done:
    with contextlib.chdir(folder):
        done = CliRunner().invoke(main, for_programs(*arguments), env=_environment(settings))
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return Done(done.exit_code, done.stdout, done.stderr)


@DOCUMENT
def test_the_tour(full_database: Database, full_settings: Settings, tmp_path: Path) -> None:
    for command, done in _commands("tour.md", full_settings, tmp_path):
        if command.startswith("graphzsl query run hop_split"):
            lines = done.stdout.splitlines()
            assert (lines[0], len(lines)) == ("wnid,name,hops", 5991)
        if command == "graphzsl split diff hops-1 hops-1.txt":
            assert (done.stdout, "No difference." in done.stderr) == ("", True)
        if command.startswith("graphzsl query run synsets_of_word"):
            assert "crane.n.04" in done.stdout
    assert len((tmp_path / "hops-1.txt").read_text().split()) == 1548
    lines = [json.loads(line) for line in (tmp_path / "closest.jsonl").read_text().splitlines()]
    assert len(lines) == 20_842
    assert set(lines[0]) == {"wnid", "name", "hops", "closest", "closest_names"}
    assert json.loads((tmp_path / "closest.jsonl.manifest.json").read_text())["queries"]
    linear, closest = (
        json.loads((tmp_path / "runs" / f"{name}.json").read_text())
        for name in ("linear", "closest")
    )
    chance = 1 / 200
    assert (
        linear["metrics"]["hit@1"]["per_class"]
        > closest["metrics"]["hit@1"]["per_class"]
        > 10 * chance
    )
    assert linear["candidates"] == closest["samples"] == 200
    assert linear["provenance"]["hcorrect"]["valid"] == "hidden"
    page = (tmp_path / "report.html").read_text()
    assert "<svg" in page
    assert "http-equiv" not in page
    assert not re.search(r"(src|href)=[\"']http", page), "the page needs nothing from elsewhere"


@DOCUMENT
def test_the_analyses(
    full_database: Database,
    full_settings: Settings,
    built_recipes: dict[str, Built],
    tmp_path: Path,
) -> None:
    said = dict(_commands("analysis.md", full_settings, tmp_path))
    rows = json.loads(
        said["graphzsl split report max-ratio --train ilsvrc2012 --format json"].stdout
    )
    (ratio,) = (row["value"] for row in rows if row["measure"] == "structural ratio")
    assert ratio > 4.91
    built = [
        json.loads(line)
        for line in said["graphzsl split build default max-ratio"].stdout.splitlines()
    ]
    assert [row["recipe"] for row in built] == ["default", "max-ratio"]
    assert len(built[0]["steps"]) > 8
    for name, once in built_recipes.items():
        assert members(full_database, name) == once.wnids, "built again, the same classes"
    assert all(
        json.loads(line)["ok"]
        for line in said["graphzsl split verify my-benchmark"].stdout.splitlines()
    )
    assert len((tmp_path / "my-benchmark" / "test_classes.txt").read_text().split()) == 500
    assert len(json.loads((tmp_path / "candidates.json").read_text())) == 1498
    means = [
        json.loads(line)["mean"]
        for line in said["graphzsl study populations ranked most"].stdout.splitlines()
    ]
    assert [round(mean, 1) for mean in means] == [1756.2, 1624.8, 1335.2]


def test_the_report_shows_in_a_browser(tmp_path: Path) -> None:
    run = {
        "kind": "evaluation",
        "created_at": "now",
        "graphzsl": "0",
        "ties": "rule",
        "samples": 4,
        "classes": 4,
        "candidates": 40,
        "metrics": {
            f"hit@{k}": {"per_class": k / 40, "per_sample": k / 40, "per_class_interval": [0, 1]}
            for k in (1, 2, 10)
        },
        "provenance": {"model": "<b>gcn</b>"},
        "features": {"features": "made up", "simulated": True},
    }
    (tmp_path / "run.json").write_text(json.dumps(run))
    import graphzsl as gz
    from graphzsl.common import DataError

    gz.report(tmp_path / "run.json", title="Title & more").save(tmp_path / "report.html")
    dom = dump(f"file://{tmp_path / 'report.html'}", tmp_path / "profile")
    assert "Title &amp; more" in dom
    assert "&lt;b&gt;gcn&lt;/b&gt;" in dom
    assert "made up (simulated)" in dom
    assert dom.index("hit@1<") < dom.index("hit@2<") < dom.index("hit@10<")
    (tmp_path / "other.json").write_text("{}")
    with pytest.raises(DataError, match=r"other\.json is not a run"):
        gz.report(tmp_path / "other.json")


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        ("query run hop_split -p train=x", 1, "needs parameter 'universe'"),
        ("query run hop_split -p train", 2, "NAME=VALUE"),
        ("query run merge_words -p texts=a", 1, "writes"),
        ("query run nothing", 1, "no query 'nothing'"),
        ("split hops --max-hops 0", 2, "at least 1, or all"),
        ("split hops --max-hops 99", 1, "from 1 to 40"),
        ("split show nothing", 1, "no class set 'nothing'"),
        ("split explain hops-1 n99999999", 1, "not a noun synset"),
        ("split check ilsvrc2012", 1, "not a split"),
        ("split diff hops-1 nothing", 1, "no class set 'nothing'"),
        ("load class-set nothing", 1, "no ImageNet list 'nothing'"),
        ("load populations /nonexistent", 2, "does not exist"),
        ("export hcorrect -k 0 --out x", 2, "at least 1"),
        ("evaluate model x --out y.json", 2, "does not exist"),
        (
            "train sgcn --graph . --semantics . --classifiers . --out x",
            1,
            "is not the folder of a graph: it has no manifest.json",
        ),
    ],
)
def test_errors_say_what_to_do(
    full_database: Database,
    full_settings: Settings,
    tmp_path: Path,
    arguments: str,
    status: int,
    message: str,
) -> None:
    done = _here(arguments.split(), full_settings, tmp_path)
    assert (done.returncode, message in done.stderr, done.stdout) == (status, True, ""), done.stderr
