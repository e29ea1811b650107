"""Commands on the mini database."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from click.testing import CliRunner, Result

from graphzsl.cli import main
from graphzsl.database.client import Database
from graphzsl.database.server import LocalServer
from graphzsl.settings import Settings

Command = Callable[..., Result]


@pytest.fixture
def run(mini_database: Database, mini_settings: Settings) -> Command:
    """Run a command on the mini database; it must end with the given exit status."""

    def command(*arguments: str, code: int = 0, input: str | None = None) -> Result:
        password = LocalServer(mini_settings).password()
        environment = {
            "NEO4J_URI": mini_database.uri,
            "NEO4J_USERNAME": "neo4j",
            "NEO4J_PASSWORD": password,
        }
        done = CliRunner(env=environment).invoke(main, [*arguments], input=input)
        assert done.exit_code == code, done.output
        return done

    return command
