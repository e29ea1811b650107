"""A benchmark's folder knows its training classes, also where a command is run elsewhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from graphzsl.cli import main

SHIPPED = Path(__file__).resolve().parents[2] / "benchmarks" / "default"


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    classes = (SHIPPED / "test_classes.txt").read_text().split()[:3]
    rows = "".join(f"{each},{each}\n" for each in classes)
    Path("p.csv").write_text(f"label,top1\n{rows}")


def run(*arguments: str) -> Result:
    done = CliRunner().invoke(main, list(arguments))
    assert done.exit_code == 0, done.output
    return done


@pytest.mark.parametrize("name", ["", "test_classes.txt"])
def test_an_audit_counts_hops_from_the_training_classes_of_the_benchmark(name: str) -> None:
    done = run("audit", "p.csv", "--candidates", str(SHIPPED / name), "--out", "p.json")
    assert "training_classes.txt" in done.stderr
    given = run(
        *("audit", "p.csv", "--candidates", str(SHIPPED / "test_classes.txt")),
        *("--train", "ilsvrc2012", "--out", "given.json"),
    )
    assert "training_classes.txt" not in given.stderr
    own, other = (json.loads(Path(each).read_text()) for each in ("p.json", "given.json"))
    assert own["groups"]["hops"] == other["groups"]["hops"]


def test_a_picture_of_the_folder_shows_its_own_training_classes(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    for file in SHIPPED.iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    # the folder of other training classes: a hundred of them
    first = (SHIPPED / "training_classes.txt").read_text().split()[:100]
    (folder / "training_classes.txt").write_text("\n".join(first) + "\n")
    run("picture", str(folder))
    page = Path("mine.html").read_text()
    assert "500 unseen classes, 100 training classes (training_classes)." in page
    assert "<h1>mine" in page


def test_a_folder_of_something_else_is_none(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text('{"kind": "features"}')
    (tmp_path / "test_classes.txt").write_text("n02084071\nn02121620\n")
    done = run("picture", "test_classes.txt", "--train", "none", "--out", "own.html")
    assert "Training classes" not in done.stderr
