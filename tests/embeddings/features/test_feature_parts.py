"""Features in a folder of parts: those of the file, whatever stops their writing, and read by
whoever takes features."""

from __future__ import annotations

import io
import json
import os
import shutil
import tarfile
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
import torch
from click.testing import CliRunner
from PIL import Image

from graphzsl.cli import main
from graphzsl.clip import file_blocks, file_labels
from graphzsl.common import DataError, atomic
from graphzsl.common.errors import NotEnoughMemoryError
from graphzsl.data import Samples, load_samples, save_samples
from graphzsl.data.feature_folder import UNFINISHED, FeatureFolder
from graphzsl.embeddings import Extraction, backbone, extract, image_features
from graphzsl.embeddings.features import feature_parts, feature_states
from tests.schemas import fits

NETWORK = "test_resnet"


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """13 images in three classes, as a folder, in shards and as a data set; weights."""
    folder = tmp_path_factory.mktemp("parts")
    random = np.random.default_rng(0)
    (folder / "shards").mkdir()
    (folder / "shards" / "classnames.txt").write_text("cat\ndog\nhorse\n")
    for label, (name, count) in enumerate({"cat": 6, "dog": 2, "horse": 5}.items()):
        (folder / "images" / name).mkdir(parents=True)
        with tarfile.open(folder / "shards" / f"{label}.tar", "w") as tar:
            for number in range(count):
                pixels = random.integers(0, 255, (40, 40, 3)).astype(np.uint8)
                path = folder / "images" / name / f"{number}.png"
                Image.fromarray(pixels).save(path)
                for suffix, content in (("png", path.read_bytes()), ("cls", str(label).encode())):
                    entry = tarfile.TarInfo(f"{name}{number}.{suffix}")
                    entry.size = len(content)
                    tar.addfile(entry, io.BytesIO(content))
    torch.manual_seed(1)
    torch.save(backbone(NETWORK, pretrained=False).state_dict(), folder / "w.pt")
    return folder


def _made_of(given: Path, source: str = "images", **more: Any) -> Extraction:
    place = f"{source.rpartition('/')[0]}/" * ("/" in source) + str(
        given / source.rpartition("/")[2]
    )
    options = {"batch": 2, "part": 3, "device": "cpu", **more}
    return Extraction(place, NETWORK, given / "w.pt", **options)


def _files(folder: Path) -> dict[str, Any]:
    found = {path.name: path.read_bytes() for path in folder.glob("*.parquet")}
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest.pop("created_at")
    manifest["made_of"].pop("files")  # sizes and times
    return found | manifest


@pytest.mark.parametrize("source", ["images", "wds/shards", "hfds/images"])
def test_a_folder_holds_what_a_file_holds(given: Path, source: str, tmp_path: Path) -> None:
    keys = {"split": "train"} if source.startswith("hfds/") else {}
    made_of = _made_of(given, source, keys=keys)
    folder = extract(made_of, tmp_path / "f")
    whole = image_features(made_of.source, NETWORK, given / "w.pt", batch=2, **keys)
    # parts of four are whole batches; a webdataset has a part for each of its shards
    fits(folder.manifest, "features")
    assert folder.manifest["rows"] == ([6, 2, 5] if "wds" in source else [4, 4, 4, 1])
    found = load_samples(tmp_path / "f")
    assert found.labels == whole.labels
    assert set(found.labels) == {"cat", "dog", "horse"}
    if "wds" in source:
        assert found.features == pytest.approx(whole.features, abs=1e-5)
    else:
        assert np.array_equal(found.features, whole.features)
    names = pq.read_table(tmp_path / "f" / "part-00001.parquet")["file"].to_pylist()
    assert names[0] == {"images": "cat/4.png", "hfds/images": "image 4"}.get(source, "1.tar/dog0")


