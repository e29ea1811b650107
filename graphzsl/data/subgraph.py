"""The line between database and models: a subgraph written as files, and read back without a
database."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from graphzsl.common.checked_names import (
    check_classes,
    check_name,
    check_synset_names,
    free_text_problem,
    shown,
)
from graphzsl.common.errors import DataError
from graphzsl.common.files import (
    MANIFEST,
    atomic_folder,
    check_files,
    folder_manifest,
    sha256,
    write_json,
)
from graphzsl.common.reading.parquet_files import read_parquet
from graphzsl.common.wording import counted
from graphzsl.sources.wordnet_content import LEXNAMES

if TYPE_CHECKING:
    from torch_geometric.data import Data, HeteroData

    from graphzsl.data.pyg import Embeddings
    from graphzsl.hierarchy.graph import Hierarchy


NODES_FILE, EDGES_FILE = "nodes.parquet", "edges.parquet"
KIND = "subgraph"
NODES_SCHEMA = pa.schema(
    [
        ("wnid", pa.string()),
        ("name", pa.string()),
        ("words", pa.list_(pa.string())),
        ("gloss", pa.string()),
        ("lexname", pa.string()),
        ("depth", pa.int32()),
        ("population", pa.int64()),
    ]
)
_NOUN_FILES = tuple(name for name, category in LEXNAMES if category == 1)
#: Type of the edges of a graph from elsewhere.
_UNNAMED = "EDGE"
EDGES_SCHEMA = pa.schema([("child", pa.int64()), ("parent", pa.int64()), ("type", pa.string())])


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


#: Column of the nodes -> whether an entry can stand in it.
_COLUMNS: dict[str, Callable[[Any], bool]] = {
    "names": lambda value: isinstance(value, str),
    "words": _are_texts,
    "glosses": lambda value: isinstance(value, str),
    "populations": lambda value: value is None or (type(value) is int and value >= 0),
    "depths": lambda value: type(value) is int and value >= 0,
    "lexnames": lambda value: value in _NOUN_FILES,
}


@dataclass(frozen=True, eq=False)
class Subgraph:
    """Nodes with their texts, and hierarchy edges child -> parent as positions beside ``wnids``.

    Args:
        wnids: [V] the nodes.
        names: [V] the synset's name of each node. Empty: unknown, as every list but ``wnids`` may
            be.
        words: [V] its words.
        glosses: [V] its gloss.
        edge_index: [2, E] int64; row 0 children, row 1 parents.
        class_sets: name -> classes that were exported with it.
        manifest: what its folder says of it: hierarchy, queries, sources.
        populations: [V] images of each node, None where that is not known.
        depths: [V] fewest edges from each node up to the root.
        lexnames: [V] its lexicographer file, one of ``LEXNAMES``.
        edge_types: [E] the type of each edge, one of ``EDGE_TYPES``.

    >>> import numpy as np
    >>> gz.Subgraph(["a", "b"], ["A", "B"], [[], []], ["", ""], np.array([[0], [1]]), {}, {})
    <Subgraph: 2 nodes, 1 edges>
    """

    #: Types of edges.
    EDGE_TYPES: ClassVar[tuple[str, ...]] = ("HYPERNYM", "INSTANCE_HYPERNYM")
    #: WordNet's 26 lexicographer files of nouns.
    LEXNAMES: ClassVar[tuple[str, ...]] = _NOUN_FILES

    wnids: list[str]
    names: list[str]
    words: list[list[str]]
    glosses: list[str]
    edge_index: npt.NDArray[np.int64]
    class_sets: dict[str, list[str]]
    manifest: dict[str, Any]
    populations: list[int | None] = field(default_factory=list)
    depths: list[int] = field(default_factory=list)
    lexnames: list[str] = field(default_factory=list)
    edge_types: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        check_classes(self.wnids)
        for name, good in _COLUMNS.items():
            self._check_column(name, good)
        check_synset_names(dict(zip(self.wnids, self.names, strict=False)), "names")
        self._check_edges()
        self._check_sets()

    def _check_column(self, name: str, good: Callable[[Any], bool]) -> None:
        column = getattr(self, name)
        if column == []:
            return
        if not isinstance(column, list) or len(column) != len(self.wnids):
            nodes = counted(len(self.wnids), "node")
            raise DataError(f"{name} must be a list of one entry for each of {nodes}.")
        for wnid, entry in zip(self.wnids, column, strict=True):
            if not good(entry):
                raise DataError(f"{name}: that of {wnid} is {shown(entry)}, which is none.")
            for text in entry if isinstance(entry, list) else [entry]:
                if isinstance(text, str) and (problem := free_text_problem(text)):
                    raise DataError(f"{name}: that of {wnid} {problem}.")

    def _check_edges(self) -> None:
        edges = self.edge_index
        if not isinstance(edges, np.ndarray) or edges.ndim != 2 or len(edges) != 2:
            raise DataError("edge_index must be an array [2, E]: children, then parents.")
        if edges.dtype.kind not in "iu":
            raise DataError(f"edge_index must hold positions of nodes, not {edges.dtype}.")
        if edges.size and (edges.min() < 0 or edges.max() >= len(self.wnids)):
            raise DataError("edge_index refers to a node that is not there.")
        types = self.edge_types
        if types and len(types) != edges.shape[1]:
            raise DataError(f"edge_types has {len(types):,} entries for {edges.shape[1]:,} edges.")
        for name in types:
            if name not in self.EDGE_TYPES:
                expected = " or ".join(self.EDGE_TYPES)
                raise DataError(f"edge_types: {shown(name)} is not {expected}.")
        loops = np.flatnonzero(edges[0] == edges[1])
        if len(loops):
            raise DataError(f"{self.wnids[edges[0, loops[0]]]} has an edge to itself.")

    def _check_sets(self) -> None:
        if not isinstance(self.class_sets, dict):
            raise DataError("class_sets must be a dictionary of name -> classes.")
        for name, members in self.class_sets.items():
            check_name(name, "a class set")
            check_classes(members, f"class set {name}")

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
        manifest = folder_manifest(
            folder, KIND, "a graph", "graphzsl export subgraph", "Export it again."
        )
        check_files(folder, manifest, (NODES_FILE, EDGES_FILE), "Export it again.")
        again = "Export the graph again."
        nodes = read_parquet(folder / NODES_FILE, tuple(NODES_SCHEMA.names), expected=again)
        edges = read_parquet(folder / EDGES_FILE, tuple(EDGES_SCHEMA.names), expected=again)
        ends = [_positions(edges[end], end, folder / EDGES_FILE) for end in ("child", "parent")]
        edge_index = np.stack(ends)
        if edge_index.size and (edge_index.min() < 0 or edge_index.max() >= len(nodes)):
            raise DataError(f"{folder / EDGES_FILE} refers to a node that is not in nodes.parquet.")
        try:
            return cls._of_tables(nodes, edges, edge_index, manifest)
        except DataError as error:
            raise error.at(f"{folder}: ") from None

    @classmethod
    def _of_tables(
        cls, nodes: Any, edges: Any, edge_index: npt.NDArray[np.int64], manifest: dict[str, Any]
    ) -> Subgraph:
        types = edges["type"].to_pylist()
        return cls(
            wnids=nodes["wnid"].to_pylist(),
            names=nodes["name"].to_pylist(),
            words=nodes["words"].to_pylist(),
            glosses=nodes["gloss"].to_pylist(),
            edge_index=edge_index,
            class_sets=manifest["class_sets"],
            manifest=manifest,
            populations=_known(nodes["population"]),
            depths=_known(nodes["depth"]),
            lexnames=_known(nodes["lexname"]),
            edge_types=[] if types == [_UNNAMED] * len(types) else types,
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
            names=dict(zip(self.wnids, self.names, strict=bool(self.names))),
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

    def to_data(self, embeddings: Embeddings | None = None) -> Data:
        """The hierarchy as a torch_geometric ``Data``, without what the graph does not know.

        Args:
            embeddings: class embeddings of all nodes, or the .safetensors file that holds them.

        Returns:
            ``edge_index`` [2, E] child -> parent and ``edge_type`` [E], positions in
            ``EDGE_TYPES``. Of the nodes: ``wnid``, a list; ``x`` [V, S] float32, their embeddings;
            ``depth`` [V]; ``population`` [V] float32, NaN where unknown; ``lexname`` [V], positions
            in ``LEXNAMES``; and a boolean ``mask_NAME`` [V] of every class set (``mask_hops_1``).

        Raises:
            DataError: a node has no embedding, or the name of a class set makes no mask.
        """
        from graphzsl.data.pyg import to_data

        return to_data(self, embeddings)

    def to_hetero(self, embeddings: Embeddings | None = None) -> HeteroData:
        """The graph with its words and class sets as a torch_geometric ``HeteroData``.

        Args:
            embeddings: class embeddings of all nodes, or the .safetensors file that holds them.

        Returns:
            Nodes ``synset``, with what ``to_data`` gives them; ``word``, with ``text``; and
            ``class_set``, with ``name``; texts are arrays. Edges ``hypernym`` and
            ``instance_hypernym`` from child to parent (``edge`` where types are unknown),
            ``has_label`` from synset to word with its ``rank`` from 1, and ``in_set``.

        Raises:
            DataError: as ``to_data``.
        """
        from graphzsl.data.pyg import to_hetero

        return to_hetero(self, embeddings)


def _known(column: Any) -> list[Any]:
    """The values of a column; none where all are null."""
    return [] if column.null_count == len(column) else column.to_pylist()


def _positions(column: Any, name: str, path: Path) -> npt.NDArray[np.int64]:
    if not pa.types.is_integer(column.type) or column.null_count:
        raise DataError(f"{path}: {name} must hold a position of a node in each row.")
    found: npt.NDArray[np.int64] = np.from_dlpack(column.combine_chunks()).astype(np.int64)
    return found


def save_subgraph(graph: Subgraph, folder: Path) -> None:
    """Write a subgraph as a folder that ``Subgraph.load`` reads."""
    unknown = [None] * len(graph.wnids)
    nodes = {
        "wnid": graph.wnids,
        "name": graph.names or [""] * len(graph.wnids),
        "words": graph.words or [[]] * len(graph.wnids),
        "gloss": graph.glosses or [""] * len(graph.wnids),
        "lexname": graph.lexnames or unknown,
        "depth": graph.depths or unknown,
        "population": graph.populations or unknown,
    }
    child, parent = graph.edge_index.tolist()
    types = graph.edge_types or [_UNNAMED] * len(child)
    with atomic_folder(folder) as partial:
        pq.write_table(pa.table(nodes, schema=NODES_SCHEMA), partial / NODES_FILE)
        pq.write_table(
            pa.table({"child": child, "parent": parent, "type": types}, schema=EDGES_SCHEMA),
            partial / EDGES_FILE,
        )
        files = {name: sha256(partial / name) for name in (NODES_FILE, EDGES_FILE)}
        write_json(
            partial / MANIFEST,
            {"kind": KIND, **graph.manifest, "class_sets": graph.class_sets, "files": files},
        )
