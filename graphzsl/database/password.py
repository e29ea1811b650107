"""The file that holds the local server's password."""

from __future__ import annotations

import os
import secrets
import shutil
import stat
import subprocess
from pathlib import Path

from graphzsl.common.errors import ServerError
from graphzsl.common.progress import log
from graphzsl.common.reading.bounds import open_file
from graphzsl.common.settings import Settings
from graphzsl.database.launch import admin_tool, environment, shared_classes
from graphzsl.database.server_log import last_lines
from graphzsl.database.server_state import write_private


class PasswordFile:
    """``password`` (0600) in the folder of the local server; the server's own copy is inside its
    system database."""

    def __init__(self, home: Path):
        self.home = home
        self.path = home / "password"

    def read(self) -> str:
        """Read the password; raises ServerError if there is none."""
        try:
            mode = stat.S_IMODE(self.path.stat().st_mode)
            if mode & 0o077:
                self.path.chmod(0o600)
                log(
                    f"{self.path} was open to other users (mode {mode:o}); it is private again. If"
                    " one of them may have read it, give the server another password: `graphzsl db"
                    " password --reset`."
                )
            with open_file(self.path, "utf-8") as file:
                return str(file.read().strip())
        except FileNotFoundError:
            if self._server_has_one():
                raise self.lost("is gone") from None
            raise ServerError(
                f"No local server was started under {self.home} yet. Run `graphzsl db start`."
            ) from None
        except UnicodeDecodeError:
            raise self.lost("is not text") from None

    def lost(self, what: str) -> ServerError:
        """The error for a password that the server has and the file has not."""
        return ServerError(
            f"{self.path} {what}; the data of the local Neo4j is unharmed. Put back the password"
            " that the file held (one line of text), or give the server another one: `graphzsl db"
            " password --reset`."
        )

    def ensure(self, settings: Settings, java: Path, classpath: str) -> None:
        """Give a server that has no password yet a random one, and write it down."""
        data = self.home / "data"
        if self.path.exists() and (data / "dbms" / "auth.ini").exists():
            return
        if self._server_has_one():
            # auth.ini is only the seed: once the system database exists, it holds the password
            self.read()
            return
        password = secrets.token_urlsafe(24).replace("-", "x")
        arguments = self.home / "run" / "initial-password"
        arguments.parent.mkdir(parents=True, exist_ok=True)
        write_private(arguments, password + "\n")
        try:
            # the password goes through an argument file: a command line is open to every user of
            # the machine
            done = subprocess.run(
                [
                    java,
                    *shared_classes(settings),
                    *admin_tool(classpath),
                    "dbms",
                    "set-initial-password",
                    f"@{arguments}",
                ],
                env=environment(self.home),
                capture_output=True,
                text=True,
                check=False,
            )
        finally:
            arguments.unlink(missing_ok=True)
        if done.returncode:
            raise ServerError(
                f"Neo4j did not take its first password: {last_lines(done.stderr + done.stdout)}"
            )
        write_private(self.path, password + "\n")

    def reset(self, settings: Settings, java: Path, classpath: str) -> None:
        """Give a server that is down a new random password, whatever the old one was; nothing that
        was loaded is touched.

        Neo4j keeps users in its system database, and makes a new one where there is none. After a
        kill in between, this can be called again.
        """
        data = self.home / "data"
        self.path.unlink(missing_ok=True)
        (data / "dbms" / "auth.ini").unlink(missing_ok=True)
        aside = {}
        # while the store is there, the server counts as one whose password was lost
        for part in ("transactions", "databases"):
            system, aside[part] = data / part / "system", data / f".{part}-system.old"
            shutil.rmtree(aside[part], ignore_errors=True)
            if system.exists():
                os.rename(system, aside[part])
        self.ensure(settings, java, classpath)
        for folder in aside.values():
            shutil.rmtree(folder, ignore_errors=True)

    def _server_has_one(self) -> bool:
        return (self.home / "data" / "databases" / "system").exists()
