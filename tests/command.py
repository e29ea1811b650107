"""Commands as tests run them, in the process of the test."""

from __future__ import annotations

import json
from typing import Any

import click
from click.testing import CliRunner

from graphzsl.cli import main


def run(*arguments: str, code: int = 0) -> list[dict[str, Any]]:
    """The rows of a command that ends with this exit status; of a failed one, a row of what it
    ``said``."""
    done = CliRunner().invoke(main, [*arguments, "--format", "json"])
    assert done.exit_code == code, done.output
    return json.loads(done.stdout) if code == 0 else [{"said": done.output}]


def for_programs(*arguments: str) -> tuple[str, ...]:
    """The arguments of a command, with JSON lines where it prints rows and nothing else is said."""
    command: click.Command | None = main
    for word in arguments:
        if not isinstance(command, click.Group):
            break
        command = command.get_command(click.Context(command), word)
    prints = command is not None and any(each.name == "output_format" for each in command.params)
    return (
        (*arguments, "--format", "jsonl") if prints and "--format" not in arguments else arguments
    )
