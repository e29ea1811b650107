"""Features of images through any timm model; and fine-tuning a backbone to predicted
classifiers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from graphzsl.common.compute import Compute
from graphzsl.common.errors import DataError, ModelError
from graphzsl.common.files import atomic_write, checked_suffix
from graphzsl.common.memory import lacks_memory
from graphzsl.common.progress import progress_bar
from graphzsl.common.reading.safetensors_files import tensors_of_safetensors
from graphzsl.common.reading.torch_files import read_torch
from graphzsl.common.wording import did_you_mean, near
from graphzsl.data.class_matrix import ClassMatrix
from graphzsl.data.samples import Samples
from graphzsl.embeddings.features.hub import hub_or_cache
from graphzsl.embeddings.features.image_batches import Drawn, image_batches
from graphzsl.embeddings.features.image_readers import check_source, open_images
from graphzsl.embeddings.features.image_source import ImageSource
from graphzsl.embeddings.features.processes import Processes


def backbone(name: str, checkpoint: Path | None = None, pretrained: bool = True) -> nn.Module:
    """A timm model; its weights from ``checkpoint`` (.safetensors, or a .pt of tensors alone), else
    from where timm finds them: Hugging Face's hub, or its cache where there is no network.
    DataError says what is missing."""
    import timm

    fetches = pretrained and checkpoint is None
    try:
        with hub_or_cache() if fetches else nullcontext(True) as has_hub:
            model: nn.Module = timm.create_model(name, pretrained=fetches)
    except (RuntimeError, OSError, ValueError) as error:
        if lacks_memory(error):
            raise
        said = (str(error).splitlines() or [type(error).__name__])[0].removesuffix(".")
        # what stands behind a point is the tag of pretrained weights
        if ":" not in name and not timm.is_model(name.rpartition("/")[2].partition(".")[0]):
            offer = did_you_mean([repr(each) for each in near(name, timm.list_models())])
            raise DataError(f"timm has no model {name!r}.{offer}", argument="model") from None
        if not fetches:
            raise DataError(f"timm cannot give {name!r}: {said}.", argument="model") from None
        if isinstance(error, OSError) and not has_hub:
            raise DataError(
                f"The weights of {name} are not in the cache of Hugging Face, and its hub does not"
                " answer. Where there is a network, download model.safetensors of"
                f" {_repository(timm, name)} and give that file as the checkpoint; or copy the"
                " cache of a machine that has them, and name its folder in HF_HOME.",
                argument="checkpoint",
            ) from None
        raise DataError(
            f"timm cannot give {name!r}: {said}. Give its weights in a checkpoint.",
            argument="checkpoint",
        ) from None
    if checkpoint:
        try:
            model.load_state_dict(_tensors(checkpoint, f"the weights of {name}"))
        except (RuntimeError, OSError, ValueError, TypeError, AttributeError) as error:
            if lacks_memory(error):
                raise
            said = " ".join(line.strip() for line in str(error).splitlines()[:2])[:300]
            raise DataError(f"{checkpoint}: not the weights of {name} ({said}).") from None
    return model


def _repository(timm: Any, name: str) -> str:
    """Repository of a model's weights on the hub."""
    if ":" in name:
        return name.rpartition(":")[2]
    return str(timm.get_pretrained_cfg(name).hf_hub_id or name)


def _tensors(path: Path, expected: str) -> dict[str, Tensor]:
    if path.suffix == ".safetensors":
        return tensors_of_safetensors(path, expected)
    weights: dict[str, Tensor] = read_torch(path, expected)
    return weights


def preprocessing(model: nn.Module, training: bool = False) -> Callable[[Any], Tensor]:
    """Preprocessing of images as in the model's training: that of its test, or with random crops if
    ``training``."""
    from timm.data import create_transform, resolve_data_config

    config = resolve_data_config({}, model=model)
    keep = {key: config[key] for key in ("input_size", "interpolation", "mean", "std", "crop_pct")}
    transform: Callable[[Any], Tensor] = create_transform(**keep, is_training=training)
    return transform


