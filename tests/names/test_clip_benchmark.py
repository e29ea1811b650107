"""What is read of the package clip-benchmark: of the installed one where there is one, and of
packages made here that are laid out otherwise."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from graphzsl.common import DataError
from graphzsl.common.checked_names import wrong_names
from graphzsl.common.errors import MissingExtra
from graphzsl.names import clip_benchmark
from graphzsl.sources.imagenet import listed_classes

TENCH, GOLDFISH = "n01440764", "n01443537"
MISSILE, PROJECTILE = "n03773504", "n04008634"
SUNGLASS, SUNGLASSES = "n04355933", "n04356056"


@pytest.fixture(autouse=True)
def _read_anew() -> Iterator[None]:
    clip_benchmark._content.cache_clear()
    yield
    clip_benchmark._content.cache_clear()


@pytest.fixture
def installed() -> None:
    if find_spec("clip_benchmark") is None:
        pytest.skip("clip-benchmark is not installed: pip install 'graphzsl[names]'")


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the files of a package of that name, which fails when it is imported."""
    folder = tmp_path / "clip_benchmark" / "datasets"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").write_text("raise RuntimeError('imported')")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "clip_benchmark", raising=False)
    return folder


@pytest.mark.usefixtures("installed")
def test_openai_names_and_templates() -> None:
    found = clip_benchmark.openai_names()
    assert list(found.names) == listed_classes("ilsvrc2012")
    assert found.names[TENCH] == "tench"
    assert found.shared == {
        "missile": [MISSILE, PROJECTILE],
        "sunglasses": [SUNGLASS, SUNGLASSES],
    }
    assert list(clip_benchmark.openai_names([GOLDFISH, TENCH]).names.items()) == [
        (GOLDFISH, "goldfish"),
        (TENCH, "tench"),
    ]
    templates = clip_benchmark.openai_templates()
    assert (len(templates), len(set(templates))) == (80, 80)
    assert "a photo of a {c}." in templates


@pytest.mark.usefixtures("installed")
def test_names_in_92_other_languages() -> None:
    known = clip_benchmark.languages()
    assert len(set(known) - {"EN"}) == 92
    german = clip_benchmark.babel_names("de")
    assert (german.names[TENCH], german.names[GOLDFISH]) == ("Schleie", "Goldfisch")
    # 738 names for 1,000 classes; the hen (8) is the first without one
    assert (len(german.names), len(german.without)) == (738, 262)
    assert german.without[0] == listed_classes("ilsvrc2012")[8]
    assert set(german.shared) == {"Hantel", "Wiege", "Kette", "Digitaluhr"}
    assert len(clip_benchmark.babel_names("EN").names) == 1000
    for language in known:
        found = clip_benchmark.babel_names(language)
        # "Ford Т" and "Vidra/Видра" mix scripts, and no other name looks like them
        alike = wrong_names(dict.fromkeys(found.names.values())).values()
        assert not [problem for problem in alike if "looks like" in problem], language
        assert len(found.names) + len(found.without) == 1000
        templates = clip_benchmark.babel_templates(language)
        assert len(templates) == (0 if language in ("BR", "FY", "LA") else 80)
        assert all(each.count("{c}") == 1 for each in templates)
    with pytest.raises(DataError, match=r"no names in the language 'XX'\. Known: AF, AM"):
        clip_benchmark.babel_names("XX")
    with pytest.raises(DataError, match="None of the classes has a name in DE"):
        clip_benchmark.babel_names("DE", german.without[:2])


@pytest.mark.usefixtures("installed")
def test_descriptions_by_wnid_say_which_classes_share_them() -> None:
    found = clip_benchmark.cupl_descriptions()
    assert list(found.of_class) == listed_classes("ilsvrc2012")
    assert all(len(texts) == 150 for texts in found.of_class.values())
    assert found.shared == {
        "missile": [MISSILE, PROJECTILE],
        "sunglasses": [SUNGLASS, SUNGLASSES],
    }
    assert found.of_class[MISSILE] == found.of_class[PROJECTILE]
    assert all("tench" in text.lower() for text in found.of_class[TENCH][:3])
    # a class whose twin was not asked for shares its sentences all the same
    one = clip_benchmark.cupl_descriptions([PROJECTILE, TENCH])
    assert one.shared == {"missile": [MISSILE, PROJECTILE]}
    assert "2 classes, 300 texts" in repr(one)


