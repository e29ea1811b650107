"""Work handed to processes of Dask: the same results as in one process, in their order, though one
of them is killed in the middle."""

from __future__ import annotations

import bz2
import json
import logging
import os
import shutil
import signal
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from PIL import Image

from graphzsl.analysis.words import texts
from graphzsl.analysis.words.counting import Patterns, _count_part, _Shared, count_labels
from graphzsl.cli import main
from graphzsl.common import DataError, SettingsError, cluster
from graphzsl.common.cluster import Workers, connected
from graphzsl.data import save_samples
from tests.analysis.test_words import LABELS, MORPHOLOGY
from tests.problems import mini_samples, save_experiment

dask = pytest.importorskip("dask", reason="the extra cluster is not installed")


pytestmark = pytest.mark.thorough("several processes at work together")


@pytest.fixture
def address(two: Any) -> str:
    """The scheduler of two processes that wait for work, both of them: the one that a test killed
    is replaced."""
    two.wait_for_workers(2, timeout=60)
    return str(two.scheduler_address)


@pytest.fixture(scope="module")
def two() -> Iterator[Any]:
    """Two processes, until the module ends; of a scheduler that anybody may use, as
    `dask scheduler` is."""
    import distributed

    with (
        dask.config.set({"distributed.worker.daemon": False}),
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            memory_limit=None,
            silence_logs=logging.CRITICAL,
        ) as started,
    ):
        yield started


@pytest.fixture
def killing(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], list[int]]:
    """Kills (SIGKILL) one worker when so many results have come; the list has its process."""
    original = Workers._result
    seen: list[object] = []
    killed: list[int] = []

    def after(results: int) -> list[int]:
        def watched(self: Workers, future: Any) -> Any:
            found = original(self, future)
            seen.append(found)
            if len(seen) == results:
                killed.append(min(self.client.run(os.getpid).values()))
                os.kill(killed[0], signal.SIGKILL)
            return found

        monkeypatch.setattr(Workers, "_result", watched)
        return killed

    return after


def _square(shared: Any, number: int) -> int:
    time.sleep(0.01)
    return shared[0] + number**2


def _refuse(_: Any, number: int) -> int:
    if number == 3:
        raise DataError("line 3 of x.txt is empty.", argument="text")
    if number == 5:
        raise TimeoutError("its own")
    time.sleep(0.2 if number > 5 else 0)
    return number


def test_results_come_in_order_though_a_worker_is_killed(
    address: str, killing: Callable[[int], list[int]]
) -> None:
    killed = killing(5)
    with connected(address) as workers:
        found = list(workers.map(_square, range(40), "squares", shared=[7]))
    assert found == [7 + number**2 for number in range(40)]
    assert killed
    with pytest.raises(ProcessLookupError):
        os.kill(killed[0], 0)


def test_what_a_task_raises_ends_the_others(address: str) -> None:
    with connected(address) as workers:
        with pytest.raises(DataError, match=r"line 3 of x.txt is empty\.") as error:
            list(workers.map(_refuse, [0, 1, 3, 6, 7, 8, 9, 10], "tasks"))
        assert error.value.argument == "text"
        with pytest.raises(TimeoutError, match="its own"):
            list(workers.map(_refuse, [5], "tasks"))
        results = workers.map(_refuse, [0, *range(10, 40)], "tasks")
        assert next(results) == 0
        results.close()  # as after Ctrl-C
        deadline = time.monotonic() + 10
        while any(workers.client.processing().values()) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert not any(workers.client.processing().values())
        assert "graphzsl-" not in str(workers.client.run(_keys))


def _keys() -> list[str]:
    return list(cluster._shared)


def _die(_: Any, number: int) -> int:
    os._exit(9)


def test_a_task_that_ends_every_worker_is_named() -> None:
    """In processes of its own: it would leave the others without workers for a while."""
    # its import brings the settings that ``set`` changes, and would else take away again
    import_module("distributed")
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 1}),
        connected("local:1") as workers,
        pytest.raises(SettingsError, match="ended 2 workers"),
    ):
        list(workers.map(_die, [1], "tasks"))


@pytest.mark.parametrize(
    "where", ["", "local", "local:0", "local:x", "host:8786", "http://host:8786", "tcp://host"]
)
def test_what_names_no_scheduler(where: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"names no scheduler\. Give local:N"):
        cluster.check_scheduler(where)
    (tmp_path / "a.txt").write_text("a dog")
    given = [
        "study",
        "frequencies",
        "count",
        str(tmp_path / "a.txt"),
        "--out",
        str(tmp_path / "o.csv"),
    ]
    done = CliRunner().invoke(main, [*given, "--scheduler", where])
    assert (done.exit_code, "names no scheduler" in done.output) == (2, True)