def test_what_was_stopped_goes_on_with_the_same_result(
    given: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = extract(_made_of(given), tmp_path / "whole")
    original, written = feature_parts.write_part, []

    def stopped(shared: Any, task: Any) -> Any:
        if len(written) == 2:
            raise KeyboardInterrupt
        written.append(task[0])
        return original(shared, task)

    with monkeypatch.context() as patch:
        patch.setattr(feature_parts, "write_part", stopped)
        with pytest.raises(KeyboardInterrupt):
            extract(_made_of(given), tmp_path / "f")
    with pytest.raises(DataError, match=r"f is not finished: give the command that writes it"):
        load_samples(tmp_path / "f")
    with pytest.raises(DataError, match=r"f is begun with features of another batch \(2, now 4\)"):
        extract(_made_of(given, batch=4), tmp_path / "f")
    left = tmp_path / "f" / f".part-00002.parquet.{atomic._HOST}-4194305.00000000.part"
    left.write_text("of a killed process")
    monkeypatch.setattr(
        feature_parts,
        "write_part",
        lambda shared, task: (written.append(task[0]), original(shared, task))[1],
    )
    extract(_made_of(given), tmp_path / "f")
    assert written == [0, 1, 2, 3]
    assert _files(tmp_path / "f") == _files(whole.path)
    assert not left.exists()
    extract(_made_of(given), tmp_path / "f")
    assert written == [0, 1, 2, 3], "what is finished is left alone"
    with pytest.raises(DataError, match="f holds features of another batch"):
        extract(_made_of(given, batch=4), tmp_path / "f")
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "notes.txt").write_text("mine")
    with pytest.raises(DataError, match="own exists and was not written by graphzsl"):
        extract(_made_of(given), tmp_path / "own")


