"""DGP and ADGPM: induced graph {wnids, vectors, edges}, split files, and predicted or trained
classifiers (``.pred``)."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from graphzsl.common.errors import DataError
from graphzsl.common.files import manifest, read_json, sha256
from graphzsl.common.reading.torch_files import as_array, read_torch
from graphzsl.data.class_matrix import CLASSIFIERS, EMBEDDINGS, ClassMatrix
from graphzsl.data.subgraph import KIND, Subgraph
from graphzsl.embeddings.formats.arrays import distinct, key, matrix


def read_dgp_graph(path: Path) -> tuple[Subgraph, ClassMatrix, list[str]]:
    """(subgraph child -> hypernym, embeddings of its nodes, nodes without one): a zero vector means
    that no word was known."""
    arrays = read_json(path)
    if not isinstance(arrays, dict):
        raise DataError(f"{path}: expected an object with wnids, vectors and edges.")
    wnids = distinct(key(arrays, "wnids", path, "a list of wnids"), "wnids", path)
    vectors = matrix(
        _array(key(arrays, "vectors", path, "one vector per wnid"), "vectors", path),
        "vectors",
        path,
        (len(wnids), None),
    )
    edges = _array(key(arrays, "edges", path, "pairs of positions"), "edges", path)
    if edges.size and (
        edges.ndim != 2
        or edges.shape[1] != 2
        or edges.dtype.kind != "i"
        or edges.min() < 0
        or edges.max() >= len(wnids)
    ):
        raise DataError(f"{path}: edges must be pairs of positions from 0 to {len(wnids) - 1:,}.")
    known = np.flatnonzero(np.abs(vectors).sum(axis=1) > 0)
    missing = [wnids[row] for row in sorted(set(range(len(wnids))) - set(known.tolist()))]
    origin = {"file": path.name, "sha256": sha256(path)}
    metadata = manifest(
        KIND,
        hierarchy="hypernym (DGP)",
        nodes=len(wnids),
        edges=len(edges),
        class_sets={},
        **origin,
    )
    graph = Subgraph(
        wnids,
        [""] * len(wnids),
        [[] for _ in wnids],
        [""] * len(wnids),
        edges.reshape(-1, 2).T.astype(np.int64),
        {},
        metadata,
    )
    semantics = manifest(
        EMBEDDINGS,
        semantics="DGP's vectors",
        dimensions=vectors.shape[1],
        missing=missing,
        **origin,
    )
    return graph, ClassMatrix([wnids[row] for row in known], vectors[known], semantics), missing


def read_dgp_split(path: Path) -> dict[str, list[str]]:
    """Name -> wnids: train, test, or the test sets 2-hops, 3-hops, … under their published (one hop
    too far) names."""
    split = read_json(path)
    if not isinstance(split, dict) or not all(
        isinstance(v, list) and all(isinstance(w, str) for w in v) for v in split.values()
    ):
        raise DataError(f"{path}: expected an object of name -> list of wnids.")
    lists = {name: distinct(members, name, path) for name, members in split.items()}
    if "train" in lists:
        train = set(lists["train"])
        for name, members in lists.items():
            both = train.intersection(members)
            if name != "train" and both:
                raise DataError(f"{path}: {min(both)} is in train and in {name}.")
    return lists


def read_dgp_classifiers(path: Path) -> ClassMatrix:
    """[C, D+1] of a file written by torch.save({'wnids', 'pred'}), read with ``weights_only``: no
    code in it can run."""
    expected = "wnids [C] and pred [C, D+1]"
    state = read_torch(path, expected)
    if not isinstance(state, dict) or "pred" not in state:
        raise DataError(f"{path}: expected {expected}.")
    wnids = distinct(key(state, "wnids", path, "a list of wnids"), "wnids", path)
    values = matrix(as_array(state["pred"], "pred", path), "pred", path, (len(wnids), None))
    return ClassMatrix(
        wnids, values, manifest(CLASSIFIERS, network="DGP", file=path.name, sha256=sha256(path))
    )


def _array(value: object, name: str, path: Path) -> np.ndarray:
    try:
        return np.array(value)
    except (ValueError, OverflowError):
        raise DataError(f"{path}: {name} are not all of one length.") from None
