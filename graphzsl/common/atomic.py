"""Files and folders that are either whole or as they were, whenever the writing process is killed.

A writer fills ``.NAME.HOST-PID.xxxxxxxx.part`` beside its target and renames it over the target
when it is complete and on the disk. A folder that exists is exchanged with the new one in a single
step (``renameat2``); where the system cannot do that, the old one is moved to ``….old`` first, and
whoever reads or writes next repairs a kill in between. What dead writers of this machine left
behind is removed by the next writer of the same name.
"""

from __future__ import annotations

import ctypes
import errno
import os
import re
import secrets
import shutil
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from graphzsl.common.errors import DataError, GraphZSLError
from graphzsl.common.reading.json_text import parsed_json
from graphzsl.common.text_files import read_text

MANIFEST = "manifest.json"
#: Suffixes of files, which no folder that is written has: who names hc.csv expects CSV.
_OF_FILES = re.compile(
    r".*\.(arrow|bz2|ckpt|csv|docx?|feather|gz|h5|hdf5|html?|ini|ipynb|jpe?g|json|jsonl|log|mat|md|"
    r"np[yz]|onnx|parquet|pdf|pickle|pkl|png|pth?|py|rst|safetensors|sqlite|svg|tar|tex|tgz|toml|"
    r"tsv|txt|xlsx?|xml|xz|ya?ml|zip|zst)",
    re.IGNORECASE,
)
#: Leftovers of this machine are told from those of others that share the folder: their processes
#: cannot be looked up.
_HOST = re.sub(r"[^A-Za-z0-9]", "_", socket.gethostname())
#: Temporary paths that this process is writing.
_active: set[Path] = set()
#: Linux: flag of renameat2 that makes two names change places.
_RENAME_EXCHANGE = 2
_AT_FDCWD = -100
#: What the system says where a disk, or a user's share of it, is full -> what messages say.
_FULL = {errno.ENOSPC: "the disk is full", errno.EDQUOT: "your quota of the disk is used up"}
#: How libraries in Rust give the system's number, and what numpy says instead of one.
_RUST = re.compile(r"\(os error ([0-9]{1,4})\)")
_SHORT = re.compile(r"[0-9]+ requested and [0-9]+ written")


@contextmanager
def atomic_write(path: Path, private: bool = False) -> Iterator[Path]:
    """A temporary path beside ``path`` that takes its place when the block ends without an error.

    Until then, and after an error or a kill, ``path`` is as it was: no partial file ever looks
    finished. A ``private`` file can be read by its owner alone, from the beginning. Raises
    DataError naming ``path`` when the system refuses to write it.
    """
    path = Path(path)
    with writing(path), atomic_files(path, private=private) as (partial,):
        yield partial


@contextmanager
def atomic_files(*paths: Path, private: bool = False) -> Iterator[list[Path]]:
    """Temporary paths beside several files, which replace them together, in this order: each file
    is complete and on the disk before the first is moved. Write each in ``writing(path)``, which
    names the path in errors."""
    with ExitStack() as begun:
        partials = []
        for path in paths:
            with writing(path):
                partials.append(begun.enter_context(_begun(path)))
        yield partials
        for path, partial in zip(paths, partials, strict=True):
            with writing(path):
                os.chmod(partial, 0o600 if private else 0o666 & ~_umask())
                _to_disk(partial)
        for path, partial in zip(paths, partials, strict=True):
            with writing(path):
                os.replace(partial, path)


