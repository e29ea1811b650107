"""--senses: words of several synsets in one's own list, read as `graphzsl audit` reads them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from graphzsl.cli import main
from graphzsl.hierarchy import resolve_entries
from graphzsl.sources.imagenet import read_entries

#: Four words of several synsets: the usual sense of three of them is an animal that ImageNet has
#: as a class; crane is a bird and a machine, both classes of ILSVRC 2012.
CLEAR, OPEN = "cat\ndog\nhorse\n", "cat\ncrane\n"
ANIMALS = {"n02121620": "cat", "n02084071": "dog", "n02374451": "horse"}


def run(*arguments: str, code: int = 0) -> Result:
    done = CliRunner().invoke(main, list(arguments))
    assert done.exit_code == code, done.output
    assert "Traceback" not in done.output
    return done


@pytest.fixture
def words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("open.txt").write_text(OPEN)
    path = Path("words.txt")
    path.write_text(CLEAR)
    return path


def test_words_of_several_synsets_are_refused_and_the_option_is_named(words: Path) -> None:
    done = run("names", "--set", str(words), code=1)
    assert "words.txt:1: 'cat' names 8 noun synsets." in done.stderr
    assert "--senses usual" in done.stderr
    # a command that has no such option does not name it
    done = run("granularity", "superclasses", "merge", "--set", str(words), code=2)
    assert "--senses" not in done.stderr


def test_the_senses_are_those_of_an_audit_and_are_named(words: Path) -> None:
    done = run("names", "--set", str(words), "--senses", "usual")
    assert dict(line.split("\t") for line in done.stdout.splitlines()) == ANIMALS
    assert "'cat' as n02121620 (cat.n.01), 'dog' as n02084071 (dog.n.01)" in done.stderr
    rows = "".join(f"{name},{name}\n" for name in CLEAR.split())
    Path("p.csv").write_text(f"label,top1\n{rows}")
    audit = run("audit", "p.csv", "--out", "p.json")
    assert "most usual sense: 'cat' as n02121620 (cat.n.01)" in audit.stderr
    assert "lca_height_wordnet@1" in audit.stdout  # there is a hierarchy: all names are wnids


def test_a_word_that_is_not_clear_is_refused_all_the_same(words: Path) -> None:
    done = run("names", "--set", "open.txt", "--senses", "usual", code=1)
    assert "open.txt:2: 'crane' names 5 noun synsets." in done.stderr
    assert "'cat' names" not in done.stderr
    assert "--senses usual" not in done.stderr.replace("names --senses", "")


def test_pictures_and_benchmarks_take_such_lists(words: Path) -> None:
    run("picture", str(words), "--out", "p.html", code=1)
    run("picture", str(words), "--senses", "usual", "--out", "p.html")
    page = Path("p.html").read_text()
    assert all(wnid in page for wnid in ANIMALS)
    recipe = 'name = "r"\ntrain = "words.txt"\nuniverse = "more.txt"\nhierarchy = "wordnet"\n'
    Path("r.toml").write_text(recipe)
    Path("more.txt").write_text(CLEAR + "n02504458\nn03126707\n")
    done = run("split", "build", "r.toml", "--out", "lists", code=1)
    assert "--senses usual" in done.stderr
    done = run("split", "build", "r.toml", "--out", "lists", "--senses", "usual")
    assert done.stderr.count("'horse' as n02374451 (horse.n.01)") == 2  # once for each list
    # what is left when the three training classes are taken off the universe
    assert sorted(Path("lists/r.txt").read_text().split()) == ["n02504458", "n03126707"]


def test_the_option_needs_a_list_of_words(words: Path) -> None:
    done = run("load", "class-set", "ilsvrc2012", "--senses", "usual", code=2)
    assert "--senses has no effect here: it needs --file" in done.stderr
    done = run("split", "build", "--senses", "usual", code=2)
    assert "--senses has no effect here" in done.stderr


def test_a_class_set_is_loaded_in_these_senses(
    words: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the database is given, without one: the mini WordNet has no cat of several senses."""
    loaded: list[str] = []

    def load_class_set(_: object, name: str, path: Path, replace: bool, meant: Any) -> int:
        entries = meant(read_entries(path))
        loaded.extend(resolve_entries(entries))
        return len(entries)

    monkeypatch.setattr("graphzsl.database.load_class_set", load_class_set)
    done = run("load", "class-set", "mine", "--file", str(words), code=1)
    assert "--senses usual" in done.stderr
    run("load", "class-set", "mine", "--file", str(words), "--senses", "usual")
    assert loaded == [*ANIMALS]
