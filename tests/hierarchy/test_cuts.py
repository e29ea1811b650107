"""Superclasses of a cut: by hand on the mini WordNet, by search on WordNet."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from graphzsl.cli import main
from graphzsl.common import DataError
from graphzsl.hierarchy import Hierarchy
from graphzsl.hierarchy.cuts import assign_superclasses, cut_at_depth, cut_of_size
from graphzsl.sources.imagenet import listed_classes
from tests.mini import MiniWordNet
from tests.schemas import fitting

MINI = MiniWordNet()
DAG = Hierarchy.from_edges(MINI.edges(), names={row.wnid: row.name for row in MINI.rows})
CLASSES = MINI.named("poodle", "toy_poodle", "zebra", "hawk", "car", "horse")


@pytest.mark.parametrize(
    ("cut", "expected"),
    [
        (["animal", "artifact"], "animal animal animal animal artifact animal"),
        # a class may be its own; the nearest counts
        (["animal", "poodle", "artifact"], "poodle poodle animal animal artifact animal"),
        (["bird", "mammal"], "mammal mammal mammal bird car mammal"),
        # mammal and domestic animal are both 1 above horse, 2 above poodle; the mammal has more
        (["domestic_animal", "mammal"], "mammal mammal mammal hawk car mammal"),
        (
            ["domestic_animal", "animal"],
            "domestic_animal domestic_animal animal animal car domestic_animal",
        ),
    ],
)
def test_the_nearest_node_of_the_cut(cut: list[str], expected: str) -> None:
    found = assign_superclasses(DAG, CLASSES, MINI.named(*cut))
    assert found.superclasses == MINI.named(*expected.split())
    assert found.alone == [
        wnid
        for wnid, above in zip(CLASSES, found.superclasses, strict=True)
        if wnid == above and wnid not in MINI.named(*cut)
    ]


def test_ties_go_to_the_larger_then_to_the_smaller_wnid() -> None:
    edges = [("a", "x"), ("a", "y"), ("b", "y"), ("c", "x"), ("c", "y"), ("d", "w"), ("d", "v")]
    hierarchy = Hierarchy.from_edges(edges)
    # y has a, b and c, x has a and c; v and w have one each
    found = assign_superclasses(hierarchy, ["d", "c", "b", "a"], ["x", "y", "w", "v"])
    assert found.superclasses == ["v", "y", "y", "y"]
    rows = found.rows({"y": "Y", "a": "A"})
    assert rows[0] == ("d", 0, "v", None, 0, None)
    assert rows[3] == ("a", 3, "y", "Y", 1, "A")


def test_what_is_refused() -> None:
    with pytest.raises(DataError, match=r"hawk\.n\.01\) has no superclass.*nor have 1 others"):
        assign_superclasses(DAG, CLASSES, MINI.named("mammal"), alone=False)
    for classes, cut, said in (
        ([], CLASSES, "no classes"),
        (CLASSES, [], "no superclasses"),
        ([*CLASSES, CLASSES[0]], CLASSES, "poodle.n.01\\) is there twice: class 0 and class 6"),
        (CLASSES, [CLASSES[1]] * 2, "superclasses, class 1: .*toy_poodle.n.01\\) is there twice"),
        (CLASSES, ["n99999999"], "n99999999 is not a node"),
    ):
        with pytest.raises(DataError, match=said):
            assign_superclasses(DAG, classes, cut)
    with pytest.raises(DataError, match="No class is 40 edges below a root: the deepest is 7"):
        cut_at_depth(DAG, CLASSES, 40)
    apart = Hierarchy.from_edges([("a", "x"), ("b", "y")])
    with pytest.raises(DataError, match="2 roots, which is more than 1"):
        cut_of_size(apart, ["a", "b"], 1)


def test_the_nodes_of_a_depth() -> None:
    """Below entity: object; living thing and artifact; animal and vehicle; then the animals that
    are domestic, the chordates, and the car."""
    for depth, names in enumerate(
        [
            ["entity"],
            ["object"],
            ["living_thing", "artifact"],
            ["animal", "vehicle"],
            ["domestic_animal", "chordate", "car"],
            ["dog", "horse", "mammal", "bird"],
        ]
    ):
        assert cut_at_depth(DAG, CLASSES, depth) == sorted(MINI.named(*names))


@pytest.mark.parametrize(
    ("number", "names"),
    [
        # entity has one child, the object, which has two
        (1, ["object"]),
        (2, ["animal", "car"]),
        # by shortest ways poodles and horses are domestic animals; zebra and hawk are chordates
        (3, ["domestic_animal", "chordate", "car"]),
        # a dog has one child, the poodle, which is a class itself and has another below it
        (4, ["poodle", "horse", "chordate", "car"]),
        # birds have one child
        (5, ["poodle", "horse", "zebra", "hawk", "car"]),
        (6, ["poodle", "toy_poodle", "horse", "zebra", "hawk", "car"]),
        (99, ["poodle", "toy_poodle", "horse", "zebra", "hawk", "car"]),
    ],
)
def test_dividing_the_largest(number: int, names: list[str]) -> None:
    assert cut_of_size(DAG, CLASSES, number) == sorted(MINI.named(*names))


@pytest.mark.parametrize("number", [1, 10, 200])
def test_a_thousand_classes_have_the_superclass_that_a_search_finds(number: int) -> None:
    wordnet, classes = Hierarchy.load(), listed_classes("ilsvrc2012")
    cut = cut_of_size(wordnet, classes, number)
    assert len(cut) <= number
    found = assign_superclasses(wordnet, classes, cut, alone=False)
    members = {
        wnid: ({*classes} & wordnet.descendants(wnid)) | ({wnid} & {*classes}) for wnid in cut
    }
    for wnid, superclass in zip(classes, found.superclasses, strict=True):
        level, reached = {wnid}, set()
        while not reached:
            reached = level & {*cut}
            level = {
                wordnet.wnids[p]
                for each in level
                for p in wordnet.up[[wordnet.index[each]]].indices
            }
        assert superclass == min(reached, key=lambda each: (-len(members[each]), each))


def _export(*arguments: object, code: int = 0) -> Any:
    answer = CliRunner().invoke(main, ["export", "superclasses", *map(str, arguments)])
    assert answer.exit_code == code, answer.output
    return answer


def test_the_command(tmp_path: Path) -> None:
    classes, cut, out = (tmp_path / name for name in ("a.txt", "cut.txt", "s.csv"))
    classes.write_text("beagle.n.01\nsports_car.n.01\ntabby.n.01\n")
    cut.write_text("dog.n.01\nn02121620 cat\n")
    said = _export("--set", classes, "--cut", cut, "--out", out).stderr
    assert "3 classes in 3 superclasses" in said
    assert "1 class with no superclass at or above, each its own: n04285008 (sports_car" in said
    with out.open() as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == [
        *("wnid", "index", "superclass"),
        *("superclass_name", "superclass_index", "name"),
    ]
    assert [(row["index"], row["superclass_name"], row["superclass_index"]) for row in rows] == [
        ("0", "dog.n.01", "0"),
        ("1", "sports_car.n.01", "2"),
        ("2", "cat.n.01", "1"),
    ]
    manifest = fitting(tmp_path / "s.csv.manifest.json", "superclasses")
    assert (manifest["kind"], manifest["alone"]) == ("superclasses", ["n04285008"])
    refused = _export("--set", classes, "--cut", cut, "--missing", "error", "--out", out, code=1)
    assert "sports_car.n.01) has no superclass at or above it." in refused.output
    cut.write_text("dog.n.01\nn02121629\n")
    refused = _export("--set", classes, "--cut", cut, "--out", out, code=1)
    assert "cut.txt:2: n02121629 is not a node" in refused.output
    for given in ((), ("--depth", "2", "--number", "3")):
        refused = _export("--set", classes, *given, "--out", out, code=2)
        assert "Give one of --cut, --depth and --number." in refused.output
    refused = _export("--set", classes, "--depth", "2", "--out", tmp_path / "s.txt", code=2)
    assert "must end in .csv" in refused.output
