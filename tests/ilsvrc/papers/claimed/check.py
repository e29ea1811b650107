"""Checks: functions that compute the verdict of a claim from the tables that it is about."""

from __future__ import annotations

from collections.abc import Callable

from graphzsl.ilsvrc.papers import Verdict

Check = Callable[..., Verdict]
#: Name of a claim -> its check.
CHECKS: dict[str, Check] = {}


def check(function: Check) -> Check:
    """Register a function of the tables of a claim; its name with hyphens is that of the claim."""
    CHECKS[function.__name__.replace("_", "-")] = function
    return function
