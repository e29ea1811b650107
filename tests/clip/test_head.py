"""Class heads against those of open_clip and CLIP_benchmark for the same model, names and
templates."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import graphzsl as gz
from graphzsl.cli import main
from graphzsl.clip import clip_head, load_clip, make_prompts
from graphzsl.clip.head import head_of
from graphzsl.clip.model import ClipModel
from graphzsl.common import DataError
from graphzsl.embeddings import read_class_head
from tests.clip.conftest import CLASSES, save_tiny, tiny_config
from tests.schemas import fits

NAMES = ["dog", "cat (animal)", "Bird", "car"]
DEFAULT_TEMPLATES = ["a photo of a {c}.", "{c}", "art of the {c}.", "{c}"]


def _theirs(model: ClipModel, names: list[str], templates: list[str]) -> np.ndarray:
    """[C, D] by open_clip's own function."""
    import open_clip

    plain = [template.replace("{c}", "{}") for template in templates]
    found = open_clip.build_zero_shot_classifier(model.model, model.tokenizer, names, plain)
    return np.asarray(found.T.numpy())


def test_a_head_is_open_clips(loaded: ClipModel) -> None:
    """One template stands there twice, and counts twice."""
    found = clip_head(CLASSES, loaded, names=NAMES, templates=DEFAULT_TEMPLATES)
    assert found.wnids == CLASSES
    assert found.values[:, :-1] == pytest.approx(
        _theirs(loaded, NAMES, DEFAULT_TEMPLATES), abs=1e-5
    )
    assert not found.values[:, -1].any()
    assert found.metadata["texts"] == 16
    fits(found.metadata, "classifiers")
    assert gz.clip_head is clip_head


def test_a_head_is_clip_benchmarks(loaded: ClipModel, clip_benchmark: Any) -> None:
    expected = clip_benchmark.zero_shot_classifier(
        loaded.model, loaded.tokenizer, NAMES, DEFAULT_TEMPLATES, "cpu", amp=False
    )
    found = clip_head(CLASSES, loaded, names=NAMES, templates=DEFAULT_TEMPLATES)
    assert found.values[:, :-1] == pytest.approx(expected.T.numpy(), abs=1e-5)


@pytest.mark.parametrize("batch", [1, 3, 5, 8, 1000])
def test_batches_change_nothing(loaded: ClipModel, batch: int) -> None:
    prompts = make_prompts(CLASSES, NAMES, DEFAULT_TEMPLATES)
    expected = _theirs(loaded, NAMES, DEFAULT_TEMPLATES)
    assert head_of(prompts, loaded, batch).values[:, :-1] == pytest.approx(expected, abs=1e-5)