def test_where_nobody_answers() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        began = time.monotonic()
        with (
            pytest.raises(SettingsError, match=rf"{port}: no scheduler answers within 1 s"),
            connected(f"tcp://127.0.0.1:{port}", timeout=1),
        ):
            pass
    assert time.monotonic() - began < 8
    with (
        pytest.raises(SettingsError, match=r"no scheduler answers .* Start one with `dask sched"),
        connected(f"tcp://127.0.0.1:{port}", timeout=1),
    ):
        pass


def test_other_versions_are_refused(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "__version__", "0.0.1")
    said = r"worker tcp://127.0.0.1:\d+ has graphzsl [\d.\w]+, this is 0.0.1\. Install one version"
    with pytest.raises(SettingsError, match=said), connected(address):
        pass


# counting


def _page(number: int, text: str) -> str:
    return (
        f"<page><title>P{number}</title><ns>0</ns><id>{number}</id>"
        f"<revision><text>{text}</text></revision></page>"
    )


def _multistream(path: Path, streams: int = 12) -> Path:
    """A dump in streams of two pages, and its index."""
    random = np.random.default_rng(0)
    words = ["dog", "hot dog", "geese", "glass", "[[crane]]", "{{box|dog}}", "x"]
    content = bz2.compress(b"<mediawiki><siteinfo></siteinfo>")
    lines = []
    for stream in range(streams):
        pages = [
            _page(number, " ".join(random.choice(words, 30)))
            for number in (2 * stream, 2 * stream + 1)
        ]
        lines += [f"{len(content)}:{2 * stream + place}:P:{stream}" for place in (0, 1)]
        content += bz2.compress("".join(pages).encode())
    path.write_bytes(content + bz2.compress(b"</mediawiki>"))
    index = path.with_name(path.name.replace(".xml.bz2", "-index.txt.bz2"))
    index.write_bytes(bz2.compress("\n".join(lines).encode()))
    return index


def _counts(sources: Any, **more: Any) -> dict[str, int]:
    found = count_labels(sources, LABELS, MORPHOLOGY, workers=1, **more)
    return {label: int(n) for label, n in zip(LABELS, found.counts, strict=True) if n}


def test_parts_of_a_dump_and_of_texts_are_counted_as_the_whole(
    address: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    killing: Callable[[int], list[int]],
) -> None:
    random = np.random.default_rng(1)
    words = ["hot", "dog", "dogs", "goose", "geese", "glass", "\n", "ä", "crane"]
    dump, plain = tmp_path / "w-multistream.xml.bz2", tmp_path / "a.txt"
    _multistream(dump)
    plain.write_text(" ".join(random.choice(words, 4000)))
    (tmp_path / "b.txt.bz2").write_bytes(bz2.compress(plain.read_bytes()[:5000]))
    sources = [dump, plain, tmp_path / "b.txt.bz2"]
    patterns = Patterns(LABELS, MORPHOLOGY)
    shared, counts = _Shared(patterns.forms, False), np.zeros(len(patterns.forms), dtype=int)
    for source in sources:
        _, forms, times = _count_part(shared, texts.find_text(str(source)))
        counts[forms] += times
    found = patterns.of_labels(counts)
    whole = {label: int(n) for label, n in zip(LABELS, found, strict=True) if n}
    assert min(whole[label] for label in ("dog", "hot dog", "goose")) > 100
    monkeypatch.setattr(texts, "PART", 1500)
    monkeypatch.setattr(texts, "STREAMS", 400)
    assert len(texts.parts_of([texts.find_text(str(each)) for each in sources])) > 15
    killed = killing(4)
    state = tmp_path / "state"
    assert _counts(sources, scheduler=address, state=state) == whole
    assert killed
    assert not state.exists()


