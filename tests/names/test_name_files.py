"""Files of names and templates, read back by the code of the tools that they are for."""

from __future__ import annotations

import json
import pkgutil
import string
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

from graphzsl.common import DataError
from graphzsl.common.files import installed_file
from graphzsl.hierarchy import Lexicon
from graphzsl.names import (
    DEFAULT_TEMPLATES,
    NAME_FORMATS,
    PROMPT_SLOT,
    check_names,
    class_names,
    names_text,
    templates_text,
)
from graphzsl.names.name_lists import read_name_list

#: Names with all that a file could stumble over.
NAMES = {
    "n02012849": "crane (wading bird)",
    "n02084071": 'dog "Fido", {c}',
    "n02121620": "chat à poils, 'l'un'",
    "n03126707": '"quoted"',
}


def needs(module: str) -> None:
    if find_spec(module) is None:
        pytest.skip(f"{module} is not installed")


@pytest.mark.parametrize("name", NAME_FORMATS)
def test_names_check_reads_what_names_writes(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"names{NAME_FORMATS[name][0]}"
    path.write_text(names_text(NAMES, name), encoding="utf-8")
    found = read_name_list(path)
    if name == "timm":
        # the quotation marks of CSV are the one thing that is not kept
        assert [each.wnid for each in found.entries] == list(NAMES)
    else:
        assert [each.name for each in found.entries] == list(NAMES.values())
    has_wnids = name in ("timm", "json")
    assert [each.wnid for each in found.entries] == (list(NAMES) if has_wnids else [None] * 4)


@pytest.mark.parametrize("name", NAME_FORMATS)
def test_own_names_are_sound_in_every_format(name: str, tmp_path: Path) -> None:
    wnids = ["n02012849", "n03126707", "n02084071"]
    lexicon = Lexicon.load()
    named = class_names(wnids, lexicon=lexicon)
    path = tmp_path / f"names{NAME_FORMATS[name][0]}"
    path.write_text(names_text(named.of_class, name), encoding="utf-8")
    assert check_names(path, wnids, lexicon=lexicon).findings == []


def test_names_and_templates_that_no_file_can_hold() -> None:
    for wrong in ("a\tb", "a\nb", "", "  ", "a\u2029b", "\x85"):
        with pytest.raises(DataError, match="n02084071"):
            names_text({"n02084071": wrong}, "timm")
    for template in ("a photo.", "a {} photo of {c}", "{c} {c}", "a photo of a {d}", "x\n{c}"):
        with pytest.raises(DataError, match="template"):
            names_text(NAMES, "json", [template])
    with pytest.raises(DataError, match=r"no format 'clip'\. Known: clip_benchmark, open_clip"):
        names_text(NAMES, "clip")
    for name in ("timm", "open_clip", "json"):
        with pytest.raises(DataError, match="no file of templates of its own"):
            templates_text(DEFAULT_TEMPLATES, name)


def test_own_templates_are_sound() -> None:
    assert len(set(DEFAULT_TEMPLATES)) == len(DEFAULT_TEMPLATES) == 5
    for template in DEFAULT_TEMPLATES:
        fields = [field for _, field, *_ in string.Formatter().parse(template) if field]
        assert (fields, PROMPT_SLOT) == (["c"], "{c}")


def test_clip_benchmark_reads_them(tmp_path: Path) -> None:
    """Its own ``build_dataset``, on the data set of two empty images that it has for tests."""
    needs("clip_benchmark")
    needs("torchvision")
    from clip_benchmark.datasets.builder import build_dataset  # type: ignore[import-not-found]

    names, templates = tmp_path / "names.json", tmp_path / "templates.json"
    names.write_text(names_text(NAMES, "clip_benchmark", data_set="dummy"), encoding="utf-8")
    templates.write_text(templates_text(DEFAULT_TEMPLATES, "clip_benchmark", data_set="imagenet1k"))
    found = build_dataset(
        "dummy",
        task="zeroshot_classification",
        custom_classname_file=str(names),
        custom_template_file=str(templates),
    )
    assert found.classes == list(NAMES.values())
    assert found.templates == list(DEFAULT_TEMPLATES)


def test_clip_benchmark_reads_the_files_of_a_webdataset(tmp_path: Path) -> None:
    needs("clip_benchmark")
    needs("webdataset")
    from clip_benchmark.datasets.builder import build_wds_dataset

    (tmp_path / "test").mkdir()
    (tmp_path / "test" / "nshards.txt").write_text("1")
    (tmp_path / "classnames.txt").write_text(names_text(NAMES, "webdataset"), encoding="utf-8")
    (tmp_path / "zeroshot_classification_templates.txt").write_text(
        templates_text(DEFAULT_TEMPLATES, "webdataset")
    )
    found = build_wds_dataset("own", transform=None, split="test", data_dir=str(tmp_path))
    assert (found.classes, found.templates) == (list(NAMES.values()), list(DEFAULT_TEMPLATES))


def test_open_clip_takes_them(tmp_path: Path) -> None:
    """Its ``build_zero_shot_classifier`` with a model that numbers the prompts."""
    needs("open_clip")
    torch = pytest.importorskip("torch")
    path = installed_file("open_clip:zero_shot_classifier.py")
    spec = spec_from_file_location("zero_shot_classifier", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    given = json.loads(names_text(NAMES, "open_clip"))
    asked: list[str] = []

    def tokenizer(texts: list[str]) -> Any:
        asked.extend(texts)
        return torch.ones(len(texts), 3)

    class Model:
        """Gives texts back: open_clip 3.3 calls ``encode_text``, later versions the model."""

        def encode_text(self, text: Any, normalize: bool = False) -> Any:
            return text

        def __call__(self, text: Any) -> dict[str, Any]:
            return {"text_features": text}

    matrix = module.build_zero_shot_classifier(Model(), tokenizer, num_classes_per_batch=2, **given)
    assert tuple(matrix.shape) == (3, len(NAMES))
    assert asked == [
        each.replace("{c}", name) for name in NAMES.values() for each in DEFAULT_TEMPLATES
    ]


def test_timm_reads_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """``ImageNetInfo`` with our file in the place of its own."""
    needs("timm")
    from timm.data import imagenet_info

    text = names_text(NAMES, "timm")
    whole = pkgutil.get_data

    def data(package: str, resource: str) -> bytes | None:
        if resource.endswith("imagenet_synset_to_lemma.txt"):
            return text.encode()
        if resource.endswith("imagenet_synsets.txt"):
            return "\n".join(NAMES).encode()
        return whole(package, resource)

    monkeypatch.setattr(imagenet_info.pkgutil, "get_data", data)
    info = imagenet_info.ImageNetInfo("imagenet-1k")
    assert [info.index_to_description(at) for at in range(4)] == list(NAMES.values())
    assert info.label_names() == list(NAMES)


def test_the_first_column_is_timms_class_map(tmp_path: Path) -> None:
    needs("timm")
    from timm.data.readers.class_map import load_class_map

    lines = names_text(NAMES, "timm").splitlines()
    (tmp_path / "map.txt").write_text("\n".join(line.split("\t")[0] for line in lines))
    assert load_class_map(str(tmp_path / "map.txt")) == {w: at for at, w in enumerate(NAMES)}