def image_features(
    source: Path | str | ImageSource,
    name: str,
    checkpoint: Path | None = None,
    *,
    pretrained: bool = True,
    classes: Sequence[str] | None = None,
    batch: int = 64,
    workers: int = 0,
    where: Compute | None = None,
    **keys: str | None,
) -> Samples:
    """[N, D] pooled features before the classifier (``forward_head(pre_logits=True)``) of a timm
    model; test-time preprocessing.

    Args:
        source: the images, or what ``open_images`` takes.
        name: the timm model.
        checkpoint: its weights (see ``backbone``); without it timm looks for pretrained ones.
        pretrained: False: random weights, and the features are called simulated.
        classes: take these alone (default: all); of folders and tars.
        batch: images at once.
        workers: processes that read and decode images.
        where: device and precision.
        keys: ``split``, ``image_key`` and ``label_key`` of ``open_images``.

    Returns:
        The features, labelled as the source calls its classes; the whole of them is in memory.

    Raises:
        DataError: an image is damaged (it is named), or what ``open_images`` and ``backbone`` say.
    """
    if not isinstance(source, ImageSource):
        check_source(str(source), **keys)
    where = where or Compute()
    # before the images are listed, which can take long
    model: Any = backbone(name, checkpoint, pretrained).eval().to(where.torch_device)
    images = source if isinstance(source, ImageSource) else open_images(source, **keys)
    images = images if classes is None else images.of_classes(classes)
    blocks, labels = [], []
    for block, found, _ in progress_bar(
        feature_batches(images, model, batch, workers, where),
        "image features",
        total=-(-len(images) // batch) or None,
    ):
        labels += found
        blocks.append(block)
    if not blocks:
        raise DataError(f"{images.place} holds no image.")
    weights = checkpoint.name if checkpoint else ("timm's pretrained" if pretrained else "random")
    metadata = {
        "features": f"{name} on {Path(images.place).name}",
        "weights": weights,
        "simulated": not (pretrained or checkpoint),
    }
    return Samples(np.concatenate(blocks), labels, metadata)


@torch.no_grad()
def feature_batches(
    images: ImageSource, model: Any, batch: int, workers: int, where: Compute
) -> Iterator[tuple[npt.NDArray[np.float32], list[str], list[str]]]:
    """(features [B, D], classes, names) of images in batches, through a network that is on its
    device; DataError names damaged ones."""
    for inputs, labels, names in image_batches(images, preprocessing(model), batch, workers):
        with where.autocast():
            features = model.forward_head(
                model.forward_features(inputs.to(where.torch_device)), pre_logits=True
            )
        yield features.float().cpu().numpy(), labels, names


def fine_tune(
    source: Path | str | ImageSource,
    model: nn.Module,
    classifiers: ClassMatrix,
    out: Path,
    *,
    epochs: int = 1,
    lr: float = 1e-4,
    batch: int = 64,
    workers: int = 0,
    seed: int = 0,
    where: Compute | None = None,
) -> list[float]:
    """Fit the trunk to fixed classifiers [C, D+1] of the training classes (Kampffmeyer et al.
    2019): cross-entropy, SGD, random crops.

    Only the trunk learns: the classifier is what a graph model predicted, so that features come to
    fit it. ``batch`` is of all processes together, where a launcher has started several
    (``features.processes``): the gradient is that of one process, but for the order of sums in
    float32, and for batch normalisation, whose statistics are of each process's part. An image's
    crop depends on ``seed``, epoch and image alone.

    Writes the model's weights to ``out`` and returns the mean loss of every epoch. Raises
    DataError as ``open_images`` does, for a damaged image and for images that cannot be drawn in
    any order (a webdataset), ModelError when dimensions do not fit or the loss is not finite.
    """
    checked_suffix(out, (".pt",))
    images = source if isinstance(source, ImageSource) else open_images(source)
    if images.streamed or not images.classes:
        raise DataError(
            f"{images.place} cannot be learned from: its images come in one order, or its classes"
            " have no names. Take a folder or tars."
        )
    processes = Processes(where or Compute())
    where = processes.compute
    trunk: Any = model.to(where.torch_device)
    names = sorted(images.classes)
    columns = {name: column for column, name in enumerate(names)}
    rows = where.tensor(classifiers.rows(names))
    weight, bias = rows[:, :-1], rows[:, -1]
    width = int(getattr(trunk, "num_features", 0))
    if weight.shape[1] != width:
        raise ModelError(
            f"The classifiers have {weight.shape[1]} weights; the model's features have {width}"
            " dimensions."
        )
    torch.manual_seed(seed)
    processes.same(trunk.state_dict().values())
    generator = torch.Generator().manual_seed(seed)
    transform = preprocessing(model, training=True)
    fixed = {id(parameter) for parameter in trunk.get_classifier().parameters()}
    learned = [parameter for parameter in trunk.parameters() if id(parameter) not in fixed]
    optimizer = torch.optim.SGD(learned, lr, momentum=0.9)
    losses = []
    trunk.train()
    for epoch in progress_bar(range(epochs), "fine-tuning", total=epochs):
        total = torch.zeros((), dtype=torch.float64)
        batches = _drawn(len(images), batch, generator)
        own = [processes.own(batch_rows) for batch_rows in batches]
        drawn = Drawn([each for each in own if each], (seed, epoch))
        found = image_batches(images, transform, batch, workers, drawn)
        for whole, part in zip(batches, own, strict=True):
            optimizer.zero_grad()
            loss = torch.zeros((), device=where.torch_device)
            if part:
                inputs, labels, _ = next(found)
                target = torch.tensor([columns[name] for name in labels])
                with where.autocast():
                    features = trunk.forward_head(
                        trunk.forward_features(inputs.to(where.torch_device)), pre_logits=True
                    )
                logits = functional.linear(features.float(), weight, bias)
                loss = functional.cross_entropy(
                    logits, target.to(where.torch_device), reduction="sum"
                )
                (loss / len(whole)).backward()  # type: ignore[no-untyped-call]
            summed = processes.add(loss.detach())
            if not torch.isfinite(summed):
                raise ModelError("The loss is not finite. Lower the learning rate.", argument="lr")
            processes.add_gradients(learned)
            optimizer.step()
            total += summed.double().cpu()
        # it says which images are damaged when it ends
        next(found, None)
        losses.append(float(total) / len(images))
    if processes.is_main:
        with atomic_write(out) as partial, partial.open("wb") as file:
            # for machines without this device too
            torch.save({name: each.cpu() for name, each in trunk.state_dict().items()}, file)
    processes.end()
    return losses


def _drawn(images: int, batch: int, generator: torch.Generator) -> list[list[int]]:
    """All images in batches, in a random order."""
    order = torch.randperm(images, generator=generator).tolist()
    return [order[start : start + batch] for start in range(0, images, batch)]
