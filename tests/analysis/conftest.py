"""What tests of analyses share."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from graphzsl.hierarchy import Hierarchy
from tests.command import for_programs
from tests.conftest import Command
from tests.mini import MiniWordNet


@pytest.fixture
def hierarchy(mini: MiniWordNet) -> Hierarchy:
    return Hierarchy.from_edges(mini.edges())


@pytest.fixture
def command(run: Command) -> Callable[..., Any]:
    """Run a command on the mini database; its rows where it prints some, else the result."""

    def rows(*arguments: str, code: int = 0) -> Any:
        done = run(*for_programs(*arguments), code=code)
        if code or not done.stdout.startswith("{"):
            return done
        return [json.loads(line) for line in done.stdout.splitlines()]

    return rows
