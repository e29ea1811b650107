"""Recipes on the mini WordNet: built step by step, published, verified, what must be refused."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graphzsl import splits
from graphzsl.analysis.class_properties.from_database import class_property
from graphzsl.analysis.structure.from_database import order_values, split_ratios
from graphzsl.analysis.words.from_database import read_words
from graphzsl.benchmark.build import build, store
from graphzsl.benchmark.publish import publish
from graphzsl.benchmark.recipe import read_recipe
from graphzsl.benchmark.verify import verify
from graphzsl.database.class_sets import members
from graphzsl.database.client import Database
from graphzsl.database.ingest import load_frequencies
from graphzsl.database.library import query
from graphzsl.errors import SettingsError, SplitError
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.lexicon import Lexicon
from graphzsl.settings import load_settings
from tests.antichains import is_antichain
from tests.mini import TRAIN, MiniWordNet


@pytest.fixture
def hierarchy(mini: MiniWordNet) -> Hierarchy:
    return Hierarchy.from_edges(mini.edges())


@pytest.fixture(scope="module")
def lexicon(mini_cache: Path) -> Lexicon:
    return Lexicon.load(replace(load_settings(), cache=mini_cache))


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
    assert [
        (row["check"], row["ok"]) for row in verify(tmp_path / "b", mini_database, lexicon)
    ] == [("files", False)]
    splits.hop_split(mini_database, 1, train="train", universe="universe", name="one").store(
        mini_database
    )
    with pytest.raises(SplitError, match="not built by a recipe"):
        publish(mini_database, "one", tmp_path / "c", lexicon)


def test_an_overlapping_benchmark_is_unsound(mini_database: Database, mini: MiniWordNet) -> None:
    wnids = mini.named("dog", "beagle", "cat", "bird")
    split = splits.Split("bad", wnids, "train", "universe", "wordnet", disjoint=True)
    splits.store_split(mini_database, split, {})
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
        (['exclude = ["n99999999 nothing"]'], "4: n99999999 is not a node"),
        (
            ["exclude = [", f'  "{mini["person"]} people",', '  "n99999998 nothing",', "]"],
            "6: n99999998 is not a node",
        ),
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
    found = class_property(
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

    monkeypatch.setattr("graphzsl.semantics.vectors.packaged_vectors", packaged)
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
