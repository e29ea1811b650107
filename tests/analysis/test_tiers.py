"""Superclasses of neither too few nor too many classes, and superclasses beside published ones."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache

import click
import pytest
from click.testing import CliRunner

from graphzsl.analysis import (
    SUPERCLASS_SHAPES,
    TIER_PARTS,
    Published,
    compare_superclasses,
    find_superclasses,
    split_superclasses,
    tiers,
)
from graphzsl.cli import main
from graphzsl.common import DataError
from graphzsl.common.errors import SplitError
from graphzsl.hierarchy import Hierarchy
from graphzsl.sources import breeds, tiered_imagenet
from graphzsl.sources.imagenet import listed_classes
from graphzsl.sources.superclasses import Member
from tests.command import run
from tests.conftest import Command
from tests.mini import MiniWordNet

MINI = MiniWordNet()
DAG = Hierarchy.from_edges(MINI.edges(), names={row.wnid: row.name for row in MINI.rows})
LEAVES = sorted(wnid for wnid in DAG.wnids if not DAG.descendants(wnid))


@cache
def _wordnet() -> Hierarchy:
    return Hierarchy.load()


def _named(found: dict[str, list[str]]) -> dict[str, list[str]]:
    """With names in place of wnids."""
    short = {row.wnid: row.name.partition(".")[0] for row in MINI.rows}
    return {short[wnid]: [short[own] for own in classes] for wnid, classes in found.items()}


def test_the_highest_nodes_that_fit() -> None:
    """Of the leaves bird has 5, raptor 3 of these; dog 4, cat 3, insect 3, plant 3. Vehicle and
    machine share the lifting truck: vehicle keeps 2 of its 3 and gives way, machine gets it."""
    assert _named(tiers(DAG, LEAVES, 3, 5)) == {
        "bird": ["hawk", "eagle", "vulture", "parrot", "crane"],
        "dog": ["toy_poodle", "standard_poodle", "beagle", "cardigan"],
        "cat": ["tabby", "siamese", "queen"],
        "insect": ["queen_bee", "drone", "ant"],
        "plant": ["oak", "sugar_maple", "rose"],
        "machine": ["lifting_truck", "laptop", "desktop_computer", "monitor"],
    }


def test_shared_classes_and_what_gives_way() -> None:
    """a and b share s: with 2 to 3 classes both keep theirs; with at least 3 the one that keeps
    the fewest gives way, and s goes to the other."""
    edges = [(c, p) for p, cs in {"a": "12s", "b": "34s", "top": "abz"}.items() for c in cs]
    edges += [("z1", "z"), ("z2", "z"), ("z3", "z"), ("z4", "z")]
    shape = Hierarchy.from_edges(edges)
    classes = ["1", "2", "3", "4", "s", "z1", "z2", "z3", "z4"]
    assert tiers(shape, classes, 2, 3) == {"a": ["1", "2"], "b": ["3", "4"]}
    assert tiers(shape, classes, 3, 3) == {"b": ["3", "4", "s"]}
    assert tiers(shape, classes, 2, 4)["z"] == ["z1", "z2", "z3", "z4"]
    # a superclass that is a class is not one of its own
    assert tiers(shape, [*classes, "z"], 4, 4) == {"z": ["z1", "z2", "z3", "z4"]}
    assert list(tiers(shape, classes, 9, 9)) == ["top"]
    with pytest.raises(SplitError, match="holds 5 to 6 of the 9 classes"):
        tiers(shape, classes, 5, 6)
    with pytest.raises(SplitError, match="at least 3 and at most 2"):
        tiers(shape, classes, 3, 2)
    with pytest.raises(DataError, match="twice"):
        tiers(shape, ["1", "1"], 1, 2)


def test_parts_are_shares_drawn_by_seed() -> None:
    names = [f"s{place:02}" for place in range(34)]
    drawn = split_superclasses(names, TIER_PARTS, seed=0)
    assert list(drawn) == names
    assert Counter(drawn.values()) == TIER_PARTS
    assert drawn == split_superclasses(names[::-1], TIER_PARTS, seed=0)
    assert drawn != split_superclasses(names, TIER_PARTS, seed=1)
    assert Counter(split_superclasses(names[:7], TIER_PARTS).values()) == {
        "train": 4,
        "val": 1,
        "test": 2,
    }
    with pytest.raises(SplitError, match="2 superclasses leave none for val"):
        split_superclasses(names[:2], TIER_PARTS)


def test_tiered_imagenet_is_reproduced() -> None:
    """Ren et al. 2018: 34 superclasses, 608 classes, each class in its superclass."""
    published = Published.of(tiered_imagenet())
    found = tiers(_wordnet(), listed_classes("ilsvrc2012"))
    assert found == dict(sorted(published.classes.items()))
    assert (len(found), sum(map(len, found.values()))) == (34, 608)


@pytest.mark.parametrize(
    ("shape", "both", "added"),
    [("entity13", 4, 1), ("entity30", 10, 1), ("living17", 7, 0), ("nonliving26", 3, 0)],
)
def test_breeds_beside_the_published_superclasses(shape: str, both: int, added: int) -> None:
    classes, wanted = listed_classes("ilsvrc2012"), SUPERCLASS_SHAPES[shape]
    published = Published.of(breeds(shape))
    found = find_superclasses(_wordnet(), classes, wanted)
    rows = compare_superclasses(
        _wordnet(), classes, found, published, wanted.root, wanted.subclasses
    )
    sides = Counter(row["in"] for row in rows)
    assert sides == {
        "both": both,
        "published": wanted.superclasses - both,
        "here": wanted.superclasses - both,
    }
    reasons = Counter(row["reason"] for row in rows)
    assert reasons["a node that the authors added"] == added
    alike = [row for row in rows if row["in"] == "both" and row["reason"] == ""]
    assert all(row["classes_published"] == row["both"] == row["classes_here"] for row in alike)
    assert all(row["reason"] for row in rows if row["in"] != "both")
    assert not any(row["only_published"] or row["only_here"] for row in alike)


def test_why_superclasses_differ() -> None:
    """By hand: ours are dog, bird and ape; theirs are dog with a cat, raptor, mammal, a node of
    their own, and others that are not here."""
    dog_and_bird = MINI.named("dog", "bird")
    here = {wnid: sorted(DAG.descendants(wnid) & set(LEAVES)) for wnid in dog_and_bird}
    here[MINI["ape"]] = MINI.named("gorilla", "koko")
    theirs = {
        MINI["dog"]: [*here[MINI["dog"]], MINI["tabby"]],
        MINI["raptor"]: MINI.named("hawk", "eagle"),
        MINI["mammal"]: MINI.named("zebra", "pony"),
        "own1": MINI.named("bee"),
        MINI["machine"]: MINI.named("laptop", "monitor"),
        MINI["insect"]: MINI.named("ant", "drone"),
        MINI["flower"]: MINI.named("rose"),
    }
    members = [
        Member("", each, f"their {each}", own, "") for each in theirs for own in theirs[each]
    ]
    rows = compare_superclasses(
        DAG, LEAVES, here, Published.of(members), MINI["living_thing"], 2, 5
    )
    reasons = {row["superclass"]: (row["in"], row["reason"]) for row in rows}
    assert reasons == {
        MINI["dog"]: ("both", "1 class of theirs not below it in the hierarchy"),
        MINI["raptor"]: ("published", "below our bird.n.01"),
        MINI["mammal"]: ("published", "11 classes below it in the hierarchy"),
        "own1": ("published", "a node that the authors added"),
        MINI["machine"]: ("published", f"not below {MINI['living_thing']} in the hierarchy"),
        MINI["insect"]: ("published", "fits (3 classes); others were taken first"),
        MINI["flower"]: ("published", "1 class below it in the hierarchy"),
        MINI["bird"]: ("here", "above the published raptor.n.01"),
        MINI["ape"]: ("here", "below the published mammal.n.01"),
    }
    (dog,) = (row for row in rows if row["superclass"] == MINI["dog"])
    assert dog["only_published"] == [MINI["tabby"]]
    assert (dog["classes_published"], dog["both"], dog["only_here"]) == (5, 4, [])


def test_tiers_as_a_command() -> None:
    rows = run("study", "granularity", "tiers", "--compare")
    assert {row["in"] for row in rows} == {"both"}
    assert sum(row["both"] for row in rows) == 608
    drawn = run("study", "granularity", "tiers", "--seed", "3")
    assert Counter(row["part"] for row in drawn) == TIER_PARTS
    (failed,) = run("study", "granularity", "tiers", "--parts", "1,2", code=2)
    assert "--parts takes 3 numbers: train, val, test" in failed["said"]


@pytest.mark.parametrize(
    ("command", "head", "rows"),
    [
        (["tiers"], "superclass  name  part  classes", 34),
        (
            ["tiers", "--compare"],
            "superclass  name  found  published classes  classes here  in both  reason",
            34,
        ),
        (
            ["superclasses", "--shape", "living17", "--compare"],
            "superclass  found  published classes  classes here  in both  reason",
            27,
        ),
    ],
)
def test_tables_have_words_and_no_lists(
    monkeypatch: pytest.MonkeyPatch, command: list[str], head: str, rows: int
) -> None:
    """In 80 columns a row is a line or a few; programs have the lists under their own names."""
    monkeypatch.setenv("COLUMNS", "80")
    done = CliRunner().invoke(main, ["study", "granularity", *command, "--format", "table"])
    lines = [click.unstyle(line) for line in done.stdout.splitlines()]
    assert max(map(len, lines)) <= 80
    rule = next(place for place, line in enumerate(lines) if line.startswith("─"))
    assert {*" ".join(lines[:rule]).split()} == {*head.split()}
    starts = [line for line in lines[rule + 1 :] if line.startswith(("n0", "n1"))]
    assert len(starts) == rows
    assert len(lines) < 3 * rows
    assert "--format jsonl or csv lists the" in done.stderr
    if command[0] != "tiers":
        return  # the same rows, and slower
    plain = CliRunner().invoke(main, ["study", "granularity", *command, "--format", "jsonl"])
    first = json.loads(plain.stdout.splitlines()[0])
    lists = {"only_published", "only_here"} if "--compare" in command else {"members"}
    assert lists <= first.keys()
    assert "--format" not in plain.stderr


def test_the_published_draw_as_a_command() -> None:
    rows = run("study", "granularity", "superclasses", "--shape", "living17", "--published")
    assert len(rows) == 17
    assert all(len(row["source"]) == len(row["target"]) == 2 for row in rows)
    for arguments, message in (
        (["--compare"], "--compare has no effect here"),
        (["--shape", "living17", "--published", "--level", "3"], "--level has no effect here"),
    ):
        (failed,) = run("study", "granularity", "superclasses", *arguments, code=2)
        assert message in failed["said"]


def test_parts_are_stored(run: Command, mini: MiniWordNet) -> None:
    """The mini universe has no shipped name, so the database is read; each part becomes a set."""
    sizes = ("--least", "2", "--most", "4", "--parts", "1,1,1")
    run("study", "granularity", "tiers", "--set", "universe", *sizes, "--store", "mini")
    stored = {
        part: run("split", "show", f"mini-{part}", "--format", "csv").stdout for part in TIER_PARTS
    }
    lines = [line for text in stored.values() for line in text.splitlines()[1:]]
    assert len(lines) == len(set(lines)) > 0
