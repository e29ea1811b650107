"""Answers of the database as files: closest training classes, hCorrectSets, ancestors; each with a manifest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from graphzsl.database.client import Database, batches
from graphzsl.database.queries import query
from graphzsl.files import MANIFEST, manifest, replacing, replacing_folder, sha256, write_json, write_json_lines
from graphzsl.hierarchy import class_ancestors, closest_training_classes, hcorrect_sets, members, source_checksums

_HCORRECT = pa.schema(
    [("wnid", pa.string()), ("k", pa.int32()), ("members", pa.list_(pa.string())), ("radius", pa.int32()),
     ("exhausted", pa.bool_())]
)  # fmt: skip
_ANCESTORS = pa.schema([("wnid", pa.string()), ("ancestor", pa.string()), ("hops", pa.int32())])


def export_closest(database: Database, train: str, universe: str, path: Path, hierarchy: str = "wordnet") -> int:
    """JSON lines ``wnid``, ``hops``, ``closest`` (all ties), and a manifest beside them. Returns the number of lines."""
    rows = [asdict(row) for row in closest_training_classes(database, train, universe, hierarchy)]
    write_json_lines(path, rows)
    _write_manifest(database, path, "closest", hierarchy, "adjacency", train=train, universe=universe, rows=len(rows))
    return len(rows)


def export_hcorrect(
    database: Database, valid: str, ks: Sequence[int], folder: Path, hierarchy: str = "wordnet", kind: str = "parquet"
) -> int:
    """A folder with ``hcorrect.parquet`` or ``.jsonl`` (``wnid``, ``k``, ``members``, ``radius``, ``exhausted``) and a manifest."""
    rows = (asdict(row) for row in hcorrect_sets(database, valid, ks, hierarchy))
    with replacing_folder(folder) as partial:
        path = partial / f"hcorrect.{kind}"
        count = _write_rows(rows, path, _HCORRECT)
        facts = _facts(database, path, "hcorrect", hierarchy, "adjacency", valid=valid, ks=sorted(set(ks)), rows=count)
        write_json(partial / MANIFEST, facts)
    return count


def export_ancestors(database: Database, class_set: str, path: Path, hierarchy: str = "wordnet") -> int:
    """Rows ``wnid``, ``ancestor``, ``hops`` as Parquet (``.parquet``) or JSON lines. Returns the number of rows."""
    rows = class_ancestors(database, members(database, class_set), hierarchy)
    with replacing(path) as partial:
        count = _write_rows(rows, partial, _ANCESTORS, path.suffix)
    _write_manifest(database, path, "ancestors", hierarchy, "class_ancestors", class_set=class_set, rows=count)
    return count


def _write_rows(rows: Iterable[dict[str, Any]], path: Path, schema: pa.Schema, suffix: str | None = None) -> int:
    count = 0

    def counted() -> Iterable[dict[str, Any]]:
        nonlocal count
        for row in rows:
            count += 1
            yield row

    if (suffix or path.suffix) == ".parquet":
        with pq.ParquetWriter(path, schema) as writer:
            for batch in batches(counted(), 20_000):
                writer.write_table(pa.Table.from_pylist(batch, schema=schema))
    else:
        write_json_lines(path, counted())
    return count


def _write_manifest(database: Database, path: Path, kind: str, hierarchy: str, name: str, **facts: Any) -> None:
    write_json(path.with_name(path.name + ".manifest.json"), _facts(database, path, kind, hierarchy, name, **facts))


def _facts(database: Database, path: Path, kind: str, hierarchy: str, name: str, **facts: Any) -> dict[str, Any]:
    statement = query(name, hierarchy=hierarchy)
    return manifest(
        kind,
        hierarchy=hierarchy,
        queries={statement.name: statement.sha256},
        sources=source_checksums(database),
        files={path.name: sha256(path)},
        **facts,
    )
