"""Processes and ports of local servers: which process serves a home, what it listens on, which
ports are free."""

from __future__ import annotations

import os
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import psutil

from graphzsl.common.errors import ServerError

HIGHEST_PORT = 65_535
#: How many pairs of ports are tried, upwards from the settings' pair.
_PAIRS = 200
_END_SECONDS = 10
#: Java reports IPv4 addresses in their IPv6 form.
_LOOPBACK = ("127.0.0.1", "::ffff:127.0.0.1")


def home_argument(home: Path) -> str:
    """The argument of the server's command line that says which home it serves."""
    return f"--home-dir={home}"


def worker_argument(home: Path) -> str:
    """Argument of the command line of a process that works on the data of a home while its server
    is down."""
    return f"-Dgraphzsl.home={home}"


def end_workers(home: Path) -> None:
    """End processes that still work on a copy of this home's data though their command was killed.

    Raises ServerError for a process that does not end.
    """
    for process in list(_own_with(worker_argument(home))):
        try:
            process.kill()
            process.wait(_END_SECONDS)
        except psutil.NoSuchProcess:
            continue
        except psutil.Error as error:
            raise ServerError(
                f"Process {process.pid} works on the data of {home} and cannot be ended"
                f" ({_said(error)}). End it, then run the command again."
            ) from error


def is_server(pid: int, created: float, home: Path) -> bool:
    """True if the process is this user's, is alive, was started at that time (pids are reused), and
    serves this very home.

    A copy of a home holds the state file of the original's server: the command line tells them
    apart. Another user's process may have any command line.
    """
    try:
        process = psutil.Process(pid)
        return (
            abs(process.create_time() - created) < 2
            and process.status() != psutil.STATUS_ZOMBIE
            and home_argument(home) in process.cmdline()
            and _is_own(process)
        )
    except psutil.Error:
        return False


def find_server(home: Path) -> tuple[int, float] | None:
    """(pid, start time) of this user's process that serves this home, or None."""
    for process in _own_with(home_argument(home)):
        with suppress(psutil.Error):
            return process.pid, process.create_time()
    return None


def user_of(file: Path) -> int | None:
    """The pid of a process of this user that has a file open; None where none is found."""
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if _is_own(process) and any(each.path == str(file) for each in process.open_files()):
                return int(process.pid)
    return None


def _own_with(argument: str) -> Iterator[psutil.Process]:
    """The living processes of this user that have this argument."""
    for process in psutil.process_iter(["cmdline"]):
        if argument in (process.info["cmdline"] or []):
            with suppress(psutil.Error):
                if process.status() != psutil.STATUS_ZOMBIE and _is_own(process):
                    yield process


def _is_own(process: psutil.Process) -> bool:
    """True if this user started the process."""
    if hasattr(os, "getuid"):
        # the real one: a program may run with the rights of its file's owner
        return bool(process.uids().real == os.getuid())
    return bool(process.username() == psutil.Process().username())


def _said(error: psutil.Error) -> str:
    """Reason that a message gives for one of psutil's errors, whose own texts differ much."""
    return "it may not be" if isinstance(error, psutil.AccessDenied) else type(error).__name__


def end_server(pid: int, seconds: float, kill: bool = False) -> bool:
    """Tell a server to stop, or kill it, and wait for it; False where it goes on after these
    seconds.

    Raises ServerError where the system refuses that.
    """
    try:
        process = psutil.Process(pid)
        if kill:
            process.kill()
        else:
            process.send_signal(signal.SIGTERM)
            process.resume()  # a suspended process would not take the signal
        deadline = time.monotonic() + seconds
        # where the program that started it runs on, its process stays as a zombie
        while process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
            if time.monotonic() > deadline:
                return False
            time.sleep(0.05)
    except psutil.NoSuchProcess:
        return True
    except psutil.Error as error:
        raise ServerError(
            f"The local Neo4j (process {pid}) cannot be stopped ({_said(error)}). End it as the"
            " user who may, then run the command again."
        ) from error
    return True


def listens(pid: int, port: int) -> bool:
    """True if the process, or one that it started, listens on this port of 127.0.0.1.

    Raises ServerError where the system hides the sockets of the user's own processes.
    """
    try:
        process = psutil.Process(pid)
        return _listens(process, port) or any(
            _listens(child, port) for child in process.children(recursive=True)
        )
    except psutil.NoSuchProcess:
        return False
    except psutil.AccessDenied:
        raise ServerError(
            f"The system does not show which ports process {pid} listens on, so the password is not"
            f" sent to port {port}. Set NEO4J_URI to a server that you start yourself."
        ) from None


def _listens(process: psutil.Process, port: int) -> bool:
    return any(
        connection.status == psutil.CONN_LISTEN
        and connection.laddr.port == port
        and connection.laddr.ip in _LOOPBACK
        for connection in process.net_connections("tcp")
    )


@contextmanager
def reserved_ports(bolt: int, http: int, taken: set[int]) -> Iterator[tuple[int, int]]:
    """A free pair of ports, the settings' pair or one above, none of ``taken``.

    Seconds pass until the server binds them; until the block ends, UDP sockets of the same numbers,
    which nothing is sent to, keep other starts off the pair. Other programs are not kept off: the
    server then ends, and its start takes another pair.
    """
    for step in range(_PAIRS):
        pair = (bolt + step, http + step)
        if max(pair) > HIGHEST_PORT or not taken.isdisjoint(pair):
            continue
        with ExitStack() as held:
            try:
                for port in sorted(set(pair)):
                    mark = held.enter_context(socket.socket(type=socket.SOCK_DGRAM))
                    mark.bind(("127.0.0.1", port))
            except OSError:
                continue
            if all(_is_free(port) for port in pair):
                yield pair
                return
    raise ServerError(
        f"No free pair of ports from {bolt} and {http} on. Set GRAPHZSL_BOLT_PORT and"
        " GRAPHZSL_HTTP_PORT."
    )


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
