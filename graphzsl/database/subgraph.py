"""Exporting a subgraph from the database."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from graphzsl.common.errors import DataError
from graphzsl.common.files import MANIFEST, atomic_folder, manifest, sha256, write_json

if TYPE_CHECKING:
    from graphzsl.database.client import Database
from graphzsl.data.subgraph import EDGES_FILE, EDGES_SCHEMA, KIND, NODES_FILE, NODES_SCHEMA


def export_subgraph(
    database: Database,
    names: Sequence[str],
    folder: Path,
    hierarchy: str = "wordnet",
    whole: bool = False,
) -> dict[str, Any]:
    """Write the classes of the named sets, all their ancestors, and the edges among them. Returns
    the manifest.

    ``whole`` writes every noun synset: what evaluation needs for hops and for heights in full
    WordNet.

    ``nodes.parquet`` (wnid, name, words, gloss, lexname, depth, population), ``edges.parquet``
    (child, parent: positions in nodes; type) and ``manifest.json`` (queries with their hashes,
    parameters, hierarchy, sources, class sets, checksums).
    """
    from graphzsl.database.class_sets import members
    from graphzsl.database.library import query
    from graphzsl.database.paths import check_hierarchy
    from graphzsl.database.sources import source_checksums

    check_hierarchy(database, hierarchy)
    if hierarchy == "release":
        raise DataError(
            "A subgraph has synsets as nodes; the release hierarchy's hubs are none. Use wordnet or"
            " hypernym."
        )
    class_sets = {name: members(database, name) for name in names}
    nodes_query = query("noun_synsets") if whole else query("subgraph_nodes", hierarchy=hierarchy)
    edges_query = query("hierarchy_edges", hierarchy=hierarchy)
    nodes = database.many_rows(nodes_query, **({} if whole else {"class_sets": list(names)}))
    index = {row["wnid"]: position for position, row in enumerate(nodes)}
    edges = sorted(
        (index[row["child"]], index[row["parent"]], row["type"])
        for row in database.many_rows(edges_query)
        if row["child"] in index and row["parent"] in index
    )
    with atomic_folder(folder) as partial:
        pq.write_table(pa.Table.from_pylist(nodes, schema=NODES_SCHEMA), partial / NODES_FILE)
        child, parent, kind = zip(*edges, strict=True) if edges else ((), (), ())
        pq.write_table(
            pa.table({"child": child, "parent": parent, "type": kind}, schema=EDGES_SCHEMA),
            partial / EDGES_FILE,
        )
        metadata = manifest(
            KIND,
            hierarchy=hierarchy,
            parameters={"class_sets": list(names)},
            queries={statement.name: statement.sha256 for statement in (nodes_query, edges_query)},
            sources=source_checksums(database),
            class_sets=class_sets,
            whole=whole,
            nodes=len(nodes),
            edges=len(edges),
            files={name: sha256(partial / name) for name in (NODES_FILE, EDGES_FILE)},
        )
        write_json(partial / MANIFEST, metadata)
    return metadata
