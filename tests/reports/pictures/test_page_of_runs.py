"""`graphzsl picture` of runs: accuracies, what a run lacks, and its training classes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

import graphzsl as gz
from graphzsl.audit.class_table import class_rows
from graphzsl.database import Database
from graphzsl.database.class_sets import put_class_set
from graphzsl.reports import picture_of
from graphzsl.reports.pictures.runs import of_run
from tests.audit.kinds import evaluated, ranked
from tests.conftest import Command
from tests.mini import TRAIN, MiniWordNet
from tests.reports.pictures.pages import data_of
from tests.reports.pictures.test_tree import mini_hierarchy


def evaluation(mini: MiniWordNet) -> gz.Evaluation:
    """Two poodles of four right, two sports cars of two, a bee that is a drone; horse is seen."""
    true = ["poodle"] * 4 + ["sports_car"] * 2 + ["bee", "horse"]
    first = ["poodle", "poodle", "horse", "horse", "sports_car", "sports_car", "drone", "horse"]
    candidates = ("poodle", "sports_car", "bee", "drone", "horse")
    predictions = ranked(
        [[mini[each]] for each in first],
        labels=mini.named(*true),
        candidates=mini.named(*candidates),
    )
    return gz.evaluate(
        predictions, train=mini.named("horse"), wordnet=mini_hierarchy(mini), rounds=10
    )


def test_a_run_is_the_accuracy_of_its_classes(
    draw: Callable[..., Result], mini: MiniWordNet
) -> None:
    result = evaluation(mini)
    result.save("mine.json")
    draw("mine.json")
    html = Path("page.html").read_text(encoding="utf-8")
    data = data_of(html)
    place = {wnid: at for at, wnid in enumerate(data["wnid"])}
    accuracy = next(each for each in data["values"] if each["key"] == "accuracy")
    own = {data["wnid"][int(at)]: value for at, value in accuracy["own"].items()}
    assert own == {
        mini["poodle"]: 0.5,
        mini["sports_car"]: 1,
        mini["bee"]: 0,
        mini["horse"]: 1,
    }
    assert own == {row["wnid"]: row["hit@1"] for row in result.class_rows()}
    # poodle and horse below both; with the bee below the animal
    means = {name: accuracy["mean"][place[mini[name]]] for name in ("mammal", "domestic_animal")}
    assert means == {"mammal": 0.75, "domestic_animal": 0.75}
    assert accuracy["mean"][place[mini["animal"]]] == 0.5
    assert accuracy["domain"] == [0, 1]
    assert data["colour"] == "accuracy"
    kinds = [data["kinds"][data["role"][place[mini[name]]]] for name in ("poodle", "horse")]
    assert kinds == ["Unseen", "Training"]
    wrong = {data["wnid"][int(at)]: said for at, said in data["facts"]["often taken for"].items()}
    assert wrong == {mini["poodle"]: "horse, 50.0 %", mini["bee"]: "drone, 100.0 %"}
    # the headline is of the 7 samples of unseen classes: 0.5, 1 and 0
    assert "hit@1 50.0 % per class, unseen classes" in html
    # the boxes hold the horse too: 0.5, 1, 0 and 1
    assert "unseen and training classes together: 62.5 % of all 4." in html
    assert "of 7 samples among 5 candidates." in html
    assert "<h1>mine: accuracy of each class</h1>" in html
    # the same from the object, without files
    assert data_of(gz.picture(result).html)["values"][0] == accuracy


def test_a_run_says_what_it_lacks(draw: Callable[..., Result], mini: MiniWordNet) -> None:
    evaluation(mini).save("mine.json")
    Path("mine.classes.parquet").unlink()
    said = draw("mine.json", code=1).stderr
    assert "mine.classes.parquet does not exist" in said
    assert "Evaluate again: `graphzsl audit PREDICTIONS --out RUN.json`" in said
    evaluation(mini).save("mine.json")
    other = evaluated([mini["bee"]], [[mini["drone"]]], wordnet=mini_hierarchy(mini), rounds=10)
    other.save("other.json")
    Path("mine.classes.parquet").write_bytes(Path("other.classes.parquet").read_bytes())
    said = draw("mine.json", code=1).stderr
    assert "mine.classes.parquet is not the table of classes of mine.json" in said
    assert not Path("page.html").exists()
    names = evaluated(["cat", "dog"], [["cat"], ["cat"]], wordnet=None, rounds=10)
    names.save("names.json")
    said = draw("names.json", code=1).stderr
    assert "'cat', a class of the run, is not a node of the hierarchy (2 of 2 classes" in said


def training_of(html: str) -> set[str]:
    """The training classes that a page has."""
    data = data_of(html)
    role = data["kinds"].index("Training") if "Training" in data["kinds"] else -1
    return {wnid for wnid, own in zip(data["wnid"], data["role"], strict=True) if own == role}


@pytest.mark.parametrize("order", [1, -1], ids=["as it stands", "in another order"])
def test_the_training_list_of_a_run_is_found_beside_it(
    draw: Callable[..., Result], mini: MiniWordNet, lists: None, order: int
) -> None:
    """By its checksum, whatever its name: a run of a list holds it by wnid. Nothing is said of
    other texts, which nobody named."""
    Path("heads.txt").write_text("name\n" + "poodle\n" * len(TRAIN))
    Path("words.txt").write_text("no class\n" * len(TRAIN))  # as many, and other ones
    Path("others.txt").write_text("".join(f"{wnid}\n" for wnid in mini.named(*TRAIN[1:], "cat")))
    labels = mini.named("poodle", "pony")
    result = gz.evaluate(
        labels,
        [[wnid] for wnid in labels],
        train=sorted(mini.named(*TRAIN)),
        wordnet=mini_hierarchy(mini),
        rounds=10,
    )
    result.save("run.json")
    Path("train.txt").write_text("".join(f"{each}\n" for each in mini.named(*TRAIN)[::order]))
    assert "header" not in draw("run.json").stderr
    html = Path("page.html").read_text(encoding="utf-8")
    assert "2 unseen classes, 7 training classes (train)." in html
    assert training_of(html) == set(mini.named(*TRAIN))
    assert "ratio" in {each["key"] for each in data_of(html)["values"]}
    Path("run.samples.parquet").unlink()  # which holds them, too
    Path("train.txt").write_text("".join(f"{wnid}\n" for wnid in mini.named(*TRAIN[1:], "dog")))
    draw("run.json")
    assert training_of(Path("page.html").read_text(encoding="utf-8")) == set()


def test_the_training_list_of_a_run_is_found_in_the_database(
    run: Command, mini_database: Database, mini: MiniWordNet, files: Path
) -> None:
    put_class_set(mini_database, "other seven", mini.named(*TRAIN[1:], "cat"), {"kind": "list"})
    labels = mini.named("poodle", "pony")
    result = gz.evaluate(
        labels,
        [[wnid] for wnid in labels],
        train=mini.named(*TRAIN),
        wordnet=mini_hierarchy(mini),
        rounds=10,
    )
    result.save("run.json")
    run("picture", "run.json", "--out", "page.html")
    html = Path("page.html").read_text(encoding="utf-8")
    assert "2 unseen classes, 7 training classes (train)." in html
    assert training_of(html) == set(mini.named(*TRAIN))


def test_simulated_predictions_say_so(mini: MiniWordNet) -> None:
    result = evaluation(mini)
    rows = class_rows(result.predictions)
    hierarchy = mini_hierarchy(mini)
    for simulated in (True, False):
        subject = of_run(hierarchy, {**result.manifest, "simulated": simulated}, rows)
        html = picture_of(subject, hierarchy).html
        assert ("Simulated predictions" in html) is simulated
