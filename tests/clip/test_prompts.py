"""Names and templates of class heads: where they come from, and which are refused."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import pytest

from graphzsl.clip import make_prompts
from graphzsl.clip.prompts import read_templates
from graphzsl.common import DataError
from graphzsl.hierarchy import WordNetVocabulary
from graphzsl.names import DEFAULT_TEMPLATES, check_names
from graphzsl.names.name_lists import read_name_list
from graphzsl.sources.imagenet import listed_classes
from tests.clip.conftest import CLASSES, DOG

CRANES = ["n02012849", "n03126707"]


def test_names_by_wordnet_are_unique() -> None:
    found = make_prompts(CRANES)
    assert found.names == ["crane (wading bird)", "crane (lifting device)"]
    assert found.templates == list(DEFAULT_TEMPLATES)
    assert found.texts(1)[0] == "a photo of a crane (lifting device)."
    assert make_prompts(CLASSES, rule="first").names == ["dog", "cat", "bird", "car"]
    whole = make_prompts(rule="first", shared="keep")
    assert whole.classes == listed_classes("ilsvrc2012")
    assert (whole.count, repr(whole)) == (5000, "<Prompts: 1,000 classes, 5,000 texts>")


def test_shared_names_are_refused_or_kept(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(DataError) as error:
        make_prompts(CRANES, rule="first")
    said = str(error.value)
    assert "2 classes share 1 name, e.g. 'crane': n02012849, n03126707" in said
    assert "`graphzsl names` writes unique names" in said
    with pytest.raises(DataError, match="share 1 name"):
        make_prompts(names=["Polar-Bear", "polar bear"])
    kept = make_prompts(CRANES, rule="first", shared="keep")
    assert kept.names == ["crane", "crane"]
    assert "their columns are equal, and their scores tie" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.txt", "n02084071\tdog\nn02121620\tcat\nn01503061\tbird\nn02958343\tcar\n"),
        ("a.json", json.dumps(dict(zip(CLASSES, ["dog", "cat", "bird", "car"], strict=True)))),
        ("b.json", json.dumps({"imagenet1k": ["dog", "cat", "bird", "car"]})),
        ("c.json", json.dumps({"classnames": ["dog", "cat", "bird", "car"], "templates": ["{}"]})),
        ("a.csv", "wnid,name\nn02958343,car\nn01503061,bird\nn02121620,cat\nn02084071,dog\n"),
    ],
)
def test_names_of_a_file(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_text(content)
    found = make_prompts(CLASSES, tmp_path / name)
    assert dict(zip(found.classes, found.names, strict=True)) == {
        "n02084071": "dog",
        "n02121620": "cat",
        "n01503061": "bird",
        "n02958343": "car",
    }
    assert found.classes == CLASSES
    alone = make_prompts(names=tmp_path / name)
    assert alone.classes[0] == (
        "dog" if name in ("b.json", "c.json") else CLASSES[3 if name == "a.csv" else 0]
    )


def test_names_that_do_not_fit(tmp_path: Path) -> None:
    (tmp_path / "few.txt").write_text("n02084071\tdog\n")
    (tmp_path / "three.txt").write_text("dog\ncat\nbird\n")
    (tmp_path / "wnids.txt").write_text("n02084071\nn02121620\n")
    for names, said in (
        (tmp_path / "few.txt", r"has no name for n02121620 \(3 of 4 classes\)"),
        (tmp_path / "three.txt", "holds 3 names and no wnids, and there are 4 classes"),
        (tmp_path / "wnids.txt", "line 1 has no name"),
        (["dog"], "1 name for 4 classes"),
        ({DOG: "dog"}, "n02121620 has no name"),
        (["dog", "cat", "bird", "c\tr"], "control character"),
    ):
        with pytest.raises(DataError, match=said):
            make_prompts(CLASSES, names)
    with pytest.raises(DataError, match="no class to name"):
        make_prompts(names=[])
    with pytest.raises(DataError, match="A rule is for names of WordNet alone"):
        make_prompts(CLASSES, ["a", "b", "c", "d"], rule="first")
    with pytest.raises(DataError, match="shared is error or keep"):
        make_prompts(CLASSES, shared="both")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.txt", "a {c}.\nthe {c}.\n"),
        ("t.json", '["a {c}.", "the {c}."]'),
        ("t.json", '{"imagenet1k": ["a {c}.", "the {c}."]}'),
        ("t.json", '{"classnames": ["x"], "templates": ["a {}.", "the {}."]}'),
    ],
)
def test_templates_of_a_file(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_text(content)
    assert read_templates(tmp_path / name) == ["a {c}.", "the {c}."]


def test_templates_that_are_none(tmp_path: Path) -> None:
    for content, said in (
        ("no slot\n", "needs {c} once"),
        ("{c} and {c}\n", "needs {c} once"),
        ("", "is empty"),
    ):
        (tmp_path / "t.txt").write_text(content)
        with pytest.raises(DataError, match=said):
            read_templates(tmp_path / "t.txt")
    for content, said in (
        ("[]", "expected a list of templates"),
        ("[1]", "expected a name, not the number 1"),
        ('{"descriptions": {"dog": []}}', "'dog' has no list of texts"),
    ):
        (tmp_path / "t.json").write_text(content)
        with pytest.raises(DataError, match=said):
            read_templates(tmp_path / "t.json")
    (tmp_path / "d.json").write_text('{"descriptions": {"dog": ["A dog."]}}')
    with pytest.raises(DataError, match="has no texts of 'cat'"):
        make_prompts(CLASSES, templates=tmp_path / "d.json")


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    found = make_prompts(CRANES)
    (tmp_path / "names.json").write_text(found.names_file())
    (tmp_path / "templates.json").write_text(found.templates_file())
    again = make_prompts(CRANES, tmp_path / "names.json", str(tmp_path / "templates.json"))
    assert (again.names, again.templates) == (found.names, found.templates)
    assert not check_names(tmp_path / "names.json", CRANES).findings
    plain = make_prompts(names=["widget", "gadget"])
    (tmp_path / "plain.json").write_text(plain.names_file())
    assert [entry.name for entry in read_name_list(tmp_path / "plain.json").entries] == [
        "widget",
        "gadget",
    ]


@pytest.mark.skipif(find_spec("clip_benchmark") is None, reason="clip-benchmark is not installed")
def test_openais_names_share_two() -> None:
    with pytest.raises(DataError, match="4 classes share 2 names"):
        make_prompts(names="openai")
    found = make_prompts(names="openai", templates="openai", shared="keep")
    assert (len(found.classes), len(found.templates)) == (1000, 80)


@pytest.mark.parametrize("form", ["list", "file"])
def test_classes_with_names_in_their_order_are_read_as_everywhere(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def prompts(classes: list[str], names: list[str]) -> list[str]:
        file = tmp_path / "names.txt"
        file.write_text("\n".join(names))
        return make_prompts(classes, names if form == "list" else file).classes

    dog, cat, shepherd = "n02084071", "n02121620", "n02106662"
    assert prompts(["dog.n.01", cat], ["hound", "cat"]) == [dog, cat]
    assert prompts(["german shepherd", cat], ["Alsatian", "cat"]) == [shepherd, cat]
    for twice in (["dog.n.01", dog], [dog, dog], ["German shepherd", "german_shepherd"]):
        with pytest.raises(DataError, match=r"is there twice|a class is there once"):
            prompts(twice, ["one", "two"])
    with pytest.raises(DataError, match="class 0: 'crane' names 5 noun synsets"):
        prompts(["crane", dog], ["crane", "dog"])
    assert capsys.readouterr().err == ""
    assert prompts(["left", "my widget"], ["one", "two"]) == ["left", "my widget"]
    assert "Classes stay as they are written" in capsys.readouterr().err


def test_a_dictionary_of_names_may_have_names_of_synsets() -> None:
    found = make_prompts(names={"dog.n.01": "hound", "my widget": "widget"})
    assert found.classes == ["n02084071", "my widget"]
    for classes in (None, ["dog.n.01", "n02084071"]):
        with pytest.raises(DataError, match="n02084071 is there twice: class 0 as"):
            make_prompts(classes, {"dog.n.01": "hound", "n02084071": "dog"})


def test_classes_of_a_file_of_names_are_looked_up_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[list[str]] = []
    prepare = WordNetVocabulary.prepare

    def counting(self: WordNetVocabulary, texts: Sequence[str]) -> None:
        asked.append(list(texts))
        prepare(self, texts)

    monkeypatch.setattr(WordNetVocabulary, "prepare", counting)
    for text in ("n02084071\tdog\nn02121620\tcat\n", "dog\ncat\n"):
        (tmp_path / "names.txt").write_text(text)
        found = make_prompts(iter(["dog.n.01", "cat.n.01"]), tmp_path / "names.txt")
        assert (found.classes, found.names) == (["n02084071", "n02121620"], ["dog", "cat"])
        assert asked.pop() == ["dog.n.01", "cat.n.01"]
        assert asked == []
