"""Images in folders, tars, webdatasets and Hugging Face data sets, written here by their own
tools; what is damaged is named and never left out."""

from __future__ import annotations

import io
import json
import pickle
import re
import tarfile
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image

from graphzsl.boxes.rows import check_text
from graphzsl.errors import DataError
from graphzsl.features.image_batches import image_batches
from graphzsl.features.image_readers import open_images
from graphzsl.features.image_source import ImageSource
from graphzsl.sources.judgements import read_labels

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
    return [
        each if isinstance(each, str) else (each[1], each[0].getpixel((0, 0)))
        for each in images.stream()
    ]


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


def _tensor(image: Image.Image) -> torch.Tensor:
    return torch.zeros(1)


@pytest.mark.parametrize("content", [b"no image", b"", _cut_png()], ids=["text", "empty", "cut"])
@pytest.mark.parametrize("workers", [0, 1])
def test_a_damaged_image_is_named_and_not_passed_over(
    folder: Path, content: bytes, workers: int
) -> None:
    (folder / CAT / "3.png").write_bytes(content)

    with pytest.raises(DataError) as error:
        list(image_batches(open_images(folder), _tensor, 2, workers))
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
            _add(tar, f"cat/{number}.png", b"no image, but a member")
    content = bytearray((tmp_path / "flipped.tar").read_bytes())
    content[1024 * 2 + 3] ^= 1
    (tmp_path / "flipped.tar").write_bytes(content)
    with pytest.raises(DataError, match=r"flipped\.tar: .* \(bad checksum at byte 2,048\)"):
        open_images(tmp_path / "flipped.tar")
    with tarfile.open(tmp_path / "texts.tar", "w") as tar:
        _add(tar, "a/readme.txt", b"no image")
    with pytest.raises(DataError, match=r"texts\.tar holds no image"):
        open_images(tmp_path / "texts.tar")


def test_images_of_one_name_and_links_in_tars(tmp_path: Path) -> None:
    """An image that was appended again counted twice, and a hard link was left out."""
    path, png = tmp_path / "a.tar", _png((0, 0, 0))
    with tarfile.open(path, "w") as tar:
        _add(tar, "dog/0.png", png)
        _add(tar, "dog/0.png", png)
    with pytest.raises(DataError, match=r"a\.tar: the image 'dog/0\.png' is there twice"):
        open_images(path)
    link = tarfile.TarInfo("dog/1.JPEG")
    link.type, link.linkname = tarfile.LNKTYPE, "dog/0.png"
    with tarfile.open(path, "w") as tar:
        _add(tar, "dog/0.png", png)
        tar.addfile(link)
    with pytest.raises(DataError, match=r"a\.tar: dog/1\.JPEG is a link to dog/0\.png"):
        open_images(path)
    with tarfile.open(path, "w") as tar:
        _add(tar, "d\u202eog/0.png", png)
    with pytest.raises(DataError, match=r"a\.tar: classes: entry 0 'd\\u202eog' holds the invis"):
        open_images(path)
    with tarfile.open(path, "w") as tar:
        _add(tar, "dog/\u202e0.png", png)
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
        list(image_batches(open_images(folder), _tensor, 2, workers))
    assert str(error.value).splitlines() == [
        f"{folder}: 2 images cannot be used. Replace them, or take them away:",
        f"  {folder / DOG / '1.png'}: cannot be read (No such file or directory).",
        f"  {folder / CAT / '3.png'}: not an image (of no known format).",
    ]
    for number in range(30):
        (folder / DOG / f"bad{number}.png").write_bytes(b"")
    with pytest.raises(DataError, match="20 images or more cannot be used") as error:
        list(image_batches(open_images(folder), _tensor, 2, workers))
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
    assert _colours(images) == EXPECTED
    said = "5 hidden files and folders left out, e.g. .git."
    assert said in capfd.readouterr().err
    with tarfile.open(tmp_path / "val.tar", "w") as tar:
        tar.add(folder, "./val")
    found = open_images(tmp_path / "val.tar")
    assert (_colours(found), found.classes) == (EXPECTED, images.classes)
    assert "hidden files and folders left out" in capfd.readouterr().err


