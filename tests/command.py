"""Commands as tests run them, in the process of the test."""

from __future__ import annotations

import json
from typing import Any

from click.testing import CliRunner

from graphzsl.cli import main


def run(*arguments: str, code: int = 0) -> list[dict[str, Any]]:
    """The rows of a command that ends with this exit status; of a failed one, a row of what it
    ``said``."""
    done = CliRunner().invoke(main, [*arguments, "--format", "json"])
    assert done.exit_code == code, done.output
    return json.loads(done.stdout) if code == 0 else [{"said": done.output}]
