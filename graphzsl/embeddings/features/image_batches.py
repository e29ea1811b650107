"""Batches of preprocessed images, read by several processes where that is asked for."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.utils.data import DataLoader, Dataset

from graphzsl.common.errors import DataError
from graphzsl.common.progress import log
from graphzsl.common.wording import counted
from graphzsl.embeddings.features.image_source import ImageSource, Read

#: Inputs [B, …], the class and the name of each.
Batch = tuple[Tensor, list[str], list[str]]
#: How many damaged images are named at once.
MOST = 20
#: Images above which it is said that the others are read for more damaged ones.
_MANY = 1000


@dataclass(frozen=True)
class Drawn:
    """Batches in an order of their own.

    Args:
        rows: the images of each batch.
        seed: with the number of an image, that of what ``transform`` draws for it (its crop).
    """

    rows: list[list[int]]
    seed: tuple[int, ...]


def image_batches(
    images: ImageSource,
    transform: Callable[[Any], Tensor],
    batch: int = 64,
    workers: int = 0,
    drawn: Drawn | None = None,
) -> Iterator[Batch]:
    """Images in batches, in their order; one batch per worker is in memory.

    Args:
        images: where they come from.
        transform: RGB image -> tensor.
        batch: images at once.
        workers: processes that read and decode images; a webdataset is read by this one.
        drawn: other batches, not of a webdataset.

    Raises:
        DataError: names the images that are damaged. After the first of them the others are read
            for more, up to ``MOST``, so that one run shows all that there is to mend.
    """
    batches = (
        _streamed(images, transform, batch)
        if images.streamed
        else _loaded(images, transform, batch, workers, drawn)
    )
    damaged: list[str] = []
    try:
        for found in batches:
            if isinstance(found, list):
                if not damaged and (images.streamed or len(images) > _MANY):
                    log(f"{found[0]} Reading the other images for more such; Ctrl-C ends it.")
                damaged += found
                if len(damaged) >= MOST:
                    break
            elif not damaged:
                yield found
    except DataError as error:  # a shard is cut off, behind damaged images
        if not damaged:
            raise
        damaged.append(str(error))
    if damaged:
        raise DataError(_said(images.place, damaged))


def _said(place: str, damaged: list[str]) -> str:
    """Message about damaged images, one line each."""
    if len(damaged) == 1:
        return damaged[0]
    count = counted(len(damaged), "image")
    if len(damaged) >= MOST:
        count = f"{MOST} images or more"
    lines = "\n".join(f"  {each}" for each in damaged[:MOST])
    return f"{place}: {count} cannot be used. Replace them, or take them away:\n{lines}"


def _loaded(
    images: ImageSource,
    transform: Callable[[Any], Tensor],
    batch: int,
    workers: int,
    drawn: Drawn | None,
) -> Iterator[Batch | list[str]]:
    given: dict[str, Any] = {"batch_size": batch} if drawn is None else {}
    if drawn is not None:
        given["batch_sampler"] = drawn.rows
    loader = DataLoader(
        _Transformed(images, transform, None if drawn is None else drawn.seed),
        num_workers=workers,
        collate_fn=_batch,
        **given,
    )
    try:
        yield from loader
    except RuntimeError as error:
        if "DataLoader worker" not in str(error):
            raise
        raise DataError(
            f"{images.place}: a process that reads images was ended ({str(error).splitlines()[0]})."
            " Give fewer of them, or none.",
            argument="workers",
        ) from None


class _Transformed(Dataset[tuple[Tensor, str, str] | str]):
    """Preprocessed images; the message of the error in place of a damaged one: raised in a worker
    it would come with the worker's traceback in it."""

    def __init__(
        self,
        images: ImageSource,
        transform: Callable[[Any], Tensor],
        seed: tuple[int, ...] | None = None,
    ):
        self.images, self.transform, self.seed = images, transform, seed

    def __len__(self) -> int:
        return len(self.images)

    def __getitem__(self, row: int) -> tuple[Tensor, str, str] | str:
        read = self.images.read_or_say(row)
        if self.seed is None:
            return _preprocessed(read, self.transform)
        with _seeded(self.seed, row):
            return _preprocessed(read, self.transform)


@contextmanager
def _seeded(seed: tuple[int, ...], row: int) -> Iterator[None]:
    """Random numbers of an image, whichever process reads it, and when; those of others go on as
    if there were none."""
    python = random.getstate()
    with torch.random.fork_rng(devices=[]):
        own = np.random.SeedSequence([*seed, row]).generate_state(1).item()
        random.seed(own)
        torch.manual_seed(own)
        try:
            yield
        finally:
            random.setstate(python)


def _preprocessed(
    read: Read | str, transform: Callable[[Any], Tensor]
) -> tuple[Tensor, str, str] | str:
    return read if isinstance(read, str) else (transform(read[0]), *read[1:])


def _batch(items: list[tuple[Tensor, str, str] | str]) -> Batch | list[str]:
    damaged = [item for item in items if isinstance(item, str)]
    if damaged:
        return damaged
    inputs, labels, names = zip(*items, strict=True)
    return torch.stack(list(inputs)), list(labels), list(names)


def _streamed(
    images: ImageSource, transform: Callable[[Any], Tensor], batch: int
) -> Iterator[Batch | list[str]]:
    stream = images.stream()
    while taken := list(islice(stream, batch)):
        yield _batch([_preprocessed(read, transform) for read in taken])
