"""Files read and written whole, and the manifest that travels with them."""

from __future__ import annotations

import hashlib
import json
import platform
import zipfile
import zlib
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from tokenize import TokenError
from typing import Any

from graphzsl import __version__
from graphzsl.atomic import MANIFEST, atomic_folder, atomic_write, check_replaceable, repair
from graphzsl.errors import DataError
from graphzsl.text_files import read_text

# of graphzsl.atomic, for everyone who reads and writes
__all__ = [
    "MANIFEST",
    "atomic_folder",
    "atomic_write",
    "check_replaceable",
]


def installed_file(text: str) -> Path:
    """The path of a file, or of ``PACKAGE:PATH`` in an installed package, which is not imported.

    Raises:
        DataError: there is no such package, or no such file in it.
    """
    package, colon, inside = text.partition(":")
    if Path(text).exists() or not colon or not package.isidentifier():
        return Path(text)
    found = find_spec(package)
    folders = list(found.submodule_search_locations or ()) if found else []
    if not folders:
        raise DataError(f"{text}: there is no installed package {package}.")
    path = Path(folders[0], inside)
    if not path.is_file():
        raise DataError(f"{text}: the installed package {package} has no file {inside}.")
    return path


def write_text(path: Path, text: str) -> None:
    """Write a whole text file, or none."""
    with atomic_write(path) as partial:
        partial.write_text(text, encoding="utf-8")


def write_json(path: Path, value: Any) -> None:
    """Write one JSON document, sorted and indented, or none."""
    write_text(path, json.dumps(value, indent=2, sort_keys=True, allow_nan=False) + "\n")


def write_result(path: Path, result: dict[str, Any]) -> None:
    """Write a manifest, or what begins as one; DataError where that would replace something of
    another kind."""
    check_result(path, result["kind"])
    write_json(path, result)


def check_result(path: Path, kind: str) -> None:
    """DataError where ``path`` is a JSON file that graphzsl did not write as this ``kind``; an
    empty file may be replaced."""
    if not path.is_file() or not path.stat().st_size:
        return
    try:
        document = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        document = None
    old = document.get("kind") if isinstance(document, dict) and "graphzsl" in document else None
    if old != kind:
        held = (
            f"holds what graphzsl wrote as {str(old)!r}" if old else "was not written by graphzsl"
        )
        raise DataError(
            f"{path} {held}, and this would be {kind!r}. Name another file, or move it away."
        )


