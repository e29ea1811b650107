"""The settings of a command and its database: what completion needs too, and no option does."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING

import click

from graphzsl.common import DatabaseError, Settings, load_settings

if TYPE_CHECKING:
    from graphzsl.database import Database

#: Where a context keeps the database that its command has opened.
_DATABASE = "graphzsl.database"


class _Absent(ModuleType):
    """A module in which nothing that the driver looks for is installed."""

    def __getattr__(self, name: str) -> None:
        if name.startswith("__"):
            raise AttributeError(name)


def _lighten_driver() -> None:
    """Keep Neo4j's driver from importing numpy, pandas and pyarrow, which it does where they are
    installed, to take their values as parameters: no command gives such, and it is half of the time
    of a small one."""
    name = "neo4j._optional_deps"
    if "neo4j" not in sys.modules and name not in sys.modules:
        sys.modules[name] = _Absent(name)


_lighten_driver()


def settings() -> Settings:
    """Settings with the flags of the main command."""
    flags = click.get_current_context().find_root().obj or {}
    config = load_settings(**flags)
    if config.local and flags.get("database") not in (None, Settings.database):
        raise click.UsageError(
            "--database has no effect on the local server, whose one database is neo4j: it needs"
            " --uri or NEO4J_URI."
        )
    return config


def database() -> Database:
    """The database of the settings, one per command, closed when that ends."""
    from graphzsl.database import connect

    return open_database() or _keep_open(connect(settings()))


def open_database() -> Database | None:
    """The database that the command has opened already."""
    opened: Database | None = click.get_current_context().meta.get(_DATABASE)
    return opened


def _keep_open(opened: Database) -> Database:
    context = click.get_current_context()
    context.meta[_DATABASE] = opened

    def close() -> None:
        context.meta.pop(_DATABASE, None)
        opened.close()

    context.call_on_close(close)
    return opened


def running_database() -> Database | None:
    """The database of the settings if it answers, closed when the command ends; no server is
    started."""
    from graphzsl.database import LocalServer, connect

    config = settings()
    try:
        if config.local and LocalServer(config).state() is None:
            return None
        return _keep_open(connect(config))
    except DatabaseError:
        return None
