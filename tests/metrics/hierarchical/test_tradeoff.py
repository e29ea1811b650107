"""Accuracy against specificity: by hand, against a search through all nodes and weights, and what
Deng et al. prove of it."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pyarrow
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import graphzsl as gz
from graphzsl.cli import main
from graphzsl.common import manifest
from graphzsl.metrics import hedge, hedging_curve
from graphzsl.metrics.hierarchical import hedging, roll_up
from tests.cli.test_help import examples
from tests.metrics.hierarchical.trees import LEAVES, TREE, above, random_parents

#: poodle, beagle, husky, cat, cup, car
SCORES = [[0.5, 0.25, 0, 0.25, 0, 0], [0.25, 0, 0, 0, 0.5, 0.25]]


def test_answers_by_hand() -> None:
    """Six leaves: a leaf has log2 6 bits, dog 1, animal log2 1.5, artefact log2 3, thing 0.

    First sample: poodle 0.5 of 2.585, dog 0.75 of 1, animal 1 of 0.585, thing 1 of 0. Poodle gives
    way to animal where (2.585 + w) / 2 = 0.585 + w, at 1.415; dog would reach it at 2.17 only.
    Second: cup 0.5 of 2.585, artefact 0.75 of 1.585, thing 1 of 0: artefact at (1.2925 - 1.1887) /
    0.25 = 0.415, thing at 1.1887 / 0.25 = 4.755.
    """
    first, second, third = (
        math.log2(6) - 2 * math.log2(1.5),
        (0.5 * math.log2(6) - 0.75 * math.log2(3)) / 0.25,
        3 * math.log2(3),
    )
    assert (first, second, third) == pytest.approx((1.41504, 0.41504, 4.75489), abs=1e-5)
    for weight, expected in (
        (0, ["poodle", "cup"]),
        (0.41, ["poodle", "cup"]),
        (0.42, ["poodle", "artefact"]),
        (1.41, ["poodle", "artefact"]),
        (1.42, ["animal", "artefact"]),
        (4.75, ["animal", "artefact"]),
        (4.76, ["animal", "thing"]),
        (1e9, ["animal", "thing"]),
    ):
        assert hedge(TREE, SCORES, LEAVES, weight) == expected, weight
    curve = hedging_curve(TREE, ["beagle", "car"], SCORES, LEAVES)
    assert curve.weights == pytest.approx([0, second, first, third])
    assert curve.accuracy.tolist() == [0, 0.5, 1, 1]
    assert curve.correct.tolist() == [0, 0, 0, 0]
    bits = [0, math.log2(3), math.log2(3) + math.log2(1.5), math.log2(1.5)]
    assert curve.information == pytest.approx(np.array(bits) / 2)
    assert curve.at(1) == pytest.approx((0.5, 0, math.log2(3) / 2))
    assert curve.weight_for(0.4) == pytest.approx(second)
    assert curve.weight_for(0.51) == pytest.approx(first)
    assert curve.weight_for(0) == 0
    assert repr(curve) == "<HedgingCurve: 4 points, accuracy 0.000 to 1.000>"


def test_of_nodes_that_are_alike_the_lowest_answers() -> None:
    """Animal, dog and poodle hold one leaf; poodle, beagle and husky are as likely."""
    assert hedge(TREE, [[1.0, 0.0]], ["poodle", "cup"], 0) == ["poodle"]
    assert hedge(TREE, [[0.5, 0.5]], ["cup", "poodle"], 0) == ["poodle"], "dog is longer than cup"
    assert hedge(TREE, [[0.25] * 2 + [0.5] + [0] * 3], LEAVES, 0) == ["husky"]
    pets = gz.Hierarchy.from_edges(
        [("poodle", "dog"), ("beagle", "dog"), ("dog", "pet"), ("cat", "pet"), ("cow", "pet")]
    )
    even = [[0.375, 0.375, 0.25, 0.0]]
    assert hedge(pets, even, ["poodle", "beagle", "cat", "cow"], 0) == ["dog"], "0.75 x 1 bit"
    assert hedge(TREE, [[0, 0.5, 0, 0.5, 0, 0]], LEAVES, 0) == ["beagle"]


def _case(
    seed: int, nodes: int, most: int
) -> tuple[gz.Hierarchy, dict[str, list[str]], list[str], np.ndarray]:
    """A random hierarchy, the parents in it, some of its nodes as classes, eighths as scores."""
    random = np.random.default_rng(seed)
    parents = random_parents(random, nodes, most)
    hierarchy = gz.Hierarchy.from_edges((c, p) for c, ps in parents.items() for p in ps)
    count = int(random.integers(1, nodes + 1))
    names = random.choice(["n0", *parents], count, replace=False).tolist()
    return hierarchy, parents, names, random.multinomial(8, [1 / count] * count, size=5) / 8


CASES = (st.integers(0, 10**6), st.integers(2, 16), st.integers(1, 3))


@given(*CASES)
@settings(max_examples=60, deadline=None)
def test_against_all_nodes_and_weights(seed: int, nodes: int, most: int) -> None:
    """Between two points of the curve nothing changes, and the answers have most worth."""
    hierarchy, parents, names, scores = _case(seed, nodes, most)
    kept = sorted(set().union(*(above(parents, name) for name in names)))
    leaves = [n for n in kept if not any(n in parents.get(each, ()) for each in kept)]
    bits = {
        n: -math.log2(sum(n in above(parents, leaf) for leaf in leaves) / len(leaves)) for n in kept
    }
    true = [names[row] for row in scores.argmax(axis=1)][::-1]
    curve = hedging_curve(hierarchy, true, scores, names)
    assert curve.weights[0] == 0
    assert (np.diff(curve.weights) > 0).all()
    ends = [*curve.weights, curve.weights[-1] + 2]
    for low, high in pairwise(ends):
        if high - low < 1e-9:
            continue  # two lines cross the same one, but for rounding
        weight = (low + high) / 2
        answers = hedge(hierarchy, scores, names, weight)
        for row, answer in zip(scores, answers, strict=True):
            mass = dict.fromkeys(kept, 0.0)
            for name, value in zip(names, row, strict=True):
                for node in above(parents, name):
                    mass[node] += value
            worth = {n: (bits[n] + weight) * mass[n] for n in kept}
            assert worth[answer] == pytest.approx(max(worth.values()), abs=1e-9)
        assert curve.at(weight) == pytest.approx(hedging(hierarchy, true, answers, classes=names))
        assert curve.at(weight) == pytest.approx(curve.at(low))
        assert hedge(hierarchy, scores, names, low) == answers, "a weight's answers go on behind it"


@given(*CASES)
@settings(max_examples=40, deadline=None)
def test_what_is_proved_where_probabilities_are_true(seed: int, nodes: int, most: int) -> None:
    """Each sample stands eight times, with the labels that its probabilities promise.

    Then accuracy never falls and information never rises with the weight; the weight (largest
    information x (1 - ε)) / ε reaches 1 - ε (the bound from which the paper's bisection starts);
    bisection and the curve find the same answers; and no other answers are worth more together,
    those above a threshold for one.
    """
    hierarchy, _, names, scores = _case(seed, nodes, most)
    counts = np.round(8 * scores).astype(int)
    labels = [
        n for row in counts for n, count in zip(names, row, strict=True) for _ in range(count)
    ]
    repeated = np.repeat(scores, 8, axis=0)
    curve = hedging_curve(hierarchy, labels, repeated, names)
    assert (np.diff(curve.accuracy) >= 0).all()
    assert (np.diff(curve.information) <= 1e-9).all()
    assert curve.accuracy[-1] == 1
    for wanted in (0.6, 0.9):
        low, high = 0.0, 10 * (1 + math.log2(len(names))) * wanted / (1 - wanted)
        assert curve.at(high / 10).accuracy >= wanted
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (low, middle) if curve.at(middle).accuracy >= wanted else (middle, high)
        found = curve.weight_for(wanted)
        assert curve.at(found).accuracy >= wanted
        assert found == pytest.approx(high if found else 0, abs=1e-6) or high < 1e-9
    for threshold in (0.3, 0.6, 0.9):
        answers = roll_up(hierarchy, repeated, names, threshold)
        accuracy, _, information = hedging(hierarchy, labels, answers, classes=names)
        for weight in (0, 0.3, 1, 3):
            best = curve.at(weight)
            mine = best.information + weight * best.accuracy
            assert mine >= information + weight * accuracy - 1e-9


def test_blocks_softmax_and_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    true = ["beagle", "car"] * 3
    expected = hedging_curve(TREE, true, SCORES * 3, LEAVES)
    monkeypatch.setattr("graphzsl.metrics.hierarchical.probabilities.BLOCK", 25)
    found = hedging_curve(TREE, np.array([1, 5] * 3), SCORES * 3, LEAVES)
    assert found.weights.tolist() == expected.weights.tolist()
    assert found.information.tolist() == pytest.approx(expected.information.tolist())
    assert hedge(TREE, SCORES * 3, LEAVES, 1) == ["poodle", "artefact"] * 3
    with np.errstate(divide="ignore"):
        logits = np.maximum(np.log(SCORES), -900) + 5
    assert hedge(TREE, logits, LEAVES, 1, softmax=True) == ["poodle", "artefact"]


def test_wrong_input_is_refused() -> None:
    def curve(true: Any = ("cat", "cup"), scores: Any = SCORES) -> gz.hierarchical.HedgingCurve:
        return hedging_curve(TREE, true, scores, LEAVES)

    for weight in (-1.0, float("nan")):
        with pytest.raises(gz.DataError, match="weight must be 0 or more"):
            hedge(TREE, SCORES, LEAVES, weight)
    with pytest.raises(gz.DataError, match="Row 1 of scores sums to"):
        curve(scores=[SCORES[0], [0.1] * 6])
    with pytest.raises(gz.DataError, match="y_true has 1 row and scores 2"):
        curve(["cat"])
    with pytest.raises(gz.DataError, match="accuracy must be between 0 and 1"):
        curve().weight_for(1.5)
    forest = gz.Hierarchy.from_edges([("cat", "animal"), ("cup", "artefact")])
    with pytest.raises(gz.DataError, match=r"No weight makes 0\.9 .* 0\.5 is the most"):
        hedging_curve(forest, [0, 0], [[1, 0], [0, 1]], ["cat", "cup"]).weight_for(0.9)


def test_columns_of_a_frame_are_taken_by_their_names(capsys: pytest.CaptureFixture[str]) -> None:
    frame = pandas.DataFrame(SCORES, columns=LEAVES)
    other, true = frame[LEAVES[::-1]], ["beagle", "car"]
    expected = hedging_curve(TREE, true, SCORES, LEAVES).information.tolist()
    assert not capsys.readouterr().err
    for each in (other, pyarrow.Table.from_pandas(other)):
        assert hedge(TREE, each, LEAVES, 1) == ["poodle", "artefact"]
        assert "columns of scores are put in the order of classes" in capsys.readouterr().err
        assert roll_up(TREE, each, LEAVES, 0.7) == roll_up(TREE, SCORES, LEAVES, 0.7)
        assert hedging_curve(TREE, true, each, LEAVES).information.tolist() == expected
    capsys.readouterr()
    assert hedge(TREE, pandas.DataFrame(SCORES), LEAVES, 1) == ["poodle", "artefact"], "numbered"
    assert hedge(TREE, frame, LEAVES, 1) == ["poodle", "artefact"]
    assert not capsys.readouterr().err
    with pytest.raises(gz.DataError, match=r"(?s)columns of scores.*'dig'.*scores\.to_numpy\(\)"):
        hedge(TREE, frame.rename(columns={"cup": "dig"}), LEAVES, 1)
    with pytest.raises(gz.DataError, match="scores has no column of cup"):
        hedge(TREE, frame.rename(columns={"cup": "dog"}), LEAVES, 1)
    rows = pandas.Series(true, index=["a", "b"])
    turned = frame.set_axis(["a", "b"]).iloc[::-1]
    assert hedging_curve(TREE, rows, turned, LEAVES).information.tolist() == expected


@pytest.fixture
def scores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A hierarchy exported as the commands read it, scores of two parts of simulated samples."""
    from graphzsl.data import save_subgraph
    from graphzsl.data.subgraph import KIND
    from tests.problems import mini_subgraph

    monkeypatch.chdir(tmp_path)
    graph = mini_subgraph()
    save_subgraph(replace(graph, manifest=manifest(KIND)), tmp_path / "whole")
    hierarchy = graph.hierarchy
    parents = {parent for wnid in hierarchy.wnids for parent in hierarchy.ancestors(wnid)}
    classes = np.array([wnid for wnid in hierarchy.wnids if wnid not in parents])
    random = np.random.default_rng(0)
    for name in ("scores", "held-out"):
        places = random.integers(0, len(classes), 200)
        logits = random.normal(size=(200, len(classes)))
        logits[np.arange(200), places] += 2
        odds = np.exp(logits)
        shares = odds / odds.sum(axis=1, keepdims=True)
        np.savez(f"{name}.npz", scores=shares, classes=classes, labels=classes[places])
        np.savez(f"logits-{name}.npz", scores=logits, classes=classes, labels=classes[places])
    return {"hierarchy": hierarchy, "classes": classes}


def test_the_command(scores: dict[str, Any]) -> None:
    rows = _run("scores.npz")
    assert len(rows) == 11
    assert rows[0]["lambda"] == 0
    assert rows[-1]["accuracy"] == 1
    for row in rows:
        assert row["accuracy"] >= row["wanted"] - 1e-12
    assert rows[0]["information"] > rows[-1]["information"]
    found = _run("logits-scores.npz", "--softmax", "--accuracy", "0.9")
    assert found[0] == pytest.approx(_run("scores.npz", "--accuracy", "0.9")[0])
    shown = [
        "study",
        "granularity",
        "hedge",
        "scores.npz",
        "--accuracy",
        "0.9",
        "--format",
        "table",
        *WHOLE,
    ]
    lines = CliRunner().invoke(main, shown).stdout.splitlines()
    assert [line.split()[0] for line in lines if "%" in line] == ["wanted", "accuracy", "correct"]


def test_the_examples_of_the_command(scores: dict[str, Any]) -> None:
    """Lambda is that of the samples held out, what it is worth that of the others."""
    first, second = examples("study granularity hedge")
    _run(*first[3:])
    texts = Path("tradeoff.svg").read_text()
    assert all(text in texts for text in ("right answers", "every lambda", "rows of the table"))
    (row,) = _run(*second[3:])
    answers = [json.loads(line)["answer"] for line in _lines("answers.jsonl")]
    with np.load("scores.npz") as given:
        found = hedging(scores["hierarchy"], given["labels"], answers, classes=scores["classes"])
    assert found == pytest.approx((row["accuracy"], row["correct"], row["information"]))
    with np.load("held-out.npz") as given:
        shares, labels = given["scores"], given["labels"]
    held = hedging_curve(scores["hierarchy"], labels, shares, scores["classes"])
    assert row["lambda"] == held.weight_for(0.9)
    assert 0.8 < row["accuracy"] < 1


@pytest.mark.parametrize(
    ("arguments", "said", "code"),
    [
        ("logits-scores.npz", "logits-scores.npz: Row 0 of scores holds -", 1),
        ("logits-scores.npz", "scores of any size (--softmax).", 1),
        ("scores.npz --validation logits-scores.npz", "logits-scores.npz: Row 0 of scores", 1),
        ("halves.npz", "halves.npz: Row 0 of scores sums to 0.5, not to 1", 1),
        ("true.npz", "true.npz: labels, row 1: 'nought' is", 1),
        ("scores.npz --validation true.npz", "true.npz: labels, row 1: 'nought' is", 1),
        ("nodes.npz", "nodes.npz: classes, class 0: 'nought' is", 1),
        ("bare.npz", "bare.npz: there are no labels [N]", 1),
        ("scores.npz --validation bare.npz", "bare.npz: there are no labels [N]", 1),
        ("scores.npz --out a.jsonl", "--out has no effect here: it needs one --accuracy", 2),
        ("scores.npz --accuracy 1.2", "1.2 is not in the range", 2),
    ],
)
def test_what_the_command_refuses(
    scores: dict[str, Any], arguments: str, said: str, code: int
) -> None:
    two = scores["classes"][:2]
    np.savez("bare.npz", scores=np.eye(2), classes=two)
    np.savez("halves.npz", scores=np.eye(2) / 2, classes=two, labels=two)
    np.savez("true.npz", scores=np.eye(2), classes=two, labels=[two[0], "nought"])
    np.savez("nodes.npz", scores=np.eye(2), classes=["nought", two[1]], labels=[two[1]] * 2)
    result = CliRunner().invoke(main, ["study", "granularity", "hedge", *arguments.split(), *WHOLE])
    assert result.exit_code == code
    assert said in " ".join(result.stderr.split())


WHOLE = ("--wordnet", "whole")


def _lines(name: str) -> list[str]:
    return Path(name).read_text().splitlines()


def _run(*arguments: str) -> list[dict[str, Any]]:
    command = ["study", "granularity", "hedge", *arguments, *WHOLE, "--format", "jsonl"]
    result = CliRunner().invoke(main, command)
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]
