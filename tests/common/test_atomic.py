"""Files and folders hold the old or the new, whenever their writer is killed, and errors of the
system are one line."""

from __future__ import annotations

import errno
import io
import itertools
import json
import multiprocessing
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from graphzsl.common import DatabaseError, DataError, ModelError, atomic, files

#: What they share is prepared at length, once on one worker.
pytestmark = pytest.mark.xdist_group("test_atomic")

#: The calls of the system that change what a folder holds.
CALLS = ("open", "mkdir", "rename", "replace", "chmod", "fsync", "unlink", "rmdir")


def _described(text: str, *names: str) -> dict[str, str]:
    """The content of a folder: files that hold one word, and the manifest that lists them."""
    listed = json.dumps({"of": text, "files": dict.fromkeys(names, "")})
    return {"manifest.json": listed, **dict.fromkeys(names, text)}


OLD = _described("old", "a/1", "2", "only old")
NEW = _described("new", "a/1", "2", "b/c/only new")


def _fill(folder: Path, content: dict[str, str]) -> None:
    for name, text in content.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def _content(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): path.read_text()
        for path in folder.rglob("*")
        if path.is_file()
    }


def _write_folder(path: Path, content: dict[str, str]) -> None:
    with atomic.atomic_folder(path) as partial:
        _fill(partial, content)


#: Its children are forks of a process that has imported this file alone: a fork of the process of
#: the tests, which has imported everything, takes a hundred times as long.
FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload([__name__])


def _is_killed(step: int, work: Callable[[], None], exchange: bool = True) -> bool:
    """Run the work in a child that kills itself before (even steps) or after (odd ones) its call
    ``step // 2``."""
    child = FORKS.Process(target=_deadly_work, args=(step, work, exchange))
    child.start()
    child.join()
    assert child.exitcode in (0, -signal.SIGKILL), f"the writer failed at step {step}"
    return child.exitcode != 0


def _deadly_work(step: int, work: Callable[[], None], exchange: bool) -> None:
    status = 1
    try:
        _arm(step, exchange)
        work()
        status = 0
    finally:
        os._exit(status)


