"""Files read and written whole, and the manifest that travels with them."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from graphzsl.common.atomic import (
    MANIFEST,
    atomic_files,
    atomic_folder,
    atomic_write,
    check_replaceable,
    repair,
    writing,
)
from graphzsl.common.checked_names import shown
from graphzsl.common.errors import DataError
from graphzsl.common.reading.bounds import open_file
from graphzsl.common.reading.json_text import parsed_json
from graphzsl.common.reading.schema import VERSION, VERSION_KEY, check_document
from graphzsl.common.text_files import read_text
from graphzsl.common.version import __version__

# of graphzsl.common.atomic, for everyone who reads and writes
__all__ = [
    "MANIFEST",
    "atomic_files",
    "atomic_folder",
    "atomic_write",
    "check_replaceable",
    "writing",
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
    write_texts({path: text})


def write_texts(texts: Mapping[Path, str]) -> None:
    """Write whole text files, by their paths, each of which is on the disk before the first takes
    its place."""
    with atomic_files(*texts) as partials:
        for (path, text), partial in zip(texts.items(), partials, strict=True):
            with writing(path):
                partial.write_text(text, encoding="utf-8")


def write_json(path: Path, value: Any) -> None:
    """Write one JSON document, sorted and indented, or none."""
    write_text(path, json_text(value))


def json_text(value: Any) -> str:
    """One JSON document, sorted and indented."""
    return json.dumps(value, indent=2, sort_keys=True, allow_nan=False) + "\n"


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
        document = parsed_json(read_text(path), str(path))
    except DataError:
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


def no_formula(text: str) -> str:
    """A text as a cell of a CSV file: where a spreadsheet would run it as a formula, an apostrophe
    stands before it.

    Reference:
        OWASP, CSV Injection.
    """
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def read_json(path: Path) -> Any:
    """Read one JSON document; DataError names the file, and what ``parsed_json`` says of it."""
    path = Path(path)
    repair(path.parent)
    return parsed_json(read_text(path), str(path))


def read_lines(path: Path) -> list[tuple[int, str]]:
    """(line number, text) of every line that is neither empty nor a # comment; DataError names the
    file."""
    lines = ((number, line.strip()) for number, line in enumerate(read_text(path).split("\n"), 1))
    return [(number, line) for number, line in lines if line and not line.startswith("#")]


def sha256(path: Path) -> str:
    """SHA-256 of a file, as hexadecimal digits."""
    with open_file(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def sha256_text(text: str) -> str:
    """SHA-256 of a text in UTF-8."""
    return hashlib.sha256(text.encode()).hexdigest()


def folder_manifest(
    folder: Path, kind: str, called: str, writer: str, remedy: str
) -> dict[str, Any]:
    """The manifest of a folder, checked by the schema of its kind.

    Args:
        folder: where it is.
        kind: what it must describe.
        called: that in words: ``a graph``.
        writer: the command that writes such a folder.
        remedy: what to do with a damaged one, a sentence.

    Raises:
        DataError: the folder has no manifest, or one of something else; or it is damaged.
    """
    path = Path(folder) / MANIFEST
    if not path.is_file():
        raise DataError(
            f"{folder} is not the folder of {called}: it has no {MANIFEST}. `{writer}` writes one."
        )
    document = read_json(path)
    described = document.get("kind") if isinstance(document, dict) else None
    if described != kind:
        raise DataError(
            f"{path} describes {shown(described)}, not {called}. `{writer}` writes one."
        )
    return check_document(document, kind, path, "manifest", remedy)


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
    """Manifest of a file that crosses from the database to the models: what it is and where it is
    from."""
    return {
        "kind": kind,
        VERSION_KEY: VERSION,
        "created_at": now(),
        "graphzsl": __version__,
        "python": platform.python_version(),
        **metadata,
    }


def manifest_path(path: Path) -> Path:
    """Path of the manifest of a single file: beside it."""
    return path.with_name(path.name + ".manifest.json")


def write_manifest(path: Path, kind: str, **metadata: Any) -> None:
    """Write the manifest of a file that is there; DataError where it would replace something
    else."""
    facts = manifest(kind, files={path.name: sha256(path)}, **metadata)
    write_result(manifest_path(path), facts)


#: What rows can be written as.
ROW_SUFFIXES = (".jsonl", ".csv", ".parquet")


def checked_suffix(path: Path, suffixes: tuple[str, ...] = ROW_SUFFIXES) -> str:
    """The suffix of a path when it is one of ``suffixes``; DataError names those otherwise."""
    suffix = Path(path).suffix
    if suffix not in suffixes:
        known = " or ".join(part for part in (", ".join(suffixes[:-1]), suffixes[-1]) if part)
        raise DataError(f"{path} must end in {known}: the suffix decides what is written.")
    return suffix
