"""A CLIP model so small that a test makes it: two towers of one layer with random weights."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from PIL import Image

if TYPE_CHECKING:
    from graphzsl.clip.model import ClipModel

DOG, CAT, BIRD, CAR = "n02084071", "n02121620", "n01503061", "n02958343"
CLASSES = [DOG, CAT, BIRD, CAR]
#: Weights by which the content counts, and constants -> what they are multiplied by.
CONTENT = {
    "visual.conv1.weight": 30,
    "visual.class_embedding": 0,
    "visual.positional_embedding": 0,
    "visual.transformer.resblocks.0.attn.out_proj.weight": 30,
    "token_embedding.weight": 30,
    "positional_embedding": 0,
}


def tiny_config(context: int = 77, **text: Any) -> dict[str, Any]:
    """A configuration of open_clip; ``text`` are settings of its text tower."""
    vision = {"image_size": 32, "layers": 1, "width": 32, "head_width": 16, "patch_size": 16}
    tower = {"context_length": context, "vocab_size": 49408, "width": 32, "heads": 2, "layers": 1}
    return {"embed_dim": 16, "vision_cfg": vision, "text_cfg": tower | text}


def save_tiny(folder: Path, config: dict[str, Any], seed: int = 0) -> Path:
    """The configuration and random weights as a folder of open_clip."""
    open_clip: Any = pytest.importorskip("open_clip", reason="pip install 'graphzsl[clip]'")
    import torch
    from safetensors.torch import save_file

    folder.mkdir(parents=True, exist_ok=True)
    document = {"model_cfg": config, "preprocess_cfg": {}}
    (folder / "open_clip_config.json").write_text(json.dumps(document))
    kept = torch.random.get_rng_state()
    torch.manual_seed(seed)
    known = {**config, "text_cfg": dict(config["text_cfg"])}
    weights = open_clip.CLIP(**known).state_dict()
    torch.random.set_rng_state(kept)
    # so that images and texts differ by more than the towers' own constants
    for name, factor in CONTENT.items():
        weights[name] *= factor
    save_file(weights, folder / "open_clip_model.safetensors")
    return folder


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a model."""
    return save_tiny(tmp_path_factory.mktemp("clip") / "tiny", tiny_config())


@pytest.fixture(scope="session")
def loaded(tiny: Path) -> ClipModel:
    """That model."""
    from graphzsl.clip import load_clip

    return load_clip(f"local-dir:{tiny}")


@pytest.fixture(scope="session")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Eight images of noise of each of three classes; there is none of the car."""
    folder, random = tmp_path_factory.mktemp("photos") / "val", np.random.default_rng(0)
    for wnid in (DOG, CAT, BIRD):
        (folder / wnid).mkdir(parents=True)
        for number in range(8):
            pixels = random.integers(0, 255, (3, 3, 3)).astype(np.uint8)
            Image.fromarray(pixels).resize((40, 48), 0).save(folder / wnid / f"{number}.png")
    return folder


@pytest.fixture
def clip_benchmark(monkeypatch: pytest.MonkeyPatch) -> Any:
    """CLIP_benchmark's own code for zero-shot classification.

    Its ``accuracy`` calls float() of arrays of one element, which numpy refuses from 2.4 on: the
    module gets a float() that takes them.
    """
    module: Any = pytest.importorskip(
        "clip_benchmark.metrics.zeroshot_classification", reason="clip-benchmark is not installed"
    )
    monkeypatch.setattr(module, "float", lambda value: np.asarray(value).item(), raising=False)
    return module
