"""The files of a published benchmark: baselines counted by hand, the card, the order of things."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import yaml

from graphzsl.benchmark import baselines, card
from graphzsl.benchmark.contents import BASIS, contents
from graphzsl.benchmark.recipe import parse_recipe
from graphzsl.benchmark.record import Benchmark
from graphzsl.hierarchy import Hierarchy
from tests.benchmark.conftest import RECIPE, TEST
from tests.mini import TRAIN, MiniWordNet


def test_distances_are_hops(benchmark_of_mini: Benchmark, mini: MiniWordNet) -> None:
    """cat - domestic animal - horse; queen bee - bee - drone; ant - insect - bee - drone;
    maple - tree - oak; rose - flower - plant - tree - oak; laptop - computer - machine - monitor.
    """
    columns = {name: place for place, name in enumerate(TRAIN)}
    found = {
        name: benchmark_of_mini.distances[place]
        for name, place in ((name, benchmark_of_mini.test.index(mini[name])) for name in TEST)
    }
    assert benchmark_of_mini.distances.shape == (6, len(TRAIN) + 6)
    nearest = {"cat": "horse", "queen_bee": "drone", "maple": "oak", "laptop": "monitor"}
    hops = {name: int(found[name][columns[train]]) for name, train in nearest.items()}
    assert hops == {"cat": 2, "queen_bee": 2, "maple": 2, "laptop": 3}
    assert int(found["ant"][columns["drone"]]) == 3
    assert int(found["rose"][columns["oak"]]) == 4
    own = benchmark_of_mini.distances[:, len(TRAIN) :]
    assert (own == own.T).all()
    assert not np.diag(own).any()


def test_closest_training_classes_are_all_ties(
    benchmark_of_mini: Benchmark, mini: MiniWordNet
) -> None:
    closest = dict(zip(benchmark_of_mini.test, benchmark_of_mini.closest, strict=True))
    assert closest[mini["laptop"]] == [mini["monitor"]]
    text = contents(benchmark_of_mini)["closest_training_classes.csv"].decode()
    row = next(row for row in csv.DictReader(io.StringIO(text)) if row["wnid"] == mini["laptop"])
    assert list(row.items()) == [
        ("wnid", mini["laptop"]),
        ("name", "laptop.n.01"),
        ("hops", "3"),
        ("closest", mini["monitor"]),
        ("closest_names", "monitor.n.01"),
    ]


def test_baselines_are_counted_by_hand(benchmark_of_mini: Benchmark) -> None:
    """cat, laptop have closest training classes of their own; queen bee and ant share drone, maple
    and rose oak: 4 groups of 6 classes. From drone, queen bee is nearer than ant; from oak, maple
    than rose; horse is nearest to cat, monitor to laptop."""
    rows = {row["baseline"]: row for row in baselines.rows(benchmark_of_mini)}
    assert rows["random"]["hit@1"] == pytest.approx(1 / 6, abs=1e-6)
    assert rows["random"]["hit@5"] == pytest.approx(5 / 6, abs=1e-6)
    assert rows["closest training classes"]["hit@1"] == pytest.approx(4 / 6, abs=1e-6)
    assert rows["closest training classes"]["hit@5"] == 1
    assert rows["hops from a closest training class"]["hit@1"] == pytest.approx(4 / 6, abs=1e-6)
    assert {row["candidates"] for row in rows.values()} == {6}
    assert {row["ties"] for row in rows.values()} == {"expected"}


def test_ties_of_hops_are_shared() -> None:
    """One candidate is nearer, nine share places 2 to 10: a place among the first 5 is one of 4 in
    9."""
    hops = np.array([[1], *[[2]] * 9])
    assert baselines.expected_hits(hops, 0)[0].tolist() == [1, 1, 1]
    assert baselines.expected_hits(hops, 4)[0].tolist() == pytest.approx([0, 4 / 9, 1])


def test_the_same_benchmark_has_the_same_bytes(benchmark_of_mini: Benchmark) -> None:
    first, again = contents(benchmark_of_mini), contents(replace(benchmark_of_mini))
    assert first == again
    assert "created_at" not in json.loads(first["manifest.json"])
    changed = contents(replace(benchmark_of_mini, test=benchmark_of_mini.test[:-1]))
    assert {name for name in first if first[name] == changed[name]} == {
        *("training_classes.txt", "recipe.toml", "statistics.json")
    }


def test_a_table_may_lack_populations(benchmark_of_mini: Benchmark, mini: MiniWordNet) -> None:
    rows = csv.DictReader(io.StringIO(contents(benchmark_of_mini)["classes.csv"].decode()))
    images = {row["wnid"]: row["population"] for row in rows}
    assert images.pop(mini["cat"]) == "200"
    assert set(images.values()) == {""}


def test_no_distances_of_very_many_classes(
    benchmark_of_mini: Benchmark, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graphzsl.benchmark.contents.MOST_DISTANCES", 5)
    files = contents(benchmark_of_mini)
    assert "distances.npy" not in files
    assert "distances.npy" not in files["README.md"].decode()
    assert set(BASIS) < files.keys()


def test_the_card_says_why_classes_are_left_out(benchmark_of_mini: Benchmark) -> None:
    def reasons(text: str) -> list[tuple[str, list[str]]]:
        return list(card.reasons(parse_recipe(text, Path("r.toml"))))

    assert reasons(RECIPE) == [
        ("they walk on two legs", ["n00001024 person"]),
        ("they | fly and sting", ["n00001005 bird", "n00001030 drone"]),
    ]
    assert reasons('name = "x"\n') == []
    # lists without reasons, however they are written
    plain = ["n00001024 person", "n00001005 bird"]
    for text in (f"exclude = {plain}\n", f"exclude = [ # two\n'{plain[0]}', '{plain[1]}'\n]\n"):
        assert reasons(f'name = "x"\n{text}') == [("", plain)]
    text = contents(benchmark_of_mini)["README.md"].decode()
    assert "| they walk on two legs | n00001024 person (3) |" in text
    assert "| they \\| fly and sting | n00001005 bird (4), n00001030 drone (5) |" in text
    assert (
        "| exclusion | 3 synsets and lists left out, with all below them: see below | 38 |" in text
    )


#: What the card of the default recipe claims, and no other benchmark does unasked.
CLAIMS = ("photograph", "looks", "looked", "botanist", "MIT", "The graphzsl developers")


def test_the_card_claims_what_the_recipe_says(benchmark_of_mini: Benchmark) -> None:
    files = contents(benchmark_of_mini)
    text, croissant = files["README.md"].decode(), json.loads(files["croissant.json"])
    assert not [claim for claim in CLAIMS if claim in text + json.dumps(croissant)]
    for said in (
        "For a test. Some of them are plants. Test classes of universe",
        "A class must hold still. Each synset goes with all below it",
        "- Roses have thorns.\n",
        "Creator: A tester. Published on 2026-01-31.",
        "under this licence: CC0-1.0.",
    ):
        assert said in text
    assert croissant["creator"] == {"@type": "sc:Organization", "name": "A tester"}
    assert croissant["datePublished"] == "2026-01-31"
    assert croissant["license"] == [card.LICENCE_LINK, "CC0-1.0"]
    assert croissant["description"].startswith("For a test. Some of them are plants.")


def test_a_recipe_without_a_card_has_neutral_words(benchmark_of_mini: Benchmark) -> None:
    recipe = 'name = "mine"\nuniverse = "universe"\ntrain = "train"\n'
    files = contents(replace(benchmark_of_mini, recipe=recipe))
    text, croissant = files["README.md"].decode(), json.loads(files["croissant.json"])
    assert not [claim for claim in CLAIMS if claim in text + json.dumps(croissant)]
    assert "under no licence that it says" in text
    assert not {"creator", "datePublished"} & croissant.keys()
    assert croissant["name"] == "graphzsl-mine"
    assert croissant["citeAs"].startswith("Benchmark mine, made with graphzsl")
    # nothing is known of lists that are not shipped
    assert "facts of ImageNet" not in text


def test_hops_are_whole_numbers_or_empty(benchmark_of_mini: Benchmark, mini: MiniWordNet) -> None:
    """Koko the gorilla's island: without the edges of the cat nothing reaches it."""
    edges = [edge for edge in mini.edges() if mini["cat"] not in edge]
    alone = Hierarchy.from_edges(edges, [mini["cat"]])
    files = contents(replace(benchmark_of_mini, graph=alone))
    rows = list(csv.DictReader(io.StringIO(files["classes.csv"].decode())))
    hops = {row["wnid"]: (row["train_hops"], row["test_hops"]) for row in rows}
    assert hops.pop(mini["cat"]) == ("", "")
    assert all(each.isdecimal() for pair in hops.values() for each in pair)
    fields = {
        field["@id"]: field["dataType"]
        for record in json.loads(files["croissant.json"])["recordSet"]
        for field in record["field"]
    }
    whole = {name for name, kind in fields.items() if kind == "sc:Integer"}
    assert whole == {
        *("classes/population", "classes/train_hops", "classes/test_hops"),
        "closest_training_classes/hops",
    }


def test_the_card_has_the_front_matter_of_a_data_set(benchmark_of_mini: Benchmark) -> None:
    """Keys and values as Hugging Face's data set cards have them."""
    text = contents(benchmark_of_mini)["README.md"].decode()
    front = yaml.safe_load(text.split("---\n")[1])
    assert front["pretty_name"] == "graphzsl mine: 6 zero-shot classes"
    assert front["size_categories"] == ["n<1K"]
    assert front["task_categories"][0] == "zero-shot-image-classification"
    assert front["configs"][0]["data_files"] == [{"split": "test", "path": "classes.csv"}]
    assert front["license"] == "other"
    assert front["license_link"] == card.LICENCE_LINK
