"""Distances of mistakes, and confusions: counted by hand on the nine nodes of
``tests.reports.made`` (heights: leaves 0, dog, cat, tree 1, animal, plant 2, thing 3)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import graphzsl as gz
from graphzsl.audit import Evaluation, Predictions
from graphzsl.audit.evaluation import evaluate_run
from graphzsl.cli import main
from graphzsl.common import DataError
from tests.audit.kinds import ranked
from tests.reports.made import TREE

CLASSES = ["poodle", "pug", "lynx", "oak", "dog"]


def _run(lists: list[list[str]], labels: list[str]) -> Evaluation:
    return evaluate_run(ranked(lists, labels, CLASSES), {}, [], hierarchy=TREE, rounds=10)


def test_mistakes_are_as_far_as_counted_by_hand() -> None:
    truth = ["poodle", "poodle", "poodle", "pug", "lynx", "oak"]
    first = ["poodle", "pug", "dog", "lynx", "oak", "oak"]
    mistakes = _run([[name] for name in first], truth).mistakes
    assert mistakes
    # poodle for pug: dog, 1 high; dog for poodle: dog itself, 1; lynx for pug: animal, 2; oak for
    # lynx: thing, 3
    assert (mistakes.samples, mistakes.count) == (6, 4)
    assert mistakes.heights == {1: 0.5, 2: 0.25, 3: 0.25}
    assert mistakes.mean_height == (1 + 1 + 2 + 3) / 4
    assert mistakes.related == 1 / 4, "dog is above poodle"
    # from poodle to pug, lynx, oak, dog: 1, 2, 3, 1; from pug the same; from lynx 2, 2, 3, 2
    by_class = {"poodle": 7 / 4, "pug": 7 / 4, "lynx": 9 / 4, "oak": 3}
    assert mistakes.random_height == pytest.approx(np.mean([by_class[name] for name in truth]))


def test_without_a_mistake_there_is_no_height() -> None:
    mistakes = _run([["poodle"], ["oak"]], ["poodle", "oak"]).mistakes
    assert mistakes
    assert (mistakes.count, mistakes.mean_height, mistakes.related) == (0, None, None)
    assert mistakes.heights == {}
    plain = evaluate_run(ranked([["a"]], ["b"]), {}, [], rounds=10)
    assert plain.mistakes is None


def test_a_tie_for_the_first_place_counts_as_its_worst() -> None:
    scores = np.array([[1.0, 1.0, 0, 1.0, 0]])  # poodle, pug and oak tie
    run = evaluate_run(
        Predictions.from_scores(scores, CLASSES, ["poodle"]), {}, [], hierarchy=TREE, rounds=10
    )
    assert run.mistakes
    assert run.mistakes.heights == {3: 1.0}
    assert run.confusions()[0]["predicted"] == "pug", "the first of the unrelated ones"


def test_confusions_come_by_number_then_share_then_height_then_name() -> None:
    truth = ["poodle"] * 3 + ["pug"] * 4 + ["lynx"] * 2 + ["oak"] * 2
    first = ["pug", "pug", "oak", *["poodle"] * 2, "pug", "pug", "dog", "lynx", "lynx", "dog"]
    rows = _run([[name] for name in first], truth).confusions()
    seen = [(row["true"], row["predicted"], row["samples"]) for row in rows]
    assert seen == [
        ("poodle", "pug", 2),  # 2 of 3
        ("pug", "poodle", 2),  # 2 of 4
        ("oak", "dog", 1),  # 1 of 2, 3 high
        ("oak", "lynx", 1),
        ("lynx", "dog", 1),  # 1 of 2, 2 high
        ("poodle", "oak", 1),  # 1 of 3
    ]
    assert rows[0] == {
        "true": "poodle",
        "true_name": "poodle.n.01",
        "predicted": "pug",
        "predicted_name": "pug.n.01",
        "samples": 2,
        "share": 2 / 3,
        "common": "dog",
        "common_name": "dog.n.01",
        "height": 1,
    }
    assert [row["common"] for row in rows[2:]] == ["thing", "thing", "animal", "thing"]
    run = _run([[name] for name in first], truth)
    assert [len(run.confusions(most)) for most in (0, 2, 9)] == [0, 2, 6]
    assert run.confusions(3)[-1]["true"] == "oak", "not the lynx, whose name comes first"


def test_without_a_mistake_there_is_no_confusion() -> None:
    assert _run([["poodle"]], ["poodle"]).confusions() == []


def test_the_page_says_what_the_run_keeps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On all of WordNet: Norwich terrier for Norfolk terrier, and a zebra for a terrier."""
    norfolk, norwich, zebra = "n02094114", "n02094258", "n02391049"
    lines = [f"{norfolk},{norwich},{norfolk}"] * 3 + [f"{norfolk},{zebra}", f"{zebra},{zebra}"]
    table, out = tmp_path / "mine.csv", tmp_path / "run.json"
    table.write_text("\n".join(lines))
    monkeypatch.setenv("COLUMNS", "80")
    done = CliRunner().invoke(
        main, ["audit", str(table), "--format", "table", "--rounds", "20", "--out", str(out)]
    )
    assert done.exit_code == 0, done.output
    assert max(map(len, done.stdout.splitlines())) <= 80
    words = " ".join(done.stdout.split())
    run = json.loads(out.read_text())
    assert run["metrics"]["hit@1"]["per_sample"] == 0.2
    assert run["mistakes"]["count"] == 4
    assert run["confusions"][0]["common_name"] == "terrier.n.01"
    assert run["confusions"][1]["common_name"] == "placental.n.01"
    assert "4 mistakes (80.0 % of samples), 0.0 % of them a class above or below" in words
    assert (
        "taken for norwich_terrier.n.01 samples 3 share 75.0 % both are terrier.n.01 height 1"
        in words
    )


