"""Images in webdatasets and Hugging Face data sets, written here by their own tools; what is
damaged is named and never left out."""

from __future__ import annotations

import json
import os
import re
import tarfile
from pathlib import Path

import pytest

from graphzsl.common import DataError
from graphzsl.embeddings import open_images
from graphzsl.embeddings.features.image_batches import image_batches
from graphzsl.ilsvrc.boxes.rows import check_text
from graphzsl.sources import read_labels
from tests.embeddings.features.made_images import (
    COLOURS,
    add_file,
    add_sample,
    colours_of,
    no_tensor,
    png_of,
)


def test_two_classes_of_one_name_are_refused(tmp_path: Path) -> None:
    """Their samples were one class."""
    pytest.importorskip("webdataset", reason="pip install 'graphzsl[readers]'")
    with tarfile.open(tmp_path / "test-0.tar", "w") as tar:
        add_sample(tar, "a", png=png_of((0, 0, 0)), cls=b"1")
    (tmp_path / "classnames.txt").write_text("cat\ndog\ncat\n")
    with pytest.raises(DataError, match=r"classnames\.txt: two classes are called 'cat'\. Give"):
        open_images(f"wds/{tmp_path}")


@pytest.mark.parametrize("name", ["classnames.txt", "_info.json"])
def test_a_pipe_beside_shards_is_refused(tmp_path: Path, name: str) -> None:
    """It was passed by, and classes were called by their numbers."""
    pytest.importorskip("webdataset", reason="pip install 'graphzsl[readers]'")
    with tarfile.open(tmp_path / "test-0.tar", "w") as tar:
        add_sample(tar, "a", png=png_of((0, 0, 0)), cls=b"1")
    os.mkfifo(tmp_path / name)
    with pytest.raises(DataError, match=rf"{name} is a pipe or a socket"):
        open_images(f"wds/{tmp_path}", split="test-0.tar")


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
    png = png_of((0, 0, 0))
    (tmp_path / "shards").mkdir()
    with tarfile.open(tmp_path / "a.tar", "w") as tar:
        add_file(tar, f"{name}/dog/0.png" if "/" in name else f"dog/{name}.png", png)
    with tarfile.open(tmp_path / "shards" / "0.tar", "w") as tar:
        add_sample(tar, name, png=png, cls=b"1")
    table = tmp_path / "t.csv"
    table.write_text(f'image,class\n"{name}",dog\n', encoding="utf-8")
    if said:
        for read in (lambda: open_images(tmp_path / "a.tar"), lambda: read_labels(table)):
            with pytest.raises(DataError, match=f"holds the invisible character {said}"):
                read()
        with pytest.raises(DataError, match=f"image 'a.*b' holds the invisible character {said}"):
            check_text(name, "image", "x")
        found = colours_of(open_images(f"wds/{tmp_path / 'shards'}"))[0]
        assert re.search(f"its name 'a.*b' holds the invisible character {said}", str(found))
        return
    assert len(open_images(tmp_path / "a.tar")) == 1
    assert colours_of(open_images(f"wds/{tmp_path / 'shards'}")) == [("1", (0, 0, 0))]
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
                add_file(tar, f"s{shard}{number}.png", png_of(colour))
                add_file(tar, f"s{shard}{number}.cls", str(number).encode())
    return place


def test_the_shards_of_a_webdataset(shards: Path) -> None:
    images = open_images(f"wds/{shards}")
    expected = [(str(row % 3), list(COLOURS.values())[row % 3]) for row in range(6)]
    assert colours_of(images) == expected
    assert colours_of(open_images(f"wds/{shards}", split="{1..1}.tar")) == expected[:3]
    (shards.parent / "classnames.txt").write_text("dog\ncat\nbird\n")
    named = open_images(f"wds/{shards}")
    assert [label for label, _ in colours_of(named)] == ["dog", "cat", "bird"] * 2
    assert named.classes == ["dog", "cat", "bird"]
    (shards.parent / "classnames.txt").write_text("dog\ncat\n")
    said = colours_of(open_images(f"wds/{shards}"))[2]
    assert said == (
        f"wds/{shards}: 0.tar/s02 is of class 2; there are 2 names of classes, counted from 0."
    )


def test_a_damaged_shard_is_an_error(shards: Path) -> None:
    with tarfile.open(shards / "2.tar", "w") as tar:
        add_file(tar, "s20.png", b"no image")
        add_file(tar, "s20.cls", b"0")
    said = f"{shards / '2.tar' / 's20'}: not an image (of no known format)."
    assert colours_of(open_images(f"wds/{shards}"))[6] == said
    with pytest.raises(DataError, match=re.escape(said)):
        list(image_batches(open_images(f"wds/{shards}"), no_tensor))
    whole = (shards / "1.tar").read_bytes()
    (shards / "2.tar").write_bytes(whole[:700])
    with pytest.raises(DataError, match=r"2\.tar: not a tar archive .* \(unexpected end of data\)"):
        colours_of(open_images(f"wds/{shards}"))
    (shards / "2.tar").write_bytes(b"no tar" * 200)
    with pytest.raises(DataError, match=r"2\.tar: .* \(invalid header at byte 0\)"):
        colours_of(open_images(f"wds/{shards}"))
    # at whose header webdataset would end
    damaged = bytearray(whole)
    damaged[1024 * 2 + 3] ^= 1
    (shards / "2.tar").write_bytes(damaged)
    with pytest.raises(DataError, match=r"2\.tar: .* \(bad checksum at byte 2,048\)"):
        colours_of(open_images(f"wds/{shards}"))
    with pytest.raises(DataError, match=r"holds 6 images; its description says 7"):
        colours_of(open_images(f"wds/{shards}", split="{0..1}.tar|7"))


