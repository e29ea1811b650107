"""Old names of arguments are answered with the new ones: the first table of "Renamed" in the
CHANGELOG."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import graphzsl as gz
from graphzsl.audit.prediction_files import predictions_of_arrays, predictions_of_frame

CHANGELOG = Path(__file__).parents[2] / "CHANGELOG.md"
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "gz.evaluate": gz.evaluate,
    "gz.read_predictions": gz.read_predictions,
    "predictions_of_frame": predictions_of_frame,
    "predictions_of_arrays": predictions_of_arrays,
}


def _table() -> list[tuple[str, str, str]]:
    """(function, old argument, new one)."""
    rows = re.findall(r"^\| `(\w+)` of (.*?) \| `(\w+)` \|$", CHANGELOG.read_text(), re.MULTILINE)
    return [
        (function, old, new)
        for old, functions, new in rows
        for function in re.findall(r"`([^`]+)`", functions)
    ]


@pytest.mark.parametrize(("function", "old", "new"), _table())
def test_every_renamed_argument_is_answered(function: str, old: str, new: str) -> None:
    called = FUNCTIONS[function]
    assert new in inspect.signature(called).parameters, "the signature is that of the function"
    with pytest.raises(gz.DataError, match=rf"^\w+: {old} is now {new}\.$") as error:
        called(["cat"], ["cat"], **{old: ["cat"]})
    assert error.value.argument == new


def test_the_table_is_read_and_all_old_ones_are_said() -> None:
    assert len(_table()) == 6
    with pytest.raises(gz.DataError, match="classes is now candidates, and level is now confid"):
        gz.evaluate(["cat"], ["cat"], level=0.9, classes=["cat"])  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="unexpected keyword argument 'klasses'"):
        gz.evaluate(["cat"], ["cat"], klasses=["cat"])  # type: ignore[call-arg]
