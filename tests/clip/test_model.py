"""Weights of CLIP models: read without running anything, refused where they are not the model's,
and what is said where they cannot be reached."""

from __future__ import annotations

import hashlib
import json
import pickle
import shutil
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from graphzsl.clip import load_clip
from graphzsl.common import DataError
from graphzsl.embeddings.features import hub
from tests.clip.conftest import save_tiny, tiny_config

open_clip: Any = pytest.importorskip("open_clip", reason="pip install 'graphzsl[clip]'")


@pytest.fixture
def known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The name of a model that open_clip knows by its configuration."""
    from open_clip import factory

    monkeypatch.setattr(factory, "_MODEL_CONFIG_PATHS", list(factory._MODEL_CONFIG_PATHS))
    monkeypatch.setattr(factory, "_MODEL_CONFIGS", dict(factory._MODEL_CONFIGS))
    (tmp_path / "tiny-clip.json").write_text(json.dumps(tiny_config()))
    open_clip.add_model_config(tmp_path / "tiny-clip.json")
    return "tiny-clip"


def test_weights_of_a_file(known: str, tiny: Path, tmp_path: Path) -> None:
    import torch
    from safetensors.torch import load_file

    file = tiny / "open_clip_model.safetensors"
    torch.save({"state_dict": load_file(file)}, tmp_path / "weights.pt")
    tokens, _ = load_clip(f"local-dir:{tiny}").tokens(["a dog"])
    expected = load_clip(f"local-dir:{tiny}").encode_texts(tokens)
    for weights in (file, tmp_path / "weights.pt"):
        model = load_clip(known, weights)
        assert model.encode_texts(tokens) == pytest.approx(expected, abs=1e-6)
        assert model.metadata["pretrained"] == weights.name
        assert len(model.metadata["weights_sha256"]) == 64
    assert not any(each.requires_grad for each in model.model.parameters())
    assert not model.model.training


def test_code_in_weights_is_not_run(known: str, tmp_path: Path) -> None:
    class Harm:
        def __reduce__(self) -> tuple[object, tuple[Path]]:
            return Path.touch, (tmp_path / "harm",)

    (tmp_path / "weights.pt").write_bytes(pickle.dumps({"state_dict": Harm()}))
    with pytest.raises(DataError, match=r"not the weights of tiny-clip.*Nothing in it was run"):
        load_clip(known, tmp_path / "weights.pt")
    folder = save_tiny(tmp_path / "model", tiny_config())
    (folder / "open_clip_model.safetensors").unlink()
    (folder / "open_clip_pytorch_model.bin").write_bytes(pickle.dumps({"a": Harm()}))
    with pytest.raises(DataError, match="no model of open_clip with its weights"):
        load_clip(f"local-dir:{folder}")
    assert not (tmp_path / "harm").exists()


def test_what_are_no_weights(known: str, tiny: Path, tmp_path: Path) -> None:
    import torch

    whole = (tiny / "open_clip_model.safetensors").read_bytes()
    (tmp_path / "cut.safetensors").write_bytes(whole[:-100])
    torch.save({"other": torch.zeros(2)}, tmp_path / "other.pt")
    (tmp_path / "empty.pt").write_bytes(b"")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # of torch, whose archives these are
        torch.jit.save(torch.jit.script(torch.nn.Linear(2, 2)), tmp_path / "script.pt")
    (tmp_path / "text.safetensors").write_text("<html>")
    for name, said in (
        ("cut.safetensors", r"cut\.safetensors: not a safetensors file"),
        ("text.safetensors", r"text\.safetensors: not a safetensors file"),
        ("other.pt", r"other\.pt: not the weights of tiny-clip"),
        ("script.pt", r"script\.pt: not the weights of tiny-clip"),
        ("empty.pt", r"empty\.pt is empty: no weights"),
    ):
        with pytest.raises(DataError, match=said):
            load_clip(known, tmp_path / name)
    (tmp_path / "weights.h5").write_bytes(b"")
    with pytest.raises(DataError, match=r"must end in \.safetensors or \.pt"):
        load_clip(known, tmp_path / "weights.h5")
    wide = save_tiny(tmp_path / "wide", tiny_config() | {"embed_dim": 24})
    with pytest.raises(DataError, match="size mismatch"):
        load_clip(known, wide / "open_clip_model.safetensors")


def test_models_and_tags_that_are_not_there(known: str, tmp_path: Path, tiny: Path) -> None:
    for name, weights, said in (
        ("ViT-B-33", None, "no model 'ViT-B-33'. Did you mean ViT-B-32"),
        ("ViT-B-32", None, "needs weights: a file, or one of open_clip's tags"),
        (known, None, "of which it has none"),
        ("ViT-B-32", "laion3b", "neither a file nor one of open_clip's tags for ViT-B-32"),
        (f"local-dir:{tiny}", "openai", "brings its own weights"),
        (f"local-dir:{tmp_path}/none", None, "none holds no open_clip_config.json: no model"),
        (f"local-dir:{tmp_path}", None, "holds no open_clip_config.json: no model of open_clip"),
    ):
        with pytest.raises(DataError) as error:
            load_clip(name, weights)
        assert said in str(error.value)
    bare = save_tiny(tmp_path / "bare", tiny_config())
    (bare / "open_clip_model.safetensors").unlink()
    with pytest.raises(DataError, match="holds no weights"):  # never random ones in silence
        load_clip(f"local-dir:{bare}")


def test_weights_out_of_reach(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing is tried again and again where there is no network."""
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(hub, "PAUSE", 0.0)
    monkeypatch.setattr(time, "sleep", lambda seconds: seconds and pytest.fail("it waits"))
    with pytest.raises(DataError) as error:
        load_clip("ViT-B-32", "laion2b_s34b_b79k")
    said = str(error.value)
    assert "The weights laion2b_s34b_b79k cannot be reached" in said
    assert "open_clip_model.safetensors of laion/CLIP-ViT-B-32-laion2B-s34B-b79K" in said
    assert error.value.argument == "pretrained"
    with pytest.raises(DataError, match=r"The weights of hf-hub:some/one cannot be reached"):
        load_clip("hf-hub:some/one")
    config = tiny_config(hf_tokenizer_name="some/one")
    folder = save_tiny(tmp_path / "tiny", tiny_config())
    (folder / "open_clip_config.json").write_text(
        json.dumps({"model_cfg": config, "preprocess_cfg": {}})
    )
    with pytest.raises(DataError, match=r"The tokenizer of local-dir:.* cannot be had"):
        load_clip(f"local-dir:{folder}")


def test_weights_from_the_cache_have_a_checksum(
    known: str, tiny: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Fetched by a tag or from a repository: here from a cache laid out as huggingface_hub does."""
    from huggingface_hub import constants
    from open_clip import pretrained

    commit = "0" * 40
    place = tmp_path / "hub" / "models--some--tiny"
    (place / "refs").mkdir(parents=True)
    (place / "refs" / "main").write_text(commit)
    shutil.copytree(tiny, place / "snapshots" / commit)
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    tags = {known: {"mine": {"hf_hub": "some/tiny/"}}}
    monkeypatch.setattr(pretrained, "_PRETRAINED", pretrained._PRETRAINED | tags)
    expected = hashlib.sha256((tiny / "open_clip_model.safetensors").read_bytes()).hexdigest()
    for name, tag in ((known, "mine"), ("hf-hub:some/tiny", None)):
        found = load_clip(name, tag).metadata
        assert (found["model"], found["pretrained"]) == (name, tag)
        assert (found["weights"], found["weights_sha256"]) == (
            "open_clip_model.safetensors",
            expected,
        )
