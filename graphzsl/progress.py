"""Progress bars and messages: on stderr, and bars only on a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

T = TypeVar("T")

_bars: list[Progress] = []


@cache
def _console() -> Console:
    """Everything that is not data goes here."""
    from rich.console import Console

    return Console(stderr=True, highlight=False, soft_wrap=True)


def progress(items: Iterable[T], label: str, total: int | None = None) -> Iterator[T]:
    """Yield the items, with a bar on stderr when that is a terminal and nothing otherwise. Inside
    another bar there is no second one."""
    if not _console().is_terminal or _bars:
        yield from items
        return
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=_console(), transient=True) as bar:
        _bars.append(bar)
        try:
            yield from bar.track(items, total=total, description=label)
        finally:
            _bars.remove(bar)


def log(message: str) -> None:
    """One line for the person at the terminal."""
    _console().print(message, markup=False)
