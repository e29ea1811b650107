"""GCNZ (zero-shot-gcn): imagenet_graph.pkl {node: [node, …]} and its JSON companions. The pickle is
parsed by opcode, never loaded.

Lists hold repeats, because shared sub-trees are written once per parent: an edge counts once.
``invdict_wordn.json`` has the wnids of the nodes, among them ``fall11`` and ``fa11misc``, and
``invdict_wordntext.json`` their words, which may repeat: as a list, or a dictionary by number;
``corresp-*.json`` holds [class number or -1, is unseen] a node.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np

from graphzsl.common.checked_names import free_text_problem
from graphzsl.common.errors import DataError
from graphzsl.common.files import manifest, read_json, sha256
from graphzsl.common.reading.pickle_files import read_plain_pickle
from graphzsl.data.subgraph import KIND, Subgraph
from graphzsl.embeddings.formats.arrays import distinct

#: A number of a node, as it is written once.
_NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")


def read_gcnz_graph(graph: Path, nodes: Path, words: Path | None = None) -> Subgraph:
    """The undirected graph as a subgraph; every edge is written once, from the larger node to the
    smaller.

    It does not say which end is the parent: use it for models that go both ways (sgcn, gcn6, sgc),
    not for ancestors.
    """
    lists = read_plain_pickle(graph)
    names = read_json(nodes)
    if not isinstance(lists, dict) or not all(
        isinstance(key, int) and isinstance(value, list) for key, value in lists.items()
    ):
        raise DataError(f"{graph}: expected a dictionary of node number -> list of node numbers.")
    wnids = distinct(_by_number(names, nodes), "the list of nodes", nodes)
    texts = _by_number(read_json(words), words) if words else [""] * len(wnids)
    edges = set()
    for node, others in lists.items():
        for other in others:
            if not isinstance(other, int) or not (
                0 <= node < len(wnids) and 0 <= other < len(wnids)
            ):
                raise DataError(
                    f"{graph}: the edge {node} - {other} leaves the {len(wnids):,} nodes of"
                    f" {nodes.name}."
                )
            if node != other:
                edges.add((max(node, other), min(node, other)))
    edge_index = np.array(sorted(edges), dtype=np.int64).reshape(-1, 2).T
    metadata = manifest(
        KIND,
        hierarchy="release (undirected, GCNZ)",
        files={graph.name: sha256(graph), nodes.name: sha256(nodes)},
        nodes=len(wnids),
        edges=edge_index.shape[1],
        class_sets={},
    )
    return Subgraph(
        wnids,
        [text.split(",")[0] for text in texts],
        [text.split(", ") for text in texts],
        [""] * len(wnids),
        edge_index,
        {},
        metadata,
    )


def read_gcnz_unseen(path: Path, wnids: list[str]) -> tuple[list[str], list[str]]:
    """(training, unseen) wnids of a corresp-*.json, in the order of their class numbers."""
    rows = read_json(path)
    if not isinstance(rows, list) or len(rows) != len(wnids):
        raise DataError(
            f"{path}: expected one [class number, is unseen] for each of {len(wnids):,} nodes."
        )
    sides: dict[int, list[tuple[int, str]]] = {0: [], 1: []}
    for node, row in enumerate(rows):
        if (
            not isinstance(row, list)
            or len(row) != 2
            or row[1] not in (0, 1, True, False)
            or not isinstance(row[0], int)
        ):
            raise DataError(
                f"{path}: node {node} is {row!r}; expected [class number or -1, 0 or 1]."
            )
        if row[0] >= 0:
            sides[int(row[1])].append((row[0], wnids[node]))
    return tuple([wnid for _, wnid in sorted(side)] for side in sides.values())  # type: ignore[return-value]


def _by_number(wnid_of: Any, path: Path) -> list[str]:
    """The texts of the nodes, in the order of their numbers."""
    if isinstance(wnid_of, list):
        wnid_of = {str(number): text for number, text in enumerate(wnid_of)}
    if not isinstance(wnid_of, dict) or not all(
        _NUMBER.fullmatch(str(key)) and isinstance(value, str) for key, value in wnid_of.items()
    ):
        raise DataError(
            f"{path}: expected a text for each node, as a list or by their numbers in a dictionary."
        )
    for key, text in wnid_of.items():
        if problem := free_text_problem(text):
            raise DataError(f"{path}: the text of node {key} {problem}.")
    numbers = sorted(int(key) for key in wnid_of)
    if numbers != list(range(len(numbers))):
        raise DataError(f"{path}: node numbers are not 0 to {len(numbers) - 1}.")
    return [wnid_of[str(number)] for number in numbers]