def test_samples_without_a_label_are_named(shards: Path) -> None:
    """timm's reader passes over a class of -1, and says nothing."""
    png = png_of((0, 0, 0))
    with tarfile.open(shards / "2.tar", "w") as tar:
        add_sample(tar, "a", png=png, cls=b"-1", json=b'{"label": -1}')
        add_sample(tar, "b", png=png, cls=b"dog", json=b'{"label": 1.5}')
        add_sample(tar, "c", png=png, cls=b" 2\n", json=b'{"label": "2", "deep": {"er": 0}}')
        add_sample(tar, "d", png=png, cls=b"1", json=b'{"label": null}')
        add_sample(tar, "e", png=png, cls=b"1", json=b"{label")
        add_sample(tar, "f", png=png)
        add_sample(tar, "g", png=png, cls=b"1_0", json=b'{"label": true}')
        add_sample(tar, "h", png=png, cls="٣".encode(), json=b'{"label": 2.0}')
    place = f"{shards / '2.tar'}: sample"
    found = colours_of(open_images(f"wds/{shards}", split="{2..2}.tar"))
    assert [each[:90] for each in map(str, found)][:2] == [
        each[:90]
        for each in (
            f"{place} a has the class -1 in .cls: it has no label. Leave the sample out of the",
            f"{place} b has the class 'dog' in .cls; expected a class number.",
        )
    ]
    assert [each[0] for each in found[2:5]] == ["2", "1", "1"]
    assert found[5].startswith(f"{place} f has no .cls; it has .png.")  # type: ignore[attr-defined]
    for text, wrong in (("g has the class '1_0'", found[6]), ("h has the class '٣'", found[7])):
        assert str(wrong).startswith(f"{place} {text} in .cls; expected a class number.")
    by_json = colours_of(open_images(f"wds/{shards}", split="{2..2}.tar", label_key="label"))
    assert ["has the class -1 in 'label'" in str(each) for each in by_json] == [True, *[False] * 7]
    assert ["has the class 1.5 in 'label'" in str(each) for each in by_json][1]
    assert by_json[2] == ("2", (0, 0, 0))
    assert ["has the class None" in str(each) for each in by_json][3]
    assert "has the class True in 'label'" in str(by_json[6])
    assert by_json[7] == ("2", (0, 0, 0))
    assert ["has a .json that is not valid" in str(each) for each in by_json][4]
    with pytest.raises(DataError, match=r"(?s)-1 in \.cls.*'dog'.*sample f"):
        list(image_batches(open_images(f"wds/{shards}"), no_tensor))


def test_shards_are_checked_before_their_first_sample(shards: Path) -> None:
    """What fills the memory, a link that webdataset passes over, and a name that nobody sees."""
    png = png_of((0, 0, 0))
    large = tarfile.TarInfo("a.npy")
    large.size = 300 << 20
    with (shards / "0.tar").open("wb") as file, tarfile.open(fileobj=file, mode="w") as tar:
        add_sample(tar, "a", png=png, cls=b"1")
        file.write(large.tobuf())
        file.truncate(file.tell() + large.size + 1024)
    with pytest.raises(DataError, match=r"0\.tar: sample a has 314,\d\d\d,\d\d\d bytes or more"):
        open_images(f"wds/{shards}")
    link = tarfile.TarInfo("b.png")
    link.type, link.linkname = tarfile.LNKTYPE, "a.png"
    with tarfile.open(shards / "0.tar", "w") as tar:
        add_sample(tar, "a", png=png, cls=b"1")
        tar.addfile(link)
    with pytest.raises(DataError, match=r"0\.tar: b\.png is a link to a\.png\. Write the archive"):
        open_images(f"wds/{shards}")
    with tarfile.open(shards / "0.tar", "w") as tar:
        add_sample(tar, "a\u202eb", png=png, cls=b"1")
    assert "cannot be named: its name 'a\\u202eb' holds the invisible" in str(
        colours_of(open_images(f"wds/{shards}"))[0]
    )
    (shards / "classnames.txt").write_text("cat\nd\u202eog\nbird\n")
    with pytest.raises(
        DataError, match=r"classnames\.txt:2: the name 'd\\u202eog' holds the invis"
    ):
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
        add_sample(tar, "a", png=png_of((0, 0, 0)), json=b'{"class": 1, "name": "x"}')
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
        (
            '{"splits": {"val": {"name": "val", "num_samples": 6, "filenames": [],'
            ' "shard_lengths": []}}}',
            "the split 'val' has no shard",
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
    assert (len(images), len(colours_of(images))) == (3, 3)
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
        "img": [{"bytes": png_of(colour), "path": None} for colour in COLOURS.values()],
        "fine": [0, 1, 2],
    }
    made = datasets.Dataset.from_dict(rows, features)
    (tmp_path / "set").mkdir()
    made.to_parquet(tmp_path / "set" / "test-00000.parquet")
    keys = {"image_key": "img", "label_key": "fine"}
    images = open_images(f"hfds/{tmp_path / 'set'}", **keys)
    assert colours_of(images) == list(zip(["dog", "cat", "bird"], COLOURS.values(), strict=True))
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
    png = {"bytes": png_of((0, 0, 0)), "path": None}
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
    found = [str(each) for each in colours_of(open_images(source))]
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
