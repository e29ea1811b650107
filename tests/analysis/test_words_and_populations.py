"""Words and populations on the mini WordNet: queries against searches in memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from graphzsl.common import DataError
from graphzsl.common.errors import SplitError
from graphzsl.database import Database, query
from graphzsl.hierarchy import Hierarchy
from graphzsl.ilsvrc import inherited
from graphzsl.splits.populations import most_or_least_populated
from tests.conftest import Command
from tests.mini import TRAIN, MiniWordNet


def test_polysemy_under_every_reading(mini_database: Database, mini: MiniWordNet) -> None:
    universe = set(mini.universe())
    rows = {row["unit"]: row for row in mini_database.rows(query("polysemy"), class_set="universe")}
    reached: dict[str, set[str]] = {}
    for row in mini.rows:
        for word in row.words:
            reached.setdefault(word.lower(), set()).add(row.wnid)
    labels = {word: wnids for word, wnids in reached.items() if wnids & universe}
    elsewhere = mini.other_senses()
    assert rows["label"] == {
        "unit": "label",
        "total": len(labels),
        "other_classes": sum(len(wnids & universe) > 1 for wnids in labels.values()),
        "other_synsets": sum(len(wnids) > 1 for wnids in labels.values()),
        "any_part_of_speech": sum(
            len(wnids) > 1 or word in elsewhere for word, wnids in labels.items()
        ),
    }
    assert rows["single-word label"]["total"] == sum(" " not in word for word in labels)
    shared = {wnid for wnids in labels.values() if len(wnids) > 1 for wnid in wnids & universe}
    assert (rows["class"]["total"], rows["class"]["other_synsets"]) == (len(universe), len(shared))
    assert rows["class"]["any_part_of_speech"] == len(shared | set(mini.named("dog")))
    assert rows["class"]["other_classes"] <= rows["class"]["other_synsets"]


def test_population_sets_are_nested_and_sorted(mini_database: Database, mini: MiniWordNet) -> None:
    names = {
        wnid: images
        for wnid, images in mini.populations.items()
        if wnid in set(mini.universe()) - set(mini.named(*TRAIN))
    }
    for most in (True, False):
        five = most_or_least_populated(mini_database, 5, most, "train", "universe")
        ten = most_or_least_populated(mini_database, 10, most, "train", "universe")
        assert ten[:5] == five
        expected = sorted((n for n in names.values() if n >= 1), reverse=most)[:10]
        assert [images for _, images in ten] == expected
    with pytest.raises(SplitError, match="fewer than 1,000"):
        most_or_least_populated(mini_database, 1000, True, "train", "universe")
    mini_database.write((query("clear_populations"), {}))
    with pytest.raises(DataError, match="load populations"):
        most_or_least_populated(mini_database, 5, True, "train", "universe")


def test_inherited_populations_are_the_means_below(
    mini_database: Database, mini: MiniWordNet, hierarchy: Hierarchy
) -> None:
    own = {
        wnid: float(images)
        for wnid, images in mini.populations.items()
        if wnid in set(mini.universe())
    }
    rows = mini_database.rows(query("inherited_populations"), class_set="universe")
    assert {row["wnid"]: (row["population_mean"], row["classes"]) for row in rows} == {
        wnid: (pytest.approx(mean), count)
        for wnid, (mean, count) in inherited(hierarchy, own).items()
    }


def test_search_words_with_ancestors_that_the_gloss_mentions(
    mini_database: Database, mini: MiniWordNet, command: Callable[..., Any]
) -> None:
    """The gloss of a mini synset is "a mini NAME": a toy poodle's mentions poodle (its parent), a
    pony's no ancestor."""
    rows = mini_database.rows(query("query_expansion"), wnid=mini["toy_poodle"])
    assert [(row["text"], row["ancestor"], row["edges"]) for row in rows] == [
        ("toy poodle", None, 0),
        ("toy poodle poodle", mini["poodle"], 1),
    ]
    assert [
        row["text"] for row in mini_database.rows(query("query_expansion"), wnid=mini["pony"])
    ] == ["pony"]
    assert [
        row["text"] for row in mini_database.rows(query("query_expansion"), wnid=mini["lorry"])
    ] == [
        "lorry",
        "truck",
    ]
    found = command("query", "run", "query_expansion", "-p", "wnid=toy_poodle")
    assert [row["text"] for row in found] == ["toy poodle", "toy poodle poodle"]
    wrong = command("query", "run", "query_expansion", "-p", "wnid=n00000000", code=1)
    assert "n00000000 is not a noun synset" in wrong.output


def test_a_word_without_a_meaning_is_said(run: Command) -> None:
    asked = ("study", "words", "meaning", "--universe", "universe", "--term")
    assert "No noun synset has the word 'quen'." in run(*asked, "quen", code=1).stderr
    assert "No class of train has the word 'queen'." in (
        run("study", "words", "meaning", "--universe", "train", "--term", "queen").stderr
    )
