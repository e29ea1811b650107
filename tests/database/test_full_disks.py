"""The disk of the server's data becomes full: one line says so, nothing that was acknowledged is
lost, and with space on it the same command goes through."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from graphzsl.common import GraphZSLError, Settings
from graphzsl.common.errors import ServerError
from graphzsl.database import (
    Database,
    LocalServer,
    bulk_import,
    connect,
    delete_class_set,
    ingest,
    query,
)
from graphzsl.database.class_sets import put_class_set
from graphzsl.database.processes import end_server
from graphzsl.splits import hop_split
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
def settings(disk: Path, settings: Settings) -> Settings:
    return replace(settings, home=disk, heap="2g")


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


def _store_split(database: Database) -> None:
    hop_split(database, 2, train="train", universe="universe").store(database, "two")


def _stored_sets(database: Database) -> Iterator[str]:
    """Names of class sets, each once it is acknowledged, until the disk is full."""
    for number in range(200):
        properties = {"kind": "list", "note": "x" * 9_000}
        put_class_set(database, f"set {number}", MiniWordNet().universe(), properties)
        yield f"set {number}"


def _damaged(error: BaseException, data: Path) -> None:
    said = str(error)
    assert "cannot open its database, and was stopped: its log of transactions is damaged" in said
    assert f"Put a copy of {data} " in said
    assert "move that folder away and load again" in said


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize("free", [0, 64 << 10])
def test_a_disk_that_is_full_for_class_sets_splits_and_paint(
    settings: Settings, disk: Path, free: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With space again all that was acknowledged is there. The server that has closed its database
    is killed, which a healthy one is not."""
    mini, killed = MiniWordNet(), []

    def end(*given: Any, kill: bool) -> bool:
        killed.append(kill)
        return end_server(*given, kill=kill)

    monkeypatch.setattr("graphzsl.database.server.end_server", end)
    with connect(settings) as database:
        load_mini(database, mini)
        hop_split(database, 3, train="train", universe="universe").store(database, "painted")
        before = state(database)
    acknowledged: list[str] = []
    with connect(settings) as database:
        fill(disk, free)
        with pytest.raises(GraphZSLError) as error:
            acknowledged.extend(_stored_sets(database))
        _one_line(error.value, disk)
        for write in (_store_split, lambda database: paint(database, "painted")):
            with pytest.raises(GraphZSLError) as error:
                write(database)
            _one_line(error.value, disk)
    (disk / "ballast").unlink()
    assert LocalServer(settings).stop()
    assert killed == [True]
    with connect(settings) as database:
        for name in acknowledged:
            rows = database.rows(query("member_wnids"), class_set=name)
            assert [row["wnid"] for row in rows] == mini.universe()
            delete_class_set(database, name)
        assert state(database) == before
        _store_split(database)
        paint(database, "painted")
        clear_paint(database)
        exact(database, mini)
    assert LocalServer(settings).stop()
    assert killed == [True, False]


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


@pytest.mark.usefixtures("known")
def test_a_torn_log_of_transactions_is_refused_and_stays_as_it_is(settings: Settings) -> None:
    """As a full disk leaves it: half of a transaction, and bytes behind it. Transactions that were
    acknowledged may lie behind the damage."""
    server = LocalServer(settings)
    (torn,) = (server.data / "transactions" / "neo4j").glob("neostore.transaction.db.*")
    with torn.open("ab") as file:
        file.write(bytes(range(1, 200)) * 20)
    whole = torn.read_bytes()
    with pytest.raises(ServerError) as error:
        server.start()
    _damaged(error.value, server.data)
    assert server.state() is None
    assert torn.read_bytes() == whole
