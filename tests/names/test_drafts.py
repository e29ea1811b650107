"""Drafts of what the names of another data set mean."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from click.testing import CliRunner

import graphzsl as gz
from graphzsl.cli import main
from graphzsl.common import DataError
from graphzsl.hierarchy import Lexicon
from graphzsl.names import draft_names
from graphzsl.names.name_lists import read_name_list
from graphzsl.sources.published import named_sets
from tests.audit.kinds import evaluated

NAMES = ["boy", "couch", "mouse", "pickup_truck", "plate", "aquarium_fish", "tench.n.01", "dog"]
#: By hand, with WordNet's glosses and counts: boy is open between the child and the son, the fish
#: of aquaria is no noun, and none of fifteen senses of plate is far more usual than the others.
EXPECTED = {
    "boy": (None, "open"),
    "aquarium_fish": (None, "unknown"),
    "couch": ("sofa.n.01", "usual sense"),
    "mouse": ("mouse.n.01", "usual sense"),
    "pickup_truck": ("pickup.n.01", "only sense"),
    "plate": (None, "open"),
    "tench.n.01": ("tench.n.01", "as written"),
    "dog": ("dog.n.01", "usual sense"),
}


def test_a_draft_says_how_sure_each_name_is() -> None:
    found = draft_names(NAMES)
    assert {row.name: (row.synset, row.sure) for row in found.draft} == EXPECTED
    assert [row.name for row in found.open] == [row.name for row in found.draft[:3]]
    boy = found.draft[0]
    assert boy.others[:2] == ["n10285313 (male_child.n.01)", "n09870926 (boy.n.02)"]
    plate = next(row for row in found.draft if row.name == "plate")
    assert "n03959936 (plate.n.02)" in plate.others


def test_a_settled_draft_is_a_list_of_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names, draft, audit: three commands."""
    monkeypatch.chdir(tmp_path)
    Path("labels.txt").write_text("boy\nmouse\npickup_truck\n")
    done = CliRunner().invoke(main, ["names", "resolve", "labels.txt", "--out", "draft.csv"])
    assert not done.exit_code, done.output
    assert "1 name is open, of 3. Wrote draft.csv." in done.stderr
    with open("draft.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["name"] for row in rows] == ["boy", "mouse", "pickup_truck"]
    with pytest.raises(DataError, match=r"draft\.csv:2: 'boy' has no wnid yet"):
        read_name_list("draft.csv")
    text = Path("draft.csv").read_text()
    Path("draft.csv").write_text(text.replace("\n,boy", "\nn10285313,boy"))
    Path("p.csv").write_text("label,pred\nboy,mouse\nmouse,mouse\npickup_truck,boy\n")
    audit = ["audit", "p.csv", "--names", "draft.csv", "--out", "r.json"]
    done = CliRunner().invoke(main, [*audit, "--classes-table", "classes.csv"])
    assert not done.exit_code, done.output
    with open("classes.csv", newline="") as file:
        wnids = {row["wnid"] for row in csv.DictReader(file)}
    assert wnids == {"n10285313", "n02330245", "n03930630"}


def test_every_synset_name_of_a_class_is_as_written() -> None:
    lexicon = Lexicon.load()
    names = [lexicon.names[each] for each in range(0, len(lexicon.names), 4111)]
    assert [row.synset for row in draft_names(names).draft] == names
    assert (draft_names(names).repeated, draft_names([*names, names[0]]).repeated) == (0, 1)


#: Data set -> how many classes it has, and how many of them WordNet 3.0 has no synset of their own
#: for; by the papers of the sets, and by hand.
SHIPPED = {
    "cifar10": (10, 0),
    "cifar100": (100, 0),
    "oxford-pets": (37, 11),
    "food101": (101, 45),
    "caltech101": (102, 9),
}


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_drafts_hold_every_class_and_say_why(name: str) -> None:
    lexicon = Lexicon.load()
    with open(named_sets()[name].path, newline="") as file:
        rows = list(csv.DictReader(file))
    classes, without = SHIPPED[name]
    assert len({row["name"] for row in rows}) == len(rows) == classes
    found = read_name_list(named_sets()[name].path)
    assert (len(found.entries), len(found.without)) == (classes - without, without)
    for row in rows:
        if row["wnid"] == "none":
            assert row["reason"], row["name"]
            continue
        assert lexicon.names[lexicon.index[row["wnid"]]] == row["synset"]
        # a name of several senses has a reason
        assert row["reason"] or len(lexicon.synsets_of(row["name"])) < 2, row["name"]


def test_predictions_by_the_names_of_a_data_set(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "p.csv"
    path.write_text("label,pred\naquarium_fish,ray\nmouse,shrew\nplate,cup\nboy,girl\n")
    result = gz.evaluate(path, names="cifar100", rounds=9)
    assert result["lca_height@1"].per_class > 0
    labels = gz.read_predictions(path).labels
    assert labels == ["aquarium_fish", "mouse", "plate", "boy"]
    capsys.readouterr()
    path.write_text("label,pred\nBombay,Bombay\nPersian,pug\n")
    result = gz.evaluate(path, names="oxford-pets", rounds=9)
    assert result["hit@1"].per_class == 0.5
    said = " ".join(capsys.readouterr().err.split())
    assert "1 of 3 names has no synset by names-oxford-pets.csv: 'Bombay'" in said, "no city"
    with pytest.raises(DataError, match="'Bombai'"):
        evaluated(["Bombai", "pug"], ["pug", "pug"], names="oxford-pets", rounds=9)


def test_two_names_of_one_class_are_said(capsys: pytest.CaptureFixture[str]) -> None:
    evaluated(["couch", "chair"], ["sofa", "chair"], rounds=9)
    assert "'couch' and 'sofa' (n04256520)" in " ".join(capsys.readouterr().err.split())
    with pytest.raises(DataError, match="there twice: class 0 as 'couch' and class 1 as 'sofa'"):
        evaluated(["couch"], ["sofa"], candidates=["couch", "sofa", "chair"], rounds=9)


def test_a_draft_of_a_list_with_wnids_keeps_its_names(tmp_path: Path) -> None:
    """The rows say what else a name means; here the wnid is a dog and the name a cat."""
    path = tmp_path / "list.csv"
    path.write_text("wnid,name\nn02084071,cat\nn02106662,Alsatian\n")
    cat, dog = draft_names(path).draft
    assert (cat.name, cat.wnid, cat.sure) == ("cat", "n02084071", "as written")
    assert cat.others[0] == "n02121620 (cat.n.01)"
    assert (dog.name, dog.synset, dog.others) == ("Alsatian", "german_shepherd.n.01", [])


def test_open_rows_offer_what_they_may_be(tmp_path: Path) -> None:
    nothing, newer, crane = draft_names(["background", "n02086723", "crane"]).open
    assert nothing.others == ["none"]
    assert newer.others == ["n02084071 (dog.n.01)"]
    # the two that are classes of ILSVRC come first
    assert {text.partition(" ")[0] for text in crane.others[:2]} == {"n02012849", "n03126707"}
    names, draft = tmp_path / "names.txt", tmp_path / "draft.csv"
    names.write_text("crane\ndog\n")
    done = CliRunner().invoke(main, ["names", "resolve", str(names), "--out", str(draft)])
    assert done.exit_code == 0, done.output
    with pytest.raises(DataError, match="'crane' has no wnid yet"):
        evaluated(["crane"], ["dog"], names=draft)


def test_names_of_a_shipped_set_are_recognised() -> None:
    names = ["aquarium_fish", "boy", "plate", "ray", "maple_tree", "pickup_truck"]
    found = evaluated(names, names, rounds=9)
    assert any("All are names of cifar100" in note for note in found.notes)