def test_an_audit_needs_wnids_for_a_hierarchy_and_no_file(tmp_path: Path) -> None:
    table = tmp_path / "names.csv"
    table.write_text("left,left\nright,left\n")
    done = CliRunner().invoke(main, ["audit", str(table), "--rounds", "20", "--format", "jsonl"])
    assert done.exit_code == 0, done.output
    assert "hit@k alone" in done.stderr
    assert json.loads(done.stdout.splitlines()[0])["per_class"] == 0.5
    assert list(tmp_path.iterdir()) == [table]


def test_the_lengths_of_lists_are_a_choice() -> None:
    """By hand: the hCorrectSet of poodle for k = 3 is all within 2 hops, poodle, dog and pug; the
    list has one of them among its first 3."""
    lists, truth = [["oak", "lynx", "poodle", "pug", "dog"]], ["poodle"]
    given = ranked(lists, truth, CLASSES)
    result = evaluate_run(given, {}, [], hierarchy=TREE, rounds=10, k=[4, 3]).manifest["metrics"]
    assert [name for name in result if name[:2] in ("hi", "hp")] == [
        *("hit@1", "hit@3", "hit@4"),
        *("hp@3", "hp@4"),
    ]
    found = [result[name]["per_class"] for name in ("hit@1", "hit@3", "hp@3")]
    assert found == [0, 1, pytest.approx(1 / 3)]


@pytest.mark.parametrize(
    ("k", "wrong"),
    [
        ([0], r"0 is no k of hit@k: that is a whole number from 1 to 20"),
        (
            [1, 21],
            r"hit@21 needs longer lists: .* Choose k of 1 alone, or none: .* up to 20 places",
        ),
        (["2"], r"'2' is no k of hit@k"),
        (True, r"True is no k of hit@k"),
        ([2], r"hit@2 needs longer lists: the predictions hold 1 place of each sample"),
    ],
)
def test_lengths_that_no_list_has_are_refused(k: Any, wrong: str) -> None:
    given = ranked([["poodle"]], ["poodle"], CLASSES)
    with pytest.raises(DataError, match=wrong):
        evaluate_run(given, {}, [], rounds=10, k=k)


def test_a_list_of_every_candidate_says_nothing(tmp_path: Path) -> None:
    whole = Predictions.from_scores([[0.1, 0.9], [0.2, 0.8]], ["pug", "oak"], ["pug", "oak"])
    with pytest.raises(DataError, match=r"hit@2 among 2 candidates is 100 % whatever is predicted"):
        evaluate_run(whole, {}, [], rounds=10, k=[2])
    scores = tmp_path / "p.npz"
    np.savez(scores, scores=[[0.1, 0.9], [0.2, 0.8]], classes=["left", "right"], labels=[0, 1])
    arguments = ["audit", str(scores), "--wordnet", "none", "--rounds", "10", "--format", "table"]
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 0, done.output
    said = "Not shown: hit@2, hit@5, hit@10, hit@20. A list of that length holds all 2 candidates"
    assert said in " ".join(done.stderr.split())
    assert "hit@5" not in done.stdout
    done = CliRunner().invoke(main, [*arguments, "-k", "2"])
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.endswith("k must be less than 2 (-k).\n")


@pytest.mark.parametrize("length", [3, 5])
def test_the_page_has_the_length_of_the_lists(tmp_path: Path, length: int) -> None:
    names = ["a", "b", "c", "d", "e", "f", "g"]
    table = tmp_path / "p.csv"
    rows = [[name, *(other for other in names if other != name)][: length + 1] for name in names]
    table.write_text("\n".join(map(",".join, rows)))
    done = CliRunner().invoke(
        main, ["audit", str(table), "--wordnet", "none", "--rounds", "10", "--format", "table"]
    )
    assert done.exit_code == 0, done.output
    shown = [line.split()[0] for line in done.stdout.splitlines() if line.startswith("hit@")]
    assert shown == ["hit@1", f"hit@{length}"]


def test_settings_are_called_as_the_caller_calls_them(tmp_path: Path) -> None:
    table = tmp_path / "p.csv"
    table.write_text("tench,hen\ngoldfish,hen\n")
    with pytest.raises(DataError, match=r"count these samples as missed \(missing='miss'\)\.$"):
        gz.evaluate(table, candidates=["hen", "tench"], wordnet=None)
    (tmp_path / "c.txt").write_text("hen\ntench\n")
    arguments = ["audit", str(table), "--candidates", str(tmp_path / "c.txt"), "--wordnet", "none"]
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 1
    assert done.stderr.endswith("or count these samples as missed (--missing miss).\n")
