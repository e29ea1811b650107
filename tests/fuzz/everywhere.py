"""Every unlikely value at every place of a file, one after the other: what chance takes long to
meet."""

from __future__ import annotations

import decimal
import io
import json
import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

from tests.fuzz.damage.raw import TOKENS
from tests.fuzz.damage.texts import VALUES, places
from tests.fuzz.repeated import REPEATED

#: A damaged file, made when it is its turn.
Made = Callable[[], bytes]
#: Places of a file that are tried: spread evenly where it has more.
MOST_PLACES = 120
#: Cells of a text that are tried; each gets every token, in its place and behind it.
MOST_CELLS = 24
#: So often one token is written behind one another, behind the cell in the middle.
_OFTEN = 200_000
#: Texts are cut at these, and at nothing else.
_CELL = re.compile(rb'[^\s,;\t="\[\]{}<>:]+')
_TEXTS = {".csv", ".tsv", ".txt", ".toml", ".xml", ".jsonl", ""}
_MORE_TOKENS = (
    *(b'"\n', b'\n"', b'""', b"'''", b"\xc2\x85", b"\xe2\x80\xa8", b"\x0b", b"\x0c", b"\x1c"),
    *(b"0x1", b"1e5", b"1.", b"+1", b"-0", b"1 2"),
)


def everywhere(path: Path) -> list[Made]:
    """All damaged contents of a file, by its suffix; none of a kind that has no places."""
    content = path.read_bytes()
    if path.suffix == ".json":
        return _json(json.loads(content))
    if path.suffix == ".parquet":
        return _parquet(content)
    return _text(content) if path.suffix in _TEXTS else []


def _spread(found: list[Any], most: int) -> list[Any]:
    return found[:: -(-len(found) // most)] if found else []


def _json(document: Any) -> list[Made]:
    def with_value(place: int, value: Any) -> Made:
        def made() -> bytes:
            changed = deepcopy(document)
            holder, key = places(changed)[place]
            holder[key] = deepcopy(value)
            return _dumped(changed)

        return made

    def without(place: int, other_key: str | None) -> Made:
        def made() -> bytes:
            changed = deepcopy(document)
            holder, key = places(changed)[place]
            value = holder.pop(key)
            if other_key is not None and isinstance(holder, dict):
                holder[other_key] = value
            return _dumped(changed)

        return made

    found: list[Made] = [lambda value=value: _dumped(value) for value in VALUES]  # type: ignore[misc]
    for place in _spread(list(range(len(places(document)))), MOST_PLACES):
        found += [with_value(place, value) for value in VALUES]
        found += [without(place, None), without(place, "\u202ex")]
    return found


def _dumped(document: Any) -> bytes:
    return json.dumps(document).encode()


def _parquet(content: bytes) -> list[Made]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pq.read_table(io.BytesIO(content))

    def written(changed: Any) -> bytes:
        target = io.BytesIO()
        pq.write_table(changed, target)
        return target.getvalue()

    def with_column(at: int, column: Any) -> Made:
        return lambda: written(table.set_column(at, table.column_names[at], column))

    found: list[Made] = [
        lambda: written(table.slice(0, 0)),
        lambda: written(pa.concat_tables([table] * 2)),
        lambda: written(table.replace_schema_metadata({})),
    ]
    for at, name in enumerate(table.column_names):
        found.append(lambda at=at: written(table.remove_column(at)))  # type: ignore[misc]
        again = table.append_column(name, table.column(at))
        found.append(lambda again=again: written(again))  # type: ignore[misc]
        found += [with_column(at, column) for column in _columns(table.column(at).to_pylist())]
    for key in table.schema.metadata or {}:
        for value in (
            b"",
            b"x",
            b"[]",
            b"{}",
            b"null",
            b"\xff",
            b"[1]",
            b'["x","x"]',
            b'"\\ud800"',
        ):
            changed = table.replace_schema_metadata({**table.schema.metadata, key: value})
            found.append(lambda changed=changed: written(changed))  # type: ignore[misc]
    return found


def _columns(values: list[Any]) -> Iterator[Any]:
    """Columns of other kinds, and those with one other value at an end."""
    import pyarrow as pa

    size, texts = len(values), [str(value) for value in values]
    yield pa.array([text.encode("utf-8", "replace") for text in texts])
    yield pa.array(texts)
    yield pa.array(texts, pa.large_string())
    yield pa.array(texts).dictionary_encode()
    yield pa.nulls(size)
    yield pa.array([[value] for value in texts])
    yield pa.array([{"x": 1}] * size)
    yield pa.array([decimal.Decimal("1.5")] * size)
    for kind in (pa.uint8(), pa.float32(), pa.timestamp("s")):
        yield pa.array([0] * size, kind)
    for value in (True, 1.5, -1, 2**62, float("nan"), float("inf"), "", "\u202ex", "x", "nan"):
        yield pa.array([value] * size)
    for value in VALUES:
        for at in {0, size - 1} if size else ():
            try:
                column = pa.array([*values[:at], value, *values[at + 1 :]])
            except (pa.ArrowException, ValueError, TypeError, OverflowError):
                continue
            if "struct<>" not in str(column.type):  # which Parquet cannot hold
                yield column


def _text(content: bytes) -> list[Made]:
    words = [str(value).encode("utf-8", "surrogatepass") for value in VALUES]
    tokens = dict.fromkeys((*TOKENS, *_MORE_TOKENS, *words))
    found = [each.span() for each in _CELL.finditer(content)]
    often: list[Made] = [
        lambda token=token, start=start: content[:start] + token * _OFTEN + content[start:]  # type: ignore[misc]
        for _, start in found[len(found) // 2 :][:1]
        for token in REPEATED
    ]
    return often + [
        lambda start=start, end=end, token=token: content[:start] + token + content[end:]  # type: ignore[misc]
        for first, end in _spread(found, MOST_CELLS)
        for start in (first, end)
        for token in tokens
    ]
