"""Features of images in folders, one folder per class, through any timm model; and fine-tuning a
backbone to predicted classifiers."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.utils.data import DataLoader, Dataset

from graphzsl.compute import Compute
from graphzsl.data.class_matrix import ClassMatrix
from graphzsl.data.samples import Samples
from graphzsl.errors import DataError, ModelError
from graphzsl.files import atomic_write, checked_suffix
from graphzsl.progress import progress
from graphzsl.sources.populations import IMAGE_SUFFIXES


@dataclass(frozen=True)
class ImageFolder(Dataset[tuple[Tensor, int]]):
    """The images below ``folder``/<class>/, sorted; classes are the names of the folders."""

    paths: list[Path]
    labels: list[str]
    transform: Callable[[Any], Tensor]
    columns: dict[str, int]

    def __len__(self) -> int:
        return len(self.paths)

    def __getitem__(self, row: int) -> tuple[Tensor, int]:
        from PIL import Image, UnidentifiedImageError

        path = self.paths[row]
        try:
            with Image.open(path) as image:
                return self.transform(image.convert("RGB")), self.columns[self.labels[row]]
        except (UnidentifiedImageError, OSError) as error:
            raise DataError(f"{path}: not an image ({error}).") from None


def backbone(name: str, checkpoint: Path | None = None, pretrained: bool = True) -> nn.Module:
    """A timm model; its weights from ``checkpoint`` (tensors alone), else from where timm finds
    them. DataError says what is missing."""
    import pickle

    import timm

    try:
        model: nn.Module = timm.create_model(name, pretrained=pretrained and checkpoint is None)
    except (RuntimeError, OSError, ValueError) as error:
        raise DataError(
            f"timm cannot give {name!r}: {str(error).splitlines()[0]} Give its weights in a"
            " checkpoint.",
            argument="checkpoint",
        ) from None
    if checkpoint:
        try:
            model.load_state_dict(torch.load(checkpoint, map_location="cpu", weights_only=True))
        except (RuntimeError, OSError, ValueError, EOFError, pickle.UnpicklingError) as error:
            raise DataError(
                f"{checkpoint}: not the weights of {name} ({str(error).splitlines()[0]})."
            ) from None
    return model


def image_folder(
    folder: Path, model: nn.Module, classes: Sequence[str] | None = None, training: bool = False
) -> ImageFolder:
    """The images of some classes (default: every sub-folder), with the preprocessing that the model
    was trained with."""
    from timm.data import create_transform, resolve_data_config

    if not folder.is_dir():
        raise DataError(f"{folder} is not a folder; expected one folder of images per class.")
    names = (
        list(classes)
        if classes is not None
        else sorted(child.name for child in folder.iterdir() if child.is_dir())
    )
    paths, labels = [], []
    for name in names:
        files = sorted(
            path for path in (folder / name).glob("*") if path.suffix.lower() in IMAGE_SUFFIXES
        )
        if not files:
            raise DataError(
                f"{folder / name} holds no image ({', '.join(sorted(IMAGE_SUFFIXES))})."
            )
        paths += files
        labels += [name] * len(files)
    if not paths:
        raise DataError(f"{folder} has no folder of images; expected one per class.")
    config = resolve_data_config({}, model=model)
    keep = {key: config[key] for key in ("input_size", "interpolation", "mean", "std", "crop_pct")}
    transform = create_transform(**keep, is_training=training)
    return ImageFolder(
        paths, labels, transform, {name: column for column, name in enumerate(names)}
    )


@torch.no_grad()
def image_features(
    folder: Path,
    name: str,
    checkpoint: Path | None = None,
    *,
    pretrained: bool = True,
    classes: Sequence[str] | None = None,
    batch: int = 64,
    workers: int = 0,
    where: Compute | None = None,
) -> Samples:
    """[N, D] pooled features before the classifier (``forward_head(pre_logits=True)``) of a timm
    model; test-time preprocessing."""
    where = where or Compute()
    model: Any = backbone(name, checkpoint, pretrained).eval().to(where.torch_device)
    images = image_folder(folder, model, classes)
    blocks = []
    for inputs, _ in progress(
        DataLoader(images, batch, num_workers=workers),
        "image features",
        total=-(-len(images) // batch),
    ):
        with where.autocast():
            blocks.append(
                model.forward_head(
                    model.forward_features(inputs.to(where.torch_device)), pre_logits=True
                )
                .float()
                .cpu()
            )
    weights = checkpoint.name if checkpoint else ("timm's pretrained" if pretrained else "random")
    metadata = {
        "features": f"{name} on {folder.name}",
        "weights": weights,
        "simulated": not (pretrained or checkpoint),
    }
    return Samples(torch.cat(blocks).numpy(), images.labels, metadata)


def fine_tune(
    folder: Path,
    model: nn.Module,
    classifiers: ClassMatrix,
    out: Path,
    *,
    epochs: int = 1,
    lr: float = 1e-4,
    momentum: float = 0.9,
    batch: int = 64,
    workers: int = 0,
    seed: int = 0,
    where: Compute | None = None,
) -> list[float]:
    """Fit the trunk to fixed classifiers [C, D+1] of the training classes (Kampffmeyer et al.
    2019): cross-entropy, SGD, random crops.

    Only the trunk learns: the classifier is what a graph model predicted, so that features come to
    fit it. Writes the model's weights to ``out`` and returns the mean loss of every epoch. Raises
    ModelError when dimensions do not fit or the loss is not finite.
    """
    checked_suffix(out, (".pt",))
    where = where or Compute()
    trunk: Any = model.to(where.torch_device)
    images = image_folder(folder, model, None, training=True)
    names = sorted(images.columns)
    rows = where.tensor(classifiers.rows(names))
    weight, bias = rows[:, :-1], rows[:, -1]
    width = int(getattr(trunk, "num_features", 0))
    if weight.shape[1] != width:
        raise ModelError(
            f"The classifiers have {weight.shape[1]} weights; the model's features have {width}"
            " dimensions."
        )
    torch.manual_seed(seed)
    random.seed(seed)  # timm's crops and flips draw from it
    loader = DataLoader(
        images,
        batch,
        shuffle=True,
        num_workers=workers,
        generator=torch.Generator().manual_seed(seed),
    )
    fixed = {id(parameter) for parameter in trunk.get_classifier().parameters()}
    learned = [parameter for parameter in trunk.parameters() if id(parameter) not in fixed]
    optimizer = torch.optim.SGD(learned, lr, momentum)
    losses = []
    trunk.train()
    for _ in progress(range(epochs), "fine-tuning", total=epochs):
        total = 0.0
        for inputs, labels in loader:
            optimizer.zero_grad()
            with where.autocast():
                features = trunk.forward_head(
                    trunk.forward_features(inputs.to(where.torch_device)), pre_logits=True
                )
            loss = functional.cross_entropy(
                functional.linear(features.float(), weight, bias), labels.to(where.torch_device)
            )
            if not torch.isfinite(loss):
                raise ModelError("The loss is not finite. Lower the learning rate.", argument="lr")
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            total += float(loss.detach()) * len(labels)
        losses.append(total / len(images))
    with atomic_write(out) as partial:
        torch.save(trunk.state_dict(), partial)
    return losses
