"""The tree of the classes alone: by hand on the mini WordNet, and against networkx."""

from __future__ import annotations

import networkx
import numpy as np
import pytest

from graphzsl.common import DataError
from graphzsl.hierarchy import Hierarchy
from graphzsl.hierarchy.class_tree import ClassTree
from tests.mini import MiniWordNet

MINI = MiniWordNet()
DAG = Hierarchy.from_edges(MINI.edges())
NAMES = ("animal", "mammal", "dog", "poodle", "toy_poodle", "cat", "tree", "oak", "car")
TREE = ClassTree(DAG, MINI.named(*NAMES))


@pytest.mark.parametrize(
    ("one", "other", "edges"),
    [
        ("poodle", "poodle", 0),
        ("poodle", "toy_poodle", 1),
        # dog and cat are domestic animals, which is the shorter way up: mammal is not above them
        ("dog", "mammal", 2),
        ("toy_poodle", "cat", 4),
        # chordate is no class, so mammal is next to animal
        ("mammal", "animal", 1),
        # roots: animal, tree, car
        ("car", "tree", 3),
        ("oak", "dog", 5),
    ],
)
def test_edges_by_hand(one: str, other: str, edges: int) -> None:
    here, there = DAG.positions(MINI.named(one)), DAG.positions(MINI.named(other))
    assert TREE.to(there)(here).tolist() == [[edges]]
    assert TREE.to(here)(there).tolist() == [[edges]]


def test_the_nearest_is_never_the_class_itself() -> None:
    targets = DAG.positions(MINI.named("dog", "oak"))
    sources = DAG.positions(MINI.named("dog", "oak", "car", "cat"))
    assert TREE.nearest(sources, targets).tolist() == [5, 5, 4, 2]
    alone = DAG.positions(MINI.named("dog"))
    assert TREE.nearest(alone, alone).tolist() == [np.inf]
    assert TREE.nearest(sources[:0], targets).tolist() == []


def test_every_way_up_counts_where_it_is_asked_for() -> None:
    """Over domestic animals a dog is two edges from mammal, over mammals one; a car has one way."""
    mammal = DAG.positions(MINI.named("mammal"))
    dog, car = DAG.index[MINI["dog"]], DAG.index[MINI["car"]]
    assert sorted(TREE.over_each_way(dog, mammal).ravel().tolist()) == [1, 2]
    assert TREE.over_each_way(car, mammal).tolist() == [[4]]


def test_against_networkx() -> None:
    """Every second node: the parent found by climbing, roots joined by an edge of length 3."""
    classes = DAG.wnids[::2]
    depths = dict(zip(DAG.wnids, DAG.min_depth.tolist(), strict=True))
    parents = {wnid: [] for wnid in DAG.wnids}
    for child, parent in MINI.edges():
        parents[child].append(parent)
    graph = networkx.Graph()
    roots = []
    for wnid in classes:
        node = wnid
        while parents[node]:
            node = min(parents[node], key=lambda parent: (depths[parent], parent))
            if node in classes:
                graph.add_edge(wnid, node, weight=1)
                break
        else:
            roots.append(wnid)
            graph.add_node(wnid)
    graph.add_edges_from((root, "common", {"weight": 1.5}) for root in roots)
    tree, positions = ClassTree(DAG, classes), DAG.positions(classes)
    found = tree.to(positions)(positions)
    for row, one in zip(found, classes, strict=True):
        lengths = networkx.single_source_dijkstra_path_length(graph, one)
        assert row.tolist() == [lengths[other] for other in classes]


def test_wrong_classes_are_refused() -> None:
    with pytest.raises(DataError, match="twice"):
        ClassTree(DAG, MINI.named("dog", "dog"))
    with pytest.raises(DataError, match="n00000009 is not a node"):
        ClassTree(DAG, ["n00000009"])
