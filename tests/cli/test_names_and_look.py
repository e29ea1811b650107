"""Asking for a class by wnid, name or word; names beside wnids in every answer; one class on one
screen; statements of one's own. What is expected is read off the tree in tests/mini.py."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from graphzsl import splits
from graphzsl.analysis import SynsetPage, look
from graphzsl.cli import main
from graphzsl.common import DatabaseError, DataError
from graphzsl.database import (
    NAME_COLUMNS,
    Database,
    Query,
    ingest,
    library,
    load_class_set,
    query,
    resolve_wnid,
)
from graphzsl.database.class_sets import put_class_set
from graphzsl.database.names import DatabaseVocabulary
from graphzsl.hierarchy import Hierarchy
from graphzsl.hierarchy.meanings import tagged_senses
from graphzsl.sources import WNID
from tests.conftest import Command
from tests.mini import MiniWordNet


@pytest.fixture
def mine(mini_database: Database, mini: MiniWordNet) -> None:
    """A split ``mine`` on the mini sets: classes one hop from a training class; and a list
    ``leaves``: three dogs, three cats and three raptors."""
    leaves = ("toy_poodle", "standard_poodle", "beagle", "tabby", "siamese", "queen")
    birds = ("hawk", "eagle", "vulture")
    put_class_set(mini_database, "leaves", mini.named(*leaves, *birds), {"kind": "list"})
    splits.hop_split(mini_database, 1, train="train", universe="universe", name="mine").store(
        mini_database
    )


# by wnid, name or word


@pytest.mark.parametrize(
    "text",
    [
        "toy poodle",
        "toy_poodle",
        "Toy Poodle",
        " toy  poodle ",
        "toy_poodle.n.01",
        "Toy Poodle.n.1",
    ],
)
def test_a_class_is_asked_for_by_its_words(
    run: Command, mini_database: Database, mini: MiniWordNet, text: str
) -> None:
    assert resolve_wnid(mini_database, text) == mini["toy_poodle"]
    asked = ("query", "run", "ancestors", "-p", f"wnid={text}", "--format", "jsonl")
    assert json.loads(run(*asked).stdout.splitlines()[0])["wnid"] == mini["poodle"]


def test_a_word_with_several_synsets_lists_them(
    run: Command, mini_database: Database, mini: MiniWordNet, mine: None
) -> None:
    said = run("split", "explain", "mine", "Queen", code=1).stderr
    assert "'Queen' names 4 noun synsets. Write the wnid or the name of the one that" in said
    lines = said.splitlines()[1:]
    names = ("queen", "queen_bee", "queen_regnant", "chess_queen")
    assert lines == [
        f"  {mini[name]}  {name}.n.01: a mini {name.replace('_', ' ')}" for name in names
    ]
    with pytest.raises(DataError, match="names 2 noun synsets"):
        resolve_wnid(mini_database, "crane")
    # the lifting truck is a truck, and the crane a bird
    assert resolve_wnid(mini_database, "crane (bird)") == mini["crane"]
    assert list(tagged_senses("crane", DatabaseVocabulary(mini_database))) == [
        mini["crane"],
        mini["lifting_truck"],
    ]


def test_what_names_nothing_offers_what_is_near(run: Command, mini: MiniWordNet) -> None:
    asked = ("query", "run", "query_expansion", "-p")
    said = run(*asked, "wnid=poodel", code=1).stderr
    assert "'poodel' is not a noun synset of WordNet 3.0: neither its wnid" in said
    assert f"Did you mean {mini['poodle']} (poodle.n.01)?" in said
    assert "Did you mean" not in run(*asked, "wnid=xyz", code=1).stderr


def test_options_and_arguments_take_names_too(run: Command, mini: MiniWordNet, mine: None) -> None:
    def first(*arguments: str) -> Any:
        return json.loads(run(*arguments, "--format", "jsonl").stdout.splitlines()[0])

    expanded = first("query", "run", "query_expansion", "-p", "wnid=toy poodle")
    assert expanded["text"] == "toy poodle"
    bins = (
        "study",
        "ilsvrc",
        "bins",
        "--set",
        "train",
        "--natural",
        "animal",
        "--man-made",
        "Artifact",
    )
    counts = [json.loads(line) for line in run(*bins, "--format", "jsonl").stdout.splitlines()]
    # vulture, toy poodle, horse and drone; monitor and sports car; oak
    assert {row["bin"]: row["classes"] for row in counts} == {
        "natural": 4,
        "man-made": 2,
        "both": 0,
        "other": 1,
    }
    sizes = ("--superclasses", "2", "--subclasses", "2")
    drawn = first(
        "study", "granularity", "superclasses", "--set", "leaves", "--root", "living thing", *sizes
    )
    # the first level with two such nodes: birds and mammals
    assert drawn["superclass"] == mini["bird"]


# names beside wnids


def _try(statement: Query, mini: MiniWordNet) -> dict[str, Any]:
    """Values for a query's parameters in the mini database."""
    special = {"k": 5, "images": 50, "size": 2, "texts": ["queen"], "keys": ["queen"]}
    special |= {"start": "qu", "radius": 2, "text": "queen", "split": "mine"}
    training = ("train", "among", "above", "without")
    values: dict[str, Any] = {}
    for name, kind in statement.params.items():
        if name in special:
            values[name] = special[name]
        elif kind == "CLASS_SET":
            values[name] = "train" if name in training else "universe"
        elif name == "class_sets":
            values[name] = ["train", "universe"]
        elif kind == "WNID":
            values[name] = mini["cat" if name == "other_wnid" else "dog"]
        elif name == "wnids":
            values[name] = mini.named("dog", "toy_poodle")
        else:
            values[name] = {"names": ["dog.n.01"], "search": "mini", "about": ""}[name]
    return values