def _arm(step: int, exchange: bool) -> None:
    count = itertools.count()

    def deadly(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            number = next(count)
            if step == 2 * number:
                os.kill(os.getpid(), signal.SIGKILL)
            try:
                return function(*arguments, **options)
            finally:
                if step == 2 * number + 1:
                    os.kill(os.getpid(), signal.SIGKILL)

        return call

    for name in CALLS:
        setattr(os, name, deadly(getattr(os, name)))
    io.open = deadly(io.open)  # type: ignore[assignment]
    atomic._exchange = deadly(atomic._exchange) if exchange else lambda first, second: False


@pytest.mark.parametrize("exchange", [True, False], ids=["in one step", "in two renames"])
@pytest.mark.thorough("commands that are stopped or killed")
def test_a_folder_holds_the_old_or_the_new_wherever_its_writer_is_killed(
    tmp_path: Path, exchange: bool
) -> None:
    seen = []
    for step in itertools.count():
        path = tmp_path / str(step) / "folder"
        _write_folder(path, OLD)
        if not _is_killed(step, partial(_write_folder, path, NEW), exchange):
            break
        if not exchange and not path.exists():
            assert files.read_json(path / files.MANIFEST)["of"] in (
                "old",
                "new",
            ), "a reader puts it back"
        seen.append(_content(path))
        assert seen[-1] in (OLD, NEW), step
        if step % 2:
            _write_folder(path, NEW)
            assert _content(path) == NEW
            assert [entry.name for entry in path.parent.iterdir()] == ["folder"], (
                "what the dead writer left is gone"
            )
    assert seen.count(OLD) > 20, "kills before the exchange"
    assert seen.count(NEW) > 10, "kills after the exchange"
    assert seen == sorted(seen, key=lambda content: content == NEW), "once it is new it stays new"


@pytest.mark.thorough("commands that are stopped or killed")
def test_a_file_holds_the_old_or_the_new_wherever_its_writer_is_killed(tmp_path: Path) -> None:
    seen = []
    for step in itertools.count():
        path = tmp_path / str(step) / "file.json"
        files.write_text(path, "old")
        if not _is_killed(step, partial(files.write_text, path, "new")):
            break
        seen.append(path.read_text())
        if step % 2:
            files.write_text(path, "newer")
            assert [entry.name for entry in path.parent.iterdir()] == ["file.json"]
    assert set(seen) == {"old", "new"}


def test_what_living_writers_are_writing_stays(tmp_path: Path) -> None:
    path = tmp_path / "folder"
    with subprocess.Popen(["sleep", "60"]) as other:
        theirs = tmp_path / f".folder.{atomic._HOST}-{other.pid}.0123abcd.part"
        elsewhere = tmp_path / f".folder.another_machine-{other.pid}.0123abcd.part"
        similar = tmp_path / f".folder2.{atomic._HOST}-{other.pid}.0123abcd.part"
        for folder in (theirs, elsewhere, similar):
            _fill(folder, NEW)
        with atomic.atomic_folder(path) as outer:
            _fill(outer, OLD)
            _write_folder(path, NEW)  # another writer of this process
        assert _content(path) == OLD
        assert all(_content(folder) == NEW for folder in (theirs, elsewhere, similar))
        other.kill()
    _write_folder(path, NEW)
    assert not theirs.exists(), "its writer has died"
    assert elsewhere.exists()
    assert similar.exists()


def test_one_exchange_is_one_step_of_the_system(tmp_path: Path) -> None:
    if sys.platform != "linux":
        pytest.skip("renameat2 is Linux's")
    for name in ("a", "b"):
        _fill(tmp_path / name, {"name": name})
    assert atomic._exchange(tmp_path / "a", tmp_path / "b")
    assert _content(tmp_path) == {"a/name": "b", "b/name": "a"}
    with pytest.raises(OSError, match="No such file") as caught:
        atomic._exchange(tmp_path / "a", tmp_path / "c")
    assert caught.value.errno == errno.ENOENT


@pytest.mark.parametrize("place", ["/proc/x.txt", "/sys/x.txt", "/etc/passwd/x.txt", "."])
def test_where_nothing_can_be_written_is_one_line(place: str) -> None:
    with pytest.raises(DataError, match=rf"^{place} ") as caught:
        files.write_text(Path(place), "text")
    assert "\n" not in str(caught.value)
    with pytest.raises(DataError, match=rf"^{place} "):
        _write_folder(Path(place), NEW)


def test_what_is_no_file_is_not_replaced_by_one(tmp_path: Path) -> None:
    """A named pipe stands for the devices: to the superuser, /dev/null could be replaced as
    well."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(
        DataError, match=r"pipe is a device or the like; the name of a file was expected"
    ):
        files.write_text(tmp_path / "pipe", "text")
    assert (tmp_path / "pipe").is_fifo()


def test_a_full_disk_is_one_line_and_the_old_file_stays(tmp_path: Path) -> None:
    """A limit on the size of files stands for the full disk: the same call of the system fails,
    without a name."""
    path = tmp_path / "file.txt"
    files.write_text(path, "old")
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        try:
            files.write_text(path, "new" * 1000)
        except DataError as error:
            os._exit(
                7 if str(error).startswith(f"{path} cannot be written: File too large.") else 8
            )
        finally:
            os._exit(9)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    assert [entry.name for entry in tmp_path.iterdir()] == ["file.txt"]
    assert path.read_text() == "old"


def test_an_error_of_another_file_is_not_said_of_the_target(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), atomic.atomic_write(tmp_path / "out.txt"):
        Path("/nonexistent/input").read_text()


@pytest.mark.parametrize(
    "error",
    [
        DatabaseError("The server's disk is full: No space left on device."),
        ModelError("Disk quota exceeded (os error 122)"),
        RuntimeError("Neo.TransientError: java.io.IOException: No space left on device"),
        OSError(errno.ENOSPC, "No space left on device", "/elsewhere/data"),
    ],
)
def test_a_full_disk_of_somebody_else_is_not_said_of_the_target(
    error: Exception, tmp_path: Path
) -> None:
    """A server's, another file's: the error passes as it is."""
    with pytest.raises(type(error)) as caught, atomic.atomic_write(tmp_path / "out.txt"):
        raise error
    assert caught.value is error
    with pytest.raises(type(error)) as caught, atomic.atomic_folder(tmp_path / "out"):
        raise error
    assert caught.value is error


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.EDQUOT, "Disk quota exceeded"),
        shutil.Error([("a", "b", "[Errno 122] Disk quota exceeded")]),
        RuntimeError("I/O error: Disk quota exceeded (os error 122)"),
    ],
)
def test_a_quota_is_no_full_disk(error: Exception, tmp_path: Path) -> None:
    said = r"cannot be written: your quota of the disk is used up \(Disk quota exceeded\)\. Free"
    with pytest.raises(DataError, match=said), atomic.atomic_write(tmp_path / "out.txt"):
        raise error


@pytest.mark.parametrize("own", ["notes.txt", "a/notes.txt", ".hidden", "mine/deep/notes.txt"])
def test_a_folder_with_files_of_somebody_else_is_not_replaced(tmp_path: Path, own: str) -> None:
    path = tmp_path / "out"
    _write_folder(path, OLD)
    _write_folder(path, NEW)
    _fill(path, {own: "mine"})
    before = _content(path)
    first = "mine" if own.startswith("mine") else own
    with pytest.raises(DataError, match=re.escape(first)) as caught, atomic.atomic_folder(path):
        pytest.fail("the work began")
    assert "which graphzsl did not write" in str(caught.value)
    assert "Move it away, or name another folder" in str(caught.value)
    assert _content(path) == before


def _write_while(path: Path, content: dict[str, str], own: dict[str, str]) -> None:
    with atomic.atomic_folder(path) as partial:
        _fill(partial, content)
        _fill(path, own)


def test_a_file_that_comes_while_the_new_folder_is_written_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "out"
    _write_folder(path, OLD)
    with pytest.raises(DataError, match=r"notes\.txt"):
        _write_while(path, NEW, {"notes.txt": "mine"})
    assert _content(path) == {**OLD, "notes.txt": "mine"}


def test_the_root_is_no_place_to_write() -> None:
    with pytest.raises(DataError, match="/ cannot be written"):
        atomic.check_writable(Path("/"))
