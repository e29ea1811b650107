"""Roles of a split as labels. What is expected is read off the tree in tests/mini.py."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from neo4j.graph import Node
from neo4j.graph import Path as GraphPath

from graphzsl.common import DataError
from graphzsl.common.errors import SplitError
from graphzsl.database import Database, Query, delete_class_set, library, query, titled
from graphzsl.database.browser.examples import own_examples
from graphzsl.database.class_sets import put_class_set
from graphzsl.reports.pictures.subjects import roles_of
from graphzsl.splits import check_split, hop_split, prepare_browser
from graphzsl.splits.paint import clear_paint, paint, painted
from tests.conftest import Command
from tests.database.state import state
from tests.mini import TRAIN, MiniWordNet

#: One hop from a training class.
UNSEEN = {
    *("raptor", "poodle", "domestic_animal", "mammal", "pony", "machine", "tree", "car", "bee"),
}


@pytest.fixture
def mine(mini_database: Database) -> Database:
    """A split ``mine`` of the classes one hop from a training class."""
    hop_split(mini_database, 1, train="train", universe="universe", name="mine").store(
        mini_database
    )
    return mini_database


def labelled(database: Database, label: str) -> set[str]:
    rows = database.query(f"MATCH (s:{label}) RETURN coalesce(s.word, s.name) AS word")
    return {row["word"].replace(" ", "_") for row in rows}


def test_every_synset_has_the_role_that_the_split_gives_it(mine: Database) -> None:
    rows = paint(mine, "mine")
    assert labelled(mine, "Unseen") == UNSEEN
    assert labelled(mine, "Training") == set(TRAIN)
    # in no set, but above one of these
    ancestors = {"entity", "object", "living_thing", "artifact", "chordate"}
    assert labelled(mine, "Ancestor") == ancestors
    candidates = labelled(mine, "Candidate")
    assert {"animal", "dog", "sweater", "queen"} <= candidates
    assert not candidates & (UNSEEN | set(TRAIN) | ancestors)
    # koko and King Arthur are in no set, and above nothing
    assert not {"koko", "Arthur", "chess_piece"} & (candidates | ancestors)
    assert {row["role"]: row["classes"] for row in rows} == {
        "Ancestor": 5,
        "Candidate": 64 - 8 - 9 - 7,  # the universe lacks 8 of 64
        "Training": 7,
        "Unseen": 9,
    }
    assert {row["split"] for row in rows} == {"mine"}


def test_a_circle_is_as_large_as_its_population(mine: Database) -> None:
    paint(mine, "mine")
    assert "bee" not in labelled(mine, "Images1")
    assert {"hawk", "gorilla", "zebra"} <= labelled(mine, "Images1")
    assert {"bee", "tree", "car"} <= labelled(mine, "Images300")  # from 300 on
    assert not labelled(mine, "Images1000")
    sizes = set().union(*(labelled(mine, f"Images{n}") for n in (1, 300, 1000)))
    assert not {"animal", "object"} & sizes  # 0 images, unknown


def test_another_painting_takes_the_place_of_the_last(mine: Database, mini: MiniWordNet) -> None:
    paint(mine, "mine", around=mini["dog"])
    assert labelled(mine, "Centre") == {"dog"}
    put_class_set(mine, "cats", mini.named("cat", "tabby"), {"kind": "list"})
    rows = paint(mine, "cats", train="train")
    assert labelled(mine, "Unseen") == {"cat", "tabby"}
    # a list has no universe, and the centre went too
    assert {row["role"] for row in rows} == {"Ancestor", "Training", "Unseen"}
    assert {row["split"] for row in rows} == {"cats"}


def test_the_shells_of_an_hcorrect_set_have_labels(mine: Database, mini: MiniWordNet) -> None:
    def ring(name: str, k: int = 0) -> None:
        values = {"wnid": mini[name], "valid": "universe", "k": k}
        mine._driver.execute_query(titled(query("see_hcorrect_set"), values))

    ring("poodle", 5)
    assert labelled(mine, "Centre") == {"poodle"}
    # with the poodle itself four labels, so the next shell is taken, too
    assert labelled(mine, "Shell1") == {"dog", "toy_poodle", "standard_poodle"}
    assert labelled(mine, "Shell2") == {"beagle", "corgi", "mammal", "domestic_animal"}
    assert not labelled(mine, "Shell3")
    ring("poodle", 4)
    assert not labelled(mine, "Shell2")
    # what is no valid label has no hCorrectSet
    ring("entity", 4)
    assert not labelled(mine, "Shell1")
    ring("poodle", 56)
    shells = [labelled(mine, f"Shell{number}") for number in range(1, 6)]
    assert all(shells)
    assert sum(map(len, shells)) == 56 - 1
    # a statement that is about no synset rings none
    mine._driver.execute_query(titled(query("see_polysemy"), {"text": "crane"}))
    assert not labelled(mine, "Centre") | labelled(mine, "Shell1")
    assert labelled(mine, "Sense") == {"crane", "lifting_truck"}
    ring("poodle", 5)
    assert not labelled(mine, "Sense")
    clear_paint(mine)
    assert not labelled(mine, "Shell1") | labelled(mine, "Shell2")


def test_the_ends_of_ways_have_a_label(mine: Database, mini: MiniWordNet) -> None:
    """dog: toy poodle and horse are two hops away, both training classes."""
    asked = {"see_hypernyms": {"entity"}, "see_closest": {"toy_poodle", "horse"}}
    for name, ends in asked.items():
        text = titled(query(name), {"wnid": mini["dog"], "train": "train"})
        mine._driver.execute_query(text)
        assert labelled(mine, "End") == ends, name
        assert labelled(mine, "Centre") == {"dog"}
    paint(mine, "mine")
    assert not labelled(mine, "End")


def test_windows_of_the_guide_are_those_by_structural_ratio(
    mine: Database, mini: MiniWordNet
) -> None:
    def put(series: str, by: str, numbers: tuple[int, ...]) -> None:
        for number in numbers:
            window = {"universe": "mine", "window": {"by": by, "size": 1, "number": number}}
            name = f"{series}-{number:03d}"
            put_class_set(mine, name, mini.named("pony"), {"kind": "l", **window})

    put("populated", "population", (1, 2))
    put_class_set(mine, "other-001", mini.named("pony"), {"kind": "l", "universe": "x"})
    assert "windows" not in own_examples(mine).values
    assert "see_windows" in own_examples(mine).needs
    put("ten", "ratio", (1, 2, 10, 1000))
    own = own_examples(mine)
    assert own.values["windows"] == ["ten-001", "ten-1000"]
    assert "see_windows" not in own.needs
    # another series comes first by name; what the header names is kept where it is there
    put("ratio", "ratio", (1, 2, 15))
    own = own_examples(mine)
    assert own.values["windows"] == query("see_windows").example["windows"]


def test_populations_that_are_loaded_later_show(
    mine: Database, mini: MiniWordNet, tmp_path: Path
) -> None:
    paint(mine, "mine")
    rows = [{"wnid": mini["object"], "images": 1500}, {"wnid": mini["bee"], "images": 0}]
    mine.write((query("set_populations"), {"rows": rows}))
    prepare_browser(mine, tmp_path)
    assert labelled(mine, "Images1000") == {"object"}
    assert "bee" not in labelled(mine, "Images300")
    assert "bee" in labelled(mine, "Synset")
    assert labelled(mine, "Unseen") == UNSEEN


def test_the_next_command_of_the_guide_is_one_that_runs(mine: Database, tmp_path: Path) -> None:
    """The split of one's own is not named: whoever asks the port gets the guide."""
    needed = prepare_browser(mine, tmp_path, paint_one=False).needs["see_windows"]
    assert needed == "graphzsl split windows SPLIT --by ratio --store ratio"
    hop_split(mine, 1, train="train", universe="universe", name="hops-1").store(mine)
    needed = prepare_browser(mine, tmp_path, paint_one=False).needs["see_windows"]
    assert needed == "graphzsl split windows hops-1 --by ratio --store ratio"