def test_links_between_folders(folder: Path, tmp_path: Path) -> None:
    """A link to a class elsewhere is followed; one into itself is an error, and ends."""
    elsewhere = tmp_path / "elsewhere"
    (folder / DOG).rename(elsewhere)
    (folder / DOG).symlink_to(elsewhere)
    assert _colours(open_images(folder)) == EXPECTED
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
    (place / "été 1.PNG").write_bytes(_png((1, 2, 3)))
    images = open_images(tmp_path / "my images")
    assert _colours(images) == [("собака 犬", (1, 2, 3))]
    assert images.names == ["собака 犬/été 1.PNG"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("a\u200bb", ""),  # a space without width
        (" a ", ""),
        ("\u0661", ""),
        ("n٠٠٠٠١٠٠٠", ""),
        ("a/" * 600 + "b", ""),
        ("a\nb", "U\\+000A"),
        ("a\u202eb", "U\\+202E"),
    ],
)
def test_one_rule_for_the_names_of_images(tmp_path: Path, name: str, said: str) -> None:
    """Whoever made them called them so: in a tar, a shard, a table or a file of boxes."""
    pytest.importorskip("webdataset", reason="pip install 'graphzsl[readers]'")
    png = _png((0, 0, 0))
    (tmp_path / "shards").mkdir()
    with tarfile.open(tmp_path / "a.tar", "w") as tar:
        _add(tar, f"{name}/dog/0.png" if "/" in name else f"dog/{name}.png", png)
    with tarfile.open(tmp_path / "shards" / "0.tar", "w") as tar:
        _sample(tar, name, png=png, cls=b"1")
    table = tmp_path / "t.csv"
    table.write_text(f'image,class\n"{name}",dog\n', encoding="utf-8")
    if said:
        for read in (lambda: open_images(tmp_path / "a.tar"), lambda: read_labels(table)):
            with pytest.raises(DataError, match=f"holds the invisible character {said}"):
                read()
        with pytest.raises(DataError, match=f"image 'a.*b' holds the invisible character {said}"):
            check_text(name, "image", "x")
        found = _colours(open_images(f"wds/{tmp_path / 'shards'}"))[0]
        assert re.search(f"its name 'a.*b' holds the invisible character {said}", str(found))
        return
    assert len(open_images(tmp_path / "a.tar")) == 1
    assert _colours(open_images(f"wds/{tmp_path / 'shards'}")) == [("1", (0, 0, 0))]
    assert list(read_labels(table).line_of) == [(name.strip(), "dog")]
    check_text(name, "image", "x")


@pytest.mark.parametrize(
    ("source", "keys", "said"),
    [
        ("hfds/", {}, "names nothing: expected hfds/NAME"),
        ("wds/", {}, "names nothing: expected wds/FOLDER"),
        ("hfds/x", {"image_key": "a,b"}, "'a,b' is no image_key: one key was expected"),
        ("hfds/x", {"label_key": "a,b"}, "'a,b' is no label_key"),
        ("wds/x", {"label_key": ""}, "'' is no label_key"),
        ("wds/x", {"image_key": "a,b"}, "several are separated by ;"),
    ],
)
def test_what_cannot_be_a_source(source: str, keys: dict[str, str], said: str) -> None:
    for extra in ("webdataset", "datasets"):
        pytest.importorskip(extra, reason="pip install 'graphzsl[readers]'")
    with pytest.raises(DataError, match=re.escape(said)):
        open_images(source, **keys)


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
    said = _colours(open_images(f"wds/{shards}"))[2]
    assert said == (
        f"wds/{shards}: 0.tar/s02 is of class 2; there are 2 names of classes, counted from 0."
    )


def test_a_damaged_shard_is_an_error(shards: Path) -> None:
    with tarfile.open(shards / "2.tar", "w") as tar:
        _add(tar, "s20.png", b"no image")
        _add(tar, "s20.cls", b"0")
    said = f"{shards / '2.tar' / 's20'}: not an image (of no known format)."
    assert _colours(open_images(f"wds/{shards}"))[6] == said
    with pytest.raises(DataError, match=re.escape(said)):
        list(image_batches(open_images(f"wds/{shards}"), _tensor))
    whole = (shards / "1.tar").read_bytes()
    (shards / "2.tar").write_bytes(whole[:700])
    with pytest.raises(DataError, match=r"2\.tar: not a tar archive .* \(unexpected end of data\)"):
        _colours(open_images(f"wds/{shards}"))
    (shards / "2.tar").write_bytes(b"no tar" * 200)
    with pytest.raises(DataError, match=r"2\.tar: .* \(invalid header at byte 0\)"):
        _colours(open_images(f"wds/{shards}"))
    # at whose header webdataset would end
    damaged = bytearray(whole)
    damaged[1024 * 2 + 3] ^= 1
    (shards / "2.tar").write_bytes(damaged)
    with pytest.raises(DataError, match=r"2\.tar: .* \(bad checksum at byte 2,048\)"):
        _colours(open_images(f"wds/{shards}"))
    with pytest.raises(DataError, match=r"holds 6 images; its description says 7"):
        _colours(open_images(f"wds/{shards}", split="{0..1}.tar|7"))