def _wnids(value: Any) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [item for item in values if isinstance(item, str) and WNID.match(item)]


def test_queries_return_the_names_of_their_wnids(
    mini_database: Database, mini: MiniWordNet, mine: None
) -> None:
    name_of = {row.wnid: row.name for row in mini.rows}
    named = set()
    for statement in library().values():
        if statement.mode != "read" or statement.folder == "browser":
            continue
        for row in mini_database.rows(statement, **_try(statement, mini)):
            for column, value in row.items():
                wnids = _wnids(value)
                where = f"{statement.name}: {column}"
                assert not wnids or "WNID" in statement.returns[column], where
                shown = next((n for n in NAME_COLUMNS.get(column, ()) if n in row), None)
                if wnids and shown:
                    names = [name_of[wnid] for wnid in wnids]
                    assert row[shown] == (names if isinstance(value, list) else names[0]), where
                    named.add(where)
    assert len(named) > 30, "most queries were answered"


#: Every command that prints rows -> how it is tried on the mini database.
TRIED = {
    "look": ["dog", "--train", "train", "--universe", "universe"],
    "split candidates": ["universe"],
    "split check": ["mine"],
    "split diff": ["mine", "train"],
    "split explain": ["mine", "dog", "poodle", "rose", "horse"],
    "split report": ["mine", "--train", "train", "--each"],
    "split show": ["mine"],
    "split windows": ["mine", "--by", "population", "--size", "3", "--train", "train"],
    "study words meaning": ["--universe", "universe"],
    "study populations filter": ["--above", "100", "--universe", "universe"],
    "study granularity groups": ["--set", "universe"],
    "study granularity superclasses": [
        *("--set", "leaves", "--root", "animal", "--superclasses", "2", "--subclasses", "2"),
    ],
    "study granularity tiers": [
        *("--set", "universe", "--least", "2", "--most", "4", "--parts", "1,1,1"),
    ],
    "study ilsvrc bins": ["--set", "train", "--natural", "animal", "--man-made", "car", "--each"],
    "study ilsvrc inherit": ["population", "--set", "universe"],
    "study ilsvrc order": ["--set", "train"],
    "study ilsvrc trim": ["--set", "train", "--edges"],
    "db check": [],
}
#: Every other command that prints rows -> why no wnid is in them, or where it is tested.
ELSEWHERE = {
    "db status": "servers",
    "load class-set": "names of lists",
    "query list": "queries",
    "query run": "the queries themselves",
    "split build": "test_statistics_name_their_largest_branch",
    "split hcorrect": "sizes",
    "split list": "class sets",
    "split overlap": "tests/analysis/test_class_overlap.py",
    "split paint": "counts",
    "split recipes": "recipes",
    "split verify": "checks; an example of other classes has its name",
    "names check": "tests/names/test_name_check.py: findings have the class's own name",
    "names resolve": "tests/names/test_drafts.py: rows have the name and the synset's",
    "names rules": "counts",
    "study words neighbours": "words, which name several classes or none",
    "study words polysemy": "counts",
    "study frequencies distribution": "counts",
    "study populations depth": "correlations",
    "study populations distribution": "counts",
    "study populations ranked": "class sets",
    "study granularity hedge": "counts",
    "study granularity sweep": "counts",
    "study granularity vocabulary": "tests/analysis/test_captions.py",
    "study ilsvrc accuracy": "test_names_come_from_wordnet_where_no_database_is_used",
    "study ilsvrc accuracy-by": "bins",
    "study ilsvrc annotate": "costs",
    "study ilsvrc boxes": "tests/cli/test_boxes.py",
    "study ilsvrc changes": "tests/cli/test_labelling.py",
    "study ilsvrc correlate": "correlations",
    "study ilsvrc detection": "tests/cli/test_boxes.py",
    "study ilsvrc entries": "entries",
    "study ilsvrc leaderboard": "entries",
    "study ilsvrc localization": "tests/cli/test_boxes.py",
    "study ilsvrc submission": "counts",
    "study ilsvrc labelling annotators": "counts",
    "study ilsvrc labelling audit": "tests/cli/test_labelling.py",
    "study ilsvrc labelling consensus": "tests/cli/test_labelling.py",
    "study ilsvrc labelling cost": "counts",
    "study ilsvrc labelling errors": "counts",
    "study ilsvrc labelling merge": "tests/cli/test_labelling.py",
    "study ilsvrc labelling precision": "tests/cli/test_labelling.py",
    "study ilsvrc labelling queries": "tests/cli/test_labelling.py",
    "study ilsvrc labelling repair": "tests/cli/test_labelling.py",
    "split samples balance": "counts; the classes left out may have any names",
    "split samples select": "counts",
    "split samples split": "counts",
    "study papers show": "numbers of papers",
    "study papers claims": "claims",
    "study papers systems": "systems",
    "evaluate agreement": "runs",
    "evaluate attribute": "factors",
    "audit": "metrics",
    "clip run": "metrics",
    "evaluate compare": "runs",
    "evaluate grid": "runs",
    "evaluate merge": "metrics",
    "evaluate model": "metrics",
    "evaluate table": "models",
    "evaluate relative": "by the same way as ilsvrc accuracy",
    "evaluate windows": "windows",
    "evaluate words": "metrics",
}