def write_json_lines(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    """Write one JSON object per line, or no file."""
    with atomic_write(path) as partial, partial.open("w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def read_json(path: Path) -> Any:
    """Read one JSON document; DataError names the file, and a key that one object has twice."""
    path = Path(path)
    repair(path.parent)
    return parsed_json(read_text(path), str(path))


def parsed_json(text: str, source: str) -> Any:
    """The document of a JSON text; ``source`` is what messages begin with.

    Raises:
        DataError: it is not valid JSON, or an object has a key twice.
    """
    try:
        return json.loads(text, object_pairs_hook=unique_keys(source))
    except ValueError as error:  # a number of thousands of digits is one too
        raise DataError(f"{source}: not valid JSON: {error}.") from error
    except RecursionError:
        raise DataError(
            f"{source}: not valid JSON: lists or objects too deep in each other."
        ) from None


def unique_keys(source: str) -> Callable[[list[tuple[str, Any]]], dict[str, Any]]:
    """An ``object_pairs_hook`` of json that refuses a key that an object has twice, of which json
    alone keeps the last."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            keys = [key for key, _ in pairs]
            raise DataError(
                f"{source}: an object has the key {max(keys, key=keys.count)!r} twice, and readers"
                " of JSON keep one of the two. Remove one, or put both values under one key."
            )
        return found

    return unique


def read_lines(path: Path) -> list[tuple[int, str]]:
    """(line number, text) of every line that is neither empty nor a # comment; DataError names the
    file."""
    lines = ((number, line.strip()) for number, line in enumerate(read_text(path).splitlines(), 1))
    return [(number, line) for number, line in lines if line and not line.startswith("#")]


#: What numpy ends in over a damaged .npy or .npz: no byte (EOFError), archives that are cut,
#: encrypted (RuntimeError) or compressed otherwise (NotImplementedError), headers, which it reads
#: as Python's words (SyntaxError, TokenError), and arrays of petabytes (MemoryError).
UNREADABLE = (
    *(ValueError, TypeError, OSError, EOFError, OverflowError, MemoryError, SyntaxError),
    *(TokenError, RuntimeError, NotImplementedError, zipfile.BadZipFile, zlib.error),
)


def read_npz(path: Path, *names: str, expected: str) -> list[Any]:
    """Arrays of an ``.npz`` by name (``a|b``: whichever is there; ``a?``: None where it is absent),
    never unpickled; DataError names file and key, and what was expected."""
    import numpy as np

    path = Path(path)
    try:
        file = np.load(path, allow_pickle=False)
    except FileNotFoundError:
        raise DataError(f"{path} does not exist. Expected an .npz with {expected}.") from None
    except IsADirectoryError:
        raise DataError(f"{path} is a folder. Expected an .npz with {expected}.") from None
    except UNREADABLE as error:
        raise DataError(f"{path}: {_not_npz(path, error)}. Expected {expected}.") from None
    if not isinstance(file, np.lib.npyio.NpzFile):
        raise DataError(
            f"{path}: this is one array of numpy (.npy) and no archive of named ones. Expected"
            f" {expected}: numpy.savez writes it."
        )
    with file:
        return [_npz_array(path, file, name, expected) for name in names]


def npz_keys(path: Path) -> str:
    """The keys of an ``.npz`` that ``read_npz`` has read, in words: the first eight."""
    import numpy as np

    with np.load(path, allow_pickle=False) as file:
        return _keys(file)


def _keys(file: Any) -> str:
    return ", ".join(file.files[:8]) + " …" * (len(file.files) > 8) or "nothing"


def _npz_array(path: Path, file: Any, name: str, expected: str) -> Any:
    names = name.removesuffix("?").split("|")
    key = next((each for each in names if each in file), None)
    if key is None and name.endswith("?"):
        return None
    if key is None:
        raise DataError(
            f"{path}: {' or '.join(names)} is not in the archive, which holds {_keys(file)}."
            f" Expected {expected}."
        )
    try:
        array = file[key]
    except UNREADABLE as error:
        if "pickle" in str(error) or "Object arrays" in str(error):
            raise DataError(
                f"{path}: {key} is an array of Python objects, which only pickle can read, and"
                " pickles run code: it is not read. Save it as numbers, or as text"
                f" (numpy.array({key}, dtype=str)). Expected {expected}."
            ) from None
        raise DataError(
            f"{path}: {key} cannot be read, the archive is damaged ({error}). Write or copy it"
            " again."
        ) from None
    if not isinstance(array, bytes):
        return array
    raise DataError(f"{path}: {key} is not an array of numpy. Expected {expected}.")


def _not_npz(path: Path, error: Exception) -> str:
    """What a file is that numpy does not read, in words."""
    content = path.read_bytes()
    start = content[:2]
    if not start:
        return "the file is empty"
    if start == b"PK":
        return f"the archive is damaged ({error}). Write or copy it again"
    if start[:1] == b"\x80" and start[1:2] <= b"\x05" and content.endswith(b"."):
        return "this is a pickle, which runs code and is never read"
    return "not an .npz of plain arrays"


def read_parquet(path: Path, columns: Iterable[str] = ()) -> Any:
    """A Parquet file, or a folder of them, as a pyarrow Table with these columns (default: all).

    Arrow's own function for both imports pandas where it is installed, a third of a second; this
    one does so for folders alone. Raises what Arrow raises (ArrowInvalid, OSError), KeyError for a
    column that is not there.
    """
    import pyarrow.parquet as pq

    wanted = list(columns) or None
    if Path(path).is_dir():
        return pq.read_table(path, columns=wanted)
    with pq.ParquetFile(path) as file:
        missing = sorted({*(wanted or ())} - {*file.schema_arrow.names})
        if missing:
            raise KeyError(f"no column {missing[0]}")
        return file.read(wanted)


def sha256(path: Path) -> str:
    """SHA-256 of a file, as hexadecimal digits."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def sha256_text(text: str) -> str:
    """SHA-256 of a text in UTF-8."""
    return hashlib.sha256(text.encode()).hexdigest()


def check_files(folder: Path, manifest: dict[str, Any], names: Iterable[str], remedy: str) -> None:
    """DataError for one of the ``names`` that is missing, or is not the file whose checksum the
    manifest has."""
    listed = manifest.get("files")
    for name in names:
        path = folder / name
        if not isinstance(listed, dict) or not path.is_file() or sha256(path) != listed.get(name):
            raise DataError(
                f"{path} is missing or is not the file that its manifest describes. {remedy}"
            )


def now() -> str:
    """The time in UTC, ISO 8601, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def manifest(kind: str, **metadata: Any) -> dict[str, Any]:
    """What every file that crosses from the database to the models carries: what it is and where
    from."""
    return {
        "kind": kind,
        "created_at": now(),
        "graphzsl": __version__,
        "python": platform.python_version(),
        **metadata,
    }


def manifest_path(path: Path) -> Path:
    """Where the manifest of a single file stands: beside it."""
    return path.with_name(path.name + ".manifest.json")


def write_manifest(path: Path, kind: str, **metadata: Any) -> None:
    """Write the manifest of a file that is there; DataError where it would replace something
    else."""
    facts = manifest(kind, files={path.name: sha256(path)}, **metadata)
    write_result(manifest_path(path), facts)


#: What rows can be written as.
ROWS = (".jsonl", ".csv", ".parquet")


def checked_suffix(path: Path, suffixes: tuple[str, ...] = ROWS) -> str:
    """The suffix of a path when it is one of ``suffixes``; DataError names those otherwise."""
    suffix = Path(path).suffix
    if suffix not in suffixes:
        known = " or ".join(part for part in (", ".join(suffixes[:-1]), suffixes[-1]) if part)
        raise DataError(f"{path} must end in {known}: the suffix decides what is written.")
    return suffix