def test_a_split_that_is_gone_or_built_anew_is_not_painted(mine: Database, tmp_path: Path) -> None:
    paint(mine, "mine")
    split = hop_split(mine, 2, train="train", universe="universe", name="mine").store(mine)
    assert painted(mine) == []
    prepare_browser(mine, tmp_path)
    assert len(labelled(mine, "Unseen")) == len(split) > 9
    delete_class_set(mine, "mine")
    assert painted(mine) == []
    own = prepare_browser(mine, tmp_path)
    assert "split" not in own.values
    hops = "graphzsl split hops --max-hops 1"
    lists = [f"graphzsl load class-set {name}" for name in ("ilsvrc2012", "imagenet-fall11")]
    assert own.needs["see_around"] == hops
    assert own.needs["see_split"] == f"{lists[0]}; {hops}"
    assert own.needs["see_closest"] == lists[0]
    assert own.needs["see_hcorrect_set"] == f"{lists[1]}; {lists[0]}"
    clear_paint(mine)
    assert not labelled(mine, "Unseen")


def test_labels_of_others_stay(mine: Database) -> None:
    driver = mine._driver
    driver.execute_query("CREATE (:Training {name: 'a course'}), (:Centre {name: 'a shop'})")
    paint(mine, "mine")
    clear_paint(mine)
    assert labelled(mine, "Training") == {"a_course"}
    assert labelled(mine, "Centre") == {"a_shop"}


