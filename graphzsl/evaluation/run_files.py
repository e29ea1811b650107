"""The one reader of a run's JSON: what `graphzsl evaluate` wrote is checked before anything uses
it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from graphzsl.errors import DataError
from graphzsl.files import read_json

#: Key of the candidates in the metadata of RUN.samples.parquet.
CANDIDATES = "candidates"
#: What a place of a run holds: its name in messages -> whether a value is that.
_KINDS: dict[str, Callable[[Any], bool]] = {
    "an object": lambda value: isinstance(value, dict),
    "a list": lambda value: isinstance(value, list),
    "a text": lambda value: isinstance(value, str),
    "a number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "a whole number": lambda value: type(value) is int,
    "a pair of numbers": lambda value: (
        isinstance(value, list) and len(value) == 2 and all(map(_KINDS["a number"], value))
    ),
    "a pair of numbers or null": lambda value: value is None or _KINDS["a pair of numbers"](value),
}
#: Every run has these. A * stands for each key of an object or each item of a list.
_ALWAYS = {
    "metrics": "an object",
    "metrics/hit@1": "an object",
    "metrics/*/per_class": "a number",
    "metrics/*/per_sample": "a number",
    "metrics/*/per_class_interval": "a pair of numbers or null",
    "samples": "a whole number",
    "classes": "a whole number",
    "candidates": "a whole number",
    "ties": "a text",
}
#: What a run may have: these places hold something of this kind wherever the first part of the
#: place is there, and a last part with a question mark is.
_SOMETIMES = {
    "provenance": "an object",
    "features": "an object",
    "split": "a text",
    "split_definition": "an object",
    "generalized": "an object",
    "generalized/hit@1/per_class/ts": "a number",
    "generalized/hit@1/per_class/tr": "a number",
    "generalized/hit@1/per_class/h": "a number",
    "semantic_interval": "an object",
    "semantic_interval/per_class": "a pair of numbers",
    "groups": "an object",
    "groups/*": "a list",
    "groups/*/*/group": "a text",
    "groups/*/*/hit@1": "a number",
    "groups/*/*/hit@5?": "a number",
}
#: The spelling of the generalized setting in files of earlier versions, read as today's.
OLD_SETTING = "generalised"
_REMEDY = "The file is damaged, or of another version: delete it and evaluate again."


def read_run(path: Path, *, deviations: bool = False) -> dict[str, Any]:
    """A run of `graphzsl evaluate`; DataError names the file, and what is missing or of a wrong
    kind.

    With ``deviations`` every metric must have the standard deviation of its samples.
    """
    run = _current_spelling(read_json(path))
    if not is_evaluation(run):
        raise DataError(
            f"{path} is not a run of `graphzsl evaluate`. Expected the JSON of "
            "`graphzsl evaluate model`, `audit`, `words` or `grid`."
        )
    always = _ALWAYS | ({"metrics/*/per_sample_sd": "a number"} if deviations else {})
    for place, kind in always.items():
        _check(path, run, place, kind)
    for place, kind in _SOMETIMES.items():
        if run.get(place.partition("/")[0]) is not None:
            _check(path, run, place, kind)
    return dict(run)


def _current_spelling(run: Any) -> Any:
    """A run with the keys of today: earlier versions wrote "generalised"."""
    if not isinstance(run, dict):
        return run
    if run.get("setting") == OLD_SETTING:
        run = run | {"setting": "generalized"}
    return {"generalized" if key == OLD_SETTING else key: value for key, value in run.items()}


def interval_of(run: Mapping[str, Any], metric: str) -> tuple[float, float] | None:
    """The bootstrap interval of a metric per class; None for a single class, of which earlier
    versions wrote one without width."""
    ends = run["metrics"][metric]["per_class_interval"]
    return None if ends is None or run["classes"] < 2 else (float(ends[0]), float(ends[1]))


def is_evaluation(document: Any) -> bool:
    """Whether what a JSON file holds says of itself that it is a run."""
    return isinstance(document, dict) and document.get("kind") == "evaluation"


def _check(path: Path, run: Any, place: str, kind: str) -> None:
    for name, value in _values(path, run, "", place.split("/")):
        if not _KINDS[kind](value):
            raise DataError(f"{path}: {name!r} is not {kind} in this run. {_REMEDY}")


def _values(path: Path, value: Any, above: str, parts: list[str]) -> Iterator[tuple[str, Any]]:
    """(place, value) of every place that the parts of a path name."""
    if not parts:
        yield above, value
        return
    if not isinstance(value, dict | list):
        raise DataError(f"{path}: {above!r} is not an object in this run. {_REMEDY}")
    below = dict(enumerate(value)) if isinstance(value, list) else value
    if parts[0].endswith("?"):
        parts = [parts[0][:-1]]
        if parts[0] not in below:
            return
    if parts[0] != "*" and parts[0] not in below:
        raise DataError(f"{path}: {_joined(above, parts[0])!r} is missing in this run. {_REMEDY}")
    for name in below if parts[0] == "*" else [parts[0]]:
        yield from _values(path, below[name], _joined(above, name), parts[1:])


def _joined(above: str, name: object) -> str:
    return f"{above}/{name}" if above else str(name)
