"""Bars and spinners: on a terminal and in a notebook, and nowhere else."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
import types
from typing import Any

import pytest

from graphzsl.common import progress_bar, step
from graphzsl.common.progress import Forecast, duration

#: A step with a bar inside it, a bar inside that, and a line.
CODE = """
import time
from graphzsl.common.progress import log, progress_bar, step
with step("outer step"):
    time.sleep(0.3)
    for _ in progress_bar(range(2), "inner bar"):
        time.sleep(0.15)
        for _ in progress_bar(range(2), "third"):
            pass
    time.sleep(0.3)
    log("a line")
try:
    with step("failing step"):
        time.sleep(0.15)
        raise ValueError
except ValueError:
    print("data")
"""


def _on_a_terminal(code: str) -> str:
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80"}
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=theirs, stderr=theirs, env=environment
    ) as process:
        os.close(theirs)
        said = b""
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:
                break
            if not part:
                break
            said += part
    os.close(ours)
    assert process.returncode == 0, said
    return said.decode()


def test_a_step_shows_its_name_on_a_terminal_and_gives_way_to_bars() -> None:
    said = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", _on_a_terminal(CODE))
    shown = [
        name
        for line in re.split(r"[\r\n]+", said)
        for name in ("outer step", "inner bar", "third", "failing step", "a line", "data")
        if name in line
    ]
    order = [name for i, name in enumerate(shown) if i == 0 or shown[i - 1] != name]
    assert order[:3] == ["outer step", "inner bar", "outer step"], "the spinner comes back"
    assert order[-2:] == ["failing step", "data"]
    assert "a line" in order
    assert "third" not in order, "there is no bar inside a bar"


def test_a_bar_on_a_terminal_says_what_time_is_left() -> None:
    """Half a second for each of four: behind the time that has gone, what is left."""
    code = (
        "import time\nfrom graphzsl.common.progress import progress_bar\n"
        "for _ in progress_bar(range(4), 'four parts'):\n    time.sleep(0.5)\n"
    )
    said = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", _on_a_terminal(code))
    left = re.findall(r"four parts .* [123]/4 0:00:0\d 0:00:0(\d)", said)
    assert left
    assert all(1 <= int(seconds) <= 3 for seconds in left)


def test_nothing_is_shown_where_there_is_no_terminal() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("data\n", "a line\n")


class _Screen:
    """What a notebook's front end gets, by handle."""

    def __init__(self) -> None:
        self.drawn: list[tuple[str, str]] = []

    def display(self, shown: dict[str, str], raw: bool, display_id: bool) -> _Screen:
        assert (raw, display_id) == (True, True)
        self.update(shown, raw)
        return self

    def update(self, shown: dict[str, str], raw: bool) -> None:
        assert raw
        self.drawn.append((shown["text/plain"], shown["text/html"]))


def test_a_notebook_draws_bars_and_takes_them_away(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = _Screen()
    shell = types.SimpleNamespace(kernel=object())
    ipython: Any = types.ModuleType("IPython")
    ipython.get_ipython = lambda: shell
    shown: Any = types.ModuleType("IPython.display")
    shown.display = screen.display
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", shown)
    monkeypatch.setattr("graphzsl.common.progress._REDRAW", -1.0)
    clock = [100.0]
    monkeypatch.setattr("graphzsl.common.progress.time.monotonic", lambda: clock[0])
    for _ in progress_bar("abcd", "reading <x>"):
        clock[0] += 30
    # a quarter in 30 s: three quarters take 90 s
    counts = ["0/4", "1/4, 90 s left", "2/4, 60 s left", "3/4, 30 s left", "4/4"]
    assert screen.drawn == [
        (
            f"reading <x> {said}",
            f'reading &lt;x&gt; <progress value="{n}" max="4"></progress> {said}',
        )
        for n, said in enumerate(counts)
    ] + [("", "")]
    screen.drawn.clear()
    with step("outer"):
        assert list(progress_bar(iter("a"), "inner")) == ["a"]
    assert [text.strip() for text, _ in screen.drawn] == [
        *("outer", "", "inner", "inner 1", "", "outer", "")
    ]
    screen.drawn.clear()
    del shell.kernel  # IPython in a terminal
    assert list(progress_bar("ab", "reading")) == ["a", "b"]
    assert screen.drawn == []


def test_bars_bring_no_library_with_graphzsl() -> None:
    code = (
        "import graphzsl, sys; print([n for n in ('IPython', 'rich', 'tqdm') if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def _foretold(monkeypatch: pytest.MonkeyPatch, *parts: tuple[float, float]) -> None:
    """A work of 100 things whose parts are done at these times and have these sizes."""
    clock = iter([0.0, *(at for at, _ in parts)])
    monkeypatch.setattr("graphzsl.common.progress.time.monotonic", lambda: next(clock))
    forecast = Forecast(100, "100 things")
    for _, size in parts:
        forecast.done(size)


def test_a_long_work_is_foretold_as_a_range(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The first part took 50 s to warm up. The next two took 2 s for 2 and 6 s for 2: 8 s for 4, so
    that the 88 that are left take 176 s at this pace, and 264 s at that of the last one."""
    _foretold(monkeypatch, (50, 8), (52, 2), (58, 2), (60, 5))
    assert capfd.readouterr().err == "100 things: about 3 to 4 min.\n"
    assert [duration(each) for each in (99, 750, 12_000)] == ["99 s", "12 min", "3 h 20 min"]


def test_a_work_that_becomes_slower_is_foretold_again(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Ten of 99 took 10 s, so the other 89 take 89 s, 134 s at most. But ten later it is 1,010 s,
    all of which went into 20: 79 are left for 3,990 s, and 7,900 s at the pace of the last ten."""
    _foretold(monkeypatch, (0, 1), (10, 10), (1010, 10), (1020, 10))
    first, second = capfd.readouterr().err.splitlines()
    assert first == "100 things: about 89 s to 2 min."
    assert second == "100 things: it takes longer than was said: about 66 min to 2 h 12 min."


def test_a_short_work_is_not_foretold(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    _foretold(monkeypatch, (1, 50), (2, 10), (7, 30))
    assert capfd.readouterr().err == ""


def test_the_error_of_a_command_stands_on_a_line_of_its_own() -> None:
    """A loop that an error ends keeps its bar until the error is forgotten: the bar is taken away
    before the error is told, and does not come back behind it."""
    code = (
        "import pathlib, sys, tempfile\nfrom graphzsl.cli import main\n"
        "file = pathlib.Path(tempfile.mkdtemp()) / 'damaged.json'\nfile.write_text('{\"kind\": ')\n"
        "main(['report', str(file)], standalone_mode=False)\n"
    )
    said = re.sub(r"\x1b\[\?[0-9;]*[A-Za-z]", "", _on_a_terminal(code))
    before, _, after = said.partition("Error: ")
    assert "reading runs" in before
    assert before.endswith("\x1b[2K"), "the line of the bar is empty, and the cursor on it"
    assert "reading runs" not in after