def test_of_two_who_paint_at_once_one_counts(mine: Database, mini: MiniWordNet) -> None:
    cats = mini.named("cat", "tabby")
    put_class_set(mine, "cats", cats, {"kind": "split", "train": "train", "universe": "universe"})
    for _ in range(5):
        with ThreadPoolExecutor() as both:
            list(both.map(lambda name: paint(mine, name), ("mine", "cats")))
        (name,) = {row["split"] for row in painted(mine)}
        assert labelled(mine, "Unseen") == ({"cat", "tabby"} if name == "cats" else UNSEEN)


def test_a_class_of_several_sets_has_one_role(mine: Database, mini: MiniWordNet) -> None:
    """The first of Training, Unseen and Candidate, as in pictures: horse is a training class."""
    both = mini.named("horse", "zebra")
    put_class_set(mine, "both", both, {"kind": "list"})
    paint(mine, "both", train="train", universe="universe")
    assert labelled(mine, "Training") == set(TRAIN)
    assert labelled(mine, "Unseen") == {"zebra"}
    assert not labelled(mine, "Candidate") & {"horse", "zebra"}
    roles = roles_of(both, mini.named(*TRAIN), mini.universe())
    assert {roles[mini["horse"]], roles[mini["zebra"]]} == {"Training", "Unseen"}


def test_clearing_leaves_the_graph_as_it_was(mine: Database, mini: MiniWordNet) -> None:
    before = state(mine)
    clear_paint(mine)
    assert state(mine) == before
    paint(mine, "mine", around=mini["dog"])
    assert state(mine) != before
    clear_paint(mine)
    assert state(mine) == before
    assert painted(mine) == []


#: Class sets of the mini WordNet, by what parameters are called; others are the split.
SETS = {"train": "train", "without": "train"} | dict.fromkeys(
    ("universe", "valid", "among"), "universe"
)
#: One that says what is painted, and one that says which labels a node has.
ABOUT_LABELS = ("painted", "own_values", "any_node")


def given(entry: Query, mini: MiniWordNet) -> dict[str, Any]:
    """The values of a query's first ``try`` line, with what the mini WordNet has in place of
    what it names there."""
    found = {name: entry.example[name] for name in entry.params}
    for name, kind in entry.params.items():
        named = {
            "WNID": mini["dog"],
            "LIST<WNID>": mini.named("dog", "horse", "bee"),
            "WORD": "queen",
            "CLASS_SET": SETS.get(name, "mine"),
            "LIST<CLASS_SET>": ["mine", "train"],
        }
        found[name] = named.get(kind, found[name])
    # texts that name synsets or words, which queries for programs do not have checked
    texts: dict[str, Any] = {"names": ["dog.n.01"], "keys": ["dog", "queen"], "start": "qu"}
    texts |= {"texts": ["dog", "dgo"], "search": "mini"}
    texts |= {"wnids": [*mini.named("dog", "horse", "bee"), "n99999999"]}
    plain = [name for name, kind in entry.params.items() if kind in ("STRING", "LIST<STRING>")]
    found |= {name: texts[name] for name in plain if name in texts}
    if entry.name == "classes_of_word":
        found["class_set"] = "universe"
    if entry.name in ("see_hop_path", "see_around"):
        found["unseen"] = mini["poodle"]
    return found


