"""The farm notices what it looks for: planted commands that write badly, hang or leave things."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.farm.__main__ import drawn
from tests.farm.checks import files
from tests.farm.operations import OPERATIONS, Operation
from tests.farm.rounds import SIGNALS, Farm, Undisturbed

pytestmark = pytest.mark.thorough("the tools that are run by hand")

#: A file in pieces, under its own name or as it should be; the second comes after every kill.
_WRITE = """
import os, sys, time
name = sys.argv[1]
with open(name, "w") as file:
    for piece in "ab":
        file.write(piece * 9000)
        file.flush()
        time.sleep(1.0)
os.replace(name, "out")
"""
#: Leaves a hidden file in its home, another one every time.
_IN_HOME = """
import os
os.makedirs(os.environ["GRAPHZSL_HOME"], exist_ok=True)
open(f"{os.environ['GRAPHZSL_HOME']}/.x.{os.getpid()}.part", "w").close()
open("out", "w").close()
"""
_CHILD = """
import subprocess, sys, time
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
time.sleep(0.5)
open("out", "w").write("x")
"""


class _Files(Farm):
    """Without a server, which these commands do not need."""

    def prepare(self) -> None:
        (self.folder / "inputs").mkdir(parents=True)


def _wrong(tmp_path: Path, text: str, *arguments: str, moment: float = 0.4) -> list[str]:
    """What rounds with signals at about that moment find."""
    planted = Operation("planted", (sys.executable, "-S", "-c", text, *arguments), out="out")
    farm = _Files(tmp_path / "farm", 1)
    farm.prepare()
    usual = farm.undisturbed(planted)
    farm._known["planted"] = Undisturbed(2 * moment, usual.files, usual.names, usual.database)
    found: list[str] = []
    for number in range(2):
        found += farm.round(planted, 1, number).wrong
    return found


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.farm.rounds.PROMPT", 0.5)
    # a bare script has no answer to the others
    monkeypatch.setattr("tests.farm.rounds.SIGNALS", {"SIGKILL": SIGNALS["SIGKILL"]})


def test_a_half_written_file_is_found(tmp_path: Path) -> None:
    found = _wrong(tmp_path, _WRITE, "out", moment=0.8)
    assert any("half of the files look finished" in each for each in found), found


def test_a_temporary_file_that_stays_is_found(tmp_path: Path) -> None:
    found = _wrong(
        tmp_path, _WRITE.replace("name =", "name = str(os.getpid()) +"), ".part", moment=0.8
    )
    assert not any("half" in each for each in found), found
    assert any("left over" in each for each in found), found


def test_what_stays_in_the_home_is_found(tmp_path: Path) -> None:
    found = _wrong(tmp_path, _IN_HOME)
    assert any("left over in home or cache: ['home/.x" in each for each in found), found


def test_a_process_that_lives_on_is_found(tmp_path: Path) -> None:
    found = _wrong(tmp_path, _CHILD, moment=0.3)
    assert any("lives on" in each for each in found), found


def test_times_are_no_difference_and_rounds_follow_from_their_seed(tmp_path: Path) -> None:
    for name, time in (("a", 1), ("b", 2)):
        (tmp_path / name).mkdir()
        text = f'{{"kind": "x", "created_at": "{time}", "deep": [{{"seconds": {time}}}]}}'
        (tmp_path / name / "manifest.json").write_text(text)
    assert files(tmp_path / "a") == files(tmp_path / "b") != {}
    chosen = list(OPERATIONS.values())
    names = [[drawn(chosen, seed, number).name for number in range(200)] for seed in (1, 1, 2)]
    assert names[0] == names[1] != names[2]
    assert set(names[0]) == set(OPERATIONS)
