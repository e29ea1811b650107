"""Files of classes, in every form that people pass around: recognised first, read second.

Every command, option and argument that takes a list of classes or of their names reads its file
here. What it holds is data: Python files are parsed and never run.

===============  ==============================================================================
lines            one class per line, or several that are wnids or names of synsets (dog.n.01);
                 behind a wnid its name; behind a number (0: tench) the name; ``wnid number name``;
                 what follows ``#`` is a comment
tables           tabs, commas or semicolons between columns; a header names them, or one column
                 has a wnid in every line
JSON, YAML,      lists of names, of wnids, of [wnid, name], of objects; number -> name or
Python           [wnid, name]; wnid -> name or number; name -> number; ``id2label``, ``names``, …;
                 name -> descriptions (CuPL). Python: a literal, or one that is assigned to a name
label maps       TensorFlow's ``entry { … }`` and ``item { … }`` (.pbtxt)
===============  ==============================================================================

Other files are named for what they are: a notebook, a web page, a pickle, an archive.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from graphzsl.common.errors import DataError
from graphzsl.common.files import installed_file
from graphzsl.common.reading.bounds import open_file
from graphzsl.common.reading.json_text import parsed_json
from graphzsl.common.text_files import HTML, read_text
from graphzsl.sources.class_documents import Documents, label_map, literal, yaml_document
from graphzsl.sources.class_lines import classes_of_lines
from graphzsl.sources.listed_classes import SAVE, ClassFile

_KINDS: tuple[tuple[bytes, str], ...] = (
    (b"PK\x03\x04", "a ZIP archive (or an .npz, .docx or .xlsx file, which is one); unpack it"),
    (b"\x1f\x8b", "packed by gzip; unpack it"),
    (b"BZh", "packed by bzip2; unpack it"),
    (b"\xfd7zXZ", "packed by xz; unpack it"),
    (b"\x93NUMPY", "an array of NumPy"),
    (b"\x89HDF", "an HDF5 file"),
    (b"PAR1", "a Parquet file"),
    (b"ARROW1", "an Arrow file"),
    (b"SQLite format", "an SQLite database"),
    (b"MATLAB 5.0", "a MATLAB file"),
    (b"%PDF", "a PDF document"),
    (b"\x89PNG", "an image"),
    (b"\xff\xd8\xff", "an image"),
)
_PICKLE = re.compile(rb"\x80[\x02-\x05]")


def read_class_file(path: str | Path, key: str | None = None, size: int | None = None) -> ClassFile:
    """Read a file of classes in any of the forms above.

    Args:
        path: the file, or ``PACKAGE:PATH`` of an installed package, which is not imported.
        key: which list of a file that holds several: a key, or a name that Python assigns.
        size: how many classes are expected; of several lists the only one of that size is taken.

    Raises:
        DataError: the file cannot be read or is another kind of file, is empty, holds several
            lists, or lines contradict each other; names the place and the way out.
    """
    found = _read(installed_file(str(path)), key, size)
    if not found.entries:
        raise DataError(f"{found.path} is empty; expected one class or more.")
    return found


def _read(path: Path, key: str | None, size: int | None) -> ClassFile:
    _refuse_other_kinds(path)
    text = read_text(path)
    if not text.strip():
        raise DataError(f"{path} is empty; expected one class per line.")
    if HTML.match(text):
        raise DataError(f"{path} is a page of HTML. {SAVE}.")
    reader = Documents(path, key, size)
    suffix, start = path.suffix.lower(), text.lstrip()[:1]
    if suffix in (".json", ".ipynb"):
        return reader.read(parsed_json(text, str(path)))
    if suffix == ".py":
        return reader.python(text)
    if suffix in (".yaml", ".yml"):
        return reader.read(yaml_document(text, path))
    if suffix == ".pbtxt" or re.match(r"(?:\s|#.*)*(?:entry|item)\s*\{", text):
        return label_map(text, path)
    if start in "[{(" or re.match(r"\s*(?:[A-Za-z_]\w*\s*=\s*|OrderedDict\s*\()[\[{(O]", text):
        document = _in_brackets(text, path)
        if isinstance(document, dict | list):
            return reader.read(document)
        if re.match(r"\s*[A-Za-z_]\w*\s*=", text):
            return reader.python(text)
    if key is not None:
        raise DataError(
            f"{path} has no key {key!r}: it is text, and holds one list.", argument="key"
        )
    return classes_of_lines(path, text)


def _in_brackets(text: str, path: Path) -> Any:
    """The document of a text that begins as JSON or a literal of Python does; None for another."""
    try:
        return parsed_json(text, str(path))
    except DataError:
        try:
            return literal(text, path)
        except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
            return _json_lines(text, path)


def _json_lines(text: str, path: Path) -> list[Any] | None:
    """The documents of JSON lines; None where a line is none."""
    try:
        return [parsed_json(line, str(path)) for line in text.splitlines() if line.strip()]
    except DataError:
        return None


def _refuse_other_kinds(path: Path) -> None:
    """DataError for a file that is no text, named for what it is."""
    try:
        with open_file(path) as file:
            head: bytes = file.read(512)
    except OSError:
        return  # said by the reader of texts
    kind = next((kind for start, kind in _KINDS if head.startswith(start)), None)
    if head[257:262] == b"ustar":
        kind = "a tar archive; unpack it"
    if kind is None and (_PICKLE.match(head) or path.suffix.lower() in (".pkl", ".pickle")):
        kind = "a pickle, which can run code and is not read"
    if kind is not None:
        raise DataError(f"{path} is {kind}. {SAVE}.")
