"""A tree from a DAG: by hand, and counted anew on ILSVRC's classes."""

from __future__ import annotations

import csv
import doctest
import json
from pathlib import Path
from typing import Any

import networkx
import pytest
from click.testing import CliRunner

import graphzsl as gz
from graphzsl.cli import hierarchy_exports, main
from graphzsl.common import DataError, SettingsError
from graphzsl.hierarchy import Hierarchy
from graphzsl.hierarchy.trees import TREE_RULES, Dropped, contracted, edge_rows, nested, tree_of
from graphzsl.sources.imagenet import listed_classes
from tests.schemas import fitting

#: The dog is a pet (2 below the root, above dog, cat and fish) and a canine (3 below it, above dog
#: and wolf); the toy is a pet and a thing, which are both 2 below.
EDGES = [
    ("creature", "root"),
    ("object", "root"),
    ("pet", "object"),
    ("thing", "object"),
    ("animal", "creature"),
    ("canine", "animal"),
    ("dog", "canine"),
    ("dog", "pet"),
    ("wolf", "canine"),
    ("cat", "pet"),
    ("fish", "pet"),
    ("toy", "pet"),
    ("toy", "thing"),
]
CLASSES = ["dog", "wolf", "cat", "fish", "toy"]
TO_PET = Dropped("toy", "pet", "thing")
TO_THING = Dropped("toy", "thing", "pet")
#: nothing is below the thing any more
THING = Dropped("thing", "object", "")


@pytest.mark.parametrize(
    ("rule", "dropped"),
    [
        ("shortest", [Dropped("dog", "canine", "pet"), THING, TO_THING]),
        ("longest", [Dropped("dog", "pet", "canine"), THING, TO_THING]),
        ("first", [Dropped("dog", "pet", "canine"), THING, TO_THING]),
        ("populous", [Dropped("dog", "canine", "pet"), THING, TO_THING]),
    ],
)
def test_which_parent_is_kept(rule: str, dropped: list[Dropped]) -> None:
    tree, found = tree_of(Hierarchy.from_edges(EDGES), CLASSES, rule)
    assert found == dropped
    expected = {*EDGES} - {(edge.child, edge.parent) for edge in dropped}
    assert {row[:2] for row in edge_rows(tree)} == expected


def test_the_class_count_decides_before_the_depth() -> None:
    """a and b are 1 below the root; b has more classes, and c lies deeper with as many as b."""
    edges = [("a", "root"), ("b", "root"), ("c", "b"), *((x, y) for x in "xy" for y in "bc")]
    edges += [("x", "a")]
    _, found = tree_of(Hierarchy.from_edges(edges), ["x", "y"], "populous")
    assert {(edge.child, edge.parent) for edge in found if edge.child == "x"} == {
        ("x", "a"),
        ("x", "c"),
    }


@pytest.mark.parametrize("rule", TREE_RULES)
def test_a_thousand_classes_in_one_tree(rule: str) -> None:
    wordnet, classes = Hierarchy.load(), listed_classes("ilsvrc2012")
    tree, dropped = tree_of(wordnet, classes, rule)
    graph = networkx.DiGraph((row[1], row[0]) for row in edge_rows(tree))
    assert networkx.is_arborescence(graph)
    assert {*classes} <= {*graph}
    # no leaf but classes
    assert {wnid for wnid in graph if not graph.out_degree(wnid)} <= {*classes}
    # counted anew: edges above the classes, less those of the tree
    above = {ancestor for wnid in classes for ancestor in (*wordnet.ancestors(wnid), wnid)}
    rows, columns = wordnet.up.nonzero()
    edges = {
        (wordnet.wnids[child], wordnet.wnids[parent])
        for child, parent in zip(rows.tolist(), columns.tolist(), strict=True)
    }
    edges = {edge for edge in edges if edge[0] in above}
    assert (len(above), len(edges)) == (1860, 1937)  # as `study ilsvrc trim` has them
    inside = {(child, parent) for parent, child in graph.edges}
    assert {(edge.child, edge.parent) for edge in dropped} == edges - inside
    assert len(dropped) == 1937 - (len(graph) - 1)
    for edge in dropped:
        assert edge.kept == ((next(graph.predecessors(edge.child))) if edge.child in graph else "")
    assert tree.names[classes[0]] == wordnet.names[classes[0]]
    assert not tree.whole
    small = contracted(tree, classes)
    single = [wnid for wnid in small.wnids if len(small.down[[small.index[wnid]]].indices) == 1]
    assert {*single} <= {*classes}
    assert len(small.wnids) < len(tree.wnids)
    assert small.names[classes[0]] == wordnet.names[classes[0]]


