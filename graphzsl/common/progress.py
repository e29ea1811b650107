"""Progress bars and messages: on stderr, and bars only on a terminal or in a notebook."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Sized
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from html import escape
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from rich.console import Console

T = TypeVar("T")

#: What is shown now, the outermost first: bars of ``progress`` and spinners of ``step``.
_shown: list[Any] = []
#: Seconds between two drawings of a bar in a notebook.
_REDRAW = 0.2


@cache
def _console() -> Console:
    """Everything that is not data goes here."""
    from rich.console import Console

    return Console(stderr=True, highlight=False, soft_wrap=True)


def on_terminal() -> bool:
    """True if stderr is a terminal."""
    return _console().is_terminal


def progress_bar(items: Iterable[T], label: str, total: int | None = None) -> Iterator[T]:
    """Yield the items, with a bar on stderr when that is a terminal, in the cell of a notebook, and
    nothing otherwise. Inside another bar there is no second one; a step's spinner waits."""
    bar = _new(waits=False)
    if bar is None:
        yield from items
        return
    with _in_place_of_the_last(bar):
        yield from bar.track(items, total=total, description=label)


@contextmanager
def step(label: str) -> Iterator[None]:
    """Show the name of a step while the block runs, with a spinner and the time, where ``progress``
    shows a bar. A bar inside the block takes its place while it runs."""
    spinner = _new(waits=True)
    if spinner is None:
        yield
        return
    with _in_place_of_the_last(spinner):
        spinner.add_task(label, total=None)
        yield


@contextmanager
def cleared_progress() -> Iterator[None]:
    """Take away what is still shown when the block ends, so that an error is told on a line of its
    own: a loop that an error ended holds its bar until Python forgets the error."""
    try:
        yield
    finally:
        while _shown:
            _shown.pop().stop()


def _new(waits: bool) -> Any:
    """Something to show progress with, which ``waits`` while another is shown inside it; None where
    nothing is shown, or a bar is there already."""
    if _shown and not _shown[-1].waits:
        return None
    if in_notebook():
        bar: Any = _Cell()
    elif on_terminal():
        bar = _on_terminal(spinner=waits)
    else:
        return None
    bar.waits = waits
    return bar


@contextmanager
def _in_place_of_the_last(bar: Any) -> Iterator[None]:
    outer = _shown[-1] if _shown else None
    if outer:
        outer.stop()
    _shown.append(bar)
    try:
        with bar:
            yield
    finally:
        if bar in _shown:  # unless all was cleared
            _shown.remove(bar)
            if outer:
                outer.start()


def _on_terminal(spinner: bool) -> Any:
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    text, elapsed = TextColumn("{task.description}"), TimeElapsedColumn()
    columns = (
        (SpinnerColumn(), text, elapsed)
        if spinner
        else (text, BarColumn(), MofNCompleteColumn(), elapsed, TimeRemainingColumn())
    )
    return Progress(*columns, console=_console(), transient=True)


def in_notebook() -> bool:
    """True if a notebook runs this code; IPython is imported already in that case."""
    ipython = sys.modules.get("IPython")
    return ipython is not None and hasattr(ipython.get_ipython(), "kernel")


class _Cell:
    """A bar in the cell of a notebook, drawn by the browser; it is gone when it ends."""

    def __init__(self) -> None:
        self._handle: Any = None
        self._label, self._done, self._began = "", 0, 0.0
        self._total: int | None = None

    def __enter__(self) -> _Cell:
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def start(self) -> None:
        """Draw the bar, if it has a label."""
        if self._label:
            self._draw()

    def stop(self) -> None:
        """Remove the bar."""
        if self._handle is not None:
            self._handle.update({"text/plain": "", "text/html": ""}, raw=True)

    def add_task(self, description: str, total: int | None = None) -> None:
        """Set the label and the total, and draw the bar."""
        self._label, self._total = description, total
        self._draw()

    def track(self, items: Iterable[T], total: int | None, description: str) -> Iterator[T]:
        """Yield the items and count them."""
        size = len(items) if total is None and isinstance(items, Sized) else total
        self.add_task(description, size)
        drawn = self._began = time.monotonic()
        for item in items:
            yield item
            self._done += 1
            if time.monotonic() - drawn > _REDRAW:
                drawn = time.monotonic()
                self._draw()

    def _draw(self) -> None:
        if self._total is None:
            count, value = f"{self._done:,}" if self._done else "", ""
        else:
            count = f"{self._done:,}/{self._total:,}{self._left()}"
            value = f' value="{self._done}" max="{self._total}"'
        shown = {
            "text/plain": f"{self._label} {count}",
            "text/html": f"{escape(self._label)} <progress{value}></progress> {count}",
        }
        if self._handle is None:
            # by name: only a notebook has it, which brings it
            display = import_module("IPython.display").display
            self._handle = display(shown, raw=True, display_id=True)
        else:
            self._handle.update(shown, raw=True)

    def _left(self) -> str:
        """The time that is left, in words, once an item is done and until all are."""
        if not self._total or not 0 < self._done < self._total:
            return ""
        seconds = (time.monotonic() - self._began) * (self._total - self._done) / self._done
        return f", {duration(seconds)} left"