def test_an_interrupted_count_goes_on_at_its_part(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, state = tmp_path / "a.txt", tmp_path / "state"
    plain.write_text("a hot dog and geese\n" * 400)
    monkeypatch.setattr(texts, "PART", 500)
    original, seen = Workers._result, []

    def broken(self: Workers, future: Any) -> Any:
        seen.append(1)
        if len(seen) == 6:
            raise KeyboardInterrupt
        return original(self, future)

    with monkeypatch.context() as patch:
        patch.setattr(Workers, "_result", broken)
        with pytest.raises(KeyboardInterrupt):
            _counts(plain, scheduler=address, state=state)
    assert state.exists()
    seen.clear()
    monkeypatch.setattr(
        Workers, "_result", lambda self, future: (seen.append(1), original(self, future))[1]
    )
    assert _counts(plain, scheduler=address, state=state) == _counts(plain)
    assert len(seen) == 16 - 5


@pytest.mark.parametrize("part", [1, 7, 64, 1000])
def test_parts_of_a_text_are_its_words_once(
    part: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Borders in words, in signs of several bytes, and at white space."""
    plain = tmp_path / "a.txt"
    text = "hot dog ä geese\nhot\ndog hot dog x  geese ßß dog " * 5
    plain.write_text(text)
    monkeypatch.setattr(texts, "AHEAD", 20)
    parts = texts.parts_of([texts.find_text(str(plain))], part)
    own = [chunk for each in parts for chunk in each.chunks()]
    assert "".join(each for each, *_ in own) == text
    for place, (_, following, *_) in enumerate(own[:-1]):
        rest = "".join(each for each, *_ in own[place + 1 :])
        assert following
        assert rest.startswith(following)


def test_an_index_of_another_dump_is_refused(tmp_path: Path) -> None:
    dump = tmp_path / "w-multistream.xml.bz2"
    index = _multistream(dump)
    text = texts.find_text(str(dump))
    assert text.index == str(index)
    lines = bz2.decompress(index.read_bytes())
    for damaged, said in {
        b"x:1:a\n" + lines: r"index.txt.bz2:1: expected OFFSET:PAGE:TITLE.*got b'x:1:a",
        lines + b"\n5:1:a": r"index.txt.bz2:25: a stream at byte 5 of",
        lines
        + b"\n99999999:1:a": r":25: a stream at byte 99,999,999 of .* the index is of another",
        b"": "names no stream",
    }.items():
        index.write_bytes(bz2.compress(damaged))
        with pytest.raises(DataError, match=said):
            texts.parts_of([text])
    index.write_bytes(b"no bzip2")
    with pytest.raises(DataError, match="the index cannot be read"):
        texts.parts_of([text])
    index.write_bytes(bz2.compress(b"7:1:a\n9:1:a"))
    with pytest.raises(DataError, match=r"no stream begins at byte 7, as .*index.txt.bz2 says"):
        list(texts.parts_of([text])[0].chunks())


def test_a_damaged_dump_or_index_is_not_read_as_a_shorter_one(tmp_path: Path) -> None:
    """Python ends at a bzip2 stream whose beginning is damaged as if nothing followed, and pages
    before the first stream of an index are in no part."""
    dump = tmp_path / "w-multistream.xml.bz2"
    index = _multistream(dump)
    text = texts.find_text(str(dump))
    whole = dump.read_bytes()
    offsets = sorted(
        {int(each.split(b":")[0]) for each in bz2.decompress(index.read_bytes()).split(b"\n")}
    )
    at = offsets[3]
    dump.write_bytes(whole[:at] + b"X" + whole[at + 1 :])
    with pytest.raises(DataError, match="the streams cannot be unpacked"):
        list(texts.parts_of([text])[0].chunks())
    dump.write_bytes(whole)
    lines = bz2.decompress(index.read_bytes()).split(b"\n")
    later = [each for each in lines if int(each.split(b":")[0]) >= at]
    index.write_bytes(bz2.compress(b"\n".join(later)))
    with pytest.raises(DataError, match=rf"its first stream is at byte {at:,} of .*, behind pages"):
        texts.parts_of([text])


def test_texts_of_other_file_systems(tmp_path: Path) -> None:
    """fsspec's file system in memory: another one than the machine's own."""
    import fsspec

    content = b"a hot dog and geese\n" * 50
    with fsspec.open("memory://texts/a.txt", "wb") as file:
        file.write(content)
    (tmp_path / "a.txt").write_bytes(content)
    assert _counts("memory://texts/a.txt") == _counts(tmp_path / "a.txt")
    with pytest.raises(DataError, match=r"memory://texts/b\.txt cannot be opened"):
        _counts("memory://texts/b.txt")
    with pytest.raises(DataError, match=r"nothing://a\.txt cannot be opened: Protocol not known"):
        _counts("nothing://a.txt")


def test_no_credentials_of_a_url_are_shown(tmp_path: Path) -> None:
    """A signed URL is called by its file alone, in messages and as the name in manifests."""
    import fsspec

    for url in ("ftp://user:SECRET@127.0.0.1:1/a.txt", "memory://texts/absent.txt?sig=SECRET"):
        with pytest.raises(DataError, match=r"/(a|absent)\.txt cannot be opened") as caught:
            texts.find_text(url)
        assert "SECRET" not in str(caught.value)
    signed = "memory://texts/a.txt?sig=SECRET"
    with fsspec.open(signed, "wb") as file:
        file.write(b"\0 is not text")
    found = texts.find_text(signed)
    assert found.name == "a.txt"
    with pytest.raises(DataError, match=r"^memory://texts/a\.txt is not text"):
        list(found.chunks())


# evaluation


@pytest.fixture(scope="module")
def experiment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model's classifiers with samples, and a grid of six runs."""
    folder = tmp_path_factory.mktemp("experiment")
    save_experiment(folder)
    save_samples(mini_samples(each=40, noise=1.0), folder / "images.npz")
    (folder / "grid.toml").write_text(GRID)
    return folder


GRID = """
out = "runs"
graph = "graph"
wordnet = "whole"
classifiers = "classifiers.safetensors"
seeds = [0, 1]
keep_samples = true
[semantics]
words = "embeddings.safetensors"
[splits.hidden]
of = "chosen"
hide = 0.3
[models.eszsl]
[models.closest]
[models.conse]
"""


def _invoke(*arguments: object) -> str:
    done = CliRunner().invoke(main, [str(each) for each in arguments])
    assert done.exit_code == 0, done.output
    return done.output


def _lasting(folder: Path) -> dict[str, Any]:
    """The files of a folder without the time of their writing."""
    found: dict[str, Any] = {}
    for path in sorted(folder.rglob("*")):
        if path.suffix == ".json":
            found[path.name] = {
                key: value
                for key, value in json.loads(path.read_text()).items()
                if key != "created_at"
            }
        elif path.is_file():
            found[path.name] = path.read_bytes()
    return found


def test_a_model_is_evaluated_by_several_processes(
    experiment: Path,
    address: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    killing: Callable[[int], list[int]],
) -> None:
    monkeypatch.setattr("graphzsl.audit.scored_blocks._BLOCK_SAMPLES", 256)
    words = ("evaluate", "model", experiment / "classifiers.safetensors", "--wordnet")
    options = (experiment / "whole", "--features", experiment / "images.npz", "--out")
    one, several = tmp_path / "one" / "r.json", tmp_path / "several" / "r.json"
    _invoke(*words, *options, one)
    killed = killing(2)
    _invoke(*words, *options, several, "--scheduler", address)
    assert killed
    assert _lasting(one.parent) == _lasting(several.parent)


def test_a_grid_is_run_by_several_processes(
    experiment: Path,
    address: str,
    tmp_path: Path,
    killing: Callable[[int], list[int]],
) -> None:
    folders = [tmp_path / "one", tmp_path / "several"]
    for folder in folders:
        shutil.copytree(experiment, folder)
    said = _invoke("evaluate", "grid", folders[0] / "grid.toml")
    killed = killing(3)
    shared = _invoke("evaluate", "grid", folders[1] / "grid.toml", "--scheduler", address)
    greeting, _, rest = shared.partition("\n")
    assert greeting == f"{address}: 2 workers."
    assert rest == said.replace(str(folders[0]), str(folders[1]))
    assert killed
    first, second = (_lasting(folder / "runs") for folder in folders)
    assert len(first) == 6 * 3 + 2
    assert first == second
    # nothing is left to do, so no worker is needed
    done = _invoke("evaluate", "grid", folders[1] / "grid.toml", "--scheduler", "tcp://nobody:1")
    assert "hit@1" in done


# features


def _image_files(folder: Path, each: int = 6) -> Path:
    random = np.random.default_rng(0)
    for label in ("cat", "dog", "horse"):
        (folder / label).mkdir(parents=True)
        for number in range(each):
            pixels = random.integers(0, 255, (40, 40, 3)).astype(np.uint8)
            Image.fromarray(pixels).save(folder / label / f"{number}.png")
    return folder


def test_features_are_written_by_several_processes(
    address: str, tmp_path: Path, killing: Callable[[int], list[int]]
) -> None:
    images = _image_files(tmp_path / "images")
    words = ("convert", "images", images, "--model", "test_resnet", "--random", "--batch", 2)
    one, several = tmp_path / "one", tmp_path / "several"
    _invoke(*words, "--part", 3, "--out", one)
    killed = killing(1)
    _invoke(*words, "--part", 4, "--out", several, "--scheduler", address)
    assert killed
    first, second = _lasting(one), _lasting(several)
    assert len([name for name in first if name.startswith("part-")]) == 5
    assert first == second


# what others can reach


def test_local_processes_refuse_whoever_has_not_their_key_and_show_no_pages() -> None:
    """Dask runs what it is sent, and every user of the machine reaches loopback."""
    import distributed

    with connected("local:1") as workers:
        address = workers.client.scheduler.address
        assert address.startswith("tls://127.0.0.1:")
        assert list(workers.map(_square, [3], "squares", [0])) == [9]
        for scheme in ("tcp", "tls"):
            stranger = address.replace("tls:", f"{scheme}:")
            with pytest.raises((OSError, TypeError, ValueError)):
                distributed.Client(stranger, timeout=3, set_as_default=False)
        (pages,) = workers.client.cluster.scheduler.services.values()
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(f"http://127.0.0.1:{pages.port}/status", timeout=5)
