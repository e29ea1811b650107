"""Windows of classes in the order of a property: cut, written, read. Each is a test set of its
own."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

from graphzsl.common.checked_names import check_classes, check_name
from graphzsl.common.errors import DataError, SplitError
from graphzsl.common.files import checked_suffix, read_lines, write_json_lines
from graphzsl.common.reading.json_text import parsed_json
from graphzsl.sources.imagenet import read_names


@dataclass(frozen=True)
class Window:
    """Classes, and the mean of the property ``by`` which they were ordered (None: unknown). Windows
    of one cut share a ``series``; ``tied`` counts the classes that are in it by their wnid, because
    a class outside has the same value (None: unknown)."""

    name: str
    classes: list[str]
    mean: float | None = None
    series: str = "windows"
    by: str = "property"
    tied: int | None = None


#: Values that differ by less are tied: they are sums and quotients.
SAME = 1e-9


def cut_windows(
    values: Mapping[str, float],
    size: int = 100,
    step: int | None = None,
    *,
    name: str,
    by: str,
    series: str | None = None,
) -> list[Window]:
    """Windows NAME-001, NAME-002, … over the classes in the order of their value of the property
    ``by``, smallest first; ties by wnid.

    ``step`` (default: ``size``, windows side by side) slides them; what is left over at the end
    makes no window. ``series`` is the name by default. SplitError when there is not one.
    """
    step = step or size
    if size < 1 or step < 1:
        raise SplitError(f"Windows need a size and a step of at least 1, not {size} and {step}.")
    ordered = sorted(values, key=lambda wnid: (values[wnid], wnid))
    windows = []
    for number, start in enumerate(range(0, len(ordered) - size + 1, step), 1):
        part = ordered[start : start + size]
        mean = float(np.mean([values[wnid] for wnid in part]))
        tied = _tied(values, part)
        windows.append(Window(f"{name}-{number:03d}", part, mean, series or name, by, tied))
    if not windows:
        raise SplitError(
            f"{len(ordered):,} classes do not fill one window of {size:,}. Choose a smaller size."
        )
    return windows


def _tied(values: Mapping[str, float], classes: Sequence[str]) -> int:
    """Number of classes of a window that have the value, within ``SAME``, of a class that is not in
    it.

    Their wnid alone separates them, so a window with many of them could as well hold other classes.
    """
    steps = {wnid: round(value / SAME) for wnid, value in values.items()}
    inside, everywhere = Counter(steps[wnid] for wnid in classes), Counter(steps.values())
    return sum(count for value, count in inside.items() if everywhere[value] > count)


def write_windows(windows: Iterable[Window], path: Path) -> None:
    """JSON lines that ``read_windows`` reads: name, classes, mean, series, by, tied."""
    checked_suffix(path, (".jsonl",))
    write_json_lines(path, (asdict(each) for each in windows))


def read_windows(path: Path) -> list[Window]:
    """Windows of a JSON-lines file of ``split windows``, or of a folder with one list of
    classes per .txt file.

    DataError names the file and line of what is not a window, of a repeated class or name, and a
    folder without lists.
    """
    path = Path(path)
    if path.is_dir():
        files = sorted(path.glob("*.txt"))
        if not files:
            raise DataError(f"{path} holds no .txt file. Expected one list of classes per window.")
        return [Window(file.stem, read_names(file), series=path.name) for file in files]
    windows: dict[str, Window] = {}
    for line, text in read_lines(path):
        window = _window(text, f"{path}:{line}")
        if window.name in windows:
            raise DataError(f"{path}:{line}: the window {window.name} was given before.")
        windows[window.name] = window
    if not windows:
        raise DataError(f"{path} holds no window. `graphzsl split windows` writes some.")
    return list(windows.values())


def _window(text: str, where: str) -> Window:
    expected = (
        "a window: a JSON object with name, mean (a number or null) and classes (a list of names)"
    )
    try:
        row = parsed_json(text, where)
    except DataError as error:
        raise DataError(f"{error.message} Expected {expected}.") from None
    classes = row.get("classes") if isinstance(row, dict) else None
    mean = row.get("mean") if isinstance(row, dict) else None
    named = isinstance(classes, list) and classes and all(isinstance(name, str) for name in classes)
    known = mean is None or (isinstance(mean, int | float) and math.isfinite(mean))
    if not named or not known or not isinstance(row.get("name"), str):
        raise DataError(f"{where}: expected {expected}.")
    assert isinstance(classes, list)
    check_classes(classes, f"{where}: classes")
    check_name(row["name"], f"the window on {where}")
    tied = row.get("tied")
    return Window(
        row["name"],
        classes,
        mean,
        str(row.get("series", "windows")),
        str(row.get("by", "property")),
        tied if isinstance(tied, int) else None,
    )


def with_means(windows: Sequence[Window], values: Mapping[str, float], what: str) -> list[Window]:
    """The windows with the mean of ``values`` over their classes; DataError names a class without
    one."""
    described = []
    for window in windows:
        missing = [wnid for wnid in window.classes if wnid not in values]
        if missing:
            raise DataError(f"{missing[0]} of window {window.name} has no {what}.")
        described.append(
            replace(window, mean=float(np.mean([values[wnid] for wnid in window.classes])), by=what)
        )
    return described
