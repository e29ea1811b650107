"""JSON and JSON lines as tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from graphzsl.audit.formats.other_files import check_no_metrics
from graphzsl.audit.formats.roles import role
from graphzsl.audit.formats.table import (
    Table,
    check_header,
    decoded,
    table_of_records,
    table_of_rows,
)
from graphzsl.common.errors import DataError
from graphzsl.common.reading.json_text import parsed_json
from graphzsl.common.text_files import read_text

#: Keys under which a document may hold its records.
_INSIDE = ("predictions", "results", "samples", "data", "records")
_BY_COLUMN = "each an array, or each an object row -> cell"
_EXPECTED = "expected one object per sample, with the true class and the predicted ones"


def read_json_table(path: Path) -> Table:
    """A JSON document or JSON lines.

    A document is an array of objects (or of arrays: the true class, then the predicted ones), an
    object file -> object, or columns; those are what pandas calls records, values, index, split,
    columns and table. Lines hold one object (or array) each. Records count from 0, lines from 1.

    Raises:
        DataError: names the file, and the line or record that is neither; a result without
            predictions is named as what it is.
    """
    content = read_text(path)
    lines = path.suffix in (".jsonl", ".ndjson")
    if not lines:
        try:
            document = parsed_json(content, str(path), constants=True)
        except DataError as error:
            first, _, more = content.lstrip().partition("\n")
            if not (isinstance(error.__cause__, ValueError) and more.strip() and _is_json(first)):
                raise
        else:
            return _of_document(path, document)
    return _of_lines(path, content)


def _is_json(text: str) -> bool:
    try:
        parsed_json(text, "", constants=True)
    except DataError:
        return False
    return True


def _of_lines(path: Path, content: str) -> Table:
    records: list[Any] = []
    numbers: list[int] = []
    for number, line in enumerate(content.split("\n"), 1):
        if not line.strip():
            continue
        record = parsed_json(line, f"{path}:{number}", constants=True)
        if type(record) is not (type(records[0]) if records else type(record)) or not isinstance(
            record, dict | list
        ):
            raise DataError(f"{path}:{number}: {_EXPECTED}; got {line.strip()[:60]!r}.")
        records.append(record)
        numbers.append(number)
    return _of_records(path, f"{path}:", records, numbers)


def _of_document(path: Path, document: Any) -> Table:
    where = f"{path}: record "
    if isinstance(document, dict):
        check_no_metrics(path, document)
        if isinstance(document.get("columns"), list) and isinstance(document.get("data"), list):
            return _split(path, document)
        document = _records(path, document)
    if not isinstance(document, list):
        raise DataError(f"{path}: {_EXPECTED}; got {str(document)[:60]!r}.")
    kind = type(document[0]) if document else dict
    for number, record in enumerate(document):
        if type(record) is not kind or kind not in (dict, list):
            raise DataError(f"{where}{number}: {_EXPECTED}; got {str(record)[:60]!r}.")
    if kind is list and all(row and all(map(decoded, row)) for row in document):
        document = [{"predictions": row} for row in document]
    return _of_records(path, where, document, range(len(document)))


def _of_records(path: Path, where: str, records: list[Any], numbers: Sequence[int]) -> Table:
    """A table of objects, or of arrays."""
    if records and isinstance(records[0], list):
        return table_of_rows(str(path), where, records, numbers)
    check_no_metrics(path, {key for record in records[:1] for key in record})
    return table_of_records(str(path), where, records, numbers)


def _split(path: Path, document: dict[str, Any]) -> Table:
    header = [str(name) for name in document["columns"]]
    check_header(header, str(path))
    for number, row in enumerate(document["data"]):
        if not isinstance(row, list) or len(row) != len(header):
            raise DataError(
                f"{path}: record {number}: expected an array of {len(header)} cells; got"
                f" {str(row)[:60]!r}."
            )
    records = [dict(zip(header, row, strict=True)) for row in document["data"]]
    return table_of_records(str(path), f"{path}: record ", records, range(len(records)))


def _records(path: Path, document: dict[str, Any]) -> Any:
    """The records of an object: inside it, of its columns, or file -> record."""
    inside = [key for key in _INSIDE if isinstance(document.get(key), list)]
    if len(inside) == 1 and all(isinstance(each, dict | list) for each in document[inside[0]]):
        # ``schema`` is pandas' in its form table
        others = [key for key in document if isinstance(document[key], list | dict)]
        others = [key for key in others if key != "schema"]
        if others == inside:
            return document[inside[0]]
    if any(role(key) for key in document):
        return _by_column(path, document)
    if document and all(isinstance(each, dict) for each in document.values()):
        cells = [cell for each in document.values() for cell in each.values()]
        keys = {key for each in document.values() for key in each}
        are_files = any("." in key for key in document)
        are_rows = not are_files and keys == {str(row) for row in range(len(keys))}
        if are_rows and any(isinstance(cell, str) for cell in cells):
            return _by_column(path, document)  # column -> row -> cell, of names not known yet
        are_numbers = all(isinstance(cell, int | float) for cell in cells)
        if are_numbers and not keys.isdisjoint(document):
            raise DataError(
                f"{path}: numbers by two classes, as in a confusion matrix that pandas wrote. Save"
                " it as a table, frame.to_csv, whose rows are the true classes."
            )
        return [{"file": file, **record} for file, record in document.items()]
    return [{"file": file, "prediction": classes} for file, classes in document.items()]


def _by_column(path: Path, document: dict[str, Any]) -> list[dict[str, Any]]:
    """Columns, each an array or an object row -> cell, as records."""
    kinds = {type(column) for column in document.values()}
    if kinds not in ({list}, {dict}):
        raise DataError(
            f"{path}: {_EXPECTED}, or columns, {_BY_COLUMN}; got one object with"
            f" {', '.join(list(document)[:8])}."
        )
    columns = dict(document)
    if kinds == {dict}:
        first, *others = document
        for name in others:
            if lacking := sorted({*document[first]} ^ {*document[name]}):
                raise DataError(
                    f"{path}: row {lacking[0]!r} is in one of the columns {first} and {name} only."
                )
        order = list(document[first])
        columns = {name: [cells[row] for row in order] for name, cells in document.items()}
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        said = ", ".join(f"{name} {length:,}" for name, length in lengths.items())
        raise DataError(f"{path}: columns of different lengths ({said}).")
    rows = zip(*columns.values(), strict=True)
    return [dict(zip(columns, row, strict=True)) for row in rows]
