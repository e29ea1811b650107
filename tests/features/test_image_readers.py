"""Images in folders, tars, webdatasets and Hugging Face data sets, written here by their own
tools; what is damaged is named and never left out."""

from __future__ import annotations

import io
import pickle
import tarfile
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image

from graphzsl.errors import DataError
from graphzsl.features.image_batches import image_batches
from graphzsl.features.image_readers import open_images
from graphzsl.features.image_source import ImageSource

DOG, CAT, BIRD = "n02084071", "n02121620", "n01503061"
COLOURS = {DOG: (250, 0, 0), CAT: (0, 250, 0), BIRD: (0, 0, 250)}


def _png(colour: tuple[int, int, int], mode: str = "RGB", kind: str = "png") -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (9, 7), colour).convert(mode).save(file, kind)
    return file.getvalue()


def _add(tar: tarfile.TarFile, name: str, content: bytes) -> None:
    entry = tarfile.TarInfo(name)
    entry.size = len(content)
    tar.addfile(entry, io.BytesIO(content))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three images per class, numbered so that their order as numbers is another than as texts."""
    for wnid, colour in COLOURS.items():
        (tmp_path / "val" / wnid).mkdir(parents=True)
        for number in (2, 10, 1):
            (tmp_path / "val" / wnid / f"{number}.png").write_bytes(_png(colour))
    return tmp_path / "val"


def _colours(images: ImageSource) -> list[tuple[str, tuple[int, int, int]]]:
    return [(label, image.getpixel((0, 0))) for image, label, _ in images.stream()]


EXPECTED = [(wnid, COLOURS[wnid]) for wnid in sorted(COLOURS) for _ in range(3)]


def test_a_folder_is_sorted_by_class_and_name(folder: Path) -> None:
    images = open_images(folder)
    assert repr(images) == f"<ImageSource {folder}: folders, 9 images>"
    assert images.names[:3] == [f"{BIRD}/{name}.png" for name in (1, 10, 2)]
    assert _colours(images) == EXPECTED
    assert images.classes == sorted(COLOURS)
    assert _colours(images.of_classes([CAT])) == [(CAT, COLOURS[CAT])] * 3


def test_the_same_in_tars(folder: Path, tmp_path: Path) -> None:
    """A tar of folders, a tar of a tar per class, and a folder of a tar per class (ImageNet)."""
    tars = tmp_path / "tars"
    tars.mkdir()
    for wnid in COLOURS:
        with tarfile.open(tars / f"{wnid}.tar", "w") as tar:
            for file in sorted((folder / wnid).iterdir()):
                tar.add(file, file.name)
    with tarfile.open(tmp_path / "plain.tar", "w") as tar:
        tar.add(folder, "val")
    with tarfile.open(tmp_path / "nested.tar", "w") as tar:
        for file in sorted(tars.iterdir()):
            tar.add(file, file.name)
    for place in ("plain.tar", "nested.tar", "tars"):
        images = open_images(tmp_path / place)
        assert images.kind == "tar"
        assert _colours(images) == EXPECTED, place
    assert [name.split("/")[0] for name in open_images(tars).names[::3]] == [
        f"{wnid}.tar" for wnid in sorted(COLOURS)
    ]


def test_no_cache_of_a_tar_is_read_or_written(folder: Path, tmp_path: Path) -> None:
    """timm keeps what large tars hold in a pickle beside them."""
    with tarfile.open(tmp_path / "val.tar", "w") as tar:
        tar.add(folder, "val")

    class Harm:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return Path.touch, (tmp_path / "harm",)  # type: ignore[return-value]

    (tmp_path / "_val_tarinfos.pickle").write_bytes(pickle.dumps(Harm()))
    assert len(open_images(tmp_path / "val.tar")) == 9
    assert not (tmp_path / "harm").exists()


@pytest.mark.parametrize(("mode", "kind"), [("L", "png"), ("CMYK", "jpeg"), ("P", "gif")])
def test_grey_cmyk_and_palettes_become_rgb(folder: Path, mode: str, kind: str) -> None:
    (folder / DOG / f"0.{kind}").write_bytes(_png((250, 250, 250), mode, kind))
    images = open_images(folder)
    row = images.names.index(f"{DOG}/0.{kind}")
    image, label, _ = images.read(row)
    assert (image.mode, label) == ("RGB", DOG)
    assert min(image.getpixel((0, 0))) > 240


def _cut_png() -> bytes:
    pixels = np.random.default_rng(0).integers(0, 255, (64, 64, 3)).astype(np.uint8)
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "png")
    return file.getvalue()[:2000]


@pytest.mark.parametrize("content", [b"no image", b"", _cut_png()])
@pytest.mark.parametrize("workers", [0, 1])
def test_a_damaged_image_is_named_and_not_passed_over(
    folder: Path, content: bytes, workers: int
) -> None:
    (folder / CAT / "3.png").write_bytes(content)

    def tensor(image: Image.Image) -> torch.Tensor:
        return torch.zeros(1)

    with pytest.raises(DataError) as error:
        list(image_batches(open_images(folder), tensor, 2, workers))
    assert str(error.value).startswith(f"{folder / CAT / '3.png'}: not an image (")
    assert "\n" not in str(error.value)


def test_what_is_no_folder_of_class_folders(folder: Path, tmp_path: Path) -> None:
    for place, said in (
        (tmp_path / "none", "is not a folder"),
        (tmp_path, "n02084071 is a folder in two places"),
        (tmp_path / "empty", "has no folder of images"),
        (tmp_path / "loose", "lies in no class folder"),
    ):
        if place.name == "empty":
            place.mkdir()
        if place.name == "loose":
            (place / DOG).mkdir(parents=True)
            (place / "0.png").write_bytes(_png((0, 0, 0)))
        if place == tmp_path:
            (tmp_path / "train" / DOG).mkdir(parents=True)
            (tmp_path / "train" / DOG / "9.png").write_bytes(_png((0, 0, 0)))
        with pytest.raises(DataError, match=said):
            open_images(place)
    (folder / "n00000009").mkdir()
    (folder / "n00000009" / "readme.txt").write_text("no image")
    with pytest.raises(DataError, match=r"n00000009 holds no image \(\.bmp, "):
        open_images(folder)
    with pytest.raises(DataError, match="has no split"):
        open_images(folder, split="test")
    with pytest.raises(DataError, match="holds no image"):
        open_images(folder / DOG / "..").of_classes(["n00000001"])


def test_what_is_no_tar(tmp_path: Path) -> None:
    (tmp_path / "bad.tar").write_bytes(b"not a tar" * 100)
    with pytest.raises(DataError, match=r"bad\.tar: not a tar of images"):
        open_images(tmp_path / "bad.tar")
    with tarfile.open(tmp_path / "texts.tar", "w") as tar:
        _add(tar, "a/readme.txt", b"no image")
    with pytest.raises(DataError, match=r"texts\.tar holds no image"):
        open_images(tmp_path / "texts.tar")


# webdatasets


@pytest.fixture
def shards(tmp_path: Path) -> Path:
    """Two shards of three images, as CLIP_benchmark lays them out."""
    pytest.importorskip("webdataset", reason="pip install 'graphzsl[readers]'")
    place = tmp_path / "set" / "test"
    place.mkdir(parents=True)
    for shard in range(2):
        with tarfile.open(place / f"{shard}.tar", "w") as tar:
            for number, colour in enumerate(COLOURS.values()):
                _add(tar, f"s{shard}{number}.png", _png(colour))
                _add(tar, f"s{shard}{number}.cls", str(number).encode())
    return place


def test_the_shards_of_a_webdataset(shards: Path) -> None:
    images = open_images(f"wds/{shards}")
    expected = [(str(row % 3), list(COLOURS.values())[row % 3]) for row in range(6)]
    assert _colours(images) == expected
    assert _colours(open_images(f"wds/{shards}", split="{1..1}.tar")) == expected[:3]
    (shards.parent / "classnames.txt").write_text("dog\ncat\nbird\n")
    named = open_images(f"wds/{shards}")
    assert [label for label, _ in _colours(named)] == ["dog", "cat", "bird"] * 2
    assert named.classes == ["dog", "cat", "bird"]
    (shards.parent / "classnames.txt").write_text("dog\ncat\n")
    with pytest.raises(DataError, match="image 2 is of class 2; there are 2 names"):
        _colours(open_images(f"wds/{shards}"))


def test_a_damaged_shard_is_an_error(shards: Path) -> None:
    with tarfile.open(shards / "2.tar", "w") as tar:
        _add(tar, "s20.png", b"no image")
        _add(tar, "s20.cls", b"0")
    with pytest.raises(DataError, match="what follows 6 images cannot be read: UnidentifiedImage"):
        _colours(open_images(f"wds/{shards}"))
    (shards / "2.tar").write_bytes(b"no tar" * 200)
    with pytest.raises(DataError, match="what follows 6 images cannot be read"):
        _colours(open_images(f"wds/{shards}"))
    with pytest.raises(DataError, match=r"holds 6 images; its description says 7"):
        _colours(open_images(f"wds/{shards}", split="{0..1}.tar|7"))


@pytest.mark.parametrize("split", ["pipe:touch harm.tar", "../0.tar", "file:0.tar"])
def test_a_split_runs_nothing(shards: Path, split: str) -> None:
    with pytest.raises(DataError, match="neither a split nor names of shards"):
        open_images(f"wds/{shards}", split=split)


def test_shards_that_are_not_there(shards: Path, tmp_path: Path) -> None:
    for place, split, said in (
        (tmp_path / "none", None, "is not a folder"),
        (shards.parent, None, "holds no shard"),
        (shards, "{0..3}.tar", r"2\.tar does not exist; it is a shard of"),
        (shards, "val", "val"),
    ):
        with pytest.raises(DataError, match=said):
            open_images(f"wds/{place}", split=split)


# Hugging Face


def test_a_data_set_of_hugging_face(tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets", reason="pip install 'graphzsl[readers]'")
    features = datasets.Features(
        {"img": datasets.Image(), "fine": datasets.ClassLabel(names=["dog", "cat", "bird"])}
    )
    rows = {
        "img": [{"bytes": _png(colour), "path": None} for colour in COLOURS.values()],
        "fine": [0, 1, 2],
    }
    made = datasets.Dataset.from_dict(rows, features)
    (tmp_path / "set").mkdir()
    made.to_parquet(tmp_path / "set" / "test-00000.parquet")
    keys = {"image_key": "img", "label_key": "fine"}
    images = open_images(f"hfds/{tmp_path / 'set'}", **keys)
    assert _colours(images) == list(zip(["dog", "cat", "bird"], COLOURS.values(), strict=True))
    with pytest.raises(DataError, match="split 'val'"):
        open_images(f"hfds/{tmp_path / 'set'}", split="val", **keys)