def test_every_command_that_prints_rows_is_known() -> None:
    def walk(command: click.Command, path: str) -> set[str]:
        if isinstance(command, click.Group):
            context = click.Context(command)
            names = command.list_commands(context)
            children = [(command.get_command(context, name), f"{path} {name}") for name in names]
            return {found for child, own in children if child for found in walk(child, own)}
        prints = any(parameter.name == "output_format" for parameter in command.params)
        return {path.strip()} if prints else set()

    assert walk(main, "") == {*TRIED, *ELSEWHERE}
    assert not {*TRIED} & {*ELSEWHERE}


@pytest.mark.parametrize("command", [name for name in TRIED if name != "look"])
def test_commands_print_the_names_of_their_wnids(
    run: Command, mini_database: Database, mini: MiniWordNet, mine: None, command: str
) -> None:
    name_of = {row.wnid: row.name for row in mini.rows}
    #: columns whose wnids are what was asked for, or are named in the row behind them
    apart = {("split report", "value")}
    arguments = [*command.split(), *TRIED[command]]
    rows = [json.loads(line) for line in run(*arguments, "--format", "jsonl").stdout.splitlines()]
    assert rows or command == "split check"
    seen = False
    for row in rows:
        for column, value in row.items():
            wnids = _wnids(value)
            if not wnids or (command, column) in apart:
                continue
            seen = True
            (shown,) = [name for name in NAME_COLUMNS[column] if name in row]
            names = [name_of[wnid] for wnid in wnids]
            if command == "study ilsvrc order":  # the label browser shows first words
                names = [next(r for r in mini.rows if r.wnid == wnids[0]).words[0]]
            assert row[shown] == (names if isinstance(value, list) else names[0])
    assert seen or command in ("split check", "split report", "db check")
    header = run(*arguments, "--format", "csv").stdout.partition("\n")[0].split(",")
    beside = {name for names in NAME_COLUMNS.values() for name in names}
    assert beside & {*header} == beside & {column for row in rows for column in row}


def test_texts_that_name_a_wnid_say_what_it_is(
    run: Command, mini_database: Database, mini: MiniWordNet, mine: None
) -> None:
    row = json.loads(run("split", "explain", "mine", "domestic animal", "--format", "jsonl").stdout)
    # one hop down to the horse
    assert row["path"] == mini.named("domestic_animal", "horse")
    assert row["names"] == ["domestic_animal.n.01", "horse.n.01"]
    assert f"1 hop from training class {mini['horse']} (horse.n.01)" in row["reason"]
    rows = {
        row["measure"]: row["value"]
        for row in map(
            json.loads, run("split", "report", "mine", "--format", "jsonl").stdout.splitlines()
        )
    }
    largest = rows["spread: largest branch"]
    assert mini.named(rows["spread: largest branch name"].partition(".")[0]) == [largest]
    split = splits.load_split(mini_database, "mine")
    wrong = replace(
        split,
        name="wrong",
        wnids=[*split.wnids, mini["dog"]],
        disjoint=True,
        provenance={"max_hops": 1},
    )
    wrong.store(mini_database)
    problems = splits.check_split(mini_database, "wrong")
    dog = [row for row in problems if row["wnid"] == mini["dog"]]
    assert {row["name"] for row in dog} == {"dog.n.01"}
    # mammal and domestic animal are above the dog
    assert f"{mini['mammal']} (mammal.n.01) is above {mini['dog']} (dog.n.01)" in {
        row["detail"] for row in dog
    }
    assert "is 2 hops away, not 1" in {row["detail"] for row in dog}


