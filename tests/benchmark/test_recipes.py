"""Recipes on the mini WordNet: built step by step, published, verified, what must be refused."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graphzsl import splits
from graphzsl.analysis import MEANING_RULES, property_values, read_words, split_ratios
from graphzsl.analysis.structure.from_database import order_values
from graphzsl.analysis.words.from_database import first_words
from graphzsl.analysis.words.from_lexicon import words_of
from graphzsl.benchmark import FileInputs, publish, read_recipe, store, verify
from graphzsl.benchmark import build as building
from graphzsl.benchmark.build import build
from graphzsl.common import SettingsError, sha256
from graphzsl.common.errors import SplitError
from graphzsl.database import Database, load_frequencies, members, query
from graphzsl.database.class_sets import put_class_set
from graphzsl.hierarchy import Hierarchy, Lexicon
from graphzsl.splits.store import store_split
from tests.antichains import is_antichain
from tests.conftest import Command
from tests.mini import TRAIN, MiniWordNet, mini_lexicon


@pytest.fixture
def hierarchy(mini: MiniWordNet) -> Hierarchy:
    return Hierarchy.from_edges(mini.edges())


@pytest.fixture(scope="module")
def lexicon(mini_nouns: Path) -> Lexicon:
    return mini_lexicon(mini_nouns)


@pytest.fixture
def recipe(tmp_path: Path) -> Callable[..., Any]:
    """A recipe on the mini sets, with further lines."""

    def write(*lines: str) -> Any:
        path = tmp_path / "mine.toml"
        path.write_text(
            "\n".join(['name = "mine"', 'universe = "universe"', 'train = "train"', *lines])
        )
        return read_recipe(path)

    return write


def test_a_recipe_runs_step_by_step(
    mini_database: Database, mini: MiniWordNet, hierarchy: Hierarchy, recipe: Callable[..., Any]
) -> None:
    made = recipe(
        'meaning = "single"',
        "population_above = 100",
        f'exclude = ["{mini["person"]} people"]',
        "size = 6",
    )
    built = build(mini_database, made)
    assert [step.step for step in built.steps] == [
        "universe",
        "unseen",
        "meaning",
        "population",
        "exclusion",
        "disjoint",
        "selection",
    ]
    assert all(
        before.kept == after.kept + after.dropped
        for before, after in zip(built.steps, built.steps[1:], strict=False)
    )
    chosen, training = set(built.wnids), set(mini.named(*TRAIN))
    assert len(chosen) == 6
    assert is_antichain(hierarchy, built.wnids)
    assert not any(
        hierarchy.ancestors(wnid) & training or hierarchy.descendants(wnid) & training
        for wnid in chosen
    )
    assert all(mini.populations[wnid] > 100 for wnid in chosen)
    assert not chosen & hierarchy.subtree([mini["person"]])
    assert built.statistics["structural_ratio"] <= built.statistics["bound"]
    assert 0 <= built.statistics["tied_classes"] <= built.statistics["nearly_tied_classes"] <= 6
    store(mini_database, built)
    assert members(mini_database, "mine") == built.wnids
    assert (
        split_ratios(mini_database, "mine", "train").structural_ratio
        == built.statistics["structural_ratio"]
    )
    assert splits.check_split(mini_database, "mine") == []
    assert build(mini_database, made).wnids == built.wnids


def test_files_give_what_the_database_gives(
    mini_database: Database,
    mini: MiniWordNet,
    hierarchy: Hierarchy,
    lexicon: Lexicon,
    recipe: Callable[..., Any],
    tmp_path: Path,
) -> None:
    """Words and their meanings are in WordNet's own files, and in the same order."""
    stored, named = read_words(mini_database, "universe"), {"universe": mini.universe()}
    words = words_of(lexicon, "universe", mini.universe())
    assert [replace(label, other_senses=None) for label in stored.labels] == words.labels
    assert stored.namesakes == words.namesakes
    named["train"] = mini.named(*TRAIN)
    whole = replace(hierarchy, populations=mini.populations)
    files = FileInputs(whole, lambda name: named[name], lambda: lexicon)
    assert files.first_words() == first_words(mini_database)
    (tmp_path / "v.txt").write_text("queen 1 0\nbee 1 0.1\ncat 1 0.1\n")
    for rule in MEANING_RULES:
        lines = [f'meaning = "{rule}"', "population_above = 50", "size = 4"]
        lines += ['vectors = "v.txt"'] if rule == "neighbours" else []
        made = recipe(*lines)
        one, other = build(mini_database, made), building.run(files, made)
        assert (one.wnids, one.steps) == (other.wnids, other.steps)
        assert one.statistics == other.statistics


