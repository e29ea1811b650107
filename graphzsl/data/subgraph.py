"""The line between database and models: a subgraph written as files, and read back without a
database."""

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

from graphzsl.errors import DataError
from graphzsl.extras import require
from graphzsl.files import (
    MANIFEST,
    atomic_folder,
    check_files,
    read_json,
    read_parquet,
    sha256,
    write_json,
)

if TYPE_CHECKING:
    from torch_geometric.data import Data

    from graphzsl.hierarchy.graph import Hierarchy


NODES_FILE, EDGES_FILE = "nodes.parquet", "edges.parquet"
KIND = "subgraph"
NODES_SCHEMA = pa.schema(
    [
        ("wnid", pa.string()),
        ("name", pa.string()),
        ("words", pa.list_(pa.string())),
        ("gloss", pa.string()),
        ("depth", pa.int32()),
        ("population", pa.int64()),
    ]
)
EDGES_SCHEMA = pa.schema([("child", pa.int64()), ("parent", pa.int64()), ("type", pa.string())])


@dataclass(frozen=True, eq=False)
class Subgraph:
    """Nodes with their texts, and hierarchy edges child -> parent as positions beside ``wnids``.

    Args:
        wnids: [V] the nodes.
        names: [V] the synset's name of each node.
        words: [V] its words.
        glosses: [V] its gloss.
        edge_index: [2, E] int64; row 0 children, row 1 parents.
        class_sets: name -> classes that were exported with it.
        manifest: what its folder says of it: hierarchy, queries, sources.
        populations: [V] images of each node, None where that is not known.

    >>> import numpy as np
    >>> gz.Subgraph(["a", "b"], ["A", "B"], [[], []], ["", ""], np.array([[0], [1]]), {}, {})
    <Subgraph: 2 nodes, 1 edges>
    """

    wnids: list[str]
    names: list[str]
    words: list[list[str]]
    glosses: list[str]
    edge_index: npt.NDArray[np.int64]
    class_sets: dict[str, list[str]]
    manifest: dict[str, Any]
    populations: list[int | None] = field(default_factory=list)

    def __repr__(self) -> str:
        sets = f", class sets {', '.join(self.class_sets)}" if self.class_sets else ""
        nodes, edges = len(self.wnids), self.edge_index.shape[1]
        return f"<Subgraph: {nodes:,} nodes, {edges:,} edges{sets}>"

    @cached_property
    def index(self) -> dict[str, int]:
        """wnid -> position."""
        return {wnid: position for position, wnid in enumerate(self.wnids)}

    @classmethod
    def load(cls, folder: Path | str) -> Subgraph:
        """Read a folder that `graphzsl export subgraph` wrote.

        Args:
            folder: with nodes.parquet, edges.parquet and the manifest.

        Returns:
            The subgraph.

        Raises:
            DataError: names what is missing, changed or inconsistent.
        """
        folder = Path(folder)
        if not (folder / MANIFEST).is_file():
            raise DataError(
                f"{folder} is not the folder of a graph: it has no {MANIFEST}. `graphzsl export"
                " subgraph` writes one."
            )
        manifest = read_json(folder / MANIFEST)
        if manifest.get("kind") != KIND:
            raise DataError(
                f"{folder / MANIFEST} describes a {manifest.get('kind')!r}, not a subgraph. Run"
                " `graphzsl export subgraph`."
            )
        check_files(folder, manifest, (NODES_FILE, EDGES_FILE), "Export it again.")
        nodes, edges = read_parquet(folder / NODES_FILE), read_parquet(folder / EDGES_FILE)
        ends = [np.from_dlpack(edges[end].combine_chunks()) for end in ("child", "parent")]
        edge_index = np.stack(ends).astype(np.int64)
        if edge_index.size and (edge_index.min() < 0 or edge_index.max() >= len(nodes)):
            raise DataError(f"{folder / EDGES_FILE} refers to a node that is not in nodes.parquet.")
        return cls(
            wnids=nodes["wnid"].to_pylist(),
            names=nodes["name"].to_pylist(),
            words=nodes["words"].to_pylist(),
            glosses=nodes["gloss"].to_pylist(),
            edge_index=edge_index,
            class_sets=manifest["class_sets"],
            manifest=manifest,
            populations=nodes["population"].to_pylist(),
        )

    @cached_property
    def hierarchy(self) -> Hierarchy:
        """The hierarchy for searches. Its nodes are sorted, so its positions are not those here."""
        from graphzsl.hierarchy.graph import Hierarchy

        edges = (
            (self.wnids[child], self.wnids[parent]) for child, parent in self.edge_index.T.tolist()
        )
        counts = zip(self.wnids, self.populations, strict=bool(self.populations))
        return Hierarchy.from_edges(
            edges,
            self.wnids,
            names=dict(zip(self.wnids, self.names, strict=True)),
            populations={wnid: count for wnid, count in counts if count is not None},
            provenance={
                key: self.manifest.get(key) for key in ("hierarchy", "whole", "queries", "sources")
            },
        )

    def positions(self, wnids: Sequence[str]) -> npt.NDArray[np.int64]:
        """Positions of wnids; DataError names one that is not a node."""
        try:
            return np.array([self.index[wnid] for wnid in wnids], dtype=np.int64)
        except KeyError as error:
            raise DataError(
                f"{error.args[0]} is not a node of the subgraph. Export it with the class set that"
                " holds it."
            ) from None

    def classes(self, name: str) -> list[str]:
        """The members of a class set that was exported with the graph."""
        try:
            return self.class_sets[name]
        except KeyError:
            raise DataError(
                f"The subgraph has no class set {name!r}; it has {', '.join(self.class_sets)}."
                " Export it with that class set."
            ) from None

    def to_data(self) -> Data:
        """A torch_geometric Data: ``edge_index`` [2, E] child -> parent, ``num_nodes``, ``wnid`` (a
        list)."""
        require("torch", "torch_geometric")
        import torch
        from torch_geometric.data import Data

        return Data(
            edge_index=torch.from_numpy(self.edge_index), num_nodes=len(self.wnids), wnid=self.wnids
        )


def save_subgraph(graph: Subgraph, folder: Path) -> None:
    """Write a subgraph from elsewhere as a folder that ``Subgraph.load`` reads: edges of one
    unnamed type."""
    unknown = [None] * len(graph.wnids)
    nodes = {
        "wnid": graph.wnids,
        "name": graph.names,
        "words": graph.words,
        "gloss": graph.glosses,
        "depth": unknown,
        "population": graph.populations or unknown,
    }
    child, parent = graph.edge_index.tolist()
    with atomic_folder(folder) as partial:
        pq.write_table(pa.table(nodes, schema=NODES_SCHEMA), partial / NODES_FILE)
        pq.write_table(
            pa.table(
                {"child": child, "parent": parent, "type": ["EDGE"] * len(child)},
                schema=EDGES_SCHEMA,
            ),
            partial / EDGES_FILE,
        )
        files = {name: sha256(partial / name) for name in (NODES_FILE, EDGES_FILE)}
        write_json(
            partial / MANIFEST, {**graph.manifest, "class_sets": graph.class_sets, "files": files}
        )
