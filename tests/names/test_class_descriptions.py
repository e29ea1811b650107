"""Files of texts per class: every form that is read, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from graphzsl.common import DataError
from graphzsl.names import class_descriptions, read_descriptions
from graphzsl.names.clip_benchmark import OtherNames

DOG, CAT = "n02084071", "n02121620"
MISSILE, PROJECTILE = "n03773504", "n04008634"
NAMES = {DOG: "dog.n.01", CAT: "cat.n.01", MISSILE: "missile.n.01", PROJECTILE: "projectile.n.01"}


@pytest.fixture(autouse=True)
def _clip_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """CLIP's list gives one name to two classes; the package itself is read in
    test_clip_benchmark.py."""
    listed = OtherNames({MISSILE: "missile", PROJECTILE: "missile", CAT: "house cat"}, [])
    monkeypatch.setattr(class_descriptions, "openai_names", lambda: listed)


def _write(folder: Path, document: Any) -> Path:
    path = folder / "d.json"
    path.write_text(json.dumps(document))
    return path


@pytest.mark.parametrize(
    "document",
    [
        {DOG: ["barks", "has a tail"], CAT: ["purrs"]},
        {"dog.n.01": ["barks", "has a tail"], "Cat.n.1": ["purrs"]},
        {"dog.n.01": ["barks", "has a tail"], "house cat": ["purrs"]},
        {
            "kind": "class-descriptions",
            "descriptions": {DOG: ["barks", "has a tail"], CAT: ["purrs"]},
        },
    ],
)
def test_classes_by_wnid_synset_or_name(tmp_path: Path, document: Any) -> None:
    found = read_descriptions(_write(tmp_path, document), NAMES)
    assert found.of_class == {DOG: ["barks", "has a tail"], CAT: ["purrs"]}
    assert found.shared == {}


def test_a_name_of_two_classes_describes_both(tmp_path: Path) -> None:
    document = {"imagenet1k": {"missile": ["flies"], "house cat": ["purrs"]}}
    found = read_descriptions(_write(tmp_path, document), NAMES)
    assert found.of_class == {MISSILE: ["flies"], PROJECTILE: ["flies"], CAT: ["purrs"]}
    assert found.shared == {"missile": [MISSILE, PROJECTILE]}


def test_what_graphzsl_wrote_says_which_classes_share_texts(tmp_path: Path) -> None:
    document = {
        "kind": "class-descriptions",
        "shared": {"missile": [MISSILE, PROJECTILE], "odd": "text"},
        "descriptions": {MISSILE: ["flies"], PROJECTILE: ["flies"]},
    }
    found = read_descriptions(_write(tmp_path, document), NAMES)
    assert found.of_class == {MISSILE: ["flies"], PROJECTILE: ["flies"]}
    assert found.shared == {"missile": [MISSILE, PROJECTILE]}


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ([], "or an object with a list of texts per class"),
        ({}, "or an object with"),
        ({DOG: []}, f"'{DOG}' has no list of texts"),
        ({DOG: "barks"}, "has no list of texts"),
        ({DOG: ["barks", " "]}, r"' ' \(text 1\) is not a text"),
        ({DOG: ["barks", None]}, r"'None' \(text 1\) is not a text"),
        ({DOG: ["barks", 3]}, r"'3' \(text 1\) is not a text"),
        ({"n" + "9" * 30_000: ["x"]}, r"a key 'n9+' has 30,001 letters"),
        ({"n99999999": ["x"]}, "n99999999 is not a node of the graph"),
        (
            {"dgo.n.01": ["x"], "xyzzy": ["y"]},
            r"the key 'dgo\.n\.01': .*Did you mean dingo(.|\n)*So is 1 more of the keys",
        ),
        ({DOG: ["barks"], "dog.n.01": ["x"]}, f"'{DOG}' and 'dog.n.01' are one class, {DOG}"),
        ({"missile": ["flies"], PROJECTILE: ["x"]}, f"are one class, {PROJECTILE}"),
    ],
)
def test_what_is_refused_is_named(tmp_path: Path, document: Any, message: str) -> None:
    path = _write(tmp_path, document)
    with pytest.raises(DataError, match=message) as error:
        read_descriptions(path, NAMES)
    assert str(path) in str(error.value)
