"""Recipes, sample selection, balance, attribution: what needs no database."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from graphzsl.benchmark import (
    attribute,
    find_recipe,
    read_configurations,
    read_recipe,
    shipped_recipes,
)
from graphzsl.benchmark.sample_selection import ProbedSamples, balanced, draw_classes, probe_samples
from graphzsl.cli import main
from graphzsl.common import DataError, SettingsError, sha256
from graphzsl.data import Samples, load_samples, save_samples, save_subgraph
from graphzsl.hierarchy import Hierarchy
from tests.antichains import is_antichain
from tests.command import run
from tests.mini import MiniWordNet
from tests.problems import mini_subgraph
from tests.schemas import fitting


def test_shipped_recipes_are_sound_and_named_after_their_files() -> None:
    recipes = {path.stem: read_recipe(path) for path in shipped_recipes()}
    assert {"default", "max-ratio", "hascoet"} <= recipes.keys()
    assert all(recipe.name == name and recipe.doc for name, recipe in recipes.items())
    assert recipes["max-ratio"].spread is None
    assert recipes["default"].spread is not None
    with pytest.raises(SettingsError, match=r"no recipe 'none'.*default"):
        find_recipe("none")


def test_a_shipped_recipe_is_found_whatever_is_called_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`split build ssb --out ssb` leaves a folder of that name."""
    monkeypatch.chdir(tmp_path)
    Path("ssb").mkdir()
    Path("default").write_text("not a recipe")
    assert [find_recipe(name).name for name in ("ssb", "default")] == ["ssb", "default"]
    with pytest.raises(SettingsError, match="no recipe 'folder'"):
        find_recipe("folder")
    with pytest.raises(SettingsError, match=r"no file defualt\.toml\. Did you mean default\?"):
        find_recipe("defualt.toml")
    Path("d.toml").mkdir()
    with pytest.raises(SettingsError, match=r"d\.toml is a folder; a file was expected"):
        find_recipe("d.toml")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("populaton_above = 300", "3: unknown key 'populaton_above'"),
        ("population_above = -1", "3: population_above must be a whole number of at least 0"),
        ('size = "many"', "3: size must be a whole number"),
        ("size = true", "3: size must be a whole number"),
        ("size = 1", "3: size must be a whole number of at least 2"),
        ("spread = 0.5", "3: spread must be a number of at least 1"),
        ("spread = 2.0", "3: spread needs a size"),
        ('meaning = "best"', "3: meaning must be one of single"),
        ('meaning = "neighbours"', '3: meaning = "neighbours" needs vectors'),
        ('hierarchy = "wordnot"', "3: hierarchy must be one of"),
        ("exclude = [1]", "3: exclude must be a list of texts"),
        ("size == 3", "3: "),
    ],
)
def test_a_wrong_recipe_is_refused_with_its_line(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "r.toml"
    path.write_text(f'# mine\nname = "r"\n{line}\n')
    with pytest.raises(SettingsError) as error:
        read_recipe(path)
    assert f"{path}:{message}" in str(error.value)


def test_a_recipe_needs_a_name(tmp_path: Path) -> None:
    path = tmp_path / "r.toml"
    path.write_text("size = 10\n")
    with pytest.raises(SettingsError, match="no name"):
        read_recipe(path)


def test_drawn_classes_are_unrelated_and_prefer_those_still_open() -> None:
    mini = MiniWordNet()
    hierarchy = Hierarchy.from_edges(mini.edges())
    classes = mini.universe()
    for seed in range(5):
        drawn = draw_classes(
            hierarchy, classes, 12, np.random.default_rng(seed), mini.named("dog", "oak")
        )
        assert is_antichain(hierarchy, drawn)
        assert len(drawn) == 12
        assert set(mini.named("dog", "oak")) <= set(drawn)


def _samples(seed: int = 0) -> tuple[Samples, np.ndarray]:
    """40 samples of each of 6 unrelated classes around its own mean; the first 4 of each carry the
    next class's mean: bad samples."""
    mini, rng = MiniWordNet(), np.random.default_rng(seed)
    names = mini.named("poodle", "beagle", "tabby", "oak", "laptop", "hawk")
    means = 6 * rng.normal(size=(6, 8))
    features, labels, bad = [], [], []
    for place, name in enumerate(names):
        for number in range(40):
            wrong = number < 4
            features.append(means[(place + wrong) % 6] + 0.3 * rng.normal(size=8))
            labels.append(name)
            bad.append(wrong)
    return Samples(np.array(features, dtype=np.float32), labels, {}), np.array(bad)


def test_selection_drops_the_samples_that_a_probe_gets_wrong(tmp_path: Path) -> None:
    samples, bad = _samples()
    hierarchy = Hierarchy.from_edges(MiniWordNet().edges())
    found = probe_samples(samples, hierarchy, classes_per_round=5, training=25, max_rounds=30)
    assert (found.probed > 0).all()
    assert found.good[~bad].mean() > 0.95
    assert found.good[bad].mean() < 0.2


def test_a_sample_is_good_when_most_of_its_rounds_got_it_right() -> None:
    probed, right = np.array([3, 3, 2, 2, 1, 0]), np.array([1, 2, 1, 2, 1, 0])
    expected = [False, True, False, True, True, False]
    assert ProbedSamples(probed, right, 3).good.tolist() == expected


def test_an_interrupted_selection_goes_on(tmp_path: Path) -> None:
    samples, _ = _samples()
    hierarchy = Hierarchy.from_edges(MiniWordNet().edges())
    whole = probe_samples(samples, hierarchy, classes_per_round=5, training=25, max_rounds=6)
    state = tmp_path / "state.npz"
    probe_samples(samples, hierarchy, classes_per_round=5, training=25, max_rounds=3, state=state)
    again = probe_samples(
        samples, hierarchy, classes_per_round=5, training=25, max_rounds=6, state=state
    )
    assert again.rounds == whole.rounds
    assert again.probed.tolist() == whole.probed.tolist()
    assert again.right.tolist() == whole.right.tolist()
    with pytest.raises(DataError, match="a probe needs two"):
        probe_samples(samples, hierarchy, training=40)


def test_balanced_sets_weigh_every_class_alike() -> None:
    labels = ["a"] * 10 + ["b"] * 3 + ["c"] * 7
    rows, short = balanced(labels, 5, seed=1)
    assert short == ["b"]
    assert sorted(labels[row] for row in rows) == ["a"] * 5 + ["c"] * 5
    assert rows.tolist() == balanced(labels, 5, seed=1)[0].tolist()
    keep = np.array([True] * 4 + [False] * 6 + [True] * 10)
    assert balanced(labels, 5, keep=keep)[1] == ["a", "b"]


def test_impacts_of_an_additive_model_are_its_terms() -> None:
    gains = {"sample": 0.05, "semantic": 0.01, "structural": 0.3}
    accuracies = {
        s: 0.1 + sum(on * gain for on, gain in zip(s, gains.values(), strict=True))
        for s in product((0, 1), repeat=3)
    }
    rows = {row["part"]: row for row in attribute(accuracies)}
    for factor, gain in gains.items():
        assert rows[factor]["impact"] == pytest.approx(gain)
        assert rows[factor]["share"] == pytest.approx(gain)
    assert rows["model error"]["impact"] == pytest.approx(1 - 0.46)
    assert sum(row["share"] for row in rows.values()) == pytest.approx(1)


def test_shares_add_up_where_impacts_interact() -> None:
    accuracies = {s: 0.1 + 0.4 * (sum(s) == 3) for s in product((0, 1), repeat=3)}
    rows = {row["part"]: row for row in attribute(accuracies)}
    # a gain of 0.4 in one of four configurations
    assert rows["sample"]["impact"] == pytest.approx(0.1)
    assert sum(row["share"] for row in rows.values()) == pytest.approx(1)


def test_configurations_are_checked_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("sample,semantic,accuracy\n0,0,0.1\n0,1,0.2\n1,0,0.3\n1,1,0.5\n")
    accuracies, factors = read_configurations(path)
    assert factors == ["sample", "semantic"]
    assert attribute(accuracies, factors)[1]["impact"] == pytest.approx(0.25)
    for line, message in (
        ("0,2,0.1", "7: expected 2 times 0 or 1"),
        ("x,1,1", "7: expected 2 times 0 or 1"),
        ("0_1,1,1", "7: expected 2 times 0 or 1"),
        ("1,0,٠.٥", "7: expected 2 times 0 or 1"),
        ("0,0,0.3", "7: the configuration"),
        ("0,1,3", "7: expected 2"),
    ):
        path.write_text(f"sample,semantic,accuracy\n1,1,0.5\n0,0,0.2\n\n\n\n{line}\n")
        with pytest.raises(DataError) as error:
            read_configurations(path)
        assert f"{path}:{message}" in str(error.value)
    with pytest.raises(DataError, match="semantic=1 is missing"):
        attribute({(0, 0): 0.1, (1, 0): 0.2}, factors)


def test_selecting_and_balancing_samples_from_the_command_line(tmp_path: Path) -> None:
    samples, bad = _samples()
    save_samples(samples, tmp_path / "f.npz")
    save_subgraph(
        replace(mini_subgraph(), manifest={"kind": "subgraph", "whole": True}), tmp_path / "whole"
    )
    common = ("--wordnet", str(tmp_path / "whole"), "--classes-per-round", "5", "--training", "25")
    (row,) = run(
        "split",
        "samples",
        "select",
        str(tmp_path / "f.npz"),
        *common,
        "--out",
        str(tmp_path / "good.npz"),
    )
    assert (row["samples"], row["never_asked"]) == (240, 0)
    good = load_samples(tmp_path / "good.npz")
    assert 0.9 * (~bad).sum() < row["kept"] == len(good.labels) < 240  # type: ignore[operator]
    assert not (tmp_path / "good.npz.state").exists()
    (row,) = run(
        "split",
        "samples",
        "balance",
        str(tmp_path / "good.npz"),
        "--per-class",
        "30",
        "--out",
        str(tmp_path / "even.npz"),
    )
    assert row["samples"] == 30 * row["classes"]  # type: ignore[operator]
    counts = np.unique(load_samples(tmp_path / "even.npz").labels, return_counts=True)[1]
    assert set(counts.tolist()) == {30}
    said = run(
        "split",
        "samples",
        "balance",
        str(tmp_path / "f.npz"),
        "--per-class",
        "41",
        "--out",
        str(tmp_path / "e.npz"),
        code=1,
    )
    assert "no class has 41 samples" in str(said)
    said = run(
        "split",
        "samples",
        "select",
        str(tmp_path / "f.npz"),
        *common[:-1],
        "40",
        "--out",
        str(tmp_path / "e.npz"),
        code=1,
    )
    assert "Lower the training samples" in str(said)


def test_attribution_from_the_command_line(tmp_path: Path) -> None:
    lines = [
        f"{a},{b},{c},{0.1 + 0.1 * a + 0.02 * b + 0.3 * c:.2f}"
        for a, b, c in product((0, 1), repeat=3)
    ]
    (tmp_path / "t.csv").write_text("sample,semantic,structural,accuracy\n" + "\n".join(lines))
    rows = {
        row["part"]: row["impact"] for row in run("evaluate", "attribute", str(tmp_path / "t.csv"))
    }
    assert rows == {
        "correct with every flaw": 0.1,
        "sample": pytest.approx(0.1),
        "semantic": pytest.approx(0.02),
        "structural": pytest.approx(0.3),
        "model error": pytest.approx(0.48),
    }


def test_counting_from_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text("The dog saw geese and two sports cars; a poodle's dog.")
    done = CliRunner().invoke(
        main,
        [
            "study",
            "frequencies",
            "count",
            str(tmp_path / "t.txt"),
            "--out",
            str(tmp_path / "w.csv"),
            "--workers",
            "1",
        ],
    )
    assert done.exit_code == 0, done.output
    lines = (tmp_path / "w.csv").read_text().splitlines()
    assert len(lines) == 1 + 119_034
    counts = dict(line.rsplit(",", 1) for line in lines[1:])
    assert [counts[word] for word in ("dog", "goose", "sports car", "poodle", "cat")] == [
        "2",
        "1",
        "1",
        "1",
        "0",
    ]
    manifest = fitting(tmp_path / "w.csv.manifest.json", "frequencies")
    assert manifest["files"]["w.csv"] == sha256(tmp_path / "w.csv")
