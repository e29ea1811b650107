"""What goes wrong around the local server: each is one clear line, and nothing is lost."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from graphzsl.common import DatabaseError, Settings
from graphzsl.common.errors import ServerError
from graphzsl.database import Database, LocalServer, connect, query
from graphzsl.database.launch import (
    clean_environment,
    command,
    configuration,
    find_java,
    temporary_folder,
)
from graphzsl.database.password import PasswordFile
from graphzsl.database.processes import find_server
from graphzsl.database.revival import Revival
from graphzsl.database.server_log import ServerLog
from graphzsl.database.server_state import ServerState
from graphzsl.database.unpacked import ENTRY_POINT, entry_point, needed_java


def _run(settings: Settings, *arguments: str, **more: str) -> tuple[int, str]:
    environment = {
        **os.environ,
        "GRAPHZSL_HOME": str(settings.home),
        "GRAPHZSL_BOLT_PORT": str(settings.bolt_port),
        "GRAPHZSL_HTTP_PORT": str(settings.http_port),
        "GRAPHZSL_HEAP": settings.heap,
        **more,
    }
    done = subprocess.run(
        [sys.executable, "-m", "graphzsl", *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr
    return done.returncode, done.stderr


@pytest.mark.usefixtures("known")
def test_a_lost_password_is_replaced_secrets_stay_out_and_a_lost_home_can_be_left(
    settings: Settings,
) -> None:
    server = LocalServer(settings)
    secrets = {"AWS_SECRET": "s3cret-of-another", "JDK_JAVA_OPTIONS": "-Xmx64m"}
    assert _run(settings, "db", "start", **secrets)[0] == 0
    state = server.state()
    assert state
    given = psutil.Process(state.pid).environ()
    assert given["PATH"] == os.environ["PATH"]
    assert not {*secrets, "GRAPHZSL_HOME"} & given.keys()
    assert list(temporary_folder(server.home).iterdir()), "Jetty's folder, which a kill leaves"
    with connect(settings) as database:
        database.write((query("merge_words"), {"texts": ["kept"]}))
        identity = database.identity()
    lost = server.password()
    (server.home / "password").unlink()
    status, said = _run(settings, "db", "start")
    assert status == 1
    assert "`graphzsl db password --reset`" in said

    status, said = _run(settings, "db", "password", "--reset")
    assert (status, "has a new password" in said) == (0, True)
    assert server.state() is None
    assert server.password() != lost
    with connect(settings) as database:
        assert database.rows(query("unknown_words"), texts=["kept"]) == []
        assert database.identity() == identity
    assert not list((server.home / "data").glob(".*"))

    state = server.state()
    assert state
    shutil.rmtree(server.home)
    status, said = _run(settings, "db", "status")
    assert status == 1
    assert f"Process {state.pid} is a server of {server.home}" in said
    assert "`graphzsl db stop` ends it" in said
    assert _run(settings, "db", "stop") == (0, "Stopped.\n")
    assert find_server(server.home) is None


def test_a_reset_without_a_server_says_so(settings: Settings) -> None:
    with pytest.raises(ServerError, match=r"No local server was started .* db start"):
        LocalServer(settings).reset_password()


@pytest.mark.parametrize("kept", ["nothing", "transactions", "both"])
def test_a_reset_that_was_killed_in_between_is_a_lost_password(
    settings: Settings, known: None, kept: str
) -> None:
    """Never a server with an old password and a new file, or the other way round."""
    server = LocalServer(settings)
    (server.home / "password").unlink()
    (server.home / "data/dbms/auth.ini").unlink(missing_ok=True)
    for part in {"nothing": (), "transactions": ("databases",), "both": ("x",)}[kept]:
        shutil.rmtree(server.data / part / "system", ignore_errors=True)
    if kept == "nothing":
        shutil.rmtree(server.data / "transactions" / "system")
    if (server.data / "databases" / "system").exists():
        with pytest.raises(ServerError, match="db password --reset"):
            server.password()


def test_javas_environment_is_a_list_of_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "HF_TOKEN", "NEO4J_X"):
        monkeypatch.setenv(name, "x")
    monkeypatch.setenv("LC_TIME", "C")
    monkeypatch.setenv("TMPDIR", "/var/tmp")
    found = clean_environment()
    assert {"PATH", "LC_TIME", "TMPDIR"} <= found.keys()
    assert "x" not in found.values()


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("Terminating due to java.lang.OutOfMemoryError: Java heap space", "GRAPHZSL_HEAP to more"),
        ("Invalid maximum heap size: -Xmx1", "takes no heap of 256m"),
        ("Could not reserve enough space for 99g object heap", "less, for example to 512m"),
        ("java.io.IOException: No space left on device", "is full"),
        ("java.nio.file.AccessDeniedException: /x", "may not write"),
        ("UnsupportedLogVersionException: entries with prefix 32", "newer Neo4j"),
        ("all is well", ""),
    ],
)
def test_why_a_server_ended_is_one_sentence(
    settings: Settings, written: str, expected: str
) -> None:
    log = ServerLog(settings.server_home)
    log.path.parent.mkdir(parents=True)
    log.path.write_text(f"before\n{written}\nat x.y.Z\n")
    reason = log.reason(settings)
    assert expected in reason
    assert bool(reason) == bool(expected)
    assert "\n" not in reason


def test_an_unpacked_neo4j_says_its_main_class_and_its_java(
    settings: Settings, tmp_path: Path
) -> None:
    assert (entry_point(None), needed_java(None)) == (ENTRY_POINT, 17)
    homes = {}
    for name, files in {
        "old": {"META-INF/MANIFEST.MF": "Build-Jdk-Spec: 17\n"},
        "new": {
            "META-INF/MANIFEST.MF": "Build-Jdk-Spec: 21\n",
            "META-INF/services/org.neo4j.server.startup.EntryPoint": "# x\norg.neo4j.server.Own\n",
        },
    }.items():
        homes[name] = tmp_path / name
        (homes[name] / "lib").mkdir(parents=True)
        with zipfile.ZipFile(homes[name] / "lib" / "neo4j-9.1.jar", "w") as jar:
            for path, text in files.items():
                jar.writestr(path, text)
    assert (entry_point(homes["old"]), needed_java(homes["old"])) == (ENTRY_POINT, 17)
    assert (entry_point(homes["new"]), needed_java(homes["new"])) == ("org.neo4j.server.Own", 21)
    own = replace(settings, neo4j_home=homes["new"])
    assert "org.neo4j.server.Own" in command(own, own.server_home, Path("java"), "jars")
    assert "server.fleet_discovery.enabled=false" in configuration(own, 1, 2)
    old = replace(settings, neo4j_home=homes["old"])
    assert "fleet" not in configuration(old, 1, 2), "Neo4j 5 does not know it"
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "neo4j-9.2.jar").write_bytes(b"no jar")
    with pytest.raises(ServerError, match=r"neo4j-9\.2\.jar of NEO4J_HOME is damaged"):
        entry_point(tmp_path)


def test_a_server_is_started_again_once_and_only_when_it_is_lost() -> None:
    restarts: list[int] = []
    lost = True

    def fails() -> None:
        raise DatabaseError("lost")

    revival = Revival(lambda: lost, lambda: restarts.append(1))
    tries = iter((fails, lambda: None))
    revival.repeat(lambda: next(tries)())
    assert restarts == [1]
    with pytest.raises(DatabaseError, match="lost"):
        revival.repeat(fails)
    assert restarts == [1]
    lost = False
    with pytest.raises(DatabaseError, match="lost"):
        Revival(lambda: lost, lambda: restarts.append(2)).repeat(fails)
    assert restarts == [1]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root can be another user")
def test_a_home_that_may_not_be_written_is_one_line(tmp_path: Path) -> None:
    """As another user, whom permissions bind."""
    text = (
        "import os, sys\n"
        "from pathlib import Path; from dataclasses import replace\n"
        "from graphzsl.common.settings import Settings\n"
        "from graphzsl.database.server import LocalServer\n"
        "from graphzsl.common.errors import ServerError\n"
        "os.setgid(65534); os.setuid(65534)\n"
        "try: LocalServer(replace(Settings(), home=Path(sys.argv[1]))).start()\n"
        "except ServerError as error: print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", text, "/proc/nowhere"], capture_output=True, text=True, check=False
    )
    if not done.stdout and "Permission" in done.stderr:
        pytest.skip("the package cannot be read by another user here")
    assert "cannot hold the local server" in done.stdout, done.stderr
    assert "Set GRAPHZSL_HOME" in done.stdout


def test_a_server_without_memory_says_so(settings: Settings) -> None:
    """A statement that needs more than Java may take ends the server, and its second start too."""
    small = replace(settings, heap="100m")
    many = "UNWIND range(1, 3000000) AS i WITH collect(toString(i) + 'aaaaaaaaaaa') AS c"
    with (
        connect(small) as database,
        pytest.raises(DatabaseError, match=r"ran out of memory\. Set GRAPHZSL_HEAP to more than"),
    ):
        database.query(f"{many} RETURN size(c) AS size")


def test_a_server_that_ends_while_it_is_waited_for_is_followed_by_another(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is alive, gives no answer, and is killed: by another command, or by the machine."""
    first = LocalServer(settings).start()
    process = psutil.Process(first.pid)
    process.suspend()
    wait = LocalServer._wait_until_ready

    def killed_now(self: LocalServer, state: ServerState, *own: Any) -> ServerState:
        if state.pid == process.pid:
            process.kill()
            process.wait()
        return wait(self, state, *own)

    monkeypatch.setattr(LocalServer, "_wait_until_ready", killed_now)
    second = LocalServer(settings).start()
    assert not process.is_running()
    assert second.pid != first.pid
    with connect(settings) as database:
        assert database.query("RETURN 1 AS one") == [{"one": 1}]


