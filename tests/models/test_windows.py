"""Windows of classes and accuracy within them: brute force over every sample, and correlations by
scipy."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from scipy import stats

from graphzsl.cli import main
from graphzsl.common import DataError
from graphzsl.common.errors import SplitError
from graphzsl.data import (
    CLASSIFIERS,
    ClassMatrix,
    Window,
    read_windows,
    save_samples,
    save_subgraph,
    write_windows,
)
from graphzsl.data.windows import cut_windows, with_means
from graphzsl.models.base.zero_shot_model import ZeroShotModel
from graphzsl.models.runs.windows import (
    correlations,
    model_ranker,
    score_ranker,
    score_windows,
    series_means,
)
from graphzsl.reports import draw
from tests.command import run
from tests.mini import MiniWordNet
from tests.problems import mini_samples, mini_subgraph, save_sample_task
from tests.schemas import fitting

MINI = MiniWordNet()


def test_windows_follow_the_values() -> None:
    values = {f"n{i}": float(i % 7) for i in range(20)}
    found = cut_windows(values, 5, name="x", by="depth")
    assert [len(each.classes) for each in found] == [5, 5, 5, 5]
    assert [each.mean for each in found] == sorted(each.mean or 0 for each in found)
    assert len({wnid for each in found for wnid in each.classes}) == 20
    assert [each.name for each in found] == ["x-001", "x-002", "x-003", "x-004"]
    assert {(each.series, each.by) for each in found} == {("x", "depth")}
    assert len(cut_windows(values, 5, 1, name="x", by="depth")) == 16
    with pytest.raises(SplitError, match="do not fill"):
        cut_windows(values, 21, name="x", by="depth")


def _cut(values: dict[str, float], *how: int) -> list[tuple[list[str], float | None]]:
    return [(each.classes, each.mean) for each in cut_windows(values, *how, name="x", by="x")]


def test_windows_slide_in_the_order_of_their_values() -> None:
    values = {"d": 4.0, "a": 1.0, "c": 2.0, "b": 1.0, "e": 8.0}
    assert _cut(values, 2) == [(["a", "b"], 1), (["c", "d"], 3)]
    assert _cut(values, 3, 1) == [
        (["a", "b", "c"], pytest.approx(4 / 3)),
        (["b", "c", "d"], pytest.approx(7 / 3)),
        (["c", "d", "e"], pytest.approx(14 / 3)),
    ]


def test_classes_that_their_wnid_alone_put_into_a_window_are_counted() -> None:
    """b, c and d have one value; the first window takes two of them."""
    values = {"a": 1.0, "b": 2.0, "c": 2.0 + 1e-12, "d": 2.0, "e": 3.0, "f": 4.0}
    windows = cut_windows(values, 3, name="x", by="x")
    assert [each.classes for each in windows] == [["a", "b", "d"], ["c", "e", "f"]]
    assert [each.tied for each in windows] == [2, 1]
    (four,) = cut_windows(values, 4, name="x", by="x")
    assert (four.classes, four.tied) == (["a", "b", "d", "c"], 0), "all of one value are in"
    ones = cut_windows(values, 1, name="x", by="x")
    assert [each.tied for each in ones] == [0, 1, 1, 1, 0, 0]


def _problem(seed: int = 0) -> tuple[np.ndarray, list[str], list[str], list[Window]]:
    """90 samples of 12 classes with scores that tie often; four windows of three classes."""
    rng = np.random.default_rng(seed)
    classes = [f"c{i:02d}" for i in range(12)]
    labels = [classes[i] for i in rng.integers(12, size=90)]
    scores = rng.integers(0, 6, size=(90, 12)).astype(np.float32)
    scores[np.arange(90), [classes.index(label) for label in labels]] += 2
    windows = [Window(f"w{n}", classes[n::4], float(n)) for n in range(4)]
    return scores, classes, labels, windows


def _by_hand(
    scores: np.ndarray, classes: list[str], labels: list[str], window: Window, k: int
) -> float:
    """Mean over the window's classes of the share of samples whose true class is beaten or equalled
    by fewer than k others there."""
    shares = []
    for wnid in window.classes:
        own = [row for row, label in enumerate(labels) if label == wnid]
        right = 0
        for row in own:
            ahead = [
                c
                for c in window.classes
                if c != wnid and scores[row, classes.index(c)] >= scores[row, classes.index(wnid)]
            ]
            right += len(ahead) < k
        shares.append(right / len(own))
    return float(np.mean(shares))


def test_accuracy_within_windows_against_loops() -> None:
    scores, classes, labels, windows = _problem()
    found = score_windows(score_ranker(scores, classes, labels), labels, windows, rounds=100)
    everything = Window("all", classes)
    for row, window in zip(found, windows, strict=True):
        assert row["hit@1"] == pytest.approx(_by_hand(scores, classes, labels, window, 1))
        assert row["hit@1"] > _by_hand(scores, classes, labels, everything, 1), "fewer candidates"
        assert (row["classes"], row["chance"], row["hit@5"]) == (3, pytest.approx(1 / 3), 1)
        assert row["samples"] == sum(label in window.classes for label in labels)
        assert row["low"] <= row["hit@1"] <= row["high"]
    (two,) = score_windows(score_ranker(scores, classes, labels), labels, [everything], rounds=100)
    assert two["hit@5"] == pytest.approx(_by_hand(scores, classes, labels, everything, 5))


def test_ties_within_windows_count_against_the_model() -> None:
    """Two samples of a: one beats b and ties with c, one ties with nobody. Over {a, b, c} the first
    is right in half of the orders; over {a, b} no tie decides anything."""
    scores = np.array([[2.0, 1.0, 2.0], [3.0, 1.0, 2.0]])
    ranker = score_ranker(scores, ["a", "b", "c"], ["a", "a"])
    three, two = score_windows(
        ranker,
        ["a", "a"],
        [Window("abc", ["a", "b", "c"]), Window("ab", ["a", "b"])],
        rounds=100,
    )
    assert (three["hit@1"], three["expected"], three["tied"]) == (0.5, 0.75, 0.5)
    assert two["hit@1"] == 1
    assert not {"expected", "tied"} & set(two)


def test_a_model_is_asked_among_the_classes_of_the_window() -> None:
    _, classes, labels, windows = _problem()
    rng = np.random.default_rng(3)
    model = ZeroShotModel(
        ClassMatrix(classes, rng.normal(size=(12, 5)).astype(np.float32), {"kind": CLASSIFIERS})
    )
    features = rng.normal(size=(90, 4)).astype(np.float32)
    whole = model.scores(features)
    found = score_windows(model_ranker(model, features, labels), labels, windows, rounds=100)
    for row, window in zip(found, windows, strict=True):
        assert row["hit@1"] == pytest.approx(_by_hand(whole, classes, labels, window, 1))


def test_classes_without_samples_are_candidates_alone() -> None:
    scores, labels = np.array([[1.0, 2.0, 0.0]]), ["a"]
    ranker = score_ranker(scores, ["a", "b", "c"], labels)
    beaten, alone = score_windows(
        ranker, labels, [Window("ab", ["a", "b"]), Window("ac", ["a", "c"])], rounds=100
    )
    assert (beaten["hit@1"], beaten["classes_with_samples"], alone["hit@1"]) == (0, 1, 1)
    with pytest.raises(DataError, match="No class of window bc has a sample"):
        score_windows(ranker, labels, [Window("bc", ["b", "c"])])
    with pytest.raises(DataError, match="no scores for d"):
        score_windows(ranker, labels, [Window("ad", ["a", "d"])])


def test_correlations_are_those_of_scipy() -> None:
    means, accuracy = [1.0, 10.0, 100.0, 1000.0, 10000.0, 3.0], [0.1, 0.25, 0.2, 0.4, 0.5, 0.15]
    rows = [
        {"window": f"w{i}", "mean": m, "hit@1": a}
        for i, (m, a) in enumerate(zip(means, accuracy, strict=True))
    ]
    found = {(row["scale"], row["kind"]): row for row in correlations(rows)}
    logarithms = [math.log10(m) for m in means]
    for key, reference in (
        (("linear", "Pearson"), stats.pearsonr(means, accuracy)),
        (("log10", "Pearson"), stats.pearsonr(logarithms, accuracy)),
        (("linear", "Spearman"), stats.spearmanr(means, accuracy)),
    ):
        assert found[key]["coefficient"] == pytest.approx(reference.statistic)
        assert found[key]["p"] == pytest.approx(reference.pvalue)
        assert found[key]["windows"] == 6
    for key, reference in (
        (("linear", "Pearson"), stats.pearsonr(means, accuracy)),
        (("log10", "Pearson"), stats.pearsonr(logarithms, accuracy)),
    ):
        interval = reference.confidence_interval(0.95)
        assert (found[key]["low"], found[key]["high"]) == pytest.approx(
            (interval.low, interval.high)
        )
    # ranks of the means 1 3 4 5 6 2, of the accuracies 1 4 3 5 6 2: 1 - 6 (1 + 1) / (6 * 35)
    spearman = 1 - 12 / 210
    half = 1.959964 * math.sqrt(1.06 / 3)
    assert found["linear", "Spearman"]["coefficient"] == pytest.approx(spearman)
    bounds = tuple(math.tanh(math.atanh(spearman) + side * half) for side in (-1, 1))
    assert (
        found["linear", "Spearman"]["low"],
        found["linear", "Spearman"]["high"],
    ) == pytest.approx(bounds, abs=1e-6)
    assert (
        found["log10", "Pearson"]["coefficient"] > 0.9 > found["linear", "Pearson"]["coefficient"]
    )
    zero = [{**rows[0], "mean": 0.0}, *rows[1:]]
    assert {row["scale"] for row in correlations(zero)} == {"linear"}, "no logarithm of 0"
    assert correlations(rows[:4]) == []
    assert correlations([{**row, "hit@1": 0.5} for row in rows]) == []


def test_series_are_compared_by_their_mean_windows() -> None:
    rows = [{"series": "primary", "hit@1": v} for v in (0.4, 0.6)] + [
        {"series": "secondary", "hit@1": v} for v in (0.1, 0.1, 0.4)
    ]
    first, second = series_means(rows, rounds=200)
    assert (first["series"], first["windows"], first["hit@1"]) == ("primary", 2, pytest.approx(0.5))
    assert (second["series"], second["windows"], second["hit@1"]) == (
        "secondary",
        3,
        pytest.approx(0.2),
    )
    assert (first["low"], first["high"]) == (
        pytest.approx(0.4),
        pytest.approx(0.6),
    ), "of two windows, both may be one"


def test_windows_are_read_back_and_checked(tmp_path: Path) -> None:
    windows = [
        Window("x-001", ["a", "b"], 1.5, "x", "ratio", 1),
        Window("x-002", ["c"], None, "x"),
    ]
    write_windows(windows, tmp_path / "w.jsonl")
    assert read_windows(tmp_path / "w.jsonl") == windows
    (tmp_path / "lists").mkdir()
    with pytest.raises(DataError, match=r"holds no \.txt file"):
        read_windows(tmp_path / "lists")
    (tmp_path / "lists" / "b.txt").write_text("n00000001 first\nn00000002\n")
    (tmp_path / "lists" / "a.txt").write_text("dog\n")
    found = read_windows(tmp_path / "lists")
    assert [(each.name, each.classes) for each in found] == [
        ("a", ["dog"]),
        ("b", ["n00000001", "n00000002"]),
    ]
    named = with_means(found, {"dog": 3.0, "n00000001": 1.0, "n00000002": 2.0}, "population")
    assert [(each.mean, each.by) for each in named] == [(3, "population"), (1.5, "population")]
    with pytest.raises(DataError, match="n00000001 of window b has no population"):
        with_means(found, {"dog": 3.0}, "population")
    for line, message in (
        ("{", "not valid JSON"),
        ("[]", "expected a window"),
        ('{"name": "a", "classes": ["b"], "mean": "many"}', "expected a window"),
        ('{"name": "a", "classes": ["b", "b"]}', "b is there twice: class 0 and class 1"),
        ('{"name": "x-001", "classes": ["b"]}', "x-001 was given before"),
    ):
        write_windows(windows, tmp_path / "w.jsonl")
        with (tmp_path / "w.jsonl").open("a") as file:
            file.write(line + "\n")
        with pytest.raises(DataError, match=f"w.jsonl:3: .*{message}"):
            read_windows(tmp_path / "w.jsonl")


def test_windows_from_the_command_line(tmp_path: Path) -> None:
    """Scores that are right for populous classes: accuracy rises with population, by hand in every
    window."""
    graph = mini_subgraph()
    populations = [MINI.populations.get(wnid) for wnid in graph.wnids]
    save_subgraph(
        replace(graph, manifest={"kind": "subgraph", "whole": True}, populations=populations),
        tmp_path / "whole",
    )
    known = dict(MINI.populations)
    classes = sorted(known)
    scores = np.random.default_rng(0).normal(size=(len(classes), len(classes)))
    scores[np.arange(len(classes)), np.arange(len(classes))] = [
        4 if known[wnid] > 300 else -4 for wnid in classes
    ]
    np.savez(tmp_path / "s.npz", scores=scores, classes=classes, labels=classes)
    command = (
        "evaluate",
        "windows",
        str(tmp_path / "s.npz"),
        "--out",
        str(tmp_path / "w.json"),
        "--rounds",
        "200",
    )
    by = ("--by", "population", "--wordnet", str(tmp_path / "whole"), "--size", "6")
    rows = run(*command, *by, "--figure", str(tmp_path / "w.svg"))
    ordered = sorted(classes, key=lambda wnid: (known[wnid], wnid))
    assert len(rows) == len(classes) // 6
    for number, row in enumerate(rows):
        part = ordered[6 * number : 6 * number + 6]
        assert row["mean"] == pytest.approx(np.mean([known[wnid] for wnid in part]))
        assert row["hit@1"] == pytest.approx(np.mean([known[wnid] > 300 for wnid in part]))
    manifest = fitting(tmp_path / "w.json", "windows")
    reference = stats.pearsonr([row["mean"] for row in rows], [row["hit@1"] for row in rows])
    (pearson,) = [
        row
        for row in manifest["correlations"]
        if (row["kind"], row["scale"]) == ("Pearson", "linear")
    ]
    assert pearson["coefficient"] == pytest.approx(reference.statistic)
    assert pearson["coefficient"] > 0.7
    assert [each["classes"] for each in manifest["windows"]] == [
        ordered[i : i + 6] for i in range(0, 6 * len(rows), 6)
    ]
    assert manifest["models"][0]["sha256"]
    assert (manifest["overlapping"], manifest["by"]) == (False, "population")
    assert "mean population of the window" in (tmp_path / "w.svg").read_text()
    (tmp_path / "f.csv").write_text("".join(f"{wnid},{count}\n" for wnid, count in known.items()))
    assert [
        row["hit@1"] for row in run(*command, "--by", str(tmp_path / "f.csv"), "--size", "6")
    ] == [row["hit@1"] for row in rows]
    write_windows(
        [Window("one", ordered[:6], 2.5, by="depth"), Window("two", ordered[-6:], 9.0, by="depth")],
        tmp_path / "given.jsonl",
    )
    two = run(*command, "--windows", str(tmp_path / "given.jsonl"))
    assert [(row["mean"], row["hit@1"]) for row in two] == [(2.5, 0), (9, 1)]
    assert json.loads((tmp_path / "w.json").read_text())["by"] == "depth"
    models = (*command[:3], *command[2:])
    done = CliRunner(env={"COLUMNS": "80"}).invoke(main, [*models, *by, "--format", "table"])
    head, body = done.stdout.split("─\n")
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert head.split()[:5] == ["model", "window", "mean", "classes", "hit@1"]
    assert [line.split()[1] for line in body.splitlines()][-1] == f"population-{len(rows):03}"
    train = tmp_path / "train.txt"
    train.write_text("\n".join(ordered[::2]) + "\n")
    ratios = run(
        *command,
        "--by",
        "ratio",
        "--wordnet",
        str(tmp_path / "whole"),
        "--size",
        "5",
        "--train",
        str(train),
    )
    assert all(row["structural_ratio"] > 0 and row["train_distance"] >= 1 for row in ratios)
    save_subgraph(
        replace(graph, manifest={"kind": "subgraph", "whole": True}), tmp_path / "unknown"
    )
    (said,) = run(*command, "--by", "population", "--wordnet", str(tmp_path / "unknown"), code=1)
    assert "a value of population. For population run `graphzsl load populations`" in said["said"]
    (said,) = run(*command, "--by", "population", "--wordnet", "wordnet", code=2)
    assert "`graphzsl load populations` and `graphzsl export subgraph --whole" in said["said"]
    (said,) = run(*command, code=2)
    assert "Give --by to cut windows here" in said["said"]


def test_windows_of_a_model_have_samples_that_it_did_not_learn_from(tmp_path: Path) -> None:
    """Of the samples in a file those of the candidates count: a training class that is none of them
    is no reason to refuse."""
    task = save_sample_task(tmp_path)
    (tmp_path / "values.csv").write_text(
        "".join(f"{wnid},{n}\n" for n, wnid in enumerate(task.candidates))
    )
    learn = (
        "train",
        "eszsl",
        "--semantics",
        f"{tmp_path}/words.safetensors",
        "--features",
        f"{tmp_path}/samples.npz",
        "--train",
        f"{tmp_path}/train.txt",
        "--candidates",
        f"{tmp_path}/test.txt",
        "--no-tune",
    )
    score = (
        "--by",
        f"{tmp_path}/values.csv",
        "--size",
        "10",
        "--rounds",
        "100",
        "--out",
        f"{tmp_path}/w.json",
    )
    for name, generalized in (("unseen", ()), ("both", ("--generalized",))):
        done = CliRunner().invoke(main, [*learn, *generalized, "--out", f"{tmp_path}/{name}"])
        assert done.exit_code == 0, done.output
    rows = run(
        "evaluate", "windows", f"{tmp_path}/unseen", "--features", f"{tmp_path}/samples.npz", *score
    )
    assert [(row["classes"], row["samples"]) for row in rows] == [(10, 80), (10, 80)]
    features = ("--features", f"{tmp_path}/samples.npz")
    (said,) = run("evaluate", "windows", f"{tmp_path}/both", *features, *score, code=1)
    assert "25 training classes) that the model learned from" in said["said"]
    save_samples(mini_samples(each=3, noise=0.5), tmp_path / "held-out.npz")
    rows = run(
        "evaluate", "windows", f"{tmp_path}/both", "--features", f"{tmp_path}/held-out.npz", *score
    )
    assert [row["samples"] for row in rows] == [30, 30]
    save_samples(mini_samples().select(task.train), tmp_path / "train.npz")
    (said,) = run(
        "evaluate",
        "windows",
        f"{tmp_path}/unseen",
        "--features",
        f"{tmp_path}/train.npz",
        *score,
        code=1,
    )
    assert f"20 candidates: its labels are such as {task.train[0]!r}, the candid" in said["said"]


def test_pictures_are_named_by_their_ending(tmp_path: Path) -> None:
    row = {
        "model": "m",
        "series": "s",
        "window": "w",
        "mean": 1.0,
        "hit@1": 0.5,
        "low": 0.4,
        "high": 0.6,
        "chance": 0.01,
    }
    for name, start in (("p.png", b"\x89PNG"), ("p.svg", b"<?xml"), ("p.pdf", b"%PDF")):
        draw([row, {**row, "mean": 2.0}], "population", True, 0.9, tmp_path / name)
        assert (tmp_path / name).read_bytes().startswith(start)
    bars = "bars: 90 % bootstrap interval over classes"
    assert bars in (tmp_path / "p.svg").read_text(encoding="utf-8")
    with pytest.raises(DataError, match=r"\.svg, \.png or \.pdf"):
        draw([row], "population", True, 0.9, tmp_path / "p.gif")
    with pytest.raises(DataError, match="no mean of a property"):
        draw([{**row, "mean": None}], "population", True, 0.9, tmp_path / "p.svg")
