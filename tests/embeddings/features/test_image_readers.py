"""Images in folders and tars, written here by their own tools; what is damaged is named and never
left out."""

from __future__ import annotations

import io
import pickle
import tarfile
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from graphzsl.common import DataError
from graphzsl.embeddings import open_images
from graphzsl.embeddings.features.image_batches import image_batches
from tests.embeddings.features.made_images import (
    BIRD,
    CAT,
    COLOURS,
    DOG,
    add_file,
    colours_of,
    no_tensor,
    png_of,
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three images per class, numbered so that their order as numbers is another than as texts."""
    for wnid, colour in COLOURS.items():
        (tmp_path / "val" / wnid).mkdir(parents=True)
        for number in (2, 10, 1):
            (tmp_path / "val" / wnid / f"{number}.png").write_bytes(png_of(colour))
    return tmp_path / "val"


EXPECTED = [(wnid, COLOURS[wnid]) for wnid in sorted(COLOURS) for _ in range(3)]


def test_a_folder_is_sorted_by_class_and_name(folder: Path) -> None:
    images = open_images(folder)
    assert repr(images) == f"<ImageSource {folder}: folders, 9 images>"
    assert images.names[:3] == [f"{BIRD}/{name}.png" for name in (1, 10, 2)]
    assert colours_of(images) == EXPECTED
    assert images.classes == sorted(COLOURS)
    assert colours_of(images.of_classes([CAT])) == [(CAT, COLOURS[CAT])] * 3


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
        assert colours_of(images) == EXPECTED, place
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
    (folder / DOG / f"0.{kind}").write_bytes(png_of((250, 250, 250), mode, kind))
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


@pytest.mark.parametrize("content", [b"no image", b"", _cut_png()], ids=["text", "empty", "cut"])
@pytest.mark.parametrize("workers", [0, 1])
def test_a_damaged_image_is_named_and_not_passed_over(
    folder: Path, content: bytes, workers: int
) -> None:
    (folder / CAT / "3.png").write_bytes(content)

    with pytest.raises(DataError) as error:
        list(image_batches(open_images(folder), no_tensor, 2, workers))
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
            (place / "0.png").write_bytes(png_of((0, 0, 0)))
        if place == tmp_path:
            (tmp_path / "train" / DOG).mkdir(parents=True)
            (tmp_path / "train" / DOG / "9.png").write_bytes(png_of((0, 0, 0)))
        with pytest.raises(DataError, match=said):
            open_images(place)
    (tmp_path / "tiff" / DOG).mkdir(parents=True)
    for name in ("0.tiff", "1.TIF"):
        Image.new("RGB", (2, 2)).save(tmp_path / "tiff" / DOG / name)
    assert len(open_images(tmp_path / "tiff")) == 2
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
    with pytest.raises(DataError, match=r"bad\.tar: not a tar archive that can be read"):
        open_images(tmp_path / "bad.tar")
    with tarfile.open(tmp_path / "flipped.tar", "w") as tar:
        for number in range(4):
            add_file(tar, f"cat/{number}.png", b"no image, but a member")
    content = bytearray((tmp_path / "flipped.tar").read_bytes())
    content[1024 * 2 + 3] ^= 1
    (tmp_path / "flipped.tar").write_bytes(content)
    with pytest.raises(DataError, match=r"flipped\.tar: .* \(bad checksum at byte 2,048\)"):
        open_images(tmp_path / "flipped.tar")
    with tarfile.open(tmp_path / "texts.tar", "w") as tar:
        add_file(tar, "a/readme.txt", b"no image")
    with pytest.raises(DataError, match=r"texts\.tar holds no image"):
        open_images(tmp_path / "texts.tar")


def test_images_of_one_name_and_links_in_tars(tmp_path: Path) -> None:
    """An image that was appended again counted twice, and a hard link was left out."""
    path, png = tmp_path / "a.tar", png_of((0, 0, 0))
    with tarfile.open(path, "w") as tar:
        add_file(tar, "dog/0.png", png)
        add_file(tar, "dog/0.png", png)
    with pytest.raises(DataError, match=r"a\.tar: the image 'dog/0\.png' is there twice"):
        open_images(path)
    link = tarfile.TarInfo("dog/1.JPEG")
    link.type, link.linkname = tarfile.LNKTYPE, "dog/0.png"
    with tarfile.open(path, "w") as tar:
        add_file(tar, "dog/0.png", png)
        tar.addfile(link)
    with pytest.raises(DataError, match=r"a\.tar: dog/1\.JPEG is a link to dog/0\.png"):
        open_images(path)
    with tarfile.open(path, "w") as tar:
        add_file(tar, "d\u202eog/0.png", png)
    with pytest.raises(DataError, match=r"a\.tar: classes: entry 0 'd\\u202eog' holds the invis"):
        open_images(path)
    with tarfile.open(path, "w") as tar:
        add_file(tar, "dog/\u202e0.png", png)
    with pytest.raises(
        DataError, match=r"the name of an image 'dog/\\u202e0\.png' holds the invisible"
    ):
        open_images(path)


@pytest.mark.parametrize("workers", [0, 1])
def test_all_damaged_images_are_named_at_once(folder: Path, workers: int) -> None:
    (folder / CAT / "3.png").write_bytes(b"no image")
    (folder / DOG / "1.png").unlink()
    (folder / DOG / "1.png").symlink_to("nowhere.png")
    with pytest.raises(DataError) as error:
        list(image_batches(open_images(folder), no_tensor, 2, workers))
    assert str(error.value).splitlines() == [
        f"{folder}: 2 images cannot be used. Replace them, or take them away:",
        f"  {folder / DOG / '1.png'}: cannot be read (No such file or directory).",
        f"  {folder / CAT / '3.png'}: not an image (of no known format).",
    ]
    for number in range(30):
        (folder / DOG / f"bad{number}.png").write_bytes(b"")
    with pytest.raises(DataError, match="20 images or more cannot be used") as error:
        list(image_batches(open_images(folder), no_tensor, 2, workers))
    assert len(str(error.value).splitlines()) == 21


def test_sixteen_bits_are_not_clipped(folder: Path) -> None:
    """Expected: v / 257, so that 0 is black and 65,535 white; Pillow's own conversion gives 255 for
    every value above 255 or, in later versions, none of them rounded."""
    grey = np.array([[0, 128, 129, 257], [5140, 32768, 65406, 65535]], dtype=np.uint16)
    Image.fromarray(grey).save(folder / DOG / "16.png")
    images = open_images(folder)
    found = np.asarray(images.read(images.names.index(f"{DOG}/16.png"))[0])
    expected = np.array([[0, 0, 1, 1], [20, 128, 254, 255]])
    assert found.tolist() == np.repeat(expected[..., None], 3, axis=2).tolist()


@pytest.mark.parametrize(
    ("mode", "kind"), [("RGBA", "png"), ("LA", "png"), ("P", "png"), ("1", "png"), ("P", "gif")]
)
def test_transparent_images_have_the_colour_under_it(
    folder: Path, mode: str, kind: str, recwarn: pytest.WarningsRecorder
) -> None:
    """As open_clip's and timm's own conversions give it."""
    image = Image.new("RGB", (9, 7), (200, 200, 200)).convert("P" if mode == "P" else mode)
    options: dict[str, object] = {"transparency": bytes([10] * 256)} if kind == "png" else {}
    if mode == "P":
        image.save(folder / DOG / f"0.{kind}", **options)
    else:
        if mode in ("RGBA", "LA"):
            image.putalpha(3)
        image.save(folder / DOG / f"0.{kind}")
    images = open_images(folder)
    found = images.read(images.names.index(f"{DOG}/0.{kind}"))[0]
    white = mode == "1"
    assert found.mode == "RGB"
    assert min(found.getpixel((0, 0))) in ((0, 255) if white else range(190, 210))
    assert not recwarn.list


def test_pixels_of_no_known_range_and_too_many_of_them(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cases = {
        "float.png": (Image.new("F", (4, 4), 0.5), "tiff", "floating-point numbers of 32 bits"),
        "whole.png": (Image.new("I", (4, 4), 7), "tiff", "whole numbers of 32 bits"),
        "line.png": (Image.new("RGB", (900, 2)), "png", "900 × 2 pixels: one side is more than"),
    }
    for name, (image, kind, said) in cases.items():
        image.save(folder / DOG / name, kind)
        images = open_images(folder)
        with pytest.raises(DataError, match=f"{name}: not an image .*{said}"):
            images.read(images.names.index(f"{DOG}/{name}"))
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 10_000)
    Image.new("L", (200, 200)).save(folder / DOG / "bomb.png")
    images = open_images(folder)
    said = r"bomb\.png: it has 40,000 pixels, and at most 20,000 are read\. Make the image smaller"
    with pytest.raises(DataError, match=said):
        images.read(images.names.index(f"{DOG}/bomb.png"))


def test_hidden_folders_are_no_classes(
    folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Jupyter's copies, git's objects, and what macOS adds to an archive."""
    for place in (".ipynb_checkpoints", f"{DOG}/.ipynb_checkpoints", "__MACOSX", ".git"):
        (folder / place).mkdir()
        (folder / place / "0.png").write_bytes(b"no image")
    (folder / DOG / "._1.png").write_bytes(b"resource fork")
    (folder / CAT / ".DS_Store").write_bytes(b"")
    images = open_images(folder)
    assert colours_of(images) == EXPECTED
    said = "5 hidden files and folders left out, e.g. .git."
    assert said in capfd.readouterr().err
    with tarfile.open(tmp_path / "val.tar", "w") as tar:
        tar.add(folder, "./val")
    found = open_images(tmp_path / "val.tar")
    assert (colours_of(found), found.classes) == (EXPECTED, images.classes)
    assert "hidden files and folders left out" in capfd.readouterr().err


def test_links_between_folders(folder: Path, tmp_path: Path) -> None:
    """A link to a class elsewhere is followed; one into itself is an error, and ends."""
    elsewhere = tmp_path / "elsewhere"
    (folder / DOG).rename(elsewhere)
    (folder / DOG).symlink_to(elsewhere)
    assert colours_of(open_images(folder)) == EXPECTED
    (elsewhere / "again").symlink_to(folder)
    with pytest.raises(DataError, match=r"again is a link to a folder that it lies in"):
        open_images(folder)
    (elsewhere / "again").unlink()
    (folder / "loop").symlink_to("loop")
    with pytest.raises(DataError, match=r"loop cannot be read: Too many levels of symbolic links"):
        open_images(folder)


def test_names_of_any_script_and_with_spaces(tmp_path: Path) -> None:
    place = tmp_path / "my images" / "собака 犬"
    place.mkdir(parents=True)
    (place / "été 1.PNG").write_bytes(png_of((1, 2, 3)))
    images = open_images(tmp_path / "my images")
    assert colours_of(images) == [("собака 犬", (1, 2, 3))]
    assert images.names == ["собака 犬/été 1.PNG"]
