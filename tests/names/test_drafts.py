"""Drafts of what the names of another data set mean."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from click.testing import CliRunner

from graphzsl.cli import main
from graphzsl.common import DataError
from graphzsl.hierarchy import Lexicon
from graphzsl.names import draft_names
from graphzsl.names.name_lists import read_name_list

NAMES = ["boy", "couch", "mouse", "pickup_truck", "plate", "aquarium_fish", "tench.n.01", "dog"]
#: By hand, with WordNet's glosses and counts: boy is open between the child and the son, the fish
#: of aquaria is no noun, and of the plate Fall 2011 has home plate alone.
EXPECTED = {
    "boy": (None, "open"),
    "aquarium_fish": (None, "unknown"),
    "couch": ("sofa.n.01", "usual sense"),
    "mouse": ("mouse.n.01", "usual sense"),
    "pickup_truck": ("pickup.n.01", "only sense"),
    "plate": ("home_plate.n.01", "only class of that word in imagenet-fall11"),
    "tench.n.01": ("tench.n.01", "as written"),
    "dog": ("dog.n.01", "usual sense"),
}


def test_a_draft_says_how_sure_each_name_is() -> None:
    found = draft_names(NAMES)
    assert {row.name: (row.synset, row.sure) for row in found.draft} == EXPECTED
    assert [row.name for row in found.open] == [row.name for row in found.draft[:2]]
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
    with pytest.raises(DataError, match=r"draft\.csv:2: '' is not a wnid"):
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