def _sample(tar: tarfile.TarFile, key: str, **parts: bytes) -> None:
    for suffix, content in parts.items():
        _add(tar, f"{key}.{suffix}", content)


def test_samples_without_a_label_are_named(shards: Path) -> None:
    """timm's reader passes over a class of -1, and says nothing."""
    png = _png((0, 0, 0))
    with tarfile.open(shards / "2.tar", "w") as tar:
        _sample(tar, "a", png=png, cls=b"-1", json=b'{"label": -1}')
        _sample(tar, "b", png=png, cls=b"dog", json=b'{"label": 1.5}')
        _sample(tar, "c", png=png, cls=b" 2\n", json=b'{"label": "2", "deep": {"er": 0}}')
        _sample(tar, "d", png=png, cls=b"1", json=b'{"label": null}')
        _sample(tar, "e", png=png, cls=b"1", json=b"{label")
        _sample(tar, "f", png=png)
    place = f"{shards / '2.tar'}: sample"
    found = _colours(open_images(f"wds/{shards}", split="{2..2}.tar"))
    assert [each[:90] for each in map(str, found)][:2] == [
        each[:90]
        for each in (
            f"{place} a has the class -1 in .cls: it has no label. Leave the sample out of the",
            f"{place} b has the class 'dog' in .cls; expected a class number.",
        )
    ]
    assert [each[0] for each in found[2:5]] == ["2", "1", "1"]
    assert found[5].startswith(f"{place} f has no .cls; it has .png.")  # type: ignore[attr-defined]
    by_json = _colours(open_images(f"wds/{shards}", split="{2..2}.tar", label_key="label"))
    assert ["has the class -1 in 'label'" in str(each) for each in by_json] == [True, *[False] * 5]
    assert ["has the class 1.5 in 'label'" in str(each) for each in by_json][1]
    assert by_json[2] == ("2", (0, 0, 0))
    assert ["has the class None" in str(each) for each in by_json][3]
    assert ["has a .json that is not valid" in str(each) for each in by_json][4]
    with pytest.raises(DataError, match=r"(?s)-1 in \.cls.*'dog'.*sample f"):
        list(image_batches(open_images(f"wds/{shards}"), _tensor))


def test_shards_are_checked_before_their_first_sample(shards: Path) -> None:
    """What fills the memory, a link that webdataset passes over, and a name that nobody sees."""
    png = _png((0, 0, 0))
    large = tarfile.TarInfo("a.npy")
    large.size = 300 << 20
    with (shards / "0.tar").open("wb") as file, tarfile.open(fileobj=file, mode="w") as tar:
        _sample(tar, "a", png=png, cls=b"1")
        file.write(large.tobuf())
        file.truncate(file.tell() + large.size + 1024)
    with pytest.raises(DataError, match=r"0\.tar: sample a has 314,\d\d\d,\d\d\d bytes or more"):
        open_images(f"wds/{shards}")
    link = tarfile.TarInfo("b.png")
    link.type, link.linkname = tarfile.LNKTYPE, "a.png"
    with tarfile.open(shards / "0.tar", "w") as tar:
        _sample(tar, "a", png=png, cls=b"1")
        tar.addfile(link)
    with pytest.raises(DataError, match=r"0\.tar: b\.png is a link to a\.png\. Write the archive"):
        open_images(f"wds/{shards}")
    with tarfile.open(shards / "0.tar", "w") as tar:
        _sample(tar, "a\u202eb", png=png, cls=b"1")
    assert "cannot be named: its name 'a\\u202eb' holds the invisible" in str(
        _colours(open_images(f"wds/{shards}"))[0]
    )
    (shards / "classnames.txt").write_text("cat\nd\u202eog\nbird\n")
    with pytest.raises(DataError, match=r"classnames\.txt: entry 1 'd\\u202eog' holds the invis"):
        open_images(f"wds/{shards}")


