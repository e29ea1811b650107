"""Templates and texts per class are read by one reader: what has a slot is a template."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from graphzsl.clip import make_prompts
from graphzsl.clip.prompts import read_templates
from graphzsl.common import DataError
from graphzsl.names import read_descriptions
from graphzsl.names.class_texts import read_class_texts

DOG, CAT = "n02084071", "n02121620"
NAMES = {DOG: "dog.n.01", CAT: "cat.n.01"}


def _write(folder: Path, document: Any) -> Path:
    path = folder / "t.json"
    path.write_text(document if isinstance(document, str) else json.dumps(document))
    return path


@pytest.mark.parametrize(
    "document",
    [
        {DOG: ["It barks."], CAT: ["It purrs."]},
        {"dog.n.01": ["It barks."], "cat.n.01": ["It purrs."]},
        {"descriptions": {DOG: ["It barks."], CAT: ["It purrs."]}},
        {"imagenet1k": {DOG: ["It barks."], CAT: ["It purrs."]}},
        {"imagenet1k": {DOG: ["It barks."], CAT: ["It purrs."]}, "cifar10": {"dog": ["x"]}},
    ],
)
def test_both_readers_read_the_same_descriptions(tmp_path: Path, document: Any) -> None:
    path = _write(tmp_path, document)
    expected = {DOG: ["It barks."], CAT: ["It purrs."]}
    assert read_descriptions(path, NAMES).of_class == expected
    assert make_prompts([DOG, CAT], templates=path).descriptions == expected


def test_one_class_is_not_a_data_set(tmp_path: Path) -> None:
    path = _write(tmp_path, {DOG: ["It barks."]})
    assert read_templates(path) == {DOG: ["It barks."]}
    assert read_templates(_write(tmp_path, {"imagenet1k": ["a {}."]})) == ["a {c}."]


@pytest.mark.parametrize(
    ("document", "said"),
    [
        (
            {"imagenet1k": ["a {}."], "cars": ["the {c}."]},
            "holds templates of 2 data sets, 'imagenet1k', 'cars': keep one of them",
        ),
        (
            {"cifar10": {"dog": ["x"]}, "cars": {"audi": ["y"]}},
            "holds texts of 2 data sets, 'cifar10', 'cars'",
        ),
        (
            {DOG: ["It barks."], CAT: ["a photo of a {}."]},
            f"the texts of '{CAT}' hold a template, 'a photo of a {{}}.'",
        ),
        ({DOG: ["It barks."], "x": {"y": ["z"]}}, f"'{DOG}' is neither"),
        (f'{{"{DOG}": ["a"], "{DOG}": ["b"]}}', f"an object has the key '{DOG}' twice"),
        ({"templates": ["no slot"]}, "needs {c} once"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, document: Any, said: str) -> None:
    path = _write(tmp_path, document)
    for read in (read_class_texts, lambda path: read_descriptions(path, NAMES)):
        with pytest.raises(DataError) as error:
            read(path)
        assert str(path) in str(error.value)
        assert said in str(error.value)


def test_templates_are_no_descriptions(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="holds templates, which have a slot"):
        read_descriptions(_write(tmp_path, ["a {}."]), NAMES)


def test_words_are_keys_and_those_of_several_synsets_are_refused(tmp_path: Path) -> None:
    path = _write(tmp_path, {"German shepherd": ["It guides."], "xyzzy": ["x"], "boy": ["y"]})
    names = {"n02106662": "german_shepherd.n.01", **NAMES}
    with pytest.raises(DataError, match=r"the key 'xyzzy': 'xyzzy' is not(.|\n)*1 more of the k"):
        read_descriptions(path, names)
    path = _write(tmp_path, {"German shepherd": ["It guides."], "boy": ["y"]})
    with pytest.raises(DataError, match=r"the key 'boy': 'boy' names 4 noun synsets"):
        read_descriptions(path, names)
    path = _write(tmp_path, {"German-Shepherd": ["It guides."], "dog": ["y"]})
    assert read_descriptions(path, names).of_class == {"n02106662": ["It guides."], DOG: ["y"]}
    found = make_prompts(["n02106662"], templates=path)
    assert found.texts(0) == ["It guides."]


def test_classes_that_are_there_twice_are_named_at_once(tmp_path: Path) -> None:
    path = tmp_path / "names.txt"
    path.write_text("crane\ndog\ncrane\n")
    with pytest.raises(DataError) as error:
        make_prompts(names=path, shared="keep")
    assert f"{path}: line 3: crane is there twice: line 1 and line 3" in str(error.value)
    with pytest.raises(DataError, match="n02084071 is there twice: class 0 and class 1"):
        make_prompts([DOG, DOG], ["a", "b"], shared="keep")
    kept = make_prompts([DOG, CAT, "n02012849"], path, shared="keep")
    assert kept.names == ["crane", "dog", "crane"]


@pytest.mark.parametrize("other", [None, 5, "photo"])
def test_what_is_no_list_of_texts_is_named(tmp_path: Path, other: Any) -> None:
    path = tmp_path / "t.json"
    path.write_text(json.dumps({"tench": ["a photo of a {}."], "hen": other}))
    with pytest.raises(DataError, match=r"t\.json: .*(tench|hen)"):
        read_class_texts(path)