@pytest.mark.usefixtures("known")
def test_a_server_lost_while_its_home_is_locked_is_started_again_under_that_lock(
    settings: Settings,
) -> None:
    """A second lock on the same file, in the same process, would be waited for for ever."""
    server = LocalServer(settings)
    first = server.start()

    def is_wanted(database: Database) -> bool:
        process = psutil.Process(first.pid)
        process.kill()
        process.wait()
        return database.query("RETURN 1 AS one") == [{"one": 1}]

    with server.offline(is_wanted) as copy:
        assert copy is not None
        assert server.state() is None, "the one that was started again is stopped"


@pytest.mark.usefixtures("known")
def test_what_a_killed_load_left_of_the_old_data_goes_at_the_next_start(settings: Settings) -> None:
    """It is killed when the new data have taken their place, before the old are removed."""
    server = LocalServer(settings)
    text = (
        "import os, shutil, sys\n"
        "from pathlib import Path\n"
        "from graphzsl.common import atomic\n"
        "atomic._remove = lambda path: os._exit(9)\n"
        "with atomic.exchanged_folder(Path(sys.argv[1])) as copy:\n"
        "    shutil.copytree(sys.argv[1], copy, dirs_exist_ok=True)\n"
    )
    command = [sys.executable, "-c", text, str(server.data)]
    assert subprocess.run(command, check=False).returncode == 9
    (left,) = server.home.glob(".data.*")
    assert (left / "databases" / "neo4j").is_dir(), "the old data"
    server.start()
    assert list(server.home.glob(".data.*")) == []


def test_a_password_file_open_to_others_is_closed_and_a_reset_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "password"
    path.write_text("a password\n")
    path.chmod(0o644)
    assert PasswordFile(tmp_path).read() == "a password"
    assert path.stat().st_mode & 0o777 == 0o600
    said = " ".join(capsys.readouterr().err.split())
    assert "was open to other users (mode 644); it is private again." in said
    assert "`graphzsl db password --reset`" in said
    PasswordFile(tmp_path).read()
    assert capsys.readouterr().err == ""


def test_the_java_of_java_home_gets_no_secrets_when_it_says_its_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.write_text(
        "#!/bin/sh\n"
        f'echo "$OF_ANOTHER_TOOL$NEO4J_PASSWORD" > "{tmp_path}/seen"\n'
        "echo '    java.specification.version = 21' >&2\n"
    )
    java.chmod(0o755)
    monkeypatch.setenv("OF_ANOTHER_TOOL", "SECRET")
    monkeypatch.setenv("NEO4J_PASSWORD", "SECRET")
    assert find_java(replace(Settings(), java_home=tmp_path)) == java
    assert (tmp_path / "seen").read_text() == "\n"
