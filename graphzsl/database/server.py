"""The local Neo4j server: a child process of graphzsl's own, on loopback, with a password of its
own."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
from filelock import FileLock, Timeout

from graphzsl.common.atomic import exchanged_folder
from graphzsl.common.errors import DatabaseError, GraphZSLError, ServerError
from graphzsl.common.files import now, write_text
from graphzsl.common.progress import log
from graphzsl.common.settings import Settings
from graphzsl.database.browser.site import after_login, make_site
from graphzsl.database.home import LOADING, LOCK, locked_home
from graphzsl.database.jars import NEO4J_VERSION
from graphzsl.database.launch import (
    configuration,
    find_classpath,
    find_java,
    server_classpath,
    spawn,
)
from graphzsl.database.password import PasswordFile
from graphzsl.database.processes import (
    end_server,
    end_workers,
    find_server,
    is_server,
    listens,
    reserved_ports,
    user_of,
)
from graphzsl.database.server_log import ServerLog, full_disk
from graphzsl.database.server_state import (
    ServerState,
    configured_ports,
    read_state,
    write_state,
)
from graphzsl.database.start_failures import (
    Closed,
    Gone,
    PortTaken,
    ended_early,
    is_closed,
    silent,
    unopened,
)

if TYPE_CHECKING:
    from graphzsl.database.client import Database

#: A start takes 10 seconds, and minutes on a busy machine; one that fails ends by itself.
_START_SECONDS = 300
#: How many pairs of ports are tried when other programs take them while Neo4j starts.
_ATTEMPTS = 20
_STOP_SECONDS = 60
#: A server that is lost is started again rather than waited for.
_RETRY_SECONDS = 10.0


class LocalServer:
    """Start, stop and inspect the server under ``settings.server_home``.

    The folder is 0700 and holds ``data/``, ``logs/``, ``conf/neo4j.conf``, ``password`` (0600),
    ``state.json`` and ``server.lock``; whoever holds the lock may start or stop, so commands that
    start at once get one server.

    The password is sent to nobody else: before every log-in the process that listens on the port
    must be this home's server, whatever answers there.
    """

    def __init__(self, settings: Settings, announce: bool = True):
        self.settings = settings
        self._announce = announce  #: whether a start is said on stderr
        self.home = settings.server_home.resolve()
        self.data = self.home / "data"
        self._state_file = self.home / "state.json"
        self._password = PasswordFile(self.home)
        self._log = ServerLog(self.home)

    def password(self) -> str:
        """The server's random password; it exists from the first start on."""
        return self._password.read()

    def state(self) -> ServerState | None:
        """The running server, or None. A state file of a dead server does not count."""
        state = read_state(self._state_file)
        if state and is_server(state.pid, state.created, self.home):
            return state
        return self._orphan()

    def start(self) -> ServerState:
        """The running server, started first when there is none; ready means that it took the
        password and a query."""
        running = self.state()
        with suppress(Closed):
            if running and (ready := self._ready(running)):
                return ready
        with locked_home(self.home):
            return self._start()

    def _start(self) -> ServerState:
        """Start the server; the caller holds the lock."""
        running = self.state()
        if running:
            try:
                return self._wait_until_ready(running)
            except Gone:
                pass  # which was being killed just now: this one takes its place
            except Closed:
                self._refuse_full_disk()
                log("The local Neo4j has closed its database: starting it again …")
                self._stop(is_closed=True)
        return self._launch()

    def _refuse_full_disk(self) -> None:
        """A server on a full disk closes its database again with the first write."""
        if full := self._log.full_disk():
            raise ServerError(f"The local Neo4j cannot run: {full}")

    def open(self, state: ServerState, start: Callable[[], ServerState] | None = None) -> Database:
        """Open the database of a running server; its password goes to the process of ``state`` and
        to nobody else. A server that dies meanwhile is started again, once, by ``start``; a caller
        that holds the lock gives its own."""
        start = start or self.start
        database = self._open(state, min(_RETRY_SECONDS, self.settings.retry_timeout))
        running = state

        def start_again() -> Database:
            nonlocal running
            log("The local Neo4j ended in the middle of this: starting it again …")
            running = start()
            return self._open(running, min(_RETRY_SECONDS, self.settings.retry_timeout))

        database.revive(lambda: self._was_lost(running), start_again)
        return database

    def _open(self, state: ServerState, retry_seconds: float) -> Database:
        from graphzsl.database.client import Database

        return Database(
            state.bolt_uri,
            "neo4j",
            self.password(),
            retry_seconds=retry_seconds,
            # a silent server is given up no later than the settings say
            acquire_seconds=min(self.settings.acquisition_timeout, self.settings.silence_limit),
            connect_seconds=self.settings.connection_timeout,
            transaction_seconds=self.settings.transaction_seconds,
            guard=lambda: self._require_own(state),
            remedy=self._remedy,
            hint=self._hint,
        )

    def _was_lost(self, state: ServerState) -> bool:
        """True if this server has ended and nobody stopped it: a stop removes the state file. The
        file names another process if another command has started the server again."""
        return read_state(self._state_file) is not None and not is_server(
            state.pid, state.created, self.home
        )

    def _remedy(self) -> str:
        reason = self._log.reason(self.settings)
        said = f"Why it ended: {reason}" if reason else f"Its log: {self._log.path}."
        return f"This is graphzsl's own server: run the command again, which starts it. {said}"

    def _hint(self) -> str:
        reason = self._log.reason(self.settings)
        return f"{reason} Then run the command again. Neo4j says: " if reason else ""

    def stop(self) -> bool:
        """Stop the server; False when none was running.

        Raises ServerError while a load of WordNet is at work, which would start it again.
        """
        if not self.home.exists():
            return self._stop()  # it may run on without the folder that it served
        self._refuse_in_load()
        with FileLock(self.home / LOCK):
            return self._stop()

    def _refuse_in_load(self) -> None:
        file = self.home / LOADING
        if not file.exists():
            return
        lock = FileLock(file)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            pid = user_of(file)
            who, end = (f" (process {pid})", f": `kill {pid}`") if pid else ("", "")
            raise ServerError(
                f"A load of WordNet{who} is at work on the local Neo4j and would start it again:"
                f" nothing was stopped. Wait for its end, or end it first{end}."
            ) from None
        lock.release()

    def _stop(self, is_closed: bool = False) -> bool:
        """Stop the server; the caller holds the lock. False if none was running.

        A server that has closed its database is killed: it would end with another try at the write
        that has failed, behind the half of it that is in its log of transactions, which is then
        damaged.
        """
        found = self._find()
        if found is None:
            self._state_file.unlink(missing_ok=True)
            return False
        if not end_server(found[0], _STOP_SECONDS, kill=is_closed or self._has_closed()):
            why = self._log.full_disk() or f"{self._log.path} may say why."
            raise ServerError(
                f"The local Neo4j (process {found[0]}) did not stop within {_STOP_SECONDS} s: {why}"
                f" `kill -9 {found[0]}` ends it without loss of acknowledged data."
            )
        self._state_file.unlink(missing_ok=True)
        return True

    def _has_closed(self) -> bool:
        """True for a server that answers, but has closed its database."""
        # a silent one is not waited for
        soon = replace(self.settings, connection_timeout=2, acquisition_timeout=2)
        try:
            if state := self.state():
                LocalServer(soon)._ready(state)
        except Closed:
            return True
        except (GraphZSLError, OSError):
            pass  # it is stopped whatever else is wrong with it
        return False

    def _find(self) -> tuple[int, float] | None:
        """(pid, start time) of the process that serves this home, or None."""
        state = read_state(self._state_file)
        if state and is_server(state.pid, state.created, self.home):
            return state.pid, state.created
        return find_server(self.home)

    def reset_password(self) -> None:
        """Stop the server and give it a new random password; what was loaded stays.

        Raises:
            ServerError: there is no server yet, or it does not stop.
        """
        if self.is_new():
            raise ServerError(
                f"No local server was started under {self.home} yet, so it has no password. Run"
                " `graphzsl db start`."
            )
        with FileLock(self.home / LOCK):
            self._stop()
            end_workers(self.home)
            self._password.reset(
                self.settings, find_java(self.settings), find_classpath(self.settings)
            )

    def is_new(self) -> bool:
        """True if this home has no database at all."""
        databases = self.data / "databases"
        return not (databases.exists() and any(databases.iterdir()))

    @contextmanager
    def offline(self, is_wanted: Callable[[Database], bool]) -> Iterator[Path | None]:
        """A copy of the data folder, for work that needs the server down: it takes the place of the
        data when the block ends without an error. None where ``is_wanted`` says no, or where the
        data cannot change places.

        ``is_wanted`` is asked about the database, unless the home has none, when nobody else can
        start or stop the server any more; then the server is stopped, and nobody starts it while
        the block runs. After an error or a kill the data are as they were.
        """
        with locked_home(self.home):
            if self.data.is_mount() or not (self.is_new() or self._answers(is_wanted)):
                yield None
                return
            self._stop()
            end_workers(self.home)
            if self.is_new():
                self._password.ensure(
                    self.settings, find_java(self.settings), find_classpath(self.settings)
                )
            # a link stays one
            data = self.data.resolve()
            with exchanged_folder(data) as copy:
                try:
                    shutil.copytree(data, copy, dirs_exist_ok=True)
                except OSError as error:
                    full = self._log.full_disk() or full_disk(str(error), self.home)
                    why = full or f"{data} cannot be copied: {error}."
                    raise ServerError(f"Nothing was loaded: {why}") from error
                yield copy

    def _answers(self, question: Callable[[Database], bool]) -> bool:
        """Ask the server's database a question; the caller holds the lock."""
        with self.open(self._start(), self._start) as database:
            return question(database)

    def _launch(self) -> ServerState:
        """Start a new server; one that cannot open its database is stopped."""
        self._refuse_full_disk()
        try:
            return self._launch_on_free_ports()
        except Closed:
            self._stop(is_closed=True)
            raise unopened(self._log, self.settings) from None

    def _launch_on_free_ports(self) -> ServerState:
        java, classpath = find_java(self.settings), find_classpath(self.settings)
        self._password.ensure(self.settings, java, classpath)
        site = make_site(self.settings, self.home)
        served = server_classpath(self.settings, classpath, site)
        wanted = self.settings.bolt_port, self.settings.http_port
        taken: set[int] = set()
        for _ in range(_ATTEMPTS):
            with reserved_ports(*wanted, taken) as (bolt, http):
                commands = after_login(http) if site else ""
                write_text(
                    self.home / "conf" / "neo4j.conf",
                    configuration(self.settings, bolt, http, commands),
                )
                if self._announce:
                    log(
                        f"Starting the local Neo4j {self._version()} on bolt://127.0.0.1:{bolt} "
                        "(`graphzsl db stop` stops it) …"
                    )
                self._log.begin()
                process = spawn(self.settings, self.home, java, served)
                created = psutil.Process(process.pid).create_time()
                state = ServerState(process.pid, created, bolt, http, self._version(), now())
                write_state(self._state_file, state)
                try:
                    return self._wait_until_ready(state, process)
                except PortTaken:
                    taken |= {bolt, http}
        raise ServerError(
            f"Other programs took {_ATTEMPTS} pairs of ports while the local Neo4j started. Set"
            " GRAPHZSL_BOLT_PORT and GRAPHZSL_HTTP_PORT to ports that nobody uses."
        )

    def _version(self) -> str:
        return str(self.settings.neo4j_home) if self.settings.neo4j_home else NEO4J_VERSION

    def _wait_until_ready(
        self, state: ServerState, process: subprocess.Popen[bytes] | None = None
    ) -> ServerState:
        limit = self.settings.silence_limit if state.database_id else _START_SECONDS
        deadline = time.monotonic() + limit
        while time.monotonic() < deadline:
            if ready := self._ready(state):
                return ready
            ended = (
                process.poll() is not None
                if process
                else not is_server(state.pid, state.created, self.home)
            )
            if ended:
                self._state_file.unlink(missing_ok=True)
                if process is None:
                    raise Gone
                said = self._log.said()
                if "already in use" in said.lower():
                    raise PortTaken
                raise ended_early(self._log, self.settings, said)
            time.sleep(0.2)
        raise silent(self._log, state, limit)

    def _ready(self, state: ServerState) -> ServerState | None:
        """The state with the id of the database that answered, written down the first time; None
        without an answer."""
        if not self._is_own(state):
            return None
        with self._open(state, retry_seconds=1.0) as database:
            try:
                database.check()
                identity = database.identity()
            except DatabaseError as error:
                if database.was_refused(error):
                    raise self._password.lost("does not hold the server's password") from error
                if is_closed(database, error):
                    raise Closed from error
                return None
        if state.database_id and state.database_id != identity:
            raise ServerError(
                f"The local Neo4j (process {state.pid}) answers for database {identity[:12]}…, it"
                f" started with {state.database_id[:12]}…. Nothing was read or written. `graphzsl"
                " db stop`, then run the command again."
            )
        ready = replace(state, database_id=identity)
        if ready != state:
            write_state(self._state_file, ready)
        return ready

    def _is_own(self, state: ServerState) -> bool:
        """True if this home's server is alive and is the process that listens on its Bolt port."""
        return is_server(state.pid, state.created, self.home) and listens(
            state.pid, state.bolt_port
        )

    def _require_own(self, state: ServerState) -> None:
        if not self._is_own(state):
            raise ServerError(
                f"The local Neo4j (process {state.pid}) ended or does not listen on port"
                f" {state.bolt_port}; the password was not sent to whoever does. Run the command"
                f" again, which starts it. Its log: {self._log.path}."
            )

    def _orphan(self) -> ServerState | None:
        """A server of this home whose state file is missing or damaged: the command that started it
        was killed."""
        process = find_server(self.home)
        if process is None:
            return None
        try:
            ports = configured_ports(self.home / "conf" / "neo4j.conf")
        except (OSError, KeyError, ValueError):
            raise ServerError(
                f"Process {process[0]} is a server of {self.home}, but the files that say its ports"
                " are gone. `graphzsl db stop` ends it; then run the command again."
            ) from None
        return ServerState(*process, *ports, self._version(), now())