@pytest.mark.usefixtures("installed")
def test_80_of_cupls_150_texts_are_clips_templates() -> None:
    whole = clip_benchmark.cupl_descriptions()
    found = clip_benchmark.cupl_descriptions(templates=False)
    assert {len(texts) for texts in found.of_class.values()} == {70}
    for wnid in (TENCH, MISSILE):
        assert whole.of_class[wnid][:70] == found.of_class[wnid], "the templates come last"
    assert "a jpeg corrupted photo of a tench." in whole.of_class[TENCH]
    assert not any("jpeg corrupted" in text for text in found.of_class[TENCH])


def test_templates_are_left_out_by_the_name_of_the_class(package: Path) -> None:
    names = [f"name {number}" for number in range(1000)]
    texts = {
        name: [f"A {name} swims.", f"a photo of {name}.", f"a photo of {name} 2."] for name in names
    }
    for file, content in (
        ("en_classnames.json", names),
        ("en_zeroshot_classification_templates.json", ["a photo of {c}.", "a {c}."]),
        ("cupl_prompts.json", texts),
    ):
        (package / file).write_text(json.dumps({"imagenet1k": content}))
    found = clip_benchmark.cupl_descriptions([GOLDFISH], templates=False)
    assert found.of_class == {GOLDFISH: ["A name 1 swims.", "a photo of name 1 2."]}
    assert len(clip_benchmark.cupl_descriptions([GOLDFISH]).of_class[GOLDFISH]) == 3


def test_classes_that_it_does_not_know(package: Path) -> None:
    names = [f"name {number}" for number in range(1000)]
    (package / "en_classnames.json").write_text(json.dumps({"imagenet1k": names}))
    found = clip_benchmark.openai_names([GOLDFISH])
    assert found.names == {GOLDFISH: "name 1"}, "of the file, and nothing is imported"
    with pytest.raises(DataError, match="1 of the 2 classes are not classes of ILSVRC 2012"):
        clip_benchmark.openai_names([GOLDFISH, "n02084071"])
    with pytest.raises(DataError, match="is there twice"):
        clip_benchmark.openai_names([GOLDFISH, GOLDFISH])


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("en_classnames.json", {"imagenet1k": ["a", "b"]}),
        ("en_classnames.json", {"imagenet": ["a"] * 1000}),
        ("en_classnames.json", ["a"] * 1000),
        ("en_classnames.json", {"imagenet1k": "a" * 1000}),
        ("babel_imagenet.json", {"DE": [[0, 1], ["a"]]}),
        ("babel_imagenet.json", {"DE": [[0, 0], ["a", "b"]]}),
        ("babel_imagenet.json", {"DE": [[1000], ["a"]]}),
        ("cupl_prompts.json", {"imagenet1k": ["a"]}),
        ("cupl_prompts.json", {"imagenet1k": {"a": "text"}}),
    ],
)
def test_another_layout_is_said(package: Path, file: str, content: object) -> None:
    (package / file).write_text(json.dumps(content))
    with pytest.raises(DataError, match=rf"{file} is not laid out as in clip-benchmark 1\.6\.2"):
        clip_benchmark._content(file)
    (package / file).write_text("{")
    with pytest.raises(DataError, match=f"{file}: not valid JSON"):
        clip_benchmark._content(file)
    (package / file).unlink()
    with pytest.raises(DataError, match=f"clip_benchmark has no file datasets/{file}"):
        clip_benchmark._content(file)


def test_a_missing_package_is_answered_by_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graphzsl.common.extras.find_spec", lambda _: None)
    with pytest.raises(MissingExtra, match=r"pip install 'graphzsl\[names\]'"):
        clip_benchmark.openai_templates()


@pytest.mark.usefixtures("installed")
def test_nothing_of_it_is_imported() -> None:
    code = (
        "import sys; from graphzsl.names import clip_benchmark as c; c.cupl_descriptions();"
        " c.babel_names('DE'); c.openai_templates();"
        " print([m for m in ('torch', 'clip_benchmark', 'torchvision') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
