"""Hugging Face's hub where it does not answer: the cache is read at once, and offline mode is left
as it was found. The hub is a server of this machine, or a port where nothing listens."""

from __future__ import annotations

import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Event, Thread

import pytest

from graphzsl.embeddings.features import hub
from graphzsl.embeddings.features.hub import hub_or_cache

huggingface_hub = pytest.importorskip("huggingface_hub")


@pytest.fixture
def asked() -> Iterator[list[str]]:
    """What a hub that has nothing was asked for; its address stands first."""
    found: list[str] = []

    class Hub(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            found.append(self.path)
            self.send_response(404)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Hub)
    found.append(f"http://127.0.0.1:{server.server_port}")
    Thread(target=server.serve_forever, daemon=True).start()
    yield found
    server.shutdown()
    server.server_close()


@pytest.fixture(autouse=True)
def silent(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No hub answers, and there is no mode of before; nobody waits."""
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(hub, "PAUSE", 0.0)
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


def _is_offline() -> bool:
    return bool(huggingface_hub.is_offline_mode())


def test_a_hub_that_answers_changes_nothing(
    asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", asked[0])
    with hub_or_cache() as has_hub:
        assert (has_hub, _is_offline()) == (True, False)
    assert asked[1:] == ["/"]


def test_without_a_hub_its_cache_is_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The one file that is in it is found, and for another one nobody waits."""
    from huggingface_hub.errors import LocalEntryNotFoundError

    folder = tmp_path / "models--some--one"
    commit = "0" * 40
    (folder / "refs").mkdir(parents=True)
    (folder / "refs" / "main").write_text(commit)
    (folder / "snapshots" / commit).mkdir(parents=True)
    (folder / "snapshots" / commit / "config.json").write_text("{}")
    monkeypatch.setattr(time, "sleep", lambda seconds: seconds and pytest.fail("it waits"))
    with hub_or_cache() as has_hub:
        assert (has_hub, _is_offline()) == (False, True)
        found = huggingface_hub.hf_hub_download("some/one", "config.json", cache_dir=tmp_path)
        assert Path(found).read_text() == "{}"
        with pytest.raises(LocalEntryNotFoundError):
            huggingface_hub.hf_hub_download("some/one", "weights", cache_dir=tmp_path)
    assert not _is_offline(), "it may answer the next time"


def test_offline_mode_is_left_as_it_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(KeyError), hub_or_cache():
        raise KeyError
    assert not _is_offline()
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setattr(hub, "_answers", lambda _: pytest.fail("the user wants no network"))
    with hub_or_cache() as has_hub:
        assert not has_hub
    assert _is_offline(), "the user's own choice"


def test_one_within_another_asks_once(monkeypatch: pytest.MonkeyPatch) -> None:
    times: list[float] = []
    monkeypatch.setattr(hub, "_answers", lambda after: times.append(after))
    with hub_or_cache():
        with hub_or_cache() as has_hub:
            assert not has_hub
        assert _is_offline(), "the outer one still needs it"
    assert not _is_offline()
    assert len(times) == 2


def test_the_last_of_several_threads_sets_it_back() -> None:
    """The first to come leaves first, while another still reads the cache."""
    first_is_in, second_is_in, first_is_out = Event(), Event(), Event()
    seen: list[bool] = []

    def first() -> None:
        with hub_or_cache():
            first_is_in.set()
            second_is_in.wait(10)
        first_is_out.set()

    def second() -> None:
        first_is_in.wait(10)
        with hub_or_cache() as has_hub:
            second_is_in.set()
            first_is_out.wait(10)
            seen.extend((has_hub, _is_offline()))

    threads = [Thread(target=each) for each in (first, second)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert seen == [False, True]
    assert not _is_offline()
