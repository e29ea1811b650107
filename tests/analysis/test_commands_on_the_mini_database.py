"""Commands of analyses on the mini database: what each prints, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx
import numpy as np
import pytest

from graphzsl.analysis import cut_split
from graphzsl.benchmark.statistics import OF_BRANCHES
from graphzsl.database import Database, members
from graphzsl.database.class_sets import put_class_set
from tests.mini import TRAIN, MiniWordNet
from tests.solved import OF_SELECTION


def test_stored_windows_are_scored(
    command: Callable[..., Any], mini_database: Database, mini: MiniWordNet, tmp_path: Path
) -> None:
    """Scores that are right for classes with more than 300 images: hit@1 of a window is the share
    of such classes."""
    command(
        "study",
        "words",
        "meaning",
        "--rule",
        "single",
        "--universe",
        "universe",
        "--store",
        "primary",
        "--store-secondary",
        "secondary",
    )
    assert set(members(mini_database, "secondary")) == set(
        mini.named("queen", "crane", "cardigan")
    ), "the classes whose only words are shared"
    assert len(members(mini_database, "primary")) == len(mini.universe()) - 3
    for name, size in (("universe", "10"), ("secondary", "3")):
        command(
            "split",
            "windows",
            name,
            "--by",
            "population",
            "--size",
            size,
            "--train",
            "train",
            "--store",
            f"{name}-population",
            "--out",
            str(tmp_path / f"{name}.jsonl"),
        )
    classes = sorted(mini.populations)
    scores = np.random.default_rng(0).normal(size=(len(classes), len(classes)))
    scores[np.arange(len(classes)), np.arange(len(classes))] = [
        9 if mini.populations[c] > 300 else -9 for c in classes
    ]
    np.savez(tmp_path / "s.npz", scores=scores, classes=classes, labels=classes)
    common = (
        "evaluate",
        "windows",
        str(tmp_path / "s.npz"),
        "--out",
        str(tmp_path / "w.json"),
        "--rounds",
        "100",
    )
    rows = command(*common, "--stored", "universe-population", "--stored", "secondary-population")
    assert len(rows) == 5
    training = set(mini.named(*TRAIN))
    ordered = sorted(
        set(mini.universe()) - training, key=lambda c: (mini.populations.get(c, -1), c)
    )
    ordered = [wnid for wnid in ordered if wnid in mini.populations]
    for place, row in enumerate(rows[:4]):
        images = [mini.populations[wnid] for wnid in ordered[10 * place : 10 * place + 10]]
        assert row["mean"] == pytest.approx(np.mean(images))
        assert row["hit@1"] == pytest.approx(np.mean([count > 300 for count in images]))
    assert rows[4]["series"] == "secondary-population"
    assert rows[4]["hit@1"] == 0  # 0, 80 and 160 images
    manifest = json.loads((tmp_path / "w.json").read_text())
    assert manifest["by"] == "population"
    assert [(row["series"], row["windows"]) for row in manifest["series"]] == [
        ("universe-population", 4),
        ("secondary-population", 1),
    ]
    assert command(*common, "--windows", str(tmp_path / "universe.jsonl")) == rows[:4]
    assert "No windows nothing-001" in command(*common, "--stored", "nothing", code=1).output


def _populations_by_depth(mini: MiniWordNet) -> list[dict[str, Any]]:
    """Distances to the root by networkx; a class without a population counts for no mean."""
    upward = networkx.DiGraph(mini.edges())
    away = dict(networkx.single_target_shortest_path_length(upward, mini["entity"]))
    at: dict[int, list[str]] = {}
    for wnid in mini.universe():
        at.setdefault(away[wnid], []).append(wnid)
    rows = []
    for depth, wnids in sorted(at.items()):
        images = [mini.populations[wnid] for wnid in wnids if wnid in mini.populations]
        rows.append(
            {
                "depth": depth,
                "classes": len(wnids),
                "with_population": len(images),
                "population_mean": pytest.approx(np.mean(images)) if images else None,
            }
        )
    return rows


def _report(command: Callable[..., Any], *words: str) -> dict[str, Any]:
    """Measure -> value of ``split report``."""
    return {row["measure"]: row["value"] for row in command("split", "report", *words)}


def test_commands_on_the_mini_database(
    command: Callable[..., Any],
    mini: MiniWordNet,
    mini_nouns: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("graphzsl.hierarchy.wordnet.NOUNS", mini_nouns)
    recipe = tmp_path / "own.toml"
    recipe.write_text(
        'name = "own"\nuniverse = "universe"\ntrain = "train"\npopulation_above = 50\nsize = 5\n'
    )
    (built,) = command("split", "build", str(recipe))
    command(
        "split", "build", str(recipe), "--format", "table", "--save", str(tmp_path / "own.json")
    )
    assert json.loads((tmp_path / "own.json").read_text()) == [built]
    measured = _report(command, "own", "--train", "train")
    assert measured["structural ratio"] == built["structural_ratio"]
    each = command("split", "report", "own", "--train", "train", "--each")
    assert len(each) == 5
    for column in ("train_distance", "test_distance"):
        which = "training" if column == "train_distance" else "other test"
        mean = np.mean([row[column] for row in each])
        assert measured[f"distance to the {which} classes, mean"] == pytest.approx(mean)
    assert measured["structural ratio"] == pytest.approx(
        np.mean([row["train_distance"] / row["test_distance"] for row in each])
    )
    for distance in ("lca", "jcn", "lin"):
        found = _report(command, "own", "--train", "train", "--distance", distance)
        assert found["structural ratio"] > 0
        assert found["distance"] == (distance if distance == "lca" else f"{distance}, senses")
    command("split", "check", "own")
    command("split", "publish", "own", "--out", str(tmp_path / "b"))
    online = command("split", "verify", str(tmp_path / "b"))
    assert all(row["ok"] for row in online)
    offline = command("split", "verify", str(tmp_path / "b"), "--offline")
    # the class sets are the database's own
    assert not [row for row in offline if row["ok"] is False]
    unchecked = {row["check"] for row in offline if row["ok"] is None}
    assert unchecked == {
        *("training classes", "universe", "populations", "steps", "recipe"),
        *OF_BRANCHES,
        *OF_SELECTION,
    }
    assert {row["check"] for row in offline} == {row["check"] for row in online}
    said = command("split", "verify", str(tmp_path / "b" / "manifest.json"), code=1).output
    assert "manifest.json is not the folder of a benchmark" in said
    assert f"verify its folder: {tmp_path / 'b'}" in said
    assert (
        "`graphzsl split publish` writes one"
        in command("split", "verify", str(tmp_path), code=1).output
    )
    windows = command(
        "split",
        "windows",
        "universe",
        "--by",
        "population",
        "--size",
        "10",
        "--train",
        "train",
        "--store",
        "own",
    )
    assert len(windows) == 4
    command("split", "check", "own-001")
    assert (
        command(
            "study",
            "populations",
            "ranked",
            "most",
            "--size",
            "3",
            "--train",
            "train",
            "--universe",
            "universe",
        )[0]["min"]
        == 810
    )
    command(
        "study",
        "populations",
        "filter",
        "--universe",
        "universe",
        "--above",
        "500",
        "--store",
        "big",
    )
    assert len(command("split", "show", "big")) > 5
    assert {
        row["kind"] for row in command("study", "populations", "depth", "--universe", "universe")
    } == {
        "Pearson",
        "Spearman",
    }
    by_depth = command("study", "populations", "depth", "--by-depth", "--universe", "universe")
    assert by_depth == _populations_by_depth(mini)
    assert sum(
        row["classes"]
        for row in command("study", "populations", "distribution", "--universe", "universe")
    ) == len(mini.universe())
    assert command(
        "study",
        "words",
        "meaning",
        "--rule",
        "sense-counts",
        "--term",
        "queen",
        "--universe",
        "universe",
        "--store",
        "primary",
    )
    assert command("study", "ilsvrc", "trim", "--set", "universe")[0]["classes"] == len(
        mini.universe()
    )
    assert len(command("study", "ilsvrc", "order", "--set", "universe")) == len(mini.universe())
    assert (
        len(
            command(
                "study",
                "ilsvrc",
                "bins",
                "--set",
                "universe",
                "--natural",
                mini["living_thing"],
                "--man-made",
                mini["artifact"],
            )
        )
        == 4
    )
    values = tmp_path / "v.csv"
    values.write_text(
        "wnid,value\n"
        + "".join(f"{wnid},{place % 5}\n" for place, wnid in enumerate(mini.universe()))
    )
    assert (
        len(
            command(
                "study",
                "ilsvrc",
                "correlate",
                str(values),
                "population",
                "--set",
                "universe",
                "--rounds",
                "200",
            )
        )
        == 2
    )
    assert command("study", "ilsvrc", "inherit", str(values), "--set", "universe")
    assert (
        command("study", "ilsvrc", "annotate", "--set", "train", "--images", "5")[0]["simulated"]
        is True
    )
    rows = command(
        "study",
        "granularity",
        "groups",
        "--set",
        "universe",
        "--lambda",
        "0.7",
        "--store",
        "heads",
        "--save",
        str(tmp_path / "g.csv"),
    )
    assert sum(row["classes"] for row in rows) == len(mini.universe())
    assert len((tmp_path / "g.csv").read_text().splitlines()) == len(rows) + 1
    sizes = [
        row["groups"]
        for row in command("study", "granularity", "sweep", "--set", "universe", "--steps", "4")
    ]
    assert sizes == sorted(sizes, reverse=True)
    shape = ("--superclasses", "2", "--subclasses", "2")
    drawn = command(
        "study", "granularity", "superclasses", "--set", "universe", *shape, "--store", "shift"
    )
    assert len(drawn) == 2
    assert len(command("split", "show", "shift-source")) == 2


def test_groups_are_judged_by_ndcg(
    command: Callable[..., Any], mini: MiniWordNet, tmp_path: Path
) -> None:
    import numpy as np

    classes = mini.universe()
    scores = np.random.default_rng(0).random((8, len(classes)))
    labels = classes[:8]
    scores[np.arange(8), np.arange(8)] += 1
    np.savez(tmp_path / "s.npz", scores=scores, classes=np.array(classes), labels=np.array(labels))
    rows = command(
        "study", "granularity", "sweep", "--scores", str(tmp_path / "s.npz"), "--steps", "2"
    )
    assert rows[0]["ndcg_semantic"] == pytest.approx(1)
    (tmp_path / "r.jsonl").write_text('{"dog": 5, "queen": 2}\n' * 8)
    rows = command(
        "study",
        "granularity",
        "sweep",
        "--scores",
        str(tmp_path / "s.npz"),
        "--relevance",
        str(tmp_path / "r.jsonl"),
        "--steps",
        "1",
    )
    assert 0 < rows[0]["ndcg_semantic"] <= 1
    command(
        "study",
        "granularity",
        "rerank",
        str(tmp_path / "s.npz"),
        "--lambda",
        "0.8",
        "-k",
        "2",
        "--out",
        str(tmp_path / "o.jsonl"),
    )
    assert all(
        len(json.loads(line)["labels"]) == 2
        for line in (tmp_path / "o.jsonl").read_text().splitlines()
    )
    inner = {parent for child, parent in mini.edges() if child in classes}  # Arthur is not one
    leaves = [wnid for wnid in classes if wnid not in inner]
    rows = command(
        "study", "granularity", "groups", "--set", "universe", "--leaves", "--lambda", "0"
    )
    assert sorted(wnid for row in rows for wnid in row["members"]) == sorted(leaves)
    sums = ("--leaves", "--aggregate", "sum", "--lambda", "1")
    out = ("-k", "99", "--out", str(tmp_path / "o.jsonl"))
    command("study", "granularity", "rerank", str(tmp_path / "s.npz"), *sums, *out)
    places = [classes.index(wnid) for wnid in leaves]
    for line, own in zip((tmp_path / "o.jsonl").read_text().splitlines(), scores, strict=True):
        assert sum(json.loads(line)["scores"]) == pytest.approx(own[places].sum())
    (row, _) = command(
        *("study", "granularity", "sweep", "--scores", str(tmp_path / "s.npz"), "--leaves"),
        *("--aggregate", "sum", "--steps", "1"),
    )
    assert row["groups"] == len(leaves), "no two have the same first word"
    assert 0 < row["ndcg_semantic"] <= 1
    for wrong in ("-5", '"1_0"', '"٣"', "true", "[1]"):
        (tmp_path / "r.jsonl").write_text(f'{{"dog": {wrong}}}\n' * 8, encoding="utf-8")
        failed = command(
            *("study", "granularity", "sweep", "--scores", str(tmp_path / "s.npz")),
            *("--relevance", str(tmp_path / "r.jsonl")),
            code=1,
        )
        assert "r.jsonl:1: the relevance of 'dog' is" in failed.output


def test_the_classes_of_a_vocabulary_are_stored(
    command: Callable[..., Any],
    mini: MiniWordNet,
    mini_nouns: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "v.txt").write_text("Toy poodles and cranes\nroads\n")
    arguments = ("study", "granularity", "vocabulary", str(tmp_path / "v.txt"), "--set", "universe")
    said = command(*arguments, code=1).output
    assert "is not a noun synset of WordNet 3.0" in said, "the mini WordNet has numbers of its own"
    monkeypatch.setattr("graphzsl.hierarchy.wordnet.NOUNS", mini_nouns)
    rows = command(*arguments, "--store", "mentioned")
    expected = mini.named("poodle", "toy_poodle", "crane", "lifting_truck")
    assert {row["wnid"] for row in rows} == set(expected)
    assert len(command("split", "show", "mentioned")) == 4


def test_what_is_measured_with_the_split_s_own_training_classes(
    mini_database: Database, mini: MiniWordNet, command: Callable[..., Any]
) -> None:
    """A split knows its training classes and its hierarchy; classes that are training classes have
    no ratio; classes that fill no window are counted."""
    put_class_set(mini_database, "other", mini.named("cat", "oak"), {"kind": "list"})
    command(
        *("split", "hops", "--train", "other", "--universe", "universe", "--max-hops", "2"),
        *("--hierarchy", "hypernym", "--name", "near"),
    )
    row = _report(command, "near")
    assert (row["training classes"], row["hierarchy"]) == ("other", "hypernym")
    given = _report(command, "near", "--train", "train", "--hierarchy", "wordnet")
    assert (given["training classes"], given["hierarchy"]) == ("train", "wordnet")
    assert given["structural ratio"] != row["structural ratio"]
    each = command("split", "report", "universe", "--train", "train", "--each")
    assert {row["wnid"] for row in each} == set(mini.universe()) - set(mini.named(*TRAIN))
    said = command("split", "report", "train", "--train", "train", "--each", code=1).output
    assert "Every class of 'train' is a training class of 'train'" in said
    windows, left_over = cut_split(mini_database, "universe", "population", 30, train="train")
    assert len(windows) == 1
    known = set(mini.populations) & set(mini.universe()) - set(mini.named(*TRAIN))
    assert left_over == len(known) - 30


def test_a_report_on_the_release_hierarchy_counts_classes_that_no_edge_touches(
    mini_database: Database, mini: MiniWordNet, command: Callable[..., Any], tmp_path: Path
) -> None:
    path = tmp_path / "release.txt"
    pairs = [("poodle", "dog"), ("toy_poodle", "poodle"), ("beagle", "dog"), ("corgi", "dog")]
    path.write_text("".join(f"{mini[child]}\t{mini[parent]}\n" for child, parent in pairs))
    command("load", "hierarchy", str(path))
    command(
        *("split", "hops", "--train", "train", "--universe", "universe", "--max-hops", "2"),
        *("--hierarchy", "release", "--name", "released"),
    )
    rows = {row["measure"]: row["value"] for row in command("split", "report", "released")}
    assert (rows["classes"], rows["hierarchy"]) == (2, "release")
    assert rows["spread: branches"] >= 1
