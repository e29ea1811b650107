"""Readers name file and line; WordNet's version is recognised."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from graphzsl.common import DataError, load_settings
from graphzsl.sources import WordNet, wordnet_folder
from graphzsl.sources.frequencies import read_frequencies
from graphzsl.sources.hierarchy import read_hierarchy
from graphzsl.sources.wordnet import SynsetRow, depths, label_rows, version_of
from graphzsl.sources.wordnet_content import LEXNAMES
from graphzsl.sources.wordnet_files import NEEDED


@pytest.mark.parametrize(
    "head", ["WordNet 3.1 Copyright 2011", "WordNet 2.1 Copyright", "no version at all"]
)
def test_another_wordnet_is_refused(tmp_path: Path, head: str) -> None:
    (tmp_path / "data.noun").write_text(f"  1 licence\n  2 {head} by somebody\n")
    with pytest.raises(DataError, match=r"is WordNet .*; graphzsl needs 3\.0"):
        WordNet(tmp_path)


def test_a_folder_without_wordnet_is_named(tmp_path: Path) -> None:
    from dataclasses import replace

    with pytest.raises(DataError, match=r"lacks cntlist.rev, .*data\.noun"):
        wordnet_folder(replace(load_settings(), wordnet=tmp_path))
    with pytest.raises(DataError, match="does not exist"):
        version_of(tmp_path)


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A copy of WordNet 3.0 that a test may damage."""
    folder = wordnet_folder(load_settings())
    for name in (*NEEDED, "lexnames"):
        shutil.copy(folder / name, tmp_path / name)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("data.noun", lambda text: "".join(text.splitlines(keepends=True)[:3029])),
        ("data.noun", lambda text: text[: len(text) // 2]),
        ("data.noun", lambda text: text.replace("@ 02083346", "@ 02083347", 1)),
        ("data.noun", lambda text: text.replace("dog 0", "god 0", 1)),
        ("index.sense", lambda text: text[:-1000]),
        (
            "index.sense",
            lambda text: text.replace("dog%1:05:00:: 02084071 1 42", "dog%1:05:00:: 02084071 2 42"),
        ),
        ("index.noun", lambda text: text[:-1000]),
        ("noun.exc", lambda text: text + "gooses goose\n"),
        ("lexnames", lambda text: text[:-20]),
    ],
)
def test_a_file_of_wordnet_that_was_cut_or_changed_is_refused(
    copied: Path, name: str, change: Callable[[str], str]
) -> None:
    text = (copied / name).read_text()
    (copied / name).write_text(change(text))
    assert (copied / name).read_text() != text
    with pytest.raises(DataError, match=rf"{copied}/{name} is not WordNet 3\.0's .*anew"):
        WordNet(copied)
    (copied / name).unlink()
    with pytest.raises(DataError, match=rf"{copied}/{name} does not exist"):
        WordNet(copied)


def test_another_build_of_the_same_wordnet_is_taken(
    copied: Path, wordnet_rows: list[SynsetRow]
) -> None:
    """Builds differ in the offsets of adjectives: Princeton's and Debian's in the pointers of
    13,200 noun synsets."""
    path = copied / "data.noun"
    text, changed = re.subn(
        r"(\d{7})(\d) a ", lambda m: f"{m[1]}{(int(m[2]) + 1) % 10} a ", path.read_text()
    )
    assert changed > 10_000
    path.write_text(text)
    assert list(WordNet(copied).synsets()) == wordnet_rows


def test_a_damaged_copy_of_nltk_is_passed_by(
    copied: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As a killed unpacking of NLTK's archive leaves it."""
    import nltk

    damaged = copied / "corpora" / "wordnet"
    damaged.mkdir(parents=True)
    (damaged / "data.noun").write_text("".join((copied / "data.noun").open().readlines()[:3029]))
    monkeypatch.setattr(nltk.data, "path", [str(copied), *nltk.data.path])
    folder = wordnet_folder(load_settings())
    assert folder != damaged
    assert f"{damaged}/data.noun is not WordNet 3.0's file" in capsys.readouterr().err
    assert WordNet(folder).sha256


def test_rows_of_the_real_wordnet(wordnet_rows: list[SynsetRow]) -> None:
    wordnet, rows = WordNet(wordnet_folder(load_settings())), wordnet_rows
    by_wnid = {row.wnid: row for row in rows}
    assert len(rows) == 82_115
    dog = by_wnid["n02084071"]
    assert (dog.name, dog.words) == ("dog.n.01", ["dog", "domestic dog", "Canis familiaris"])
    assert dog.hypernyms == ["n01317541", "n02083346"]
    assert dog.gloss.startswith("a member of the genus Canis")
    assert dog.gloss.endswith('"the dog barked all night"')
    labels = list(label_rows(rows[:100], wordnet.senses()))
    assert labels[0] == {
        "wnid": "n00001740",
        "text": "entity",
        "rank": 1,
        "sense_number": 1,
        "sense_count": 11,
        "name": "entity.n.01",
    }
    found = depths(rows)
    # dog: by domestic animal, and by canine and carnivore
    assert (len(found), found["n00001740"], found["n02084071"]) == (82_115, (0, 0), (8, 13))
    fewest, most = zip(*found.values(), strict=True)
    assert (max(fewest), max(most)) == (18, 19)


def test_the_lexicographer_files_are_all_there() -> None:
    assert len(LEXNAMES) == 45
    assert LEXNAMES[5] == ("noun.animal", 1)
    assert LEXNAMES[44] == ("adj.ppl", 3)


def test_a_release_hierarchy_with_a_cycle_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "edges.tsv"
    animals = ["n02084071", "n02121620", "n01503061"]
    rows = [(animals[0], animals[1]), (animals[1], animals[2]), (animals[2], animals[0])]
    path.write_text("".join(f"{child}\t{parent}\n" for child, parent in rows))
    with pytest.raises(DataError, match=r"edges\.tsv:3: the edge closes a cycle \(n\d{8} > n"):
        read_hierarchy(path)
    path.write_text("".join(f"{child}\t{parent}\n" for child, parent in rows[:2]))
    assert len(read_hierarchy(path)) == 2
    path.write_text(f"{animals[0]}\t{animals[1]}\n{animals[1]}\t{animals[0]}\n")
    with pytest.raises(DataError, match=r"edges\.tsv:2: the edge closes a cycle \((n\d{8} > ){2}n"):
        read_hierarchy(path)
    path.write_text(f"{animals[0]}\t{animals[1]}\n{animals[1]}\t{animals[1]}\n")
    with pytest.raises(DataError, match=r"edges\.tsv:2: n02121620 is its own parent\. Take"):
        read_hierarchy(path)


def test_words_with_control_characters_are_nobodys_label(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A corpus has some, and its other words count."""
    path = tmp_path / "w.csv"
    path.write_text("word,frequency\ncat,2\nc\u202eat,5\nd\x1b[31mog,4\n", encoding="utf-8")
    assert read_frequencies(path) == [(2, "cat", 2)]
    said = capsys.readouterr().err
    assert "2 words with control characters left out, the first on line 3: 'c\\u202eat'" in said
