"""A subgraph as torch-geometric's ``Data`` and ``HeteroData``."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from graphzsl.common.errors import DataError
from graphzsl.common.extras import require
from graphzsl.data.class_matrix import EMBEDDINGS, ClassMatrix

if TYPE_CHECKING:
    from torch import Tensor
    from torch_geometric.data import Data, HeteroData

#: Class embeddings in memory, or their .safetensors file.
Embeddings = ClassMatrix | Path | str


class Graph(Protocol):
    """Attributes of ``Subgraph`` that torch-geometric's objects are made of."""

    EDGE_TYPES: ClassVar[tuple[str, ...]]
    LEXNAMES: ClassVar[tuple[str, ...]]

    @property
    def wnids(self) -> list[str]: ...
    @property
    def index(self) -> dict[str, int]: ...
    @property
    def words(self) -> list[list[str]]: ...
    @property
    def edge_index(self) -> npt.NDArray[np.int64]: ...
    @property
    def edge_types(self) -> list[str]: ...
    @property
    def class_sets(self) -> dict[str, list[str]]: ...
    @property
    def populations(self) -> list[int | None]: ...
    @property
    def depths(self) -> list[int]: ...
    @property
    def lexnames(self) -> list[str]: ...


def to_data(graph: Graph, embeddings: Embeddings | None) -> Data:
    """The result of ``Subgraph.to_data``."""
    require("torch", "torch_geometric")
    import torch
    from torch_geometric.data import Data

    edges = torch.tensor(graph.edge_index, dtype=torch.int64)
    data = Data(edge_index=edges, **_node_attributes(graph, embeddings))
    if graph.edge_types:
        data.edge_type = torch.tensor([graph.EDGE_TYPES.index(name) for name in graph.edge_types])
    return data


def to_hetero(graph: Graph, embeddings: Embeddings | None) -> HeteroData:
    """The result of ``Subgraph.to_hetero``."""
    require("torch", "torch_geometric")
    import torch
    from torch_geometric.data import HeteroData

    data = HeteroData()
    data["synset"].update(_node_attributes(graph, embeddings))
    data["synset"].wnid = _texts(graph.wnids)
    edges, types = torch.tensor(graph.edge_index, dtype=torch.int64), np.array(graph.edge_types)
    for name in graph.EDGE_TYPES if graph.edge_types else ():
        data["synset", name.lower(), "synset"].edge_index = edges[:, types == name]
    if not graph.edge_types:
        data["synset", "edge", "synset"].edge_index = edges

    texts = sorted({word for words in graph.words for word in words})
    number = {text: position for position, text in enumerate(texts)}
    data["word"].text, data["word"].num_nodes = _texts(texts), len(texts)
    labels = data["synset", "has_label", "word"]
    labels.edge_index = _edge_index(
        [(node, number[word]) for node, words in enumerate(graph.words) for word in words]
    )
    ranks = [rank for words in graph.words for rank in range(1, len(words) + 1)]
    labels.rank = torch.tensor(ranks, dtype=torch.int64)

    sets = graph.class_sets
    data["class_set"].name, data["class_set"].num_nodes = _texts(list(sets)), len(sets)
    data["synset", "in_set", "class_set"].edge_index = _edge_index(
        [
            (graph.index[wnid], position)
            for position, members in enumerate(sets.values())
            for wnid in members
            if wnid in graph.index
        ]
    )
    return data


def _texts(values: list[str]) -> npt.NDArray[np.str_]:
    """An array, of which HeteroData.subgraph keeps a part; Data.subgraph takes lists alone."""
    return np.array(values, dtype=np.str_)


def _edge_index(pairs: list[Any]) -> Tensor:
    """[2, E] int64 of E pairs (source, target)."""
    import torch

    return torch.tensor(pairs, dtype=torch.int64).reshape(-1, 2).T.contiguous()


def _node_attributes(graph: Graph, embeddings: Embeddings | None) -> dict[str, Any]:
    """Name -> what is known of the nodes, beside ``num_nodes``."""
    import torch

    found: dict[str, Any] = {"num_nodes": len(graph.wnids), "wnid": graph.wnids}
    if embeddings is not None:
        if not isinstance(embeddings, ClassMatrix):
            embeddings = ClassMatrix.load(embeddings, EMBEDDINGS)
        found["x"] = torch.from_numpy(embeddings.rows(graph.wnids)).float()
    if graph.depths:
        found["depth"] = torch.tensor(graph.depths)
    if graph.populations:
        images = [math.nan if count is None else count for count in graph.populations]
        found["population"] = torch.tensor(images, dtype=torch.float32)
    if graph.lexnames:
        found["lexname"] = torch.tensor([graph.LEXNAMES.index(name) for name in graph.lexnames])
    for name, members in graph.class_sets.items():
        inside = set(members)
        mask = torch.tensor([wnid in inside for wnid in graph.wnids], dtype=torch.bool)
        found[_mask_name(name, found)] = mask
    return found


def _mask_name(class_set: str, taken: dict[str, Any]) -> str:
    name = "mask_" + re.sub(r"\W", "_", class_set)
    if name in taken:
        raise DataError(f"Class set {class_set!r}: another one has the mask {name!r}, too.")
    if "batch" in name or "index" in name:
        # a Batch of several graphs adds to attributes that are called so
        raise DataError(
            f"Class set {class_set!r}: torch-geometric takes a mask called {name!r} for positions."
            " Store it under a name without 'batch' and 'index', and export the graph again."
        )
    return name
