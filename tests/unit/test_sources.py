"""Readers name file and line; WordNet's version is recognised."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from graphzsl.errors import DataError
from graphzsl.settings import load_settings
from graphzsl.sources.imagenet import LISTS, list_path, read_class_list
from graphzsl.sources.wordnet import WordNet, depths, label_rows, version_of
from graphzsl.sources.wordnet_files import LEXNAMES, NEEDED, wordnet_folder


def test_every_named_list_is_in_timm() -> None:
    sizes = {name: len(read_class_list(list_path(name))) for name in LISTS}
    assert sizes["ilsvrc2012"] == 1000
    assert sizes["imagenet-fall11"] == 21_841
    assert all(f"{size:,}" in LISTS[name][1] for name, size in sizes.items())
    with pytest.raises(DataError, match="no ImageNet list 'imagenet'"):
        list_path("imagenet")


@pytest.mark.parametrize("head", ["WordNet 3.1 Copyright 2011", "WordNet 2.1 Copyright", "no version at all"])
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


def test_a_broken_record_is_named_by_line(tmp_path: Path) -> None:
    folder = wordnet_folder(load_settings())
    for name in (*NEEDED, "lexnames"):
        shutil.copy(folder / name, tmp_path / name)
    lines = (tmp_path / "data.noun").read_text().splitlines(keepends=True)
    lines[40] = lines[40][:30] + "\n"
    (tmp_path / "data.noun").write_text("".join(lines))
    with pytest.raises(DataError, match=r"data\.noun:41: not a synset record"):
        list(WordNet(tmp_path).synsets())


def test_rows_of_the_real_wordnet() -> None:
    wordnet = WordNet(wordnet_folder(load_settings()))
    rows = list(wordnet.synsets())
    by_wnid = {row.wnid: row for row in rows}
    assert len(rows) == 82_115
    dog = by_wnid["n02084071"]
    assert (dog.name, dog.words) == ("dog.n.01", ["dog", "domestic dog", "Canis familiaris"])
    assert dog.hypernyms == ["n01317541", "n02083346"]
    assert dog.gloss.startswith("a member of the genus Canis")
    assert dog.gloss.endswith('"the dog barked all night"')
    labels = list(label_rows(rows[:100], wordnet.senses()))
    assert labels[0] == {"wnid": "n00001740", "text": "entity", "rank": 1, "sense_number": 1, "sense_count": 11}
    found = depths(rows)
    assert (len(found), found["n00001740"], found["n02084071"], max(found.values())) == (82_115, 0, 8, 18)


def test_the_lexicographer_files_are_all_there() -> None:
    assert len(LEXNAMES) == 45
    assert LEXNAMES[5] == ("noun.animal", 1)
    assert LEXNAMES[44] == ("adj.ppl", 3)


def test_without_root_the_system_package_is_unpacked_into_the_cache(tmp_path: Path) -> None:
    from dataclasses import replace

    from graphzsl.sources import wordnet_files

    if not shutil.which("apt-get"):
        pytest.skip("this system has no apt-get")
    settings = replace(load_settings(), cache=tmp_path)
    folder = wordnet_files._unpack_as_user(settings)
    assert folder.is_relative_to(tmp_path)
    assert all((folder / name).exists() for name in NEEDED)
    copy = wordnet_files._prepared(folder, settings)
    assert (copy / "lexnames").read_text().startswith("00\tadj.all\t3\n")
    assert version_of(copy) == "3.0"