#: Statistics that somebody wrote.
WRITTEN = {
    "bound": 99.5,
    "simple_bound": 4.25,
    "tied_classes": 7,
    "tied_candidates": 77,
    "nearly_tied_classes": 17,
    "nearly_tied_candidates": 71,
    "ties_cut_by": "a coin",
    "largest_branch": "n00001740",
    "population_median": 1.5,
    "hits": 1,
}


def test_statistics_and_steps_that_were_changed_are_found_out(
    mini_database: Database, lexicon: Lexicon, recipe: Callable[..., Any], tmp_path: Path
) -> None:
    """Behind a manifest with their checksum: only the recipe tells."""
    store(mini_database, build(mini_database, recipe("population_above = 100", "size = 6")))
    publish(mini_database, "mine", tmp_path / "b", lexicon)
    path, manifest_path = tmp_path / "b" / "statistics.json", tmp_path / "b" / "manifest.json"
    document = json.loads(path.read_text())
    whole = json.dumps(document)
    document["statistics"]["bound"] = 99.5
    path.write_text(json.dumps(document, indent=2, sort_keys=True) + "\n")
    # the recipe tells what the file held, as its checksum proves
    rows = {row["check"]: row for row in verify(tmp_path / "b", mini_database, lexicon)}
    assert rows[path.name]["detail"].startswith("statistics.json:4: '\"bound\": 99.5,', expected")
    document = json.loads(whole)
    document["statistics"] |= WRITTEN
    del document["statistics"]["gap"]
    document["steps"][1]["kept"] -= 1
    path.write_text(json.dumps(document, indent=2, sort_keys=True) + "\n")
    manifest = json.loads(manifest_path.read_text())
    manifest["files"][path.name] = sha256(path)
    manifest_path.write_text(json.dumps(manifest, indent=2, sort_keys=True) + "\n")
    rows = {row["check"]: row for row in verify(tmp_path / "b", mini_database, lexicon)}
    for name in (*WRITTEN, "gap", "steps"):
        assert rows[name]["ok"] is False, name
    assert "the recipe gives no hits" in rows["hits"]["detail"]
    assert "statistics.json:4 says 99.5" in rows["bound"]["detail"]
    assert "statistics.json does not have it" in rows["gap"]["detail"]
    assert "unseen (not in train) keeps" in rows["steps"]["detail"]
    assert rows["train_hops_mean"]["ok"]
    assert rows["recipe"]["ok"]
    # another universe under that name: what hangs on it is not checked, and said so
    splits.hop_split(mini_database, 1, train="train", universe="universe", name="mine").store(
        mini_database
    )
    put_class_set(mini_database, "universe", members(mini_database, "mine"), {"kind": "list"})
    rows = {row["check"]: row for row in verify(tmp_path / "b", mini_database, lexicon)}
    for name in ("universe", "branches", "bound", "steps", "recipe"):
        assert rows[name]["ok"] is None
    assert "has other classes here" in rows["recipe"]["detail"]


def test_all_of_a_recipe_is_checked_before_any_work(
    run: Command, mini_database: Database, mini: MiniWordNet, tmp_path: Path
) -> None:
    """Whatever stands last, or in the last of several recipes."""
    head = 'universe = "universe"\ntrain = "train"\n'
    ranked = f'{head}rank_by = "path"\nlevels = 2\nsize = 5\ndisjoint = false\n'
    (tmp_path / "first.toml").write_text(f'name = "first"\n{ranked}')
    (tmp_path / "second.toml").write_text(
        f'name = "second"\n{ranked}compare = ["train",\n  "absent"]\n'
    )
    first, second = str(tmp_path / "first.toml"), str(tmp_path / "second.toml")
    done = run("split", "build", first, second, code=1)
    assert "second.toml:9: There is no class set 'absent'" in done.stderr
    assert "first" not in done.stdout + done.stderr
    stored = {row["name"] for row in mini_database.rows(query("class_sets"))}
    assert not {name for name in stored if name.startswith("first")}
    # what an earlier recipe makes is there for a later one
    (tmp_path / "second.toml").write_text(
        f'name = "second"\n{head}exclude_sets = ["first-1", "first-2"]\n'
    )
    run("split", "build", first, second)
    made = {*members(mini_database, "first-1"), *members(mini_database, "first-2")}
    assert not made & {*members(mini_database, "second")}
    done = run("split", "build", first, "--train", "absent", code=1)
    assert "There is no class set 'absent'" in done.stderr
    assert "(--train)." in done.stderr
    done = run("split", "build", first, "--each", code=2)
    assert "--each has no effect here: it needs a recipe with compare" in done.stderr