@contextmanager
def _begun(path: Path) -> Iterator[Path]:
    """An empty file of a temporary name beside ``path``."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists() and not path.is_file():
        kind = "a folder" if path.is_dir() else "a device or the like"
        raise DataError(f"{path} is {kind}; the name of a file was expected.")
    remove_leftovers(path)
    with _temporary(path) as partial:
        with os.fdopen(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)):
            pass
        yield partial


@contextmanager
def atomic_folder(path: Path) -> Iterator[Path]:
    """A temporary folder beside ``path`` that takes its place when the block ends without an error.

    An existing folder is replaced only if it is empty, or if graphzsl wrote it as the same kind of
    thing and all that is in it: see ``check_replaceable``, which a caller can call before its work
    begins.
    """
    path = Path(path)
    with writing(path):
        repair(path)
        check_replaceable(path)
        with exchanged_folder(path) as partial:
            yield partial
            check_replaceable(path, _kind(partial))


@contextmanager
def exchanged_folder(path: Path) -> Iterator[Path]:
    """A temporary folder that replaces ``path`` whatever it holds: the caller answers for its
    content."""
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        repair(path)
        remove_leftovers(path)
        with _temporary(path) as partial:
            partial.mkdir(0o700)
            yield partial
            os.chmod(partial, 0o777 & ~_umask())
            for file in sorted(partial.rglob("*")):
                _to_disk(file)
            if not path.exists():
                os.rename(partial, path)
            elif not _exchange(partial, path):
                old = partial.with_suffix(".old")
                os.rename(path, old)
                os.rename(partial, path)
                shutil.rmtree(old)


def check_writable(path: Path) -> None:
    """DataError if nothing can be written as ``path``, raised before the work whose result would be
    lost. Obstacles that only writing shows are reported then."""
    path = Path(path)
    place = next((each for each in path.absolute().parents if each.exists()), path)
    if path == place:
        raise DataError(f"{path} cannot be written: it is the root of all folders. Name another.")
    if not place.is_dir():
        raise DataError(f"{path} cannot be written: {place} is not a folder. Name another place.")
    if not os.access(place, os.W_OK | os.X_OK):
        raise DataError(
            f"{path} cannot be written: {place} may not be written to. Name another place, or make"
            " this one writable."
        )


def check_folder_name(path: Path) -> None:
    """DataError where a folder would have the name of a file."""
    if _OF_FILES.fullmatch(path.name):
        raise DataError(
            f"{path} would be a folder, and ends in {path.suffix}. Name a folder, such as"
            f" {path.with_suffix('')}."
        )


def check_replaceable(path: Path, kind: str | None = None) -> None:
    """DataError where a folder of this ``kind`` (None: any) may not take the place of ``path``.

    That is where ``path`` was not written by graphzsl or holds another kind: a graph is not
    replaced by a model. It is refused too where the folder holds a file that its manifest does not
    list: it is somebody's own, and would be lost. A folder with the name of a file is refused.
    """
    check_folder_name(path)
    if not path.exists() or (path.is_dir() and not any(path.iterdir())):
        return
    if not path.is_dir() or not (path / MANIFEST).exists():
        raise DataError(
            f"{path} exists and was not written by graphzsl. Name another folder, or move it away."
        )
    manifest = _manifest(path)
    old = manifest.get("kind")
    if old and kind and old != kind:
        raise DataError(
            f"{path} holds what graphzsl wrote as {str(old)!r}, and this would be {kind!r}. Name"
            " another folder."
        )
    own = _foreign(path, manifest)
    if own:
        more = f" and {len(own) - 1:,} more files" if len(own) > 1 else ""
        raise DataError(
            f"{path} holds {own[0]}{more}, which graphzsl did not write and which would be lost. "
            "Move it away, or name another folder."
        )


def _foreign(folder: Path, manifest: dict[str, Any]) -> list[str]:
    """Files of a folder that its manifest does not name, sorted."""
    listed = manifest.get("files")
    names = {Path(name) for name in (MANIFEST, *(listed if isinstance(listed, dict) else ()))}
    folders = {parent for name in names for parent in name.parents}
    inside = (path.relative_to(folder) for path in folder.rglob("*"))
    return sorted(str(path) for path in inside if path not in names and path not in folders)


def _kind(folder: Path) -> str | None:
    """Kind of the content of a folder, by its manifest; None if it has no readable one."""
    kind = _manifest(folder).get("kind")
    return None if kind is None else str(kind)


def _manifest(folder: Path) -> dict[str, Any]:
    try:
        manifest = parsed_json(read_text(folder / MANIFEST), MANIFEST)
    except DataError:
        return {}
    return manifest if isinstance(manifest, dict) else {}


def repair(path: Path) -> None:
    """Put a folder back that a writer was killed over after it had moved the old one aside; else do
    nothing."""
    if path.parent.is_dir() and not path.exists():
        for old in _leftovers(path, ".old"):
            complete = old.with_suffix(".part")
            os.rename(complete if complete.exists() else old, path)
            return


@contextmanager
def _temporary(path: Path) -> Iterator[Path]:
    """A name of this process beside ``path``; what is there in the end is removed."""
    partial = path.with_name(f".{path.name}.{_HOST}-{os.getpid()}.{secrets.token_hex(4)}.part")
    _active.add(partial)
    try:
        yield partial
    finally:
        _remove(partial)
        _active.discard(partial)


def remove_leftovers(path: Path) -> None:
    """Remove what dead writers of this machine left beside ``path``; a writer of that name does so
    by itself."""
    for suffix in (".part", ".old"):
        for leftover in _leftovers(path, suffix):
            _remove(leftover)


def _leftovers(path: Path, suffix: str) -> list[Path]:
    """Temporary paths of ``path`` whose writer was a process of this machine and is dead."""
    pattern = re.compile(
        rf"\.{re.escape(path.name)}\.{_HOST}-(\d+)\.[0-9a-f]{{8}}{re.escape(suffix)}"
    )
    matches = ((entry, pattern.fullmatch(entry.name)) for entry in sorted(path.parent.iterdir()))
    return [entry for entry, match in matches if match and not _is_written(entry, int(match[1]))]


def _is_written(partial: Path, pid: int) -> bool:
    if pid == os.getpid():
        return partial.with_suffix(".part") in _active
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass  # another user's process
    return True


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _to_disk(path: Path) -> None:
    """Wait until a file's content is on the disk: a name must not outlive its content when the
    machine goes down."""
    if path.is_file():
        with path.open("rb") as file:
            os.fsync(file.fileno())


def _exchange(first: Path, second: Path) -> bool:
    """Let two paths change places in one step; False where the system or the file system cannot."""
    if sys.platform != "linux":
        return False
    function = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if function is None:
        return False
    names = os.fsencode(first), os.fsencode(second)
    if function(_AT_FDCWD, names[0], _AT_FDCWD, names[1], ctypes.c_uint(_RENAME_EXCHANGE)) == 0:
        return True
    number = ctypes.get_errno()
    if number in (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP):
        return False
    raise OSError(number, os.strerror(number), str(second))


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _copies_reason(error: OSError) -> str:
    """Reason why copying a folder failed: its error lists (from, to, why) of every file."""
    listed = error.args[0] if error.args else None
    if isinstance(error, shutil.Error) and isinstance(listed, list) and listed:
        return str(listed[-1][-1]).partition("] ")[2] or str(listed[-1][-1])
    return type(error).__name__


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn a refusal of the system to write the target into DataError; errors of other files pass,
    and so do errors of graphzsl, which already say what is wrong."""
    try:
        yield
    except GraphZSLError:
        raise
    except Exception as error:
        refused = error if isinstance(error, OSError) else _met_by_library(error)
        if refused is None or not _is_about(path, refused):
            raise
        raise _refused(path, refused) from error