def test_statistics_name_their_largest_branch(
    run: Command, mini_database: Database, mini: MiniWordNet, tmp_path: Path
) -> None:
    recipe = tmp_path / "small.toml"
    recipe.write_text('name = "small"\ntrain = "train"\nuniverse = "universe"\n')
    built = ("split", "build", str(recipe), "--dry-run")
    row = json.loads(run(*built, "--format", "jsonl").stdout)
    name = row["largest_branch_name"].partition(".")[0]
    assert mini[name] == row["largest_branch"]
    table = run(*built, "--format", "table").stdout
    assert re.search(rf"its name +{name}\.n\.01", table)


def test_names_come_from_wordnet_where_no_database_is_used(tmp_path: Path) -> None:
    from click.testing import CliRunner

    path = tmp_path / "own.csv"
    path.write_text("n02084071,0.5\nn02121620,0.25\n")
    asked = ["study", "ilsvrc", "accuracy", str(path), "--each", "--format", "jsonl"]
    done = CliRunner().invoke(main, asked)
    assert done.exit_code == 0, done.output
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(row["wnid"], row["name"]) for row in rows] == [
        ("n02121620", "cat.n.01"),
        ("n02084071", "dog.n.01"),
    ]


# one class on one screen


@pytest.fixture
def page_of(mini_database: Database, in_mini_wordnet: None) -> Callable[..., SynsetPage]:
    """``look`` in the mini WordNet and its database, with the training classes ``train``."""

    def page(text: str, train: str = "train", valid: str = "universe", k: int = 5) -> SynsetPage:
        return look(text, train, valid, k, mini_database)

    return page


def test_look_by_hand(page_of: Callable[..., SynsetPage], mini: MiniWordNet, mine: None) -> None:
    page = page_of("dog")
    assert (page.wnid, page.name, page.words) == (mini["dog"], "dog.n.01", ["dog"])
    assert (page.gloss, page.depth, page.other_senses) == ("a mini dog", 5, [])
    parents = sorted(mini.named("mammal", "domestic_animal"))
    assert [each.wnid for each in page.hypernyms] == parents
    up = mini.named("domestic_animal", "animal", "living_thing", "object", "entity")
    assert [each.wnid for each in page.way_up] == up, "the way by chordate and mammal is longer"
    assert [each.wnid for each in page.hyponyms] == mini.named("poodle", "beagle", "corgi")
    assert (page.descendants, page.population) == (6, 100)
    inherited = page.inherited_population
    assert inherited is not None
    # 100, 110, …, 160
    assert (inherited.classes, inherited.population_mean, inherited.images) == (7, 130.0, 910)
    assert page.class_sets == ["universe"]
    training = page.training
    assert training is not None
    # by the poodle to the toy poodle, by the mammal or the domestic animal to the horse
    assert training.hops == 2
    assert {each.wnid for each in training.closest} == set(mini.named("toy_poodle", "horse"))
    hcorrect = page.hcorrect_set
    assert hcorrect is not None
    assert (hcorrect.k, hcorrect.radius) == (5, 1)
    around = ("dog", "mammal", "domestic_animal", "poodle", "beagle", "corgi")
    assert {each.name for each in hcorrect.members} == {f"{name}.n.01" for name in around}
    wider = page_of("dog", k=7).hcorrect_set
    assert wider is not None
    assert (wider.k, wider.radius) == (7, 2)
    assert {each.name for each in hcorrect.members} < {each.name for each in wider.members}


def test_look_takes_the_usual_sense(
    page_of: Callable[..., SynsetPage],
    mini_database: Database,
    mini: MiniWordNet,
    run: Command,
) -> None:
    put_class_set(mini_database, "trucks", mini.named("lifting_truck"), {"kind": "list"})
    bird = page_of("crane")
    assert bird.wnid == mini["crane"]
    assert [(s.wnid, s.is_class) for s in bird.other_senses] == [(mini["lifting_truck"], True)]
    again = page_of("crane", valid="trucks")
    assert again.wnid == mini["crane"], "tagged more often than the truck, which is the class"
    assert [(s.wnid, s.is_class) for s in again.other_senses] == [(mini["lifting_truck"], True)]
    text = run("look", "crane", "--train", "train", "--valid", "universe", "--format", "table")
    assert f"lifting_truck.n.01 {mini['lifting_truck']}*" in text.stdout
    assert page_of("crane.n.01", valid="trucks").wnid == mini["crane"], "a name"


