"""Batches of preprocessed images, read by several processes where that is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import torch
from torch import Tensor
from torch.utils.data import DataLoader, Dataset

from graphzsl.errors import DataError
from graphzsl.features.image_source import ImageSource

#: Inputs [B, …], the class and the name of each.
Batch = tuple[Tensor, list[str], list[str]]


def image_batches(
    images: ImageSource,
    transform: Callable[[Any], Tensor],
    batch: int = 64,
    workers: int = 0,
    shuffle: torch.Generator | None = None,
) -> Iterator[Batch]:
    """Images in batches, in their order; one batch per worker is in memory.

    Args:
        images: where they come from.
        transform: RGB image -> tensor.
        batch: images at once.
        workers: processes that read and decode images; a webdataset is read by this one.
        shuffle: draws another order.

    Raises:
        DataError: names the image that is damaged.
    """
    if images.streamed:
        yield from _streamed(images, transform, batch)
        return
    loader = DataLoader(
        _Transformed(images, transform),
        batch,
        shuffle=shuffle is not None,
        num_workers=workers,
        generator=shuffle,
        collate_fn=_batch,
    )
    for found in loader:
        # raised here: a worker's error would come with the worker's traceback in it
        if isinstance(found, str):
            raise DataError(found)
        yield found


class _Transformed(Dataset[tuple[Tensor, str, str] | str]):
    """Preprocessed images; the message of the error in place of a damaged one."""

    def __init__(self, images: ImageSource, transform: Callable[[Any], Tensor]):
        self.images, self.transform = images, transform

    def __len__(self) -> int:
        return len(self.images)

    def __getitem__(self, row: int) -> tuple[Tensor, str, str] | str:
        try:
            image, label, name = self.images.read(row)
        except DataError as error:
            return str(error)
        return self.transform(image), label, name


def _batch(items: list[tuple[Tensor, str, str] | str]) -> Batch | str:
    for item in items:
        if isinstance(item, str):
            return item
    inputs, labels, names = zip(*items, strict=True)
    return torch.stack(list(inputs)), list(labels), list(names)


def _streamed(
    images: ImageSource, transform: Callable[[Any], Tensor], batch: int
) -> Iterator[Batch]:
    stream = images.stream()
    while taken := list(islice(stream, batch)):
        yield (
            torch.stack([transform(image) for image, _, _ in taken]),
            [label for _, label, _ in taken],
            [name for _, _, name in taken],
        )