def comparable(value: Any) -> Any:
    """A value without labels: those of nodes are what painting changes."""
    if isinstance(value, GraphPath):
        return [node.element_id for node in value.nodes]
    if isinstance(value, Node):
        return value.element_id
    if isinstance(value, list):
        return [comparable(each) for each in value]
    return value


def answer(database: Database, entry: Query, mini: MiniWordNet) -> list[Any]:
    """Rows in their order, where that is promised, else sorted."""
    rows = database.rows(entry, **given(entry, mini))
    found = [[comparable(value) for value in row.values()] for row in rows]
    return found if entry.order else sorted(found, key=repr)


def test_nothing_else_sees_what_is_painted(
    mine: Database, mini: MiniWordNet, run: Command, tmp_path: Path
) -> None:
    """Every reading query gives the same rows, an export the same bytes, and the split is sound."""
    reading = [
        entry
        for entry in library().values()
        if entry.mode == "read" and entry.name not in ABOUT_LABELS
    ]
    assert len(reading) > 80
    asked = [(entry, answer(mine, entry, mini)) for entry in reading]
    empty = {entry.name for entry, rows in asked if not rows}
    # no row of a check is healthy, and the mini WordNet has no release hierarchy
    sound = {entry.name for entry in reading if entry.folder == "checks"}
    assert empty == sound | {"release_hubs", "see_release_hub"}

    def exported(name: str) -> list[bytes]:
        folder = tmp_path / name
        run("export", "subgraph", "--set", "mine", "--set", "train", "--out", str(folder))
        return [(folder / f"{part}.parquet").read_bytes() for part in ("nodes", "edges")]

    before = exported("before")
    paint(mine, "mine", around=mini["dog"])
    mine._driver.execute_query(
        titled(query("see_hcorrect_set"), {"wnid": mini["dog"], "valid": "universe", "k": 9})
    )
    for entry, rows in asked:
        assert answer(mine, entry, mini) == rows, entry.name
    assert exported("after") == before
    assert check_split(mine, "mine") == []
    run("db", "check")


def test_what_cannot_be_painted_is_said_and_leaves_the_last_painting(
    mine: Database, mini: MiniWordNet
) -> None:
    paint(mine, "mine")
    put_class_set(mine, "cats", mini.named("cat"), {"kind": "list"})
    with pytest.raises(SplitError, match="'cats' is a list that knows no training classes"):
        paint(mine, "cats")
    with pytest.raises(SplitError, match=r"no class set 'mnie'\. Did you mean mine"):
        paint(mine, "mnie")
    with pytest.raises(SplitError, match="no class set 'nothing'"):
        paint(mine, "mine", universe="nothing")
    with pytest.raises(DataError, match="n99999999"):
        paint(mine, "mine", around="n99999999")
    assert len(labelled(mine, "Unseen")) == 9


def test_from_the_command_line(mine: Database, run: Command, mini: MiniWordNet) -> None:
    done = run("split", "paint", "mine", "--around", "poodle", "--format", "json")
    roles = {row["role"]: row["classes"] for row in json.loads(done.stdout)}
    assert roles == {"Ancestor": 5, "Candidate": 40, "Centre": 1, "Training": 7, "Unseen": 9}
    # another server than graphzsl's own has a Browser of its own
    command = f"graphzsl query show see_neighbourhood -p wnid={mini['poodle']} --browser"
    assert command in done.stderr
    assert "Cleared." in run("split", "paint", "--clear").stderr
    assert "Cleared." in run("split", "paint", "--clear").stderr
    assert "--clear" in run("split", "paint", code=2).stderr
    assert "no other option" in run("split", "paint", "--clear", "--train", "x", code=2).stderr
    put_class_set(mine, "cats", mini.named("cat"), {"kind": "list"})
    assert "--train" in run("split", "paint", "cats", code=1).stderr