def test_look_far_and_at_the_edges(page_of: Callable[..., SynsetPage], mini: MiniWordNet) -> None:
    queen = page_of("queen")
    assert queen.wnid == mini["queen"]
    assert [each.wnid for each in queen.other_senses] == mini.named(
        "queen_bee", "queen_regnant", "chess_queen"
    )
    again = page_of("queen_bee.n.01")
    assert (again.word, len(again.other_senses)) == ("queen bee", 0)
    entity = page_of("n00001740")
    assert (entity.hypernyms, entity.way_up, entity.depth) == ([], [], 0)
    assert entity.descendants == len(mini.rows) - 1
    # object, artifact, machine, monitor
    assert entity.training is not None
    assert (entity.training.hops, entity.training.closest[0].name) == (4, "monitor.n.01")
    assert entity.hcorrect_set is None, "it is not a valid label"
    # several ways lead from the animal to dogs and cats, and each counts once
    animal = page_of("animal")
    below = Hierarchy.from_edges(mini.edges()).subtree([mini["animal"]])
    assert animal.descendants == len(below) - 1
    images = [mini.populations[w] for w in mini.universe() if w in below & {*mini.populations}]
    inherited = animal.inherited_population
    assert inherited is not None
    assert (inherited.classes, inherited.images) == (len(images), sum(images))
    king = page_of("Arthur")
    # king, ruler, person, living thing; then animal, domestic animal, horse, or plant, tree, oak
    assert king.training is not None
    assert king.training.hops == 7
    assert {each.name for each in king.training.closest} == {"horse.n.01", "oak.n.01"}
    own = page_of("horse")
    assert own.training is not None
    assert (own.training.hops, [each.name for each in own.training.closest]) == (0, ["horse.n.01"])


def test_look_needs_no_server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """WordNet's own nouns and the shipped lists: 1,603 images of dogs in the Fall 2011 release."""

    def never(*_: object) -> None:
        raise AssertionError("a server was started")

    monkeypatch.setattr("graphzsl.database.LocalServer.start", never)
    monkeypatch.setenv("GRAPHZSL_HOME", str(tmp_path))
    done = CliRunner().invoke(main, ["look", "dog", "-k", "20", "--format", "json"])
    assert not done.exit_code, done.output
    page = json.loads(done.stdout)
    assert (page["wnid"], page["population"], page["descendants"]) == ("n02084071", 1603, 189)
    assert {"imagenet-fall11", "published-2-hops"} <= set(page["class_sets"])
    assert "ilsvrc2012" not in page["class_sets"]
    expected = Hierarchy.load().hcorrect_set("dog.n.01", k=20, valid="imagenet-fall11")
    assert page["hcorrect_set"]["k"] == 20
    assert {each["wnid"] for each in page["hcorrect_set"]["members"]} == set(expected.members)
    closest = Hierarchy.load().closest("dog.n.01", train="ilsvrc2012")
    assert [each["wnid"] for each in page["training"]["closest"]] == closest.closest
    done = CliRunner().invoke(main, ["look", "dog", "-k", "30000"])
    assert "fewer than k = 30,000 members: 21,841 classes of imagenet-fall11" in done.stderr
    # dog, domestic animal, domestic cat, cat; above both the dog family and the cat family are
    # carnivores, and domestic animals are above no cat but the domestic one. The longest way down
    # from carnivores: canine, dog, hunting dog, terrier, rat terrier, Manchester, toy Manchester.
    done = CliRunner().invoke(main, ["look", "dog", "cat.n.01", "--format", "json"])
    (row,) = json.loads(done.stdout)
    assert (row["first_name"], row["hops"], row["last_name"]) == ("dog.n.01", 3, "cat.n.01")
    assert (row["ancestor_name"], row["height"]) == ("carnivore.n.01", 7)
    done = CliRunner().invoke(main, ["look", "dog", "cat", "-k", "3"])
    assert (done.exit_code, "-k has no effect here" in done.stderr) == (2, True)
    done = CliRunner().invoke(main, ["look", "dogg"])
    assert (done.exit_code, "Did you mean" in done.stderr) == (1, True)
    done = CliRunner().invoke(main, ["look", "dog", "--train", "ilsvrc2021"])
    assert "'ilsvrc2021' is neither a file nor an ImageNet list" in done.stderr


def test_words_of_classes_need_no_server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A tabby is a queen as the queen of bees is; all other words but those of the dog that it
    alone has name further synsets. Counted in WordNet's data.noun."""
    monkeypatch.setenv("GRAPHZSL_HOME", str(tmp_path))
    monkeypatch.delenv("NEO4J_URI", raising=False)
    monkeypatch.chdir(tmp_path)
    Path("three.txt").write_text("tabby.n.02\nqueen.n.01\ndog.n.01\n")

    def rows(*words: str, code: int = 0) -> Any:
        given = ("--universe", "three.txt", "--format", "json")
        done = CliRunner().invoke(main, ["study", "words", *words, *given])
        assert done.exit_code == code, done.output
        return done.stderr if code else json.loads(done.stdout)

    # tabby, queen | queen | dog, domestic dog, Canis familiaris
    columns = ("unit", "total", "other_classes", "other_synsets", "any_part_of_speech")
    found = [tuple(row[column] for column in columns) for row in rows("polysemy")]
    assert found == [
        ("class", 3, 2, 3, None),
        ("label", 5, 1, 3, None),
        ("single-word label", 3, 1, 3, None),
    ]
    assert rows("polysemy")[1]["other_synsets_share"] == 3 / 5
    asked = ["study", "words", "polysemy", "--universe", "three.txt"]
    done = CliRunner(env={"COLUMNS": "80"}).invoke(main, asked)
    assert done.stdout == CliRunner(env={"COLUMNS": "200"}).invoke(main, asked).stdout
    assert done.stdout.splitlines()[3].split()[1:4] == ["5", "1", "(20.0"]
    meaning = rows("meaning", "--term", "queen", "--rule", "first-sense")
    assert [(row["name"], row["primary"], row["classes"]) for row in meaning] == [
        ("tabby.n.02", False, 2),
        ("queen.n.01", True, 2),
    ]
    assert "has the word 'queenn'. Did you mean 'queen'" in rows(
        "meaning", "--term", "queenn", code=1
    )