def test_keys_that_no_sample_has(shards: Path) -> None:
    for keys, said in (
        ({"image_key": "tif"}, "sample s00 has no .tif; it has .png, .cls."),
        ({"label_key": "label"}, "sample s00 has no .json, where 'label' would stand"),
    ):
        with pytest.raises(DataError, match=re.escape(said)) as error:
            open_images(f"wds/{shards}", **keys)
        assert error.value.argument == next(iter(keys))
    with tarfile.open(shards / "0.tar", "w") as tar:
        _sample(tar, "a", png=_png((0, 0, 0)), json=b'{"class": 1, "name": "x"}')
    with pytest.raises(DataError, match=r"has no 'label' in its \.json, which has class, name"):
        open_images(f"wds/{shards}", label_key="label")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "_info.json: not valid JSON"),
        ("[]", "_info.json: expected an object with splits by name"),
        ('{"splits": []}', "_info.json: expected an object with splits by name"),
        ('{"splits": {"val": 3}}', "_info.json: the split 'val' has no name that can be read"),
        (
            '{"splits": {"val": {"name": "val", "num_samples": "6"}}}',
            "has no num_samples that can be read; it has name, num_samples",
        ),
    ],
)
def test_a_damaged_description_is_named(shards: Path, content: str, said: str) -> None:
    (shards / "_info.json").write_text(content)
    with pytest.raises(DataError, match=re.escape(said)):
        open_images(f"wds/{shards}", split="val")


def test_a_split_of_the_description(shards: Path) -> None:
    split = {"name": "val", "num_samples": 3, "filenames": ["1.tar"], "shard_lengths": [3]}
    (shards / "_info.json").write_text(json.dumps({"splits": {"val": split}}))
    images = open_images(f"wds/{shards}", split="val")
    assert (len(images), len(_colours(images))) == (3, 3)
    with pytest.raises(DataError, match=r"_info\.json has no split 'train'; it has val"):
        open_images(f"wds/{shards}", split="train")


@pytest.mark.parametrize("split", ["pipe:touch harm.tar", "../0.tar", "file:0.tar"])
def test_a_split_runs_nothing(shards: Path, split: str) -> None:
    with pytest.raises(DataError, match="neither a split nor names of shards"):
        open_images(f"wds/{shards}", split=split)


def test_shards_that_are_not_there(shards: Path, tmp_path: Path) -> None:
    for place, split, said in (
        (tmp_path / "none", None, "is not a folder"),
        (shards.parent, None, "holds no shard"),
        (shards, "{0..3}.tar", r"2\.tar does not exist; it is a shard of"),
        (shards, "val", r"holds no _info\.json, which would describe the split 'val'"),
        (shards, "0.tar|x", "invalid literal"),
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


def _rows(place: Path, images: list[object], labels: list[object]) -> str:
    import datasets

    features = datasets.Features({"image": datasets.Image(), "label": datasets.Value("int64")})
    made = datasets.Dataset.from_dict({"image": images, "label": labels}, features)
    place.mkdir(exist_ok=True)
    made.to_parquet(place / "test-00000.parquet")
    return f"hfds/{place}"


def test_what_is_wrong_in_a_data_set_of_hugging_face(tmp_path: Path) -> None:
    pytest.importorskip("datasets", reason="pip install 'graphzsl[readers]'")
    png = {"bytes": _png((0, 0, 0)), "path": None}
    source = _rows(
        tmp_path / "set", [png, None, png, {"bytes": b"x", "path": None}], [0, 1, None, 0]
    )
    for keys, said in (
        ({"label_key": "fine"}, "has no column 'fine'; it has image, label."),
        ({"image_key": "img"}, "has no column 'img'; it has image, label."),
        ({"image_key": "label"}, "the column 'label' holds no images"),
    ):
        with pytest.raises(DataError, match=re.escape(said)) as error:
            open_images(source, **keys)
        assert error.value.argument == next(iter(keys))
    found = [str(each) for each in _colours(open_images(source))]
    assert found[1:] == [
        f"{source}: image 1 has no image ('image' is empty).",
        f"{source}: image 2 has no class ('label' is empty).",
        f"{source}: image 3: not an image (of no known format).",
    ]
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "test-0.parquet").write_bytes(b"PAR1 no Parquet")
    with pytest.raises(DataError, match="datasets cannot give") as error:
        open_images(f"hfds/{tmp_path / 'bad'}")
    assert "\n" not in str(error.value)
