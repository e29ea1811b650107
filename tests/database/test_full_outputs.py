"""What commands write from the database, onto a disk that is full or may not be written to."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from graphzsl.cli import main
from graphzsl.common import Settings
from graphzsl.database import Database, LocalServer
from graphzsl.splits import hop_split
from tests.disks import BALLAST, fill, held, read_only
from tests.farm.operations import write_inputs

_SETS = "--train train --universe universe"
COMMANDS = {
    "subgraph": "export subgraph --set train --set two --out OUT/graph",
    "hcorrect": "export hcorrect --valid universe -k 5 --out OUT/sets",
    "closest": f"export closest {_SETS} --out OUT/closest.parquet",
    "closest as lines": f"export closest {_SETS} --out OUT/closest.jsonl",
    "benchmark": "split build recipe.toml --out OUT/built",
    "publish": "split publish recipe --out OUT/published",
    "split": "split export two OUT/two.txt",
    "rows": "query list --save OUT/rows.csv",
}
#: `graphzsl` with these arguments.
Command = Callable[[str], Result]


@pytest.fixture
def command(
    mini_database: Database,
    mini_settings: Settings,
    in_mini_wordnet: None,
    tmp_path: Path,
    disk: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Command:
    """Run a command on the mini database, in a folder with recipes; OUT is on the disk."""
    monkeypatch.chdir(tmp_path)
    write_inputs(tmp_path)
    hop_split(mini_database, 2, train="train", universe="universe").store(mini_database, "two")
    environment = {
        "NEO4J_URI": mini_database.uri,
        "NEO4J_USERNAME": "neo4j",
        "NEO4J_PASSWORD": LocalServer(mini_settings).password(),
    }

    def run(text: str) -> Result:
        words = text.replace("OUT", str(disk)).split()
        done = CliRunner(env=environment).invoke(main, words)
        assert "Traceback" not in done.output
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        return done

    assert run("split build recipe.toml").exit_code == 0
    return run


@pytest.mark.parametrize("name", COMMANDS)
def test_outputs_on_a_full_disk(name: str, command: Command, disk: Path) -> None:
    """One line, nothing left over; and where a result was there, it is there."""
    before: dict[str, bytes] = {}
    for _ in range(2):
        fill(disk, 0)
        done = command(COMMANDS[name])
        assert done.exit_code == 1, done.output
        (line,) = [line for line in done.stderr.splitlines() if "the disk is full" in line]
        assert str(disk) in line
        assert held(disk) == before
        (disk / BALLAST).unlink()
        done = command(COMMANDS[name])
        assert done.exit_code == 0, done.output
        before = held(disk)
        assert before


@pytest.mark.parametrize("name", COMMANDS)
def test_outputs_to_a_folder_that_may_not_be_written_to(
    name: str, command: Command, disk: Path
) -> None:
    with read_only(disk):
        done = command(COMMANDS[name])
    assert done.exit_code in (1, 2), done.output
    (line,) = [line for line in done.stderr.splitlines() if "cannot be written" in line]
    assert str(disk) in line
    assert held(disk) == {}


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("name", COMMANDS)
def test_a_signal_while_outputs_are_written(
    name: str, by: signal.Signals, command: Command, disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = command(COMMANDS[name])
    assert done.exit_code == 0, done.output
    before = held(disk)
    monkeypatch.setattr("graphzsl.common.atomic._to_disk", lambda _: signal.raise_signal(by))
    done = command(COMMANDS[name])
    assert done.exit_code == 128 + by, done.output
    assert done.stderr.splitlines()[-1:] == ["Stopped."]
    assert held(disk) == before