def test_nested_objects() -> None:
    hierarchy = Hierarchy.from_edges(EDGES[:7], names={"dog": "dog.n.01"})
    tree, _ = tree_of(hierarchy, ["dog", "object"])
    leaf = {"wnid": "dog", "name": "dog.n.01", "index": 0, "children": []}
    found = nested(tree, ["dog", "object"])
    assert [child["wnid"] for child in found["children"]] == ["creature", "object"]
    assert found["children"][1]["index"] == 1
    node = found
    for _ in range(4):
        node = node["children"][0]
    assert node == leaf
    apart = Hierarchy.from_edges([("dog", "canine"), ("car", "vehicle")])
    with pytest.raises(DataError, match="2 roots \\(canine, vehicle\\)"):
        nested(tree_of(apart, ["dog", "car"])[0], ["dog", "car"])


def test_what_is_refused() -> None:
    hierarchy = Hierarchy.from_edges(EDGES)
    with pytest.raises(SettingsError, match="no rule 'best'"):
        tree_of(hierarchy, CLASSES, "best")
    with pytest.raises(DataError, match="no classes"):
        tree_of(hierarchy, [])
    with pytest.raises(DataError, match="'nobody' is not a node"):
        tree_of(hierarchy, ["nobody"])


def test_the_rules_of_the_command_are_all() -> None:
    assert (*TREE_RULES,) == hierarchy_exports.TREE_RULES


def _export(*arguments: object, code: int = 0) -> Any:
    answer = CliRunner().invoke(main, ["export", "tree", *map(str, arguments)])
    assert answer.exit_code == code, answer.output
    return answer


def test_the_command(tmp_path: Path) -> None:
    """A dog is a canine and a domestic animal, 7 and 6 below the root of WordNet."""
    classes, out, dropped = (tmp_path / name for name in ("a.txt", "t.csv", "d.csv"))
    classes.write_text("dog.n.01\nwolf.n.01\n")
    said = _export("--set", classes, "--out", out, "--dropped", dropped).stderr
    with out.open() as file:
        rows = list(csv.DictReader(file))
    parent = {row["child_name"]: row["parent_name"] for row in rows}
    assert parent["dog.n.01"] == "domestic_animal.n.01"
    assert parent["wolf.n.01"] == "canine.n.02"
    with dropped.open() as file:
        lost = list(csv.DictReader(file))
    assert [(row["child_name"], row["parent_name"], row["kept_name"]) for row in lost] == [
        ("dog.n.01", "canine.n.02", "domestic_animal.n.01")
    ]
    assert "1 edge of 1 node left out, in " in said
    manifest = fitting(tmp_path / "t.csv.manifest.json", "tree")
    assert (manifest["kind"], manifest["rule"], manifest["edges_left_out"]) == (
        "tree",
        "shortest",
        1,
    )
    nested_out = tmp_path / "t.json"
    _export("--set", classes, "--rule", "longest", "--contract", "--out", nested_out)
    found = json.loads(nested_out.read_text())
    assert (found["name"], [child["index"] for child in found["children"]]) == (
        "canine.n.02",
        [0, 1],
    )
    wrong = _export("--set", classes, "--out", tmp_path / "t.txt", code=2)
    assert "must end in .csv or .json" in wrong.output
    classes.write_text("dog.n.01\nn00000000\n")
    wrong = _export("--set", classes, "--out", out, code=1)
    assert "a.txt:2: n00000000 is not a node" in wrong.output


def test_the_example_of_the_docstring() -> None:
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    (example,) = doctest.DocTestFinder().find(tree_of, "example", globs={"gz": gz})
    runner.run(example)
    assert runner.summarize(verbose=False) == (0, len(example.examples))
