"""Kinds of columns, and their form in tables for people: defined here alone.

Files and the formats for programs keep every value as it is; a share stays a fraction there.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from graphzsl.metrics import is_share
from graphzsl.sources import PrintedNumber


class Kind(Enum):
    """Kind of a number, which decides its digits."""

    SHARE = "a fraction, shown in per cent with one digit"
    CONFIDENCE = "a fraction, in per cent with all its digits"
    P = "a p-value: two significant digits"
    COEFFICIENT = "a correlation, a z or a d: two decimals"
    RATIO = "a structural ratio: three decimals"
    NAME = "an integer that counts nothing: a seed, a position"
    NUMBER = "any other: thousands separated, four significant digits"


#: Names of columns, and of the metrics and measures that rows are about -> their kind; the first
#: pattern that matches the whole name decides.
KINDS = tuple(
    (re.compile(pattern), kind)
    for pattern, kind in (
        (r"(error|interval)_(first|second)", Kind.SHARE),
        (r"level|confidence", Kind.CONFIDENCE),
        (r"p|p_one_sided", Kind.P),
        (r"z|d|coefficient|kendall_tau|spearman", Kind.COEFFICIENT),
        (r"(structural_ratio|structural ratio|bound|simple_bound).*", Kind.RATIO),
        (r"seed|position|rank|sense_number|k|(.*_)?year", Kind.NAME),
        (r"(hit|hp)@\d+|per_class|per_sample|interval|expected|tied|accuracy", Kind.SHARE),
        (r"(.*[_ ])?share|up_to_here|keep_ratio|impact|questions_saved|recall", Kind.SHARE),
        (r"zero_shot|supervised|relative|gain|first|second|difference|chance", Kind.SHARE),
        (r"solvable.*|gap", Kind.SHARE),
        (r"per_image|(mean_)?average_precision|mean_recall|.*_error", Kind.SHARE),
        (r"precision", Kind.SHARE),
    )
)
#: Columns that hold a row's metric or measure: its name decides the kind of the row's other numbers
#: in these columns.
SUBJECTS = {
    "metric": ("per_class", "per_sample", "interval", "expected", "first", "second", "gain"),
    "measure": (),
}
#: A column -> the columns with its interval, one with both ends or two; shown as one:
#: 72.5 % [71.3, 73.7].
INTERVALS: dict[str, tuple[str, ...]] = {
    "per_class": ("interval",),
    "error_first": ("interval_first",),
    "error_second": ("interval_second",),
    "difference": ("difference_low", "difference_high"),
    "hit@1": ("low", "high"),
    "accuracy": ("low", "high"),
    "relative": ("low", "high"),
    "per_image": ("low", "high"),
    "average_precision": ("low", "high"),
    "mean_average_precision": ("low", "high"),
    "coefficient": ("low", "high"),
    "precision": ("low", "high"),
}
#: Commands in which the name of a column means something else.
OF_COMMANDS = {
    "study ilsvrc accuracy": (re.compile("mean|median|min|max|range"), Kind.SHARE),
    "study granularity hedge": (re.compile("wanted|correct"), Kind.SHARE),
}
#: Commands whose columns have names of the user's own, which say nothing about their kinds.
UNKNOWN = ("query run",)
#: Commands with a column per metric, whose columns are shares but for ranks and heights.
OF_METRICS = ("evaluate grid", "evaluate table")
#: The end of the name of a column with a standard deviation: shown behind its mean, 25.3 ± 1.2 %.
DEVIATION = " sd"
#: So do the interval of a metric and its mark, whose sign stands before it: ★ 25.3 % [22.0, 28.9].
INTERVAL, MARK = " interval", " mark"
SIGNS = {"best": "★", "alike": "≈", "untested": "?"}
#: What follows the name of a metric in the names of columns beside it.
_BESIDE = re.compile(r"( validation)? sd| expected")
#: Longer lists are cut to their first members, and their number is said.
LIST, SHOWN = 20, 10


@dataclass(frozen=True)
class Cell:
    """Cell of a table: its text, and whether it is a number, which is never wrapped."""

    text: str
    number: bool = False


def kind(column: str, row: Mapping[str, Any] | None = None, command: str = "") -> Kind:
    """The kind of the numbers in a column, of this row where rows have kinds of their own."""
    if command.endswith(UNKNOWN):
        return Kind.NUMBER
    for end, (pattern, own) in OF_COMMANDS.items():
        if command.endswith(end) and pattern.fullmatch(column):
            return own
    for subject, columns in SUBJECTS.items():
        name = (row or {}).get(subject)
        if isinstance(name, str) and column != subject:
            if subject == "metric" and column in columns:
                return Kind.SHARE if is_share(name) else Kind.NUMBER
            if subject == "measure" and column not in ("share", *INTERVALS, "level"):
                return _declared(name.removeprefix("spread: ")) or Kind.NUMBER
    declared = _declared(column)
    if command.endswith(OF_METRICS) and (declared or Kind.SHARE) is Kind.SHARE:
        return Kind.SHARE if is_share(_BESIDE.sub("", column)) else Kind.NUMBER
    return declared or Kind.NUMBER


def _declared(name: str) -> Kind | None:
    return next((kind for pattern, kind in KINDS if pattern.fullmatch(name)), None)


def cells(
    rows: Sequence[Mapping[str, Any]], columns: Sequence[str], command: str = ""
) -> tuple[list[str], list[list[Cell]]]:
    """(columns of the table, its cells by row): intervals, deviations and marks join their
    values."""
    present, joined = set(columns), {}
    for column, ends in INTERVALS.items():
        if present.issuperset(ends) and column in present:
            joined[column] = ends
    ends_of = {end: column for column, ends in joined.items() for end in ends}
    of_metrics = command.endswith(OF_METRICS)
    beside = (DEVIATION, INTERVAL, MARK) if of_metrics else (DEVIATION,)
    shown: list[str] = []
    for name in columns:
        column = ends_of.get(name, name)
        is_beside = any(name.endswith(end) and name.removesuffix(end) in present for end in beside)
        if column not in shown and not is_beside:
            shown.append(column)
    no_shares = {column for column in shown if _exceeds_one(rows, column, command)}
    found = []
    for row in rows:
        line = []
        for column in shown:
            what = kind(column, row, command)
            if column in no_shares and what is Kind.SHARE:
                what = Kind.NUMBER
            cell = formatted(row.get(column), what)
            if column in joined:
                cell = _with_interval(cell, [row.get(end) for end in joined[column]], what)
            interval = row.get(f"{column}{INTERVAL}") if of_metrics else None
            deviation = row.get(f"{column}{DEVIATION}")
            if interval is not None:
                cell = _with_interval(cell, [interval], what)
            elif isinstance(deviation, float) and f"{column}{DEVIATION}" in present:
                cell = _with_deviation(cell, deviation, what)
            if of_metrics and (sign := SIGNS.get(row.get(f"{column}{MARK}", ""))):
                cell = Cell(f"{sign} {cell.text}", cell.number)
            line.append(cell)
        found.append(line)
    return shown, found


def _exceeds_one(rows: Sequence[Mapping[str, Any]], column: str, command: str) -> bool:
    """True if a column of shares holds a value that no share can have: such a column takes the
    numbers of any metric, as in the accuracy commands, whose ``--column`` may be a rank or a
    population."""
    return any(
        isinstance(value := row.get(column), int | float)
        and abs(value) > 1 + 1e-9
        and kind(column, row, command) is Kind.SHARE
        for row in rows
    )


def _with_interval(cell: Cell, given: list[Any], what: Kind) -> Cell:
    ends = given[0] if len(given) == 1 else given
    if not isinstance(ends, list | tuple) or not all(isinstance(end, int | float) for end in ends):
        return cell
    text = "[" + ", ".join(number(end, what).removesuffix(" %") for end in ends) + "]"
    unit = " %" if what is Kind.SHARE and not cell.text else ""
    return Cell(f"{cell.text} {text}{unit}".strip(), cell.number or not cell.text)


def _with_deviation(cell: Cell, deviation: float, what: Kind) -> Cell:
    unit = " %" if cell.text.endswith(" %") else ""
    own, more = cell.text.removesuffix(" %"), number(deviation, what).removesuffix(" %")
    return Cell(f"{own} ± {more}{unit}", True)


def formatted(value: Any, what: Kind = Kind.NUMBER) -> Cell:
    """A value as people read it."""
    if value is None:
        return Cell("")
    if isinstance(value, bool):
        return Cell("yes" if value else "no")
    if isinstance(value, int | float):
        return Cell(number(value, what), True)
    if isinstance(value, Mapping):
        return Cell(", ".join(f"{key}: {formatted(each).text}" for key, each in value.items()))
    if isinstance(value, list | tuple):
        several = f"{SHOWN} of {len(value):,}: " if len(value) > LIST else ""
        kept = value[:SHOWN] if several else value
        nested = any(isinstance(each, Mapping | list | tuple) for each in kept)
        mark = "; " if nested else ", "
        return Cell(several + mark.join(formatted(each, what).text for each in kept))
    text = " ".join(str(value).split())
    return Cell("".join(sign for sign in text if sign.isprintable()))


def number(value: float, what: Kind) -> str:
    """A number with the digits of its kind."""
    if isinstance(value, PrintedNumber):
        return value.text
    if not math.isfinite(value):
        return "" if math.isnan(value) else "∞" if value > 0 else "-∞"
    if what is Kind.NAME and value == int(value):
        return str(int(value))
    if isinstance(value, int):
        return f"{value:,}"
    if what is Kind.SHARE:
        return _zero(f"{100 * value:,.1f}") + " %"
    if what is Kind.CONFIDENCE:
        return f"{100 * value:g} %"
    if what is Kind.P:
        return f"{value:.2g}"
    if what is Kind.COEFFICIENT:
        return _zero(f"{value:,.2f}")
    if what is Kind.RATIO:
        return _zero(f"{value:,.3f}")
    if abs(value) >= 1000:
        return f"{value:,.0f}" if value == round(value) else f"{value:,.1f}"
    return f"{value:.4g}"


def _zero(text: str) -> str:
    """Remove the sign of a number that rounds to zero."""
    return text.removeprefix("-") if not text.strip("-0.,") else text