@pytest.mark.parametrize("source", ["images", "wds/shards"])
def test_what_has_changed_since_is_not_mixed_with_what_is_there(
    given: Path, source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An image or a shard of the same name and size, other weights, another timm."""
    for name in ("images", "shards"):
        shutil.copytree(given / name, tmp_path / name)
    shutil.copy(given / "w.pt", tmp_path)
    out = tmp_path / "f"
    extract(_made_of(tmp_path, source), out)
    extract(_made_of(tmp_path, source), out)
    _stop_before_the_last_part(out)
    with monkeypatch.context() as patch:
        patch.setattr(feature_parts, "version", lambda name: f"of {name}")
        with pytest.raises(
            DataError, match=r"another version of timm \('.*', now 'of timm'\)\. Name"
        ):
            extract(_made_of(tmp_path, source), out)
    weights = (tmp_path / "w.pt").read_bytes()
    torch.save(backbone(NETWORK, pretrained=False).state_dict(), tmp_path / "w.pt")
    with pytest.raises(DataError, match=r"is begun with features of another weights"):
        extract(_made_of(tmp_path, source), out)
    (tmp_path / "w.pt").write_bytes(weights)
    changed = tmp_path / ("images/cat/0.png" if source == "images" else "shards/0.tar")
    status = changed.stat()
    content = bytearray(changed.read_bytes())
    content[len(content) // 2] ^= 1
    changed.write_bytes(content)
    os.utime(changed, ns=(status.st_atime_ns, status.st_mtime_ns + 1))
    files = r"\(0\.png, 1\.png, " if source == "images" else r"\(0\.tar\)"
    part = rf"part-00000\.parquet {files}"
    with pytest.raises(DataError, match=rf"changed since under the same names: those of {part}"):
        extract(_made_of(tmp_path, source), out)


def _stop_before_the_last_part(out: Path) -> None:
    """Make a finished folder one that was stopped before its last part."""
    manifest = json.loads((out / "manifest.json").read_text())
    (out / UNFINISHED).write_text(json.dumps({**manifest, "rows": None}))
    (out / "manifest.json").unlink()
    max(out.glob("part-*.parquet")).unlink()


@pytest.fixture
def tars(given: Path, tmp_path: Path) -> Path:
    """A folder that holds ``tars``, with the tars cat (6 images), dog (2) and horse (5), and the
    weights."""
    shutil.copy(given / "w.pt", tmp_path)
    (tmp_path / "tars").mkdir()
    for name in ("cat", "dog", "horse"):
        _pack(given, name, tmp_path)
    return tmp_path


def _pack(given: Path, name: str, folder: Path) -> None:
    with tarfile.open(folder / "tars" / f"{name}.tar", "w") as tar:
        for path in sorted((given / "images" / name).iterdir()):
            tar.add(path, path.name)


def test_a_mended_tar_stops_the_parts_of_its_images_alone(given: Path, tars: Path) -> None:
    """Parts of four: cat, then cat and dog, then horse; the last is still to be read."""
    out = tars / "f"
    extract(_made_of(tars, "tars"), out)
    whole = _files(out)
    _stop_before_the_last_part(out)
    _pack(given, "horse", tars)
    with pytest.raises(DataError, match=r"of part-00002\.parquet \(horse\.tar\)\. Name"):
        extract(_made_of(tars, "tars"), out)
    (out / "part-00002.parquet").unlink()
    assert extract(_made_of(tars, "tars"), out).manifest["rows"] == [4, 4, 4, 1]
    assert _files(out) == whole
    _stop_before_the_last_part(out)
    _pack(given, "dog", tars)
    with pytest.raises(
        DataError,
        match=r"those of part-00001\.parquet \(cat\.tar, dog\.tar\)\. Name another folder",
    ):
        extract(_made_of(tars, "tars"), out)


def test_the_state_of_a_tar_is_read_once(tars: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    original = feature_states._stated
    monkeypatch.setattr(
        feature_states, "_stated", lambda file: (asked.append(file.name), original(file))[1]
    )
    assert len(_made_of(tars, "tars", batch=1, part=1).described["files"]) == 13
    assert sorted(asked) == ["cat.tar", "dog.tar", "horse.tar"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"versions": {"timm": "0", "torch": "0"}}, r"another version of timm \('0', now '"),
        ({"versions": {}}, r"another version of timm \(none, now '"),
        ({"later": 1}, r"another later \(1, now none\)"),
        ({"keys": {"split": "train"}}, r"another split \('train', now none\)"),
        ({"keys": 3}, r"another keys \(3, now none\)"),
        ({"files": 3}, r"images whose state cannot be read"),
        ({"files": None}, r"images whose state cannot be read"),
        ({"files": ["0", "1"]}, r"images whose state cannot be read"),
    ],
)
def test_what_differs_is_named(
    given: Path, tmp_path: Path, change: dict[str, Any], said: str
) -> None:
    """Also what this version does not keep, or not as that."""
    out = tmp_path / "f"
    extract(_made_of(given), out)
    document = json.loads((out / "manifest.json").read_text())
    kept = document["made_of"] | change
    (out / "manifest.json").write_text(json.dumps({**document, "made_of": kept}))
    with pytest.raises(DataError, match=rf"f holds features of {said}"):
        extract(_made_of(given), out)


def test_a_version_that_is_no_longer_kept_is_named(given: Path, tmp_path: Path) -> None:
    out = tmp_path / "f"
    extract(_made_of(given), out)
    document = json.loads((out / "manifest.json").read_text())
    document["made_of"]["versions"]["numpy"] = "2"
    (out / "manifest.json").write_text(json.dumps(document))
    with pytest.raises(DataError, match=r"another version of numpy \('2', now none\)\. Name"):
        extract(_made_of(given), out)


def test_damaged_images_stop_their_part_alone(given: Path, tmp_path: Path) -> None:
    shutil.copytree(given / "images", tmp_path / "images")
    shutil.copy(given / "w.pt", tmp_path)
    damaged = tmp_path / "images" / "horse" / "1.png"
    content = damaged.read_bytes()
    damaged.write_bytes(content[:50])
    with pytest.raises(DataError, match=r"horse/1\.png"):
        extract(_made_of(tmp_path), tmp_path / "f")
    assert len(list((tmp_path / "f").glob("part-*.parquet"))) == 2
    damaged.write_bytes(content)
    extract(_made_of(tmp_path), tmp_path / "f")
    whole = extract(_made_of(given), tmp_path / "whole")
    assert _files(tmp_path / "f") == _files(whole.path)


def test_a_changed_part_is_refused(given: Path, tmp_path: Path) -> None:
    extract(_made_of(given), tmp_path / "f")
    part = tmp_path / "f" / "part-00001.parquet"
    content = part.read_bytes()
    changed = bytearray(content)
    changed[40] ^= 0xFF
    for wrong in (content[:-9], b"", bytes(changed)):
        part.write_bytes(wrong)
        with pytest.raises(DataError, match="part-00001"):
            load_samples(tmp_path / "f")
    part.write_bytes(content)
    whole = (tmp_path / "f" / "manifest.json").read_text()
    manifest = json.loads(whole)
    for dimensions in (10**12, 2**63):
        manifest["dimensions"] = dimensions
        (tmp_path / "f" / "manifest.json").write_text(json.dumps(manifest))
        with pytest.raises(DataError, match=f"dimensions; the folder has {dimensions:,}"):
            load_samples(tmp_path / "f")
        with pytest.raises(NotEnoughMemoryError, match="a row of features"):
            FeatureFolder.open(tmp_path / "f").read(np.array([], dtype=np.int64))
    for rows, images, said in (
        ([2, 10**40], 2 + 10**40, "'rows/1' is 10000.*, not at most 1099511627776"),
        ([2], 2, "damaged: 4 files and 2 images, but 1 parts of 2 rows"),
        ([4, 4, 4, 2], 13, "damaged: 4 files and 13 images, but 4 parts of 14 rows"),
        ([4, 4, 4, 2**40], 12 + 2**40, "1,099,511,627,788 rows"),
    ):
        document = manifest | {"rows": rows, "images": images}
        (tmp_path / "f" / "manifest.json").write_text(json.dumps(document))
        kind = NotEnoughMemoryError if "1,099" in said else DataError
        with pytest.raises(kind, match=said):
            FeatureFolder.open(tmp_path / "f").read()
    (tmp_path / "f" / "manifest.json").write_text(whole)
    part.unlink()
    with pytest.raises(DataError, match=r"part-00001.*is missing"):
        load_samples(tmp_path / "f")
    (tmp_path / "none").mkdir()
    with pytest.raises(DataError, match="none is not the folder of features: it has no manifest"):
        load_samples(tmp_path / "none")


def test_rows_are_read_from_their_parts_alone(given: Path, tmp_path: Path) -> None:
    folder = extract(_made_of(given), tmp_path / "f")
    whole = folder.read()
    rows = np.array([1, 2, 12])
    (tmp_path / "f" / "part-00001.parquet").write_bytes(b"")
    assert np.array_equal(folder.read(rows), whole[rows])
    with pytest.raises(DataError, match="part-00001"):
        folder.read(np.array([5]))


def test_whatever_takes_features_takes_the_folder(
    given: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An evaluation in shards of the folder is that of the file; balanced samples; CLIP's."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("graphzsl.audit.scored_blocks._BLOCK_SAMPLES", 3)
    folder = extract(_made_of(given), tmp_path / "f")
    found = load_samples(tmp_path / "f")
    save_samples(found, tmp_path / "f.npz")
    assert file_labels(tmp_path / "f") == ["cat", "dog", "horse"]
    blocks = list(file_blocks(tmp_path / "f"))
    assert np.array_equal(np.concatenate([block.features for block in blocks]), found.features)
    from graphzsl.data import CLASSIFIERS, ClassMatrix

    rows = np.random.default_rng(0).normal(size=(2, folder.dimensions + 1)).astype(np.float32)
    ClassMatrix(["cat", "horse"], rows, {"kind": CLASSIFIERS}).save(tmp_path / "c.safetensors")

    def run(*words: str) -> None:
        done = CliRunner().invoke(main, list(words))
        assert done.exit_code == 0, done.output

    model = ("evaluate", "model", "c.safetensors", "--features")
    run(*model, "f.npz", "--out", "file.json")
    run(*model, "f", "--out", "folder.json")
    for number in (1, 2, 3):
        run(*model, "f", "--out", "merged.json", "--shard", f"{number}/3")
    run("evaluate", "merge", *map(str, Path().glob("merged.shard-*")), "--out", "merged.json")
    results = [
        json.loads(Path(f"{name}.json").read_text()) for name in ("file", "folder", "merged")
    ]
    assert results[0]["metrics"] == results[1]["metrics"] == results[2]["metrics"]
    assert results[1]["features"] == results[2]["features"]
    assert results[0]["samples"] == 11
    run("split", "samples", "balance", "f", "--per-class", "2", "--out", "balanced.npz")
    assert isinstance(load_samples(tmp_path / "balanced.npz"), Samples)


def test_the_command(given: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["convert", "images", str(given / "images"), "--model", NETWORK]
    done = CliRunner().invoke(main, [*words, "--checkpoint", str(given / "w.pt"), "--out", "f"])
    assert (done.exit_code, "13 images" in done.output) == (0, True), done.output
    for more, said in {
        ("--out", "f.npz", "--part", "5"): "--part has no effect here: it needs a folder as --out",
        ("--out", "f.csv"): "must end in .npz",
        ("--out", "g", "--workers", "2", "--scheduler", "local:1"): "--workers has no effect",
    }.items():
        done = CliRunner().invoke(main, [*words, *more])
        assert (done.exit_code, said in " ".join(done.output.split())) == (2, True), done.output
