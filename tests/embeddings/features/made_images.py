"""Images of one colour, alone, in tars and in shards, for tests of their readers."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from PIL import Image

from graphzsl.embeddings.features.image_source import ImageSource

DOG, CAT, BIRD = "n02084071", "n02121620", "n01503061"
COLOURS = {DOG: (250, 0, 0), CAT: (0, 250, 0), BIRD: (0, 0, 250)}


def png_of(colour: tuple[int, int, int], mode: str = "RGB", kind: str = "png") -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (9, 7), colour).convert(mode).save(file, kind)
    return file.getvalue()


def add_file(tar: tarfile.TarFile, name: str, content: bytes) -> None:
    entry = tarfile.TarInfo(name)
    entry.size = len(content)
    tar.addfile(entry, io.BytesIO(content))


def colours_of(images: ImageSource) -> list[tuple[str, tuple[int, int, int]]]:
    return [
        each if isinstance(each, str) else (each[1], each[0].getpixel((0, 0)))
        for each in images.stream()
    ]


def no_tensor(image: Image.Image) -> torch.Tensor:
    return torch.zeros(1)


def add_sample(tar: tarfile.TarFile, key: str, **parts: bytes) -> None:
    for suffix, content in parts.items():
        add_file(tar, f"{key}.{suffix}", content)


def fill_with_classes(root: Path, names: Sequence[str]) -> None:
    """Eight images of each of up to three classes, each class of its own colour."""
    random = np.random.default_rng(0)
    for row, name in enumerate(names):
        (root / name).mkdir()
        for number in range(8):
            pixels = random.integers(0, 60, (48, 64, 3))
            pixels[..., row] += 180
            Image.fromarray(pixels.astype(np.uint8)).save(root / name / f"{number}.png")
