"""Answers of the database as files: closest training classes, hCorrectSets, ancestors; each with a
manifest."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa
import pyarrow.parquet as pq

from graphzsl.common.errors import SplitError
from graphzsl.common.files import (
    MANIFEST,
    atomic_folder,
    atomic_write,
    check_result,
    checked_suffix,
    manifest,
    manifest_path,
    sha256,
    write_json,
    write_json_lines,
    write_result,
)
from graphzsl.common.progress import log
from graphzsl.common.wording import counted
from graphzsl.database.class_sets import members
from graphzsl.database.client import Database, batches
from graphzsl.database.hierarchy import closest_training_classes, hcorrect_sets
from graphzsl.database.library import query
from graphzsl.database.paths import class_ancestors
from graphzsl.database.searches import closest_by_queries, hcorrect_by_queries
from graphzsl.database.sources import source_checksums

Engine = Literal["auto", "cypher", "memory"]
#: Up to so many classes the library's queries take seconds, if more of them than a search here.
QUERIED = 2_000
_CLOSEST = pa.schema(
    [
        ("wnid", pa.string()),
        ("name", pa.string()),
        ("hops", pa.int32()),
        ("closest", pa.list_(pa.string())),
        ("closest_names", pa.list_(pa.string())),
    ]
)
_HCORRECT = pa.schema(
    [
        ("wnid", pa.string()),
        ("name", pa.string()),
        ("k", pa.int32()),
        ("members", pa.list_(pa.string())),
        ("member_names", pa.list_(pa.string())),
        ("radius", pa.int32()),
        ("exhausted", pa.bool_()),
    ]
)
_ANCESTORS = pa.schema(
    [
        ("wnid", pa.string()),
        ("name", pa.string()),
        ("ancestor", pa.string()),
        ("ancestor_name", pa.string()),
        ("hops", pa.int32()),
    ]
)


def export_closest(
    database: Database,
    train: str,
    universe: str,
    path: Path,
    hierarchy: str = "wordnet",
    engine: Engine = "auto",
) -> int:
    """Rows ``wnid``, ``name``, ``hops``, ``closest`` (all ties), ``closest_names`` as the suffix
    says, and a manifest beside them. Returns their number.

    ``engine`` is ``cypher`` (the query ``neighbours`` gives what is beside each level), ``memory``
    (the hierarchy is read once) or ``auto``, the first up to ``QUERIED`` classes and the second
    beyond, which a line says: the same rows. SplitError when there would be none: every
    class is a training class, or none is reached.
    """
    checked_suffix(path)
    check_result(manifest_path(path), "closest")
    engine = _engine(engine, lambda: len(members(database, universe)))
    search = closest_by_queries if engine == "cypher" else closest_training_classes
    rows = [vars(row) for row in search(database, train, universe, hierarchy)]
    if not rows:
        inside = set(members(database, universe)) <= set(members(database, train))
        raise SplitError(
            f"There is nothing to export: every class of {universe} is a training class of {train}."
            if inside
            else (
                f"There is nothing to export: no training class of {train} reaches a class of"
                f" {universe} in hierarchy {hierarchy}."
            )
        )
    with atomic_write(path) as partial:
        _write_rows(rows, partial, _CLOSEST, path.suffix)
    parameters = {"engine": engine, "train": train, "universe": universe, "rows": len(rows)}
    name = "neighbours" if engine == "cypher" else "adjacency"
    _write_manifest(database, path, "closest", hierarchy, name, **parameters)
    return len(rows)


def export_hcorrect(
    database: Database,
    valid: str,
    ks: Sequence[int],
    folder: Path,
    hierarchy: str = "wordnet",
    kind: str = "parquet",
    engine: Engine = "auto",
) -> int:
    """A folder with ``hcorrect.parquet`` or ``.jsonl`` (``wnid``, ``name``, ``k``, ``members``,
    ``member_names``, ``radius``, ``exhausted``) and a manifest.

    ``engine`` as for ``export_closest``. SplitError for a k larger than the valid set. Returns the
    number of sets.
    """
    size = len(members(database, valid))
    if max(ks, default=0) > size:
        raise SplitError(
            f"k = {max(ks)} is more than the {size:,} valid labels of {valid}: no hCorrectSet has"
            " as many members."
        )
    engine = _engine(engine, lambda: size)
    search = hcorrect_by_queries if engine == "cypher" else hcorrect_sets
    rows = (vars(row) for row in search(database, valid, ks, hierarchy))
    with atomic_folder(folder) as partial:
        path = partial / f"hcorrect.{kind}"
        count = _write_rows(rows, path, _HCORRECT)
        name = "neighbours" if engine == "cypher" else "adjacency"
        chosen = {"engine": engine, "valid": valid, "k": sorted(set(ks)), "rows": count}
        metadata = _manifest(database, path, "hcorrect", hierarchy, name, **chosen)
        write_json(partial / MANIFEST, metadata)
    return count


def _engine(engine: Engine, size: Callable[[], int]) -> Engine:
    """The engine that is meant; a line says what ``auto`` is."""
    if engine != "auto":
        return engine
    classes = size()
    if classes <= QUERIED:
        log(f"Searched by the library's queries: {counted(classes, 'class', 'classes')}.")
        return "cypher"
    log(f"Searched in memory: {classes:,} classes are more than {QUERIED:,}.")
    return "memory"


def export_ancestors(
    database: Database, class_set: str, path: Path, hierarchy: str = "wordnet"
) -> int:
    """Rows ``wnid``, ``name``, ``ancestor``, ``ancestor_name``, ``hops`` as the suffix says.
    Returns the number of rows."""
    checked_suffix(path)
    check_result(manifest_path(path), "ancestors")
    rows = class_ancestors(database, members(database, class_set), hierarchy)
    with atomic_write(path) as partial:
        count = _write_rows(rows, partial, _ANCESTORS, path.suffix)
    _write_manifest(
        database, path, "ancestors", hierarchy, "class_ancestors", class_set=class_set, rows=count
    )
    return count


def _write_rows(
    rows: Iterable[dict[str, Any]], path: Path, schema: pa.Schema, suffix: str | None = None
) -> int:
    count = 0

    def passed() -> Iterable[dict[str, Any]]:
        nonlocal count
        for row in rows:
            count += 1
            yield row

    if (suffix or path.suffix) == ".parquet":
        with pq.ParquetWriter(path, schema) as writer:
            for batch in batches(passed(), 20_000):
                writer.write_table(pa.Table.from_pylist(batch, schema=schema))
    elif (suffix or path.suffix) == ".csv":
        _write_csv(passed(), path, schema.names)
    else:
        write_json_lines(path, passed())
    return count


def _write_csv(rows: Iterable[dict[str, Any]], path: Path, columns: Sequence[str]) -> None:
    """A table with a header; the items of a list, wnids or names, are separated by spaces."""
    with atomic_write(path) as partial, partial.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        for row in rows:
            cells = [row[column] for column in columns]
            writer.writerow([" ".join(cell) if isinstance(cell, list) else cell for cell in cells])


def _write_manifest(
    database: Database, path: Path, kind: str, hierarchy: str, name: str, **metadata: Any
) -> None:
    write_result(manifest_path(path), _manifest(database, path, kind, hierarchy, name, **metadata))


def _manifest(
    database: Database, path: Path, kind: str, hierarchy: str, name: str, **metadata: Any
) -> dict[str, Any]:
    statement = query(name, hierarchy=hierarchy)
    return manifest(
        kind,
        hierarchy=hierarchy,
        queries={statement.name: statement.sha256},
        sources=source_checksums(database),
        files={path.name: sha256(path)},
        **metadata,
    )