def _is_about(path: Path, error: OSError) -> bool:
    """True if an error concerns the target or its temporary file, or names no file."""
    names = (error.filename, error.filename2)
    named = [Path(os.fsdecode(name)) for name in names if isinstance(name, str | bytes)]
    return not named or any(
        path.parent in (name, *name.parents) or name in path.parents for name in named
    )


def _met_by_library(error: Exception) -> OSError | None:
    """The full disk behind another error of a library: those in Rust (safetensors) say its number,
    and those in C++ (torch) are raised while it is handled."""
    if (found := _RUST.search(str(error))) and int(found[1]) in _FULL:
        return OSError(int(found[1]), os.strerror(int(found[1])))
    met: BaseException | None = error if isinstance(error, RuntimeError) else None
    while met is not None and not (isinstance(met, OSError) and met.errno in _FULL):
        met = met.__cause__ or met.__context__
    return met


def _refused(path: Path, error: OSError) -> DataError:
    number = error.errno
    if number is None:  # a copied folder and others say it in words alone
        number = next((each for each in _FULL if os.strerror(each) in str(error)), None)
    if number in _FULL:
        return _full(path, _FULL[number], os.strerror(number))
    if _SHORT.fullmatch(str(error)):
        return _full(path, "the disk is full, or a limit is reached", str(error))
    reason = error.strerror or _copies_reason(error)
    return DataError(
        f"{path} cannot be written: {reason}. Name another place, or make this one writable."
    )


def _full(path: Path, what: str, said: str) -> DataError:
    return DataError(
        f"{path} cannot be written: {what} ({said}). Free some space, or name a place on another"
        " disk."
    )