def test_a_changed_benchmark_is_found_out(
    mini_database: Database,
    mini: MiniWordNet,
    lexicon: Lexicon,
    recipe: Callable[..., Any],
    tmp_path: Path,
) -> None:
    built = build(mini_database, recipe("population_above = 100", "size = 6"))
    store(mini_database, built)
    publish(mini_database, "mine", tmp_path / "b", lexicon)
    rows = verify(tmp_path / "b", mini_database, lexicon)
    assert all(row["ok"] for row in rows), rows
    assert {"files", "in one list", "disjoint", "structural_ratio", "recipe"} <= {
        row["check"] for row in rows
    }
    publish(mini_database, "mine", tmp_path / "again", lexicon)
    for path in (tmp_path / "b").iterdir():
        assert path.read_bytes() == (tmp_path / "again" / path.name).read_bytes()
    # other populations: the statistics differ, the recipe gives other classes or cannot
    mini_database.write(
        (query("set_populations"), {"rows": [{"wnid": built.wnids[0], "images": 1}]})
    )
    failed = [row for row in verify(tmp_path / "b", mini_database, lexicon) if row["ok"] is False]
    assert {"classes.csv", "population_min"} <= {row["check"] for row in failed}
    path = tmp_path / "b" / "test_classes.txt"
    path.write_text(path.read_text().replace(built.wnids[0], mini["dog"]))
    rows = verify(tmp_path / "b", mini_database, lexicon)
    failed = [row for row in rows if row["ok"] is False]
    assert [row["check"] for row in failed] == ["files", "test_classes.txt"]
    splits.hop_split(mini_database, 1, train="train", universe="universe", name="one").store(
        mini_database
    )
    with pytest.raises(SplitError, match="not built by a recipe"):
        publish(mini_database, "one", tmp_path / "c", lexicon)


def test_an_overlapping_benchmark_is_unsound(mini_database: Database, mini: MiniWordNet) -> None:
    wnids = mini.named("dog", "beagle", "cat", "bird")
    split = splits.Split("bad", wnids, "train", "universe", "wordnet", disjoint=True)
    store_split(mini_database, split, {})
    problems = splits.check_split(mini_database, "bad")
    # toy poodle is a training class below dog, vulture one below bird
    assert [(row["problem"], row["wnid"]) for row in problems] == [
        ("overlap", mini["beagle"]),
        ("overlap", mini["bird"]),
        ("overlap", mini["dog"]),
    ]


def test_recipes_name_the_line_of_what_is_missing(
    mini_database: Database, mini: MiniWordNet, recipe: Callable[..., Any]
) -> None:
    for lines, message in (
        (["frequency_above = 5"], "4: No word of universe has a frequency"),
        (['exclude = ["n99999999 nothing"]'], "4: n99999999 is not a noun synset"),
        (
            ["exclude = [", f'  "{mini["person"]} people",', '  "n99999998 nothing",', "]"],
            "6: n99999998 is not a noun synset",
        ),
        (['exclude = ["crane"]'], "4: 'crane' names 2 noun synsets"),
        (["exclude = [", '"dog.n.01 all of them",', f'"{mini["dog"]}",', "]"], "6: n0"),
        (['exclude_sets = ["absent"]'], "4: There is no class set 'absent'"),
        (['meaning = "neighbours"', 'vectors = "absent.txt"'], "5: "),
    ):
        with pytest.raises(SettingsError) as error:
            build(mini_database, recipe(*lines))
        assert f"mine.toml:{message}" in str(error.value)
    mini_database.write((query("clear_populations"), {}))
    with pytest.raises(SettingsError, match=r"mine\.toml:4: No class of universe has a population"):
        build(mini_database, recipe("population_above = 5"))
    with pytest.raises(SplitError, match="do not make a split of 500"):
        build(mini_database, recipe("size = 500"))


