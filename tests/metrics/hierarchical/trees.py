"""A tree of ten nodes, a DAG with a diamond, random ones, and their ancestors by recursion."""

from __future__ import annotations

import numpy as np

import graphzsl as gz

#: thing: animal (dog (poodle, beagle, husky), cat), artefact (cup, car).
PARENT = {
    "animal": "thing",
    "artefact": "thing",
    "dog": "animal",
    "cat": "animal",
    "poodle": "dog",
    "beagle": "dog",
    "husky": "dog",
    "cup": "artefact",
    "car": "artefact",
}
TREE = gz.Hierarchy.from_edges(PARENT.items())
LEAVES = ["poodle", "beagle", "husky", "cat", "cup", "car"]
#: d lies below a and b; g below d and, in one edge, below the root.
DIAMOND = {"a": ["r"], "b": ["r"], "d": ["a", "b"], "e": ["a"], "f": ["b"], "g": ["d", "r"]}
DAG = gz.Hierarchy.from_edges((child, each) for child, above in DIAMOND.items() for each in above)


def random_parents(random: np.random.Generator, nodes: int, most: int) -> dict[str, list[str]]:
    """child -> one to ``most`` parents among the nodes before it; n0 is the root."""
    found = {}
    for number in range(1, nodes):
        count = min(number, int(random.integers(1, most + 1)))
        found[f"n{number}"] = [f"n{p}" for p in random.choice(number, count, replace=False)]
    return found


def above(parents: dict[str, list[str]], node: str) -> set[str]:
    """A node and its ancestors."""
    return {node}.union(*(above(parents, each) for each in parents.get(node, ())))


def height(parents: dict[str, list[str]], node: str, nodes: set[str]) -> int:
    """Longest way down within some nodes."""
    below = [each for each in nodes if node in parents.get(each, ())]
    return max((height(parents, each, nodes) + 1 for each in below), default=0)
