"""The folder of the local server, for who wants to start or stop it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock

from graphzsl.common.atomic import remove_leftovers, repair
from graphzsl.common.errors import ServerError

#: Whoever holds it may start or stop the server.
LOCK = "server.lock"
#: A load of WordNet holds it from its beginning to its end; it stops and starts the server.
LOADING = "load.lock"
_FOLDERS = ("data", "logs", "conf", "run", "plugins", "import")


@contextmanager
def locked_home(home: Path) -> Iterator[None]:
    """The folder is there and whole, and nobody else starts or stops its server meanwhile.

    Raises ServerError where the system refuses that.
    """
    with _explained(home):
        home.mkdir(parents=True, exist_ok=True)
        home.chmod(0o700)
    with FileLock(home / LOCK):
        with _explained(home):
            data = (home / "data").resolve()  # a link stays one
            repair(data)
            # a load may have been killed over the data that it had replaced
            remove_leftovers(data)
            for name in _FOLDERS:
                (home / name).mkdir(exist_ok=True)
        yield


@contextmanager
def _explained(home: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ServerError(
            f"{home} cannot hold the local server ({error}). Set GRAPHZSL_HOME."
        ) from error
