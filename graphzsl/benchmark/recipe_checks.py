"""Checks that run the recipe of a published benchmark again, of its statistics, steps and classes:
rows of ``verify``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from graphzsl.benchmark.build import Built
from graphzsl.benchmark.contents import rounded
from graphzsl.benchmark.folder import REMEDY
from graphzsl.benchmark.record import Benchmark
from graphzsl.benchmark.statistics import OF_BRANCHES, is_number, statistics
from graphzsl.common.reading.json_places import line_of_value
from graphzsl.common.wording import called
from graphzsl.hierarchy.lexicon import Lexicon

Rows = list[dict[str, Any]]
#: A statistic is the same within this.
SAME = 1e-8


def row_of(name: str, ok: bool | None, detail: str) -> dict[str, Any]:
    """A row: the check, its outcome (None: it was not made), and the details."""
    return {"check": name, "ok": ok, "detail": detail}


def check_statistics(
    folder: Path, benchmark: Benchmark, universe: list[str] | None, built: Built | None, why: str
) -> Rows:
    """A row per statistic, computed again: from the lists, or by the recipe.

    Args:
        folder: where the benchmark is.
        benchmark: what its files say.
        universe: its universe; None where it is not at hand, and branches are not checked.
        built: what the recipe gave; None where it was not run, and ``why``.
        why: a part of a sentence.
    """
    path, told = folder / "statistics.json", benchmark.statistics
    classes = benchmark.test, benchmark.training, universe
    again = statistics(benchmark.graph, *classes, benchmark.populations)
    if built is not None:
        again = {**built.statistics, **again}
    rows = []
    for name in dict.fromkeys([*told, *again]):
        line = line_of_value(path, "statistics", name)
        ok: bool | None = False
        if name not in again and built is not None:
            detail = f"statistics.json:{line}: the recipe gives no {name}"
        elif name not in again:
            ok = None
            seen = "the universe was not either" if name in OF_BRANCHES else ""
            detail = f"not checked: {seen or f'only the recipe tells, which was not run: {why}'}"
        elif _same(again[name], told.get(name)):
            ok, detail = True, f"{again[name]}"
        elif name not in told:
            detail = f"{again[name]}; statistics.json does not have it. {REMEDY}"
        else:
            detail = f"{again[name]}; statistics.json:{line} says {told[name]}"
        rows.append(row_of(name, ok, detail))
    return rows


def check_steps(
    folder: Path, benchmark: Benchmark, built: Built | None, why: str
) -> dict[str, Any]:
    """The row of the recipe's steps, with the line of the first that differs."""
    if built is None:
        told = f"not checked: only the recipe tells, which was not run: {why}"
        return row_of("steps", None, told)
    again = rounded([each.row() for each in built.steps])
    for place in range(max(len(again), len(benchmark.steps))):
        ours, theirs = again[place : place + 1], benchmark.steps[place : place + 1]
        if ours != theirs:
            line = line_of_value(folder / "statistics.json", "steps", place)
            told, given = (_step(each[0]) if each else "no step" for each in (theirs, ours))
            detail = f"statistics.json:{line}: {told}; the recipe gives {given}"
            return row_of("steps", False, detail)
    return row_of("steps", True, f"the same {len(again)} steps")


def check_classes(benchmark: Benchmark, built: Built | None, why: str) -> dict[str, Any]:
    """The row of the classes that the recipe gives."""
    if built is None:
        return row_of("recipe", None, f"not run: {why}")
    test, chosen = {*benchmark.test}, {*built.wnids}
    if chosen == test:
        return row_of("recipe", True, f"gives the same {len(test)} classes")
    first = named(benchmark.lexicon, min(chosen ^ test))
    told = f"{len(chosen - test)} other classes and lacks {len(test - chosen)}"
    return row_of("recipe", False, f"gives {told}, such as {first}")


def named(lexicon: Lexicon, wnid: str) -> str:
    """A class with its name."""
    index = lexicon.index
    return called(wnid, {wnid: lexicon.names[index[wnid]]} if wnid in index else {})


def _same(value: Any, told: Any) -> bool:
    """True if a statistic is unchanged but for rounding, since sums may be taken in another
    order."""
    if is_number(value) and is_number(told):
        return bool(abs(value - told) <= SAME * max(1.0, abs(value)))
    return bool(value == told)


def _step(row: Mapping[str, Any]) -> str:
    return f"{row['step']} ({row['rule']}) keeps {row['kept']:,}"