def test_a_recipe_excludes_by_names_too(
    mini_database: Database, mini: MiniWordNet, recipe: Callable[..., Any]
) -> None:
    by_wnid = build(mini_database, recipe(f'exclude = ["{mini["dog"]} dogs"]'))
    by_name = build(mini_database, recipe('exclude = ["dog.n.01 dogs"]'))
    assert by_name.wnids == by_wnid.wnids
    assert by_name.steps[-2].rule == "not dog.n.01 dogs, nor below it"
    wrong = recipe('exclude = ["n99999999 x", "dogg.n.01", "dog.n.01", "Dog.n.1"]')
    with pytest.raises(SettingsError) as error:
        build(mini_database, wrong)
    lines = str(error.value).splitlines()
    assert ["n99999999 is not" in lines[0], f"mean {mini['dog']} (dog.n.01)" in lines[1]] == [
        True,
        True,
    ]
    assert lines[2].endswith(
        "(dog.n.01) is there twice: entry 3 as 'dog.n.01' and entry 4 as 'Dog.n.1'. Remove one of"
        " them."
    )


def test_a_recipe_with_a_file_says_how_to_load_it(mini_database: Database, tmp_path: Path) -> None:
    (tmp_path / "r.toml").write_text('name = "r"\nuniverse = "universe"\ntrain = "own.txt"\n')
    with pytest.raises(SettingsError, match=r"r\.toml:3: There is no class set 'own.txt'") as error:
        build(mini_database, read_recipe(tmp_path / "r.toml"))
    assert "`graphzsl load class-set own --file own.txt`, and write own." in str(error.value)


def test_frequencies_filter_and_order(
    mini_database: Database, mini: MiniWordNet, recipe: Callable[..., Any], tmp_path: Path
) -> None:
    (tmp_path / "words.csv").write_text(
        "word,frequency\ntabby,900\noak,30\nlaptop,700\nsiamese,2\n"
    )
    load_frequencies(mini_database, tmp_path / "words.csv")
    built = build(mini_database, recipe("frequency_above = 500"))
    assert built.wnids == sorted(mini.named("tabby", "laptop"))
    step = next(step for step in built.steps if step.step == "frequency")
    # the universe less the training classes, of which oak is one
    without = len(set(mini.universe()) - set(mini.named(*TRAIN, "tabby", "laptop", "siamese")))
    assert step.rule == (
        f"max frequency of its labels above 500 (words.csv); {without} without a frequency are"
        " dropped"
    )
    assert build(mini_database, recipe("frequency_above = 0")).wnids == sorted(
        mini.named("tabby", "laptop", "siamese")
    ), "an unknown frequency is above nothing"
    values = order_values(mini_database, "universe", "frequency", "train", "wordnet")
    assert values == {mini["tabby"]: 900, mini["laptop"]: 700, mini["siamese"]: 2}
    assert read_words(mini_database, "universe").frequencies("max")[mini["laptop"]] == 700
    found = property_values(
        mini_database, Hierarchy.from_edges(mini.edges()), mini.universe(), "universe", "frequency"
    )
    assert found[mini["laptop"]] == pytest.approx(math.log10(701))
    assert mini["dog"] not in found


def test_neighbours_by_the_name_of_a_package(
    mini_database: Database,
    mini: MiniWordNet,
    recipe: Callable[..., Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """``vectors`` is a file beside the recipe where there is one, and else the package."""
    asked = []

    def packaged(name: str) -> dict[str, np.ndarray]:
        asked.append(name)
        return {"queen": np.array([1.0, 0.0]), "bee": np.array([1.0, 0.1])}

    monkeypatch.setattr("graphzsl.data.word_vectors.packaged_vectors", packaged)
    lines = ('meaning = "neighbours"', 'vectors = "glove-6b-50d"')
    kept = set(build(mini_database, recipe(*lines)).wnids)
    assert asked == ["glove-6b-50d"]
    # of the queens, the one beside the bee is meant; the cat has no other word
    assert mini["queen_bee"] in kept
    assert mini["queen"] not in kept
    (tmp_path / "glove-6b-50d").write_text("queen 1 0\ncat 1 0.1\n")
    beside = set(build(mini_database, recipe(*lines)).wnids)
    assert asked == ["glove-6b-50d"]
    assert mini["queen"] in beside
