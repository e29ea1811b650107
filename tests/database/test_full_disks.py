"""The disk of the server's data becomes full: one line says so, nothing that was acknowledged is
lost, and with space on it the same command goes through."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from graphzsl.database import bulk_import, ingest, server_log
from graphzsl.database.class_sets import class_set, put_class_set
from graphzsl.database.client import Database
from graphzsl.database.connect import connect
from graphzsl.database.library import query
from graphzsl.database.server import LocalServer
from graphzsl.database.server_log import ServerLog
from graphzsl.errors import GraphZSLError, ServerError
from graphzsl.settings import Settings, load_settings
from graphzsl.splits.hops import hop_split
from graphzsl.splits.paint import clear_paint, paint
from tests.database.state import exact, load_mini, state
from tests.database.test_wordnet_load import Many
from tests.disks import fill, mounted
from tests.mini import MiniWordNet


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    with mounted(tmp_path / "disk", "400m") as place:
        yield place


@pytest.fixture
def settings(disk: Path) -> Iterator[Settings]:
    found = replace(
        load_settings(),
        uri="",
        home=disk,
        bolt_port=19687,
        http_port=19737,
        heap="512m",
        java_home=None,
    )
    yield found
    LocalServer(found).stop()


def _one_line(error: BaseException, place: Path) -> None:
    said = str(error)
    assert "\n" not in said
    assert f"the disk of {place}" in said, said
    assert "is full. Free some of it, or set GRAPHZSL_HOME to another place." in said


def _remount(place: Path) -> None:
    command = ["mount", "-o", "remount,size=800m", str(place)]
    subprocess.run(command, check=True, capture_output=True)


@pytest.mark.usefixtures("known")
def test_a_disk_that_becomes_full_in_a_load_through_the_driver(
    settings: Settings, disk: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    many = Many()
    monkeypatch.setattr(ingest, "BATCH_ROWS", 200)
    with connect(settings) as database:
        fill(disk, 1 << 20)
        with pytest.raises(GraphZSLError) as first:
            ingest.load_wordnet(database, many)  # type: ignore[arg-type]
    _one_line(first.value, disk)
    with pytest.raises(GraphZSLError) as second, connect(settings) as database:
        ingest.load_wordnet(database, many)  # type: ignore[arg-type]
    _one_line(second.value, disk)
    _remount(disk)
    capsys.readouterr()
    with connect(settings) as database:
        assert ingest.load_wordnet(database, many)  # type: ignore[arg-type]
        exact(database, many)
    assert "has closed its database: starting it again" in " ".join(capsys.readouterr().err.split())


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize("free", [0, 1 << 20, 3 << 20])
def test_a_disk_that_is_full_for_the_importer(settings: Settings, disk: Path, free: int) -> None:
    """In the copy of the data, and in what the importer writes."""
    many = Many()
    with connect(settings) as database:
        before = state(database)
    fill(disk, free)
    with pytest.raises(GraphZSLError) as error:
        bulk_import.load_wordnet(settings, many)  # type: ignore[arg-type]
    _one_line(error.value, disk)
    assert list(LocalServer(settings).home.glob(".data.*")) == []
    _remount(disk)
    with connect(settings) as database:
        assert state(database) == before
    assert bulk_import.load_wordnet(settings, many)  # type: ignore[arg-type]
    with connect(settings) as database:
        exact(database, many)


def _split(database: Database) -> None:
    hop_split(database, 2, train="train", universe="universe").store(database, "two")


def _paint(database: Database) -> None:
    paint(database, "painted")


def _class_sets(database: Database) -> None:
    for number in range(200):
        members = MiniWordNet().universe()
        put_class_set(database, f"set {number}", members, {"kind": "list", "note": "x" * 9_000})


@pytest.mark.usefixtures("known")
def test_a_disk_that_is_full_for_splits_and_paint(settings: Settings, disk: Path) -> None:
    mini = MiniWordNet()
    with connect(settings) as database:
        load_mini(database, mini)
        split = hop_split(database, 3, train="train", universe="universe")
        split.store(database, "painted")
    for write in (_class_sets, _split, _paint):
        with connect(settings) as database:
            before = state(database)
            (disk / "ballast").unlink(missing_ok=True)
            fill(disk, 64 << 10 if write is _class_sets else 0)
            with pytest.raises(GraphZSLError) as error:
                write(database)
            _one_line(error.value, disk)
        (disk / "ballast").unlink()
        with connect(settings) as database:
            if write is not _class_sets:
                assert state(database) == before
            write(database)
    with connect(settings) as database:
        assert class_set(database, "two") is not None
        clear_paint(database)  # which are labels
        assert class_set(database, "set 199") is not None
        exact(database, mini)


@pytest.mark.usefixtures("known")
def test_no_server_starts_on_a_full_disk(settings: Settings, disk: Path) -> None:
    fill(disk, 4096)
    with pytest.raises(ServerError) as error:
        LocalServer(settings).start()
    _one_line(error.value, disk)
    assert LocalServer(settings).state() is None
    _remount(disk)
    with connect(settings) as database:
        assert database.query("RETURN 1 AS one") == [{"one": 1}]


@pytest.mark.parametrize("evidence", ["none", "refused", "old mark", "mark", "log"])
def test_a_torn_log_of_transactions_is_cut_only_where_the_disk_was_full(
    tmp_path: Path, known_home: Path, evidence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a full disk leaves it: half of a transaction, and bytes behind it. What else damages a log
    may lie before transactions that were acknowledged: that is refused."""
    settings = replace(
        load_settings(), uri="", home=tmp_path, bolt_port=19687, http_port=19737, heap="512m"
    )
    server = LocalServer(settings)
    shutil.copytree(known_home, server.home, ignore=shutil.ignore_patterns("www"))
    try:
        with connect(settings) as database:
            database.write((query("merge_words"), {"texts": ["kept"]}))
        running = server.state()
        assert running
        process = psutil.Process(running.pid)
        process.send_signal(signal.SIGKILL)
        process.wait()
        (torn,) = (server.data / "transactions" / "neo4j").glob("neostore.transaction.db.*")
        with torn.open("ab") as file:
            file.write(bytes(range(1, 200)) * 20)
        whole = torn.read_bytes()
        if evidence == "refused":  # the disk is full, and no server met it
            with monkeypatch.context() as patch:
                patch.setattr(server_log, "_FULL", 1 << 60)
                with pytest.raises(ServerError, match="is full"):
                    server.start()
        if evidence in ("mark", "old mark"):
            (server.home / "disk-was-full").touch()
        if evidence == "old mark":  # all was saved after it
            os.utime(server.home / "disk-was-full", (0, 0))
        elif evidence == "log":
            with ServerLog(server.home).debug.open("a") as log:
                log.write("java.io.IOException: No space left on device\n")
        if evidence in ("none", "refused", "old mark"):
            said = r"cannot open its database, and was stopped: its log of transactions is damaged"
            with pytest.raises(ServerError, match=said):
                server.start()
            assert server.state() is None
            assert torn.read_bytes() == whole
            return
        with connect(settings) as database:
            assert database.rows(query("unknown_words"), texts=["kept", "not"]) == [{"text": "not"}]
        assert not (server.home / "disk-was-full").exists()
        (kept,) = server.home.glob("transactions-*")
        assert (kept / torn.name).read_bytes() == whole
    finally:
        server.stop()