#: Seconds above which the time to come is said before the work.
_LONG = 60
#: Seconds that are measured before, and how much longer than the mean pace says a work may take.
_MEASURED, _AT_LEAST = 5, 1.5


class Forecast:
    """Says how long a long work will take, where nobody may be watching a bar: when parts of it
    have taken some seconds, but for the first, which warms up. It is a range, by the mean pace and
    by the slowest; where the work takes longer than that, because other programs came, it is said
    again.

    Args:
        total: the size of the whole work.
        what: what the line begins with: ``18 texts of 9 classes``.
    """

    def __init__(self, total: float, what: str):
        self.left, self.what, self.parts = total, what, 0
        self.began = self.last = time.monotonic()
        self.measured = self.slowest = 0.0
        self.end: float | None = None

    def done(self, size: float = 1) -> None:
        """A part of the work is done."""
        self.parts += 1
        self.left -= size
        now = time.monotonic()
        pace, self.last = (now - self.last) / size, now
        if self.parts == 1:
            self.began = now
            return
        self.measured += size
        self.slowest = max(self.slowest, pace)
        is_late = self.end is not None and now > self.end
        if is_late or (self.end is None and now - self.began >= _MEASURED):
            self._say(now, pace if is_late else None)

    def _say(self, now: float, pace: float | None) -> None:
        """The range from the mean pace to the slowest one, or to that of the last part."""
        mean = self.left * (now - self.began) / self.measured
        most = max(mean, self.left * (self.slowest if pace is None else pace))
        # what a single part measured says little of the next ones
        most = max(most, _AT_LEAST * mean)
        self.end = now + most
        if most > _LONG:
            more = "" if pace is None else "it takes longer than was said: "
            log(f"{self.what}: {more}about {_between(mean, most)}.")


def _between(low: float, high: float) -> str:
    """``12 to 30 min``; of two times in other units both with their own."""
    first, second = duration(low), duration(high)
    if first == second:
        return first
    unit = second.partition(" ")[2]
    return f"{first if ' ' in unit else first.removesuffix(f' {unit}')} to {second}"


def duration(seconds: float) -> str:
    """``50 s``, ``12 min``, ``3 h 20 min``."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60:02d} min"


#: Whether nothing is logged now.
_silent: ContextVar[bool] = ContextVar("_silent", default=False)


@contextmanager
def unlogged() -> Iterator[None]:
    """Nothing is logged while the block runs: it reads what nobody named."""
    before = _silent.set(True)
    try:
        yield
    finally:
        _silent.reset(before)


#: Where lines are kept besides, for the result that they are about.
_noted: ContextVar[list[str] | None] = ContextVar("_noted", default=None)


@contextmanager
def noted() -> Iterator[list[str]]:
    """Keep the lines of ``log`` while the block runs, which are part of its result: what was taken
    for what."""
    lines: list[str] = []
    before = _noted.set(lines)
    try:
        yield lines
    finally:
        _noted.reset(before)


def log(message: str) -> None:
    """One line for the person at the terminal, and for the result that is being made."""
    lines = _noted.get()
    if lines is not None:
        lines.append(message)
    if not _silent.get():
        _console().print(message, markup=False)
