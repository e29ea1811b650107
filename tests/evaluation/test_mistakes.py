r"""How far mistakes are, and what is taken for what: counted by hand on a hierarchy of nine nodes.

              thing
             /     \
        animal      plant
        /    \        |
      dog     cat    tree
     /   \     |     /
 poodle  pug  lynx  oak        (heights: leaves 0, dog, cat, tree 1, animal, plant 2, thing 3)
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from graphzsl.cli import main
from graphzsl.evaluation.evaluated_run import EvaluatedRun, evaluate_run
from graphzsl.evaluation.predictions import Predictions
from graphzsl.hierarchy.graph import Hierarchy

EDGES = [
    ("animal", "thing"),
    ("plant", "thing"),
    ("dog", "animal"),
    ("cat", "animal"),
    ("tree", "plant"),
    ("poodle", "dog"),
    ("pug", "dog"),
    ("lynx", "cat"),
    ("oak", "tree"),
]
TREE = Hierarchy.from_edges(EDGES, names={name: f"{name}.n.01" for edge in EDGES for name in edge})
CLASSES = ["poodle", "pug", "lynx", "oak", "dog"]


def _run(lists: list[list[str]], labels: list[str]) -> EvaluatedRun:
    return evaluate_run(
        Predictions.from_ranked(lists, labels, CLASSES), {}, [], hierarchy=TREE, rounds=10
    )


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
    plain = evaluate_run(Predictions.from_ranked([["a"]], ["b"]), {}, [], rounds=10)
    assert plain.mistakes is None


def test_a_tie_for_the_first_place_counts_as_its_worst() -> None:
    scores = np.array([[1.0, 1.0, 0, 1.0, 0]])  # poodle, pug and oak tie
    run = evaluate_run(
        Predictions.from_scores(scores, CLASSES, ["poodle"]), {}, [], hierarchy=TREE, rounds=10
    )
    assert run.mistakes
    assert run.mistakes.heights == {3: 1.0}
    assert run.confusions()[0]["predicted"] == "pug", "the first of the unrelated ones"


def test_confusions_come_by_number_then_share_then_name() -> None:
    truth = ["poodle"] * 3 + ["pug"] * 4 + ["lynx"] * 2 + ["oak"] * 2
    first = ["pug", "pug", "oak", *["poodle"] * 2, "pug", "pug", "dog", "lynx", "lynx", "dog"]
    rows = _run([[name] for name in first], truth).confusions()
    seen = [(row["true"], row["predicted"], row["samples"]) for row in rows]
    assert seen == [
        ("poodle", "pug", 2),  # 2 of 3
        ("pug", "poodle", 2),  # 2 of 4
        ("lynx", "dog", 1),  # 1 of 2
        ("oak", "dog", 1),
        ("oak", "lynx", 1),
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
    assert [row["common"] for row in rows[2:]] == ["animal", "thing", "thing", "thing"]
    assert len(_run([[name] for name in first], truth).confusions(2)) == 2


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
    assert "3 75.0 % terrier.n.01 1" in words


def test_an_audit_needs_wnids_for_a_hierarchy_and_no_file(tmp_path: Path) -> None:
    table = tmp_path / "names.csv"
    table.write_text("left,left\nright,left\n")
    done = CliRunner().invoke(main, ["audit", str(table), "--rounds", "20"])
    assert done.exit_code == 0, done.output
    assert "hit@k alone" in done.stderr
    assert json.loads(done.stdout.splitlines()[0])["per_class"] == 0.5
    assert list(tmp_path.iterdir()) == [table]
