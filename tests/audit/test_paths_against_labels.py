"""True classes that contradict the wnids in the paths of their files."""

from __future__ import annotations

from pathlib import Path

import pandas
import pytest
from click.testing import CliRunner

import graphzsl as gz
from graphzsl.audit import read_predictions
from graphzsl.audit.formats.paths import wnid_of_path
from graphzsl.cli import main

TENCH, GOLDFISH, HEN, DOG = "n01440764", "n01443537", "n01514859", "n02084071"
CHIHUAHUA = "n02085620"
OF_FOLDER = [TENCH, GOLDFISH, HEN, TENCH, GOLDFISH]
TABLE = "file,top1\n" + "".join(
    f"val/{wnid}/{at}.JPEG,{wnid}\n" for at, wnid in enumerate(OF_FOLDER)
)


def test_wnids_of_paths() -> None:
    for path, wnid in (
        ("val/n02084071/img.JPEG", DOG),
        (r"C:\val\n02084071\img.JPEG", DOG),
        ("train/n02084071_12.JPEG", DOG),
        ("n01440764/n02084071_12.JPEG", TENCH),
        ("val/dog/img.JPEG", None),
        ("img.JPEG", None),
    ):
        assert wnid_of_path(path) == wnid


def test_labels_in_another_order_are_refused(tmp_path: Path) -> None:
    table, labels = tmp_path / "p.csv", tmp_path / "labels.txt"
    table.write_text(TABLE)
    labels.write_text("\n".join([*OF_FOLDER[1:], OF_FOLDER[0]]))
    done = CliRunner().invoke(main, ["audit", str(table), "--labels", str(labels), "--rounds", "9"])
    said = " ".join(done.stderr.split())
    assert done.exit_code == 1
    assert f"p.csv:2: the true class is {GOLDFISH}, and the path of its file" in said
    assert f"'val/{TENCH}/0.JPEG', says {TENCH}. So it is for 5 of 5 samples" in said
    assert "take the classes from the paths (--truth folder)" in said
    rows = TABLE.splitlines()[1:]
    column = "label,file,top1\n" + "".join(f"{HEN},{row}\n" for row in rows)
    table.write_text(column)
    with pytest.raises(gz.DataError, match=r"So it is for 4 of 5 samples"):
        read_predictions(table)
    frame = pandas.read_csv(table)
    with pytest.raises(gz.DataError, match=r"DataFrame:0: the true class is n01514859"):
        gz.evaluate(frame, candidates="ilsvrc2012", rounds=9)


def test_a_few_contradictions_are_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "p.csv"
    table.write_text(TABLE)
    assert read_predictions(table, labels=OF_FOLDER).rank.tolist() == [1] * 5
    assert "contradict" not in capsys.readouterr().err
    found = read_predictions(table, labels=[*OF_FOLDER[:4], HEN])
    assert found.labels[4] == HEN
    said = " ".join(capsys.readouterr().err.split())
    assert "The labels of 1 of 5 samples contradict the wnids in the paths of their files" in said
    assert f"p.csv:6: the true class is {HEN}" in said


def test_names_are_compared_as_the_classes_that_they_mean(tmp_path: Path) -> None:
    table = tmp_path / "p.csv"
    table.write_text(TABLE)
    names = {TENCH: "tench", GOLDFISH: "goldfish", HEN: "hen"}
    right = [names[wnid] for wnid in OF_FOLDER]
    assert gz.evaluate(table, labels=right, rounds=9)["hit@1"].per_sample == 1
    with pytest.raises(gz.DataError, match="So it is for 4 of 5 samples"):
        gz.evaluate(table, labels=["hen"] * 5, rounds=9)


def test_a_class_above_the_folder_is_no_contradiction(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Superclasses as labels, and folders that are no classes."""
    table = tmp_path / "p.csv"
    table.write_text(f"file,top1\nval/{CHIHUAHUA}/1.JPEG,{DOG}\nval/n99999999/2.JPEG,{DOG}\n")
    assert read_predictions(table, labels=[DOG, DOG]).rank.tolist() == [1, 1]
    assert "contradict" not in capsys.readouterr().err
