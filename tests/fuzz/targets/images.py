"""Images in tars and in the shards of webdatasets."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from tests.fuzz.damage.containers import packed
from tests.fuzz.damage.raw import Change
from tests.fuzz.damage.tars import tar
from tests.fuzz.target import Target, must, names
from tests.fuzz.targets.common import written

#: Classes of the images, in the order of their numbers, and images of each.
_CLASSES, _EACH = ("cat", "dog"), 3


def _image(number: int, form: str = "PNG") -> bytes:
    from PIL import Image

    pixels = np.random.default_rng(number).integers(0, 255, (6, 8, 3)).astype(np.uint8)
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, form)
    return file.getvalue()


def _tar(members: list[tuple[str, bytes]], form: int = tarfile.PAX_FORMAT) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=form) as archive:
        for name, content in members:
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return file.getvalue()


def _in_folders(form: int = tarfile.PAX_FORMAT, deep: str = "") -> bytes:
    return _tar(
        [
            (f"{deep}{label}/{number}.png", _image(number))
            for label in _CLASSES
            for number in range(_EACH)
        ],
        form,
    )


def _tar_of_tars() -> bytes:
    inner = [(f"{number}.png", _image(number)) for number in range(_EACH)]
    return _tar([(f"{label}.tar", _tar(inner, tarfile.GNU_FORMAT)) for label in _CLASSES])


def _read(source: str) -> Callable[[Path], Any]:
    def read(folder: Path) -> Any:
        from graphzsl.embeddings import open_images

        prefix, _, name = source.rpartition("/")
        split = "val" if (folder / "_info.json").exists() else None
        images = open_images(f"{prefix}/{folder / name}" if prefix else folder / name, split=split)
        found = [each for each in images.stream() if not isinstance(each, str)]
        return images, [(image.size, image.mode, label, name) for image, label, name in found]

    return read


def _check(value: Any) -> None:
    """RGB images with a size, a class that has a name, and names of their own."""
    images, found = value
    for size, mode, _, _ in found:
        must(min(size) > 0 and mode == "RGB", "no image")
    names([label for _, _, label, _ in found], "classes", once=False)
    names([name for *_, name in found], "images")
    names(images.names, "names")
    must(len(images.names) == len(images.labels), "labels")


def _sample(number: int, label_key: bool) -> list[tuple[str, bytes]]:
    label = number % len(_CLASSES)
    about = json.dumps({"about": {"label": label}, "file": f"{number}.png"}).encode()
    own = [("json", about)] if label_key else [("cls", str(label).encode())]
    return [
        (f"{number:04}.{suffix}", content) for suffix, content in [("png", _image(number)), *own]
    ]


def _shards(pack: Callable[[bytes], bytes] = bytes, described: bool = False) -> Any:
    def make(folder: Path) -> None:
        (folder / "classnames.txt").write_text("\n".join(_CLASSES))
        for shard in range(2):
            numbers = range(shard * _EACH, (shard + 1) * _EACH)
            members = [each for number in numbers for each in _sample(number, described)]
            (folder / f"val-{shard}.tar").write_bytes(pack(_tar(members)))
        if described:
            files = [f"val-{shard}.tar" for shard in range(2)]
            about = {"name": "val", "num_samples": 2 * _EACH, "filenames": files}
            split = {**about, "shard_lengths": [_EACH] * 2, "alt_label": "about/label"}
            (folder / "_info.json").write_text(json.dumps({"splits": {"val": split}}))

    return make


def _check_shards(value: Any) -> None:
    images, found = value
    # keys of samples may be what they like, and in two shards the same
    for size, mode, label, _ in found:
        must(min(size) > 0 and mode == "RGB", "no image")
        must(label in _CLASSES or images.classes != list(_CLASSES), "a class of no name")
    names([label for _, _, label, _ in found], "classes", once=False)


def _both(change: Change) -> dict[str, Change]:
    return dict.fromkeys(("val-0.tar", "val-1.tar"), change)


TARGETS = (
    Target("images in a tar", written("i.tar", _in_folders), _read("i.tar"), _check),
    Target(
        "images in a tar, long names",
        written("i.tar", lambda: _in_folders(tarfile.GNU_FORMAT, "long/" * 40)),
        _read("i.tar"),
        _check,
        0.5,
        changes={"i.tar": tar},
    ),
    Target("images in a tar of tars", written("i.tar", _tar_of_tars), _read("i.tar"), _check),
    Target("images in shards", _shards(), _read("wds/"), _check_shards),
    Target("images in shards, described", _shards(described=True), _read("wds/"), _check_shards),
    *(
        Target(
            f"images in shards, {name}",
            _shards(pack),
            _read("wds/"),
            _check_shards,
            0.5,
            changes=_both(packed(tar, pack, unpack)),
        )
        for name, pack, unpack in (
            ("gzip", gzip.compress, gzip.decompress),
            ("bzip2", bz2.compress, bz2.decompress),
            ("xz", lzma.compress, lzma.decompress),
        )
    ),
)
