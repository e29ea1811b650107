"""Processes that are servers of a home: those of this user alone, whatever others say of
themselves."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from graphzsl.common import Settings
from graphzsl.common.errors import ServerError
from graphzsl.database import LocalServer
from graphzsl.database.processes import (
    end_server,
    end_workers,
    find_server,
    home_argument,
    is_server,
    worker_argument,
)

NOBODY = 65_534
IS_ROOT = hasattr(os, "getuid") and os.getuid() == 0


def _waiting(*arguments: str, user: int | None = None) -> subprocess.Popen[bytes]:
    """A process with these arguments; one that every user may run."""
    command = ["/bin/sh", "-c", "echo ready; read line", "sh", *arguments]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, user=user, cwd="/"
    )
    assert process.stdout
    process.stdout.readline()
    return process


@pytest.fixture
def of_a_home(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process of this user that says to be server and worker of a home."""
    with _waiting(home_argument(tmp_path), worker_argument(tmp_path)) as process:
        yield process
        process.kill()


def test_an_own_process_with_the_argument_is_the_server(
    of_a_home: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    created = psutil.Process(of_a_home.pid).create_time()
    assert find_server(tmp_path) == (of_a_home.pid, created)
    assert is_server(of_a_home.pid, created, tmp_path)
    assert find_server(tmp_path / "other") is None
    end_workers(tmp_path / "other")
    assert of_a_home.poll() is None
    end_workers(tmp_path)
    assert not psutil.pid_exists(of_a_home.pid)


@pytest.mark.skipif(not IS_ROOT, reason="only root starts processes of another user")
def test_another_users_process_is_no_server_whatever_it_says(tmp_path: Path) -> None:
    """With the very command line of the server, where the state file is gone: it is not asked for
    the password, and neither `db stop` nor a load ends it."""
    home = LocalServer(Settings(home=tmp_path)).home
    home.mkdir()
    with _waiting(home_argument(home), worker_argument(home), user=NOBODY) as stranger:
        try:
            created = psutil.Process(stranger.pid).create_time()
            assert find_server(home) is None
            assert not is_server(stranger.pid, created, home)
            server = LocalServer(Settings(home=tmp_path))
            assert server.state() is None
            assert not server.stop()
            end_workers(home)
            assert stranger.poll() is None
        finally:
            stranger.kill()


def test_a_process_whose_user_is_not_this_one_is_no_server(
    of_a_home: subprocess.Popen[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same where no process of another user can be started: the user changes."""
    created = psutil.Process(of_a_home.pid).create_time()
    other = os.getuid() + 1
    monkeypatch.setattr("os.getuid", lambda: other)
    assert find_server(tmp_path) is None
    assert not is_server(of_a_home.pid, created, tmp_path)
    end_workers(tmp_path)
    assert of_a_home.poll() is None


def test_a_process_that_takes_no_signal_is_killed() -> None:
    with subprocess.Popen(
        ["/bin/sh", "-c", "trap '' TERM; echo ready; while :; do sleep 1; done"],
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout
        process.stdout.readline()
        assert not end_server(process.pid, 0.3)
        assert process.poll() is None
        assert end_server(process.pid, 5, kill=True)
        assert process.wait() == -signal.SIGKILL


def _refuse(process: psutil.Process, *_: object) -> None:
    raise psutil.AccessDenied(process.pid)


def test_what_the_system_refuses_is_one_line(
    of_a_home: subprocess.Popen[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(psutil.Process, "send_signal", _refuse)
    monkeypatch.setattr(psutil.Process, "kill", _refuse)
    with pytest.raises(ServerError, match=rf"process {of_a_home.pid}\) cannot be stopped"):
        end_server(of_a_home.pid, 1)
    with pytest.raises(ServerError, match=rf"Process {of_a_home.pid} .* cannot be ended"):
        end_workers(tmp_path)
