"""--senses: words of several synsets in one's own list, read as `graphzsl audit` reads them."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from graphzsl.cli import main

#: Words of several synsets. Of three the most usual sense is far more usual than the others; of boy
#: a sense is tagged more often than the others, and of crane none is.
CLEAR, OPEN, NEVER = "cat\ndog\nhorse\n", "cat\nboy\n", "boy\ncrane\n"
ANIMALS = {"n02121620": "cat", "n02084071": "dog", "n02374451": "horse"}
BOY = "n10285313"


def run(*arguments: str, code: int = 0) -> Result:
    done = CliRunner().invoke(main, list(arguments))
    assert done.exit_code == code, done.output
    assert "Traceback" not in done.output
    return done


@pytest.fixture
def words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("open.txt").write_text(OPEN)
    Path("never.txt").write_text(NEVER)
    path = Path("words.txt")
    path.write_text(CLEAR)
    return path


def test_open_words_are_refused_and_the_option_is_named(words: Path) -> None:
    done = run("names", "--set", "open.txt", code=1)
    assert "open.txt:2: 'boy' names 4 noun synsets." in done.stderr
    assert "'cat' names" not in done.stderr
    assert "--senses usual" in done.stderr
    done = run("names", "--set", "open.txt", "--senses", "usual")
    assert [line.split("\t")[0] for line in done.stdout.splitlines()] == ["n02121620", BOY]
    assert f"'boy' as {BOY} (male_child.n.01)" in done.stderr
    # a command that has no such option does not name it
    done = run("study", "granularity", "superclasses", "merge", "--set", "open.txt", code=2)
    assert "--senses" not in done.stderr


def test_the_senses_are_those_of_an_audit_and_are_named(words: Path) -> None:
    done = run("names", "--set", str(words))
    assert dict(line.split("\t") for line in done.stdout.splitlines()) == ANIMALS
    said = "'cat' as n02121620 (cat.n.01), 'dog' as n02084071 (dog.n.01)"
    assert said in done.stderr
    rows = "".join(f"{name},{name}\n" for name in CLEAR.split())
    Path("p.csv").write_text(f"label,top1\n{rows}")
    audit = run("audit", "p.csv", "--out", "p.json", "--format", "jsonl")
    assert said in audit.stderr
    assert "lca_height_wordnet@1" in audit.stdout  # there is a hierarchy: all names are wnids


def test_a_word_without_a_usual_sense_is_refused_all_the_same(words: Path) -> None:
    done = run("names", "--set", "never.txt", "--senses", "usual", code=1)
    assert "never.txt:2: 'crane' names 5 noun synsets." in done.stderr
    assert "'boy' names" not in done.stderr
    assert "--senses usual" not in done.stderr.replace("names --senses", "")


def test_the_option_is_named_where_it_settles_a_word(words: Path) -> None:
    """No sense of crane is tagged in WordNet's texts, and one of boy is more often than others."""
    done = run("names", "--set", "never.txt", code=1)
    assert "'crane' names" in done.stderr
    assert "--senses usual" in done.stderr
    Path("crane.txt").write_text("cat\ncrane\n")
    done = run("names", "--set", "crane.txt", code=1)
    assert "'crane' names 5 noun synsets." in done.stderr
    assert "--senses" not in done.stderr


def test_pictures_and_benchmarks_take_such_lists(words: Path) -> None:
    run("picture", "open.txt", "--out", "p.html", code=1)
    run("picture", str(words), "--out", "p.html")
    page = Path("p.html").read_text()
    assert all(wnid in page for wnid in ANIMALS)
    recipe = 'name = "r"\ntrain = "open.txt"\nuniverse = "more.txt"\nhierarchy = "wordnet"\n'
    Path("r.toml").write_text(recipe)
    Path("more.txt").write_text(OPEN + "n02504458\nn03126707\n")
    done = run("split", "build", "r.toml", "--out", "lists", code=1)
    assert "--senses usual" in done.stderr
    done = run("split", "build", "r.toml", "--out", "lists", "--senses", "usual")
    assert f"'boy' as {BOY} (male_child.n.01)" in done.stderr
    # what is left when the two training classes are taken off the universe
    assert sorted(Path("lists/r.txt").read_text().split()) == ["n02504458", "n03126707"]


def test_a_list_that_nearly_all_names_fit_decides(tmp_path: Path) -> None:
    """The mouse of 1,000 classes is that of a computer, and alone it is the animal."""
    names = ["tench", "goldfish", "desk", "computer keyboard", "mouse"]
    (tmp_path / "many.txt").write_text("".join(f"{name}\n" for name in names))
    (tmp_path / "one.txt").write_text("mouse\n")
    done = run("names", "--set", str(tmp_path / "many.txt"))
    assert done.stdout.splitlines()[-1].startswith("n03793489\t")
    assert "5 names read as words of ilsvrc2012's classes." in done.stderr
    assert "'mouse' as n03793489 (mouse.n.04)" in done.stderr
    done = run("names", "--set", str(tmp_path / "one.txt"))
    assert done.stdout.splitlines() == ["n02330245\tmouse"]


def test_the_option_needs_a_list_of_words(words: Path) -> None:
    done = run("load", "class-set", "ilsvrc2012", "--senses", "usual", code=2)
    assert "--senses has no effect here: it needs --file" in done.stderr
    done = run("split", "build", "--senses", "usual", code=2)
    assert "--senses has no effect here" in done.stderr