def test_the_root_of_superclasses_needs_no_server(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Two of three dogs of each kind, and no cat: the kinds are the children of dog.n.01."""
    monkeypatch.setenv("GRAPHZSL_HOME", str(tmp_path))
    monkeypatch.delenv("NEO4J_URI", raising=False)
    listed = tmp_path / "dogs.txt"
    listed.write_text("papillon.n.01\nshih-tzu.n.01\nweimaraner.n.01\ncairn.n.02\ncat.n.01\n")
    given = ["--set", str(listed), "--superclasses", "2", "--subclasses", "2", "--format", "json"]
    for root in ("dog.n.01", "dog", "n02084071"):
        asked = ["study", "granularity", "superclasses", "--root", root, *given]
        done = CliRunner().invoke(main, asked)
        assert not done.exit_code, done.output
        found = [row["name"] for row in json.loads(done.stdout)]
        assert found == ["toy_dog.n.01", "hunting_dog.n.01"]
    done = CliRunner().invoke(main, [*asked[:4], "dogg", *given])
    assert "'dogg' is not a node of the hierarchy" in done.stderr


def test_look_on_a_database_that_is_empty_or_has_no_such_set(
    run: Command, mini_database: Database, mini: MiniWordNet
) -> None:
    """The mini WordNet has no dog of WordNet's: what is not there comes from the package. Images
    of the database are those of the mini WordNet."""
    page = json.loads(run("look", "dog", "--format", "json").stdout)
    assert (page["wnid"], page["population"]) == ("n02084071", 1603)
    assert page["inherited_population"]["valid"] == "imagenet-fall11"
    assert page["inherited_population"]["classes"] > 100


def test_look_offers_the_class_sets_of_the_database(run: Command, in_mini_wordnet: None) -> None:
    said = run("look", "koko", "--train", "universes", code=1).stderr
    assert said.startswith("Error: There is no class set 'universes'. Did you mean universe?")


def test_look_is_one_screen_or_one_object(
    run: Command, mini: MiniWordNet, in_mini_wordnet: None, tmp_path: Path
) -> None:
    sets = ("--train", "train", "--valid", "universe")
    saved = tmp_path / "dog.json"
    text = run("look", "dog", *sets, "--format", "table", "--save", str(saved)).stdout
    lines = text.splitlines()
    assert lines[0] == f"dog.n.01  {mini['dog']}  dog"
    assert len(lines) < 24
    assert max(map(len, lines)) <= 100
    assert "hyponyms     3, 6 descendants: poodle.n.01" in text
    assert "population   100 images" in text
    assert "training     2 hops to train, 2 ties:" in text
    assert "hCorrectSet  k 5: 6 classes of universe within 1 hop: dog.n.01" in text
    found = json.loads(run("look", "dog", *sets, "--format", "json").stdout)
    assert found["hypernyms"][0].keys() == {"wnid", "name"}
    assert json.loads(saved.read_text()) == [found]
    assert json.loads(run("look", "dog", *sets, "--format", "jsonl").stdout) == found, (
        "a line for a program"
    )
    assert run("look", "dog", *sets).stdout == text, "what a terminal shows goes into a pipe"
    assert len(
        list(csv.DictReader(run("look", "dog", *sets, "--format", "csv").stdout.splitlines()))
    )


# statements of one's own


def test_a_statement_of_ones_own(run: Command, mini: MiniWordNet, tmp_path: Path) -> None:
    text = "MATCH (s:Synset)-[:HYPERNYM]->(p {name: $n}) RETURN s.wnid AS w, $k AS k ORDER BY w"
    asked = ("-p", "n=dog.n.01", "-p", 'k=[1, true, "x"]')
    expected = [
        {"w": wnid, "k": [1, True, "x"]} for wnid in mini.named("poodle", "beagle", "corgi")
    ]

    def rows(*arguments: str, **more: Any) -> Any:
        done = run("query", "run", *arguments, *asked, "--format", "json", **more)
        return json.loads(done.stdout)

    assert rows(text) == expected
    path = tmp_path / "own.cypher"
    path.write_text("// mine: 'it's; CREATE\n" + text + ";\n")
    assert rows(str(path)) == expected
    assert rows("-", input=text) == expected
    plain = tmp_path / "no-suffix"
    plain.write_text(text)
    assert rows(str(plain)) == expected
    saved = tmp_path / "rows.csv"
    run("query", "run", text, *asked, "--save", str(saved))
    assert saved.read_text().splitlines()[0] == "w,k"
    nothing = run("query", "run", "MATCH (s:None) RETURN s.x AS one, s AS two", "--format", "csv")
    assert nothing.stdout == "one,two\n", "no row, and still its columns"


def test_a_path_has_the_wnid_and_the_name_of_each_synset(run: Command, mini: MiniWordNet) -> None:
    text = "MATCH p = (:Synset {name: 'poodle.n.01'})-[:HYPERNYM]->() RETURN p"
    (row,) = json.loads(run("query", "run", text, "--format", "json").stdout)
    assert row["p"][0] == f"{mini['poodle']} poodle.n.01"
    assert [len(node.split()) for node in row["p"]] == [2, 2]


def test_a_name_that_the_database_does_not_have_is_said(run: Command) -> None:
    for text in ("MATCH (s:Synst) RETURN count(s)", "MATCH (s:Synset {nme: 'x'}) RETURN s.wnid"):
        done = run("query", "run", text, "--format", "jsonl")
        word = "Synst" if "Synst" in text else "nme"
        assert "Neo4j: " in done.stderr
        assert word in done.stderr
    assert "Neo4j: " not in run("query", "run", "MATCH (s:Synset) RETURN count(s)").stderr


def test_a_name_of_the_library_comes_before_a_file(
    run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("class_sets").write_text("RETURN 1 AS one")
    assert [
        json.loads(line)["name"]
        for line in run("query", "run", "class_sets", "--format", "jsonl").stdout.split("\n")
        if line
    ] == ["train", "universe"]
    assert json.loads(run("query", "run", "./class_sets", "--format", "jsonl").stdout) == {"one": 1}
    said = run("query", "run", "clas_sets", code=1).stderr
    assert "There is no query 'clas_sets'. Did you mean class_sets" in said
    assert "There is no file none.cypher" in run("query", "run", "none.cypher", code=1).stderr
    Path("binary.cypher").write_bytes(b"\xff\xfe\x00")
    assert (
        "binary.cypher is UTF-16; save it as UTF-8"
        in run("query", "run", "binary.cypher", code=1).stderr
    )


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE (:Synset {wnid: 'n00000000'})",
        "MATCH (n) DETACH DELETE n",
        "MATCH (s:Synset) SET s.name = 'x' RETURN s",
        "CREATE INDEX own FOR (s:Synset) ON (s.gloss)",
        "MATCH (s:Synset) CALL (s) { SET s.x = 1 } IN TRANSACTIONS",
        "CALL db.createLabel('Own')",
    ],
)
def test_a_statement_that_writes_is_refused(
    run: Command, mini_database: Database, statement: str
) -> None:
    before = mini_database.rows(query("graph_counts"))
    said = run("query", "run", statement, code=1).stderr
    assert said.startswith("Error: A query only reads, and this statement does more")
    assert len(said.splitlines()) == 1
    assert mini_database.rows(query("graph_counts")) == before
    assert "put_source writes" in run("query", "run", "put_source", code=1).stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["MATCH (n)\nRETRUN n"], "line 2, column 1: Invalid input 'RETRUN'"),
        (["MATCH (n) RETURN m"], "line 1, column 18: Variable `m` not defined."),
        (["RETURN 1; RETURN 2"], "Expected exactly one statement per query but got: 2."),
        (["RETURN 1 / 0"], "/ by zero."),
        (["RETURN $x"], "needs parameter $x: give -p x=VALUE. It takes: $x."),
        (["RETURN 1 // $y", "-p", "y=1"], "has no parameter $y. It takes: nothing."),
        ([" "], "There is no statement in the text."),
        (["// only a comment"], "There is no statement in the text."),
    ],
)
def test_a_wrong_statement_is_one_line(run: Command, arguments: list[str], message: str) -> None:
    said = run("query", "run", *arguments, code=1).stderr
    assert message in said
    assert len(said.splitlines()) == 1


def test_all_kinds_of_values_are_printed(run: Command, mini: MiniWordNet) -> None:
    statement = (
        "MATCH p = (s:Synset {name: 'koko.n.01'})-[r]->(o {name: 'ape.n.01'}) RETURN s.wnid AS w,"
        " r, p, date('2020-02-03') AS day, duration('P1D') AS long, point({x: 1, y: 2}) AS place,"
        " [date('2020-02-03')] AS days, NULL AS none"
    )
    assert json.loads(run("query", "run", statement, "--format", "jsonl").stdout) == {
        "w": mini["koko"],
        "r": {"type": "INSTANCE_HYPERNYM"},
        "p": [f"{mini[name]} {name}.n.01" for name in ("koko", "ape")],
        "day": "2020-02-03",
        "long": "P1D",
        "place": [1.0, 2.0],
        "days": ["2020-02-03"],
        "none": None,
    }


def test_query_in_python_says_the_place_too(mini_database: Database) -> None:
    with pytest.raises(DatabaseError, match=r"line 1, column 10: Invalid input"):
        mini_database.query("RETURN 1 RETRUN")


# what is there is not written again


def test_an_unchanged_class_set_is_not_written_again(
    mini_database: Database, mini: MiniWordNet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "two.txt"
    path.write_text("\n".join(mini.named("dog", "cat")))
    assert load_class_set(mini_database, "two", path) == 2

    def refuse(*arguments: Any) -> None:
        raise AssertionError("written again")

    with monkeypatch.context() as patched:
        patched.setattr(ingest, "put_class_set", refuse)
        assert load_class_set(mini_database, "two", path) == 2
        # a member that went missing, or another file, is written
        mini_database._driver.execute_query(
            "MATCH (:Synset {wnid: $w})-[m:IN_SET]->(:ClassSet {name: 'two'}) DELETE m",
            w=mini["cat"],
            database_="neo4j",
        )
        with pytest.raises(AssertionError, match="written again"):
            load_class_set(mini_database, "two", path)
    load_class_set(mini_database, "two", path)
    path.write_text(mini["dog"])
    load_class_set(mini_database, "two", path)
    rows = mini_database.rows(query("members"), class_set="two")
    assert [row["wnid"] for row in rows] == [mini["dog"]]


@pytest.mark.thorough("all of WordNet, asked in two ways")
def test_look_agrees_with_wordnet_in_memory(full_database: Database) -> None:
    """Against nltk's own closures, and the searches in memory."""
    from graphzsl.common import load_settings
    from graphzsl.sources import WordNet, wordnet_folder

    reader = WordNet(wordnet_folder(load_settings()))._reader
    wordnet = Hierarchy.load()
    for wnid in ("n02084071", "n02106662", "n00001740", "n15163157", "n09044862"):
        page = look(wnid, database=full_database)
        known = full_database.rows(query("synset_details"), wnid=wnid)[0]
        for name in ("name", "words", "gloss", "lexname", "depth", "population", "descendants"):
            assert getattr(page, name) == known[name], name
        synset = reader.synset_from_pos_and_offset("n", int(wnid[1:]))

        def offsets(synsets: Any) -> set[str]:
            return {f"n{each.offset():08d}" for each in synsets}

        above = synset.hypernyms() + synset.instance_hypernyms()
        below = synset.hyponyms() + synset.instance_hyponyms()
        assert page.name == synset.name()
        assert {each.wnid for each in page.hypernyms} == offsets(above)
        assert {each.wnid for each in page.hyponyms} == offsets(below)
        closure = synset.closure(lambda each: each.hyponyms() + each.instance_hyponyms())
        assert page.descendants == len(offsets(closure))
        assert page.depth == synset.min_depth() == len(page.way_up)
        senses = {
            f"n{each.offset():08d}" for each in reader.synsets(page.word.replace(" ", "_"), "n")
        }
        assert {each.wnid for each in page.other_senses} | {wnid} == senses
        closest = wordnet.closest(wnid, train="ilsvrc2012")
        assert page.training is not None
        assert (page.training.hops, [each.wnid for each in page.training.closest]) == (
            closest.hops,
            closest.closest,
        )
        if "imagenet-fall11" in page.class_sets:
            expected = wordnet.hcorrect_set(wnid, k=5, valid="imagenet-fall11")
            assert page.hcorrect_set is not None
            assert page.hcorrect_set.radius == expected.radius
            assert {each.wnid for each in page.hcorrect_set.members} == set(expected.members)
        way = [row["wnid"] for row in full_database.rows(query("way_up"), wnid=wnid)]
        assert [wnid, *(each.wnid for each in page.way_up)] == way
        # without the database, the same but for the class sets that are no shipped lists
        alone = look(wnid)
        assert set(alone.class_sets) <= set(page.class_sets)
        assert replace(alone, class_sets=page.class_sets) == page
    assert look("dog").wnid == "n02084071"


def test_wordnet_that_is_loaded_is_not_read(
    full_database: Database, full_settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from graphzsl.database import LocalServer

    def refuse(*arguments: Any) -> None:
        raise AssertionError("read again")

    monkeypatch.setattr("graphzsl.sources.wordnet.WordNet.__init__", refuse)
    environment = {
        "NEO4J_URI": full_database.uri,
        "NEO4J_USERNAME": "neo4j",
        "NEO4J_PASSWORD": LocalServer(full_settings).password(),
    }
    done = CliRunner(env=environment).invoke(main, ["load", "wordnet"])
    assert done.exit_code == 0, done.output
    assert (
        "already loaded: 82,115 synsets, 84,427 hypernym edges, 119,034 words, 146,347 labels"
        in done.stderr
    )
