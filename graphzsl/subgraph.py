"""The line between database and models: a subgraph written as files, and read back without a database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from graphzsl.dag import Dag
from graphzsl.errors import DataError
from graphzsl.files import MANIFEST, check_files, manifest, read_json, replacing_folder, sha256, write_json

if TYPE_CHECKING:
    from torch_geometric.data import Data

    from graphzsl.database.client import Database

_NODES_FILE, _EDGES_FILE = "nodes.parquet", "edges.parquet"
KIND = "subgraph"
_NODES = pa.schema(
    [("wnid", pa.string()), ("name", pa.string()), ("words", pa.list_(pa.string())), ("gloss", pa.string()),
     ("depth", pa.int32()), ("population", pa.int64())]
)  # fmt: skip
_EDGES = pa.schema([("child", pa.int64()), ("parent", pa.int64()), ("type", pa.string())])


@dataclass(frozen=True)
class Subgraph:
    """Nodes with their texts, and hierarchy edges child -> parent as positions beside ``wnids``.

    ``edge_index`` is [2, E] int64: row 0 children, row 1 parents.
    """

    wnids: list[str]
    names: list[str]
    words: list[list[str]]
    glosses: list[str]
    edge_index: npt.NDArray[np.int64]
    class_sets: dict[str, list[str]]
    facts: dict[str, Any]
    populations: list[int | None] = field(default_factory=list)

    @cached_property
    def index(self) -> dict[str, int]:
        """wnid -> position."""
        return {wnid: position for position, wnid in enumerate(self.wnids)}

    @classmethod
    def load(cls, folder: Path | str) -> Subgraph:
        """Read a folder that ``export_subgraph`` wrote; DataError names what is missing, changed or inconsistent."""
        folder = Path(folder)
        if not (folder / MANIFEST).is_file():
            raise DataError(
                f"{folder} is not the folder of a graph: it has no {MANIFEST}. `graphzsl export subgraph --out FOLDER` writes one."
            )
        facts = read_json(folder / MANIFEST)
        if facts.get("kind") != KIND:
            raise DataError(
                f"{folder / MANIFEST} describes a {facts.get('kind')!r}, not a subgraph. Run `graphzsl export subgraph`."
            )
        check_files(folder, facts, (_NODES_FILE, _EDGES_FILE), "Export it again.")
        nodes, edges = pq.read_table(folder / _NODES_FILE), pq.read_table(folder / _EDGES_FILE)
        edge_index = np.stack([edges["child"].to_numpy(), edges["parent"].to_numpy()]).astype(np.int64)
        if edge_index.size and (edge_index.min() < 0 or edge_index.max() >= len(nodes)):
            raise DataError(f"{folder / _EDGES_FILE} refers to a node that is not in nodes.parquet.")
        return cls(
            wnids=nodes["wnid"].to_pylist(),
            names=nodes["name"].to_pylist(),
            words=nodes["words"].to_pylist(),
            glosses=nodes["gloss"].to_pylist(),
            edge_index=edge_index,
            class_sets=facts["class_sets"],
            facts=facts,
            populations=nodes["population"].to_pylist(),
        )

    @cached_property
    def dag(self) -> Dag:
        """The hierarchy for searches: ancestors, heights, hops. Its nodes are sorted, so its positions are not those here."""
        edges = self.edge_index.T.tolist()
        return Dag.from_edges(((self.wnids[child], self.wnids[parent]) for child, parent in edges), self.wnids)

    def positions(self, wnids: Sequence[str]) -> npt.NDArray[np.int64]:
        """Positions of wnids; DataError names one that is no node."""
        try:
            return np.array([self.index[wnid] for wnid in wnids], dtype=np.int64)
        except KeyError as error:
            raise DataError(
                f"{error.args[0]} is no node of the subgraph. Export it with the class set that holds it."
            ) from None

    def classes(self, name: str) -> list[str]:
        """The members of a class set that was exported with the graph."""
        try:
            return self.class_sets[name]
        except KeyError:
            raise DataError(
                f"The subgraph has no class set {name!r}; it has {', '.join(self.class_sets)}. Export it with --set."
            ) from None

    def to_data(self) -> Data:
        """A torch_geometric Data: ``edge_index`` [2, E] child -> parent, ``num_nodes``, ``wnid`` (a list)."""
        import torch
        from torch_geometric.data import Data

        return Data(edge_index=torch.from_numpy(self.edge_index), num_nodes=len(self.wnids), wnid=self.wnids)


def save_subgraph(graph: Subgraph, folder: Path) -> None:
    """Write a subgraph from elsewhere as a folder that ``Subgraph.load`` reads: edges of one unnamed type."""
    unknown = [None] * len(graph.wnids)
    nodes = {"wnid": graph.wnids, "name": graph.names, "words": graph.words, "gloss": graph.glosses, "depth": unknown,
             "population": graph.populations or unknown}  # fmt: skip
    child, parent = graph.edge_index.tolist()
    with replacing_folder(folder) as partial:
        pq.write_table(pa.table(nodes, schema=_NODES), partial / _NODES_FILE)
        pq.write_table(
            pa.table({"child": child, "parent": parent, "type": ["EDGE"] * len(child)}, schema=_EDGES),
            partial / _EDGES_FILE,
        )
        files = {name: sha256(partial / name) for name in (_NODES_FILE, _EDGES_FILE)}
        write_json(partial / MANIFEST, {**graph.facts, "class_sets": graph.class_sets, "files": files})


def export_subgraph(
    database: Database, names: Sequence[str], folder: Path, hierarchy: str = "wordnet", whole: bool = False
) -> dict[str, Any]:
    """Write the classes of the named sets, all their ancestors, and the edges among them. Returns the manifest.

    ``whole`` writes every noun synset: what evaluation needs for hops and for heights in full WordNet.

    ``nodes.parquet`` (wnid, name, words, gloss, depth, population), ``edges.parquet`` (child, parent: positions in
    nodes; type) and ``manifest.json`` (queries with their hashes, parameters, hierarchy, sources, class sets, checksums).
    """
    from graphzsl.database.queries import query
    from graphzsl.hierarchy import check_hierarchy, members, source_checksums

    check_hierarchy(database, hierarchy)
    if hierarchy == "release":
        raise DataError(
            "A subgraph has synsets as nodes; the release hierarchy's hubs are none. Use wordnet or hypernym."
        )
    class_sets = {name: members(database, name) for name in names}
    nodes_query = query("noun_synsets") if whole else query("subgraph_nodes", hierarchy=hierarchy)
    edges_query = query("subgraph_edges", hierarchy=hierarchy)
    nodes = database.rows(nodes_query, **({} if whole else {"names": list(names)}))
    index = {row["wnid"]: position for position, row in enumerate(nodes)}
    edges = sorted(
        (index[row["child"]], index[row["parent"]], row["type"])
        for row in database.rows_in_batches(edges_query, list(index))
        if row["parent"] in index
    )
    with replacing_folder(folder) as partial:
        pq.write_table(pa.Table.from_pylist(nodes, schema=_NODES), partial / _NODES_FILE)
        child, parent, kind = zip(*edges, strict=True) if edges else ((), (), ())
        pq.write_table(pa.table({"child": child, "parent": parent, "type": kind}, schema=_EDGES), partial / _EDGES_FILE)
        facts = manifest(
            KIND,
            hierarchy=hierarchy,
            parameters={"names": list(names)},
            queries={statement.name: statement.sha256 for statement in (nodes_query, edges_query)},
            sources=source_checksums(database),
            class_sets=class_sets,
            whole=whole,
            nodes=len(nodes),
            edges=len(edges),
            files={name: sha256(partial / name) for name in (_NODES_FILE, _EDGES_FILE)},
        )
        write_json(partial / MANIFEST, facts)
    return facts