def test_equal_texts_are_encoded_once_and_few_are_held(
    loaded: ClipModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []

    def counted(self: ClipModel, tokens: Any) -> Any:
        sizes.append(len(tokens))
        return real(self, tokens)

    real = ClipModel.encode_texts
    monkeypatch.setattr(ClipModel, "encode_texts", counted)
    names = [f"thing {number}" for number in range(50)]
    head_of(make_prompts(names, names, ["a {c}", "the {c}", "a {c}"]), loaded, 8)
    assert sum(sizes) == 100
    assert max(sizes) <= 8


def test_descriptions_in_place_of_templates(loaded: ClipModel, tmp_path: Path) -> None:
    """By wnid, as `graphzsl names --from cupl` writes them; classes may have unlike numbers."""
    named = zip(CLASSES, NAMES, strict=True)
    texts = {
        wnid: [f"A {name}.", f"The {name}!"][: 1 + row % 2]
        for row, (wnid, name) in enumerate(named)
    }
    (tmp_path / "cupl.json").write_text(json.dumps({"descriptions": texts}))
    found = clip_head(CLASSES, loaded, names=NAMES, templates=tmp_path / "cupl.json")
    for row, wnid in enumerate(CLASSES):
        own = _theirs(loaded, [""], [f"{text}{{c}}" for text in texts[wnid]])
        assert found.values[row, :-1] == pytest.approx(own[0], abs=1e-5)


def test_texts_that_are_cut_are_counted(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A model that reads six tokens: a begin, an end, and four between."""
    model = load_clip(f"local-dir:{save_tiny(tmp_path / 'short', tiny_config(6))}")
    names = ["one two three four", "one two three four five", "one"]
    found = clip_head(names, model, names=names, templates=["{c}"])
    assert found.metadata["cut_texts"] == 1
    assert "1 text of 3 are longer than the model reads" in capfd.readouterr().err
    assert found.values[:, :-1] == pytest.approx(_theirs(model, names, ["{c}"]), abs=1e-5)


def test_another_tokenizer(tmp_path: Path) -> None:
    """One of Hugging Face, in the folder of the model."""
    tokenizers = pytest.importorskip("tokenizers", reason="pip install 'graphzsl[text]'")
    transformers = pytest.importorskip("transformers", reason="pip install 'graphzsl[text]'")
    words = {"[PAD]": 0, "[UNK]": 1, "dog": 2, "cat": 3, "a": 4}
    own = tokenizers.Tokenizer(tokenizers.models.WordLevel(words, unk_token="[UNK]"))
    own.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    config = tiny_config(3, vocab_size=8, hf_tokenizer_name="own", pad_id=0)
    folder = tmp_path / "other"
    folder.mkdir()
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=own, pad_token="[PAD]", unk_token="[UNK]"
    )
    fast.save_pretrained(folder)
    plain = {**config, "text_cfg": dict(config["text_cfg"])}
    model = load_clip(f"local-dir:{save_tiny(folder, plain)}")
    assert type(model.tokenizer).__name__ == "HFTokenizer"
    names = ["dog", "cat", "dog dog dog dog"]
    found = clip_head(names, model, names=names, templates=["{c}", "a {c}"])
    assert found.metadata["cut_texts"] == 2
    assert found.values[:, :-1] == pytest.approx(_theirs(model, names, ["{c}", "a {c}"]), abs=1e-5)


def test_the_time_is_said_before_a_long_work(
    loaded: ClipModel, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("graphzsl.common.progress._LONG", 0)
    monkeypatch.setattr("graphzsl.common.progress._MEASURED", 0)
    names = [f"thing {number}" for number in range(9)]
    head_of(make_prompts(names, names, ["a {c}", "the {c}"]), loaded, 4)
    assert "18 texts of 9 classes: about 0 s." in capfd.readouterr().err


def test_weights_that_give_nothing_are_refused(tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    folder = save_tiny(tmp_path / "zero", tiny_config())
    weights = load_file(folder / "open_clip_model.safetensors")
    weights["text_projection"] *= float("nan")
    save_file(weights, folder / "open_clip_model.safetensors")
    with pytest.raises(DataError, match=r"no direction to 'dog' \(4 such classes\)"):
        clip_head(CLASSES, f"local-dir:{folder}", names=NAMES, device="cpu")


def test_a_head_from_the_command_line(tiny: Path, loaded: ClipModel, tmp_path: Path) -> None:
    (tmp_path / "classes.txt").write_text("\n".join(CLASSES))
    common = f"clip head --model local-dir:{tiny} --set {tmp_path}/classes.txt --device cpu".split()
    done = CliRunner().invoke(main, [*common, "--out", f"{tmp_path}/head.npz"])
    assert done.exit_code == 0, done.output
    assert "4 classes, 16 dimensions, 20 texts" in done.stderr
    found = read_class_head(tmp_path / "head.npz")
    from graphzsl.names import DEFAULT_TEMPLATES as NEUTRAL

    expected = _theirs(loaded, ["dog", "cat", "bird", "car"], list(NEUTRAL))
    assert found.values[:, :-1] == pytest.approx(expected, abs=1e-5)
    manifest = json.loads((tmp_path / "head.npz.manifest.json").read_text())
    assert manifest["prompts"]["rule"] == "first+word+parent+gloss"
    assert set(manifest["files"]) == {"head.npz"}
    again = CliRunner().invoke(main, [*common, "--out", f"{tmp_path}/head.safetensors"])
    assert again.exit_code == 0, again.output
    rows = gz.ClassMatrix.load(tmp_path / "head.safetensors", "classifiers")
    assert rows.values == pytest.approx(found.values, abs=1e-6)
