"""Commands that read images or a CLIP model, on a disk that is full or may not be written to."""

from __future__ import annotations

import json
import signal
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from graphzsl.cli import main
from graphzsl.clip import load_clip
from graphzsl.data import CLASSIFIERS, ClassMatrix
from tests.clip.conftest import CLASSES
from tests.disks import BALLAST, fill, held, read_only

#: OUT is a folder on the disk, MODEL that of a model, PHOTOS that of images.
COMMANDS = {
    "images": "convert images PHOTOS --model test_resnet --random --batch 4 --out OUT/f.npz",
    "images in parts": "convert images PHOTOS --model test_resnet --random --batch 4 --out OUT/f",
    "finetune": "finetune PHOTOS --classifiers c.safetensors --model test_resnet --random --batch 8"
    " --device cpu --out OUT/w.pt",
    "clip features": "clip features PHOTOS --model local-dir:MODEL --device cpu --out OUT/f.npz",
    "clip head": "clip head --model local-dir:MODEL --set classes.txt --names names.txt --device"
    " cpu --out OUT/h.npz",
    "clip predict": "clip predict h.npz --features f.npz --out OUT/p.parquet",
    "clip run": "clip run clip.toml",
}
#: Features of test_resnet.
_WIDTH = 96
_loaded = cache(load_clip)


@pytest.fixture
def words(
    tiny: Path, photos: Path, tmp_path: Path, disk: Path, monkeypatch: pytest.MonkeyPatch
) -> dict[str, list[str]]:
    """The commands' arguments; what they read is in the working folder."""
    monkeypatch.setattr("graphzsl.clip.model.load_clip", _loaded)
    monkeypatch.setattr("graphzsl.clip.load_clip", _loaded)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "classes.txt").write_text("\n".join(CLASSES))
    names = zip(CLASSES, ["dog", "cat", "bird", "car"], strict=True)
    (tmp_path / "names.txt").write_text("".join(f"{wnid}\t{name}\n" for wnid, name in names))
    (tmp_path / "templates.json").write_text(json.dumps(["a photo of a {c}."]))
    (tmp_path / "clip.toml").write_text(
        f'out = "{disk}/run"\nsimulated = true\nmodel = "local-dir:{tiny}"\nset = "classes.txt"\n'
        f'names = "names.txt"\ntemplates = "templates.json"\nimages = "{photos}"\n'
        '[compute]\ndevice = "cpu"\nbatch = 5\n[audit]\nrounds = 20\nwordnet = "none"\n'
    )

    def filled(command: str, out: Path) -> list[str]:
        for word, value in (("OUT", out), ("MODEL", tiny), ("PHOTOS", photos)):
            command = command.replace(word, str(value))
        return command.split()

    rows = np.random.default_rng(0).normal(size=(3, _WIDTH + 1)).astype(np.float32)
    photographed = ClassMatrix(CLASSES[:3], rows, {"kind": CLASSIFIERS})
    photographed.save(tmp_path / "c.safetensors")
    for name in ("clip features", "clip head"):
        _succeeds(filled(COMMANDS[name], tmp_path))
    return {name: filled(command, disk) for name, command in COMMANDS.items()}


def _run(words: list[str]) -> Result:
    done = CliRunner().invoke(main, words)
    assert "Traceback" not in done.output
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def _succeeds(words: list[str]) -> None:
    done = _run(words)
    assert done.exit_code == 0, done.output


def _says(done: Result, what: str, disk: Path) -> None:
    assert done.exit_code in (1, 2), done.output
    (line,) = [line for line in done.stderr.splitlines() if what in line]
    assert str(disk) in line


@pytest.mark.parametrize("name", COMMANDS)
def test_a_full_disk(name: str, words: dict[str, list[str]], disk: Path) -> None:
    """One line and nothing left over; once there is space the command succeeds, and what it wrote
    stays as it is when the disk is full again."""
    fill(disk, 0)
    _says(_run(words[name]), "the disk is full", disk)
    assert held(disk) == {}
    (disk / BALLAST).unlink()
    _succeeds(words[name])
    before = held(disk)
    assert before
    fill(disk, 0)
    done = _run(words[name])
    if name == "images in parts":  # all of them are there, and are kept
        assert done.exit_code == 0, done.output
    else:
        _says(done, "the disk is full", disk)
    assert held(disk) == before


@pytest.mark.parametrize("name", COMMANDS)
def test_a_folder_that_may_not_be_written_to(
    name: str, words: dict[str, list[str]], disk: Path
) -> None:
    with read_only(disk):
        _says(_run(words[name]), "cannot be written", disk)
    assert held(disk) == {}


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("name", COMMANDS)
def test_a_signal_at_the_last_moment(
    name: str,
    by: signal.Signals,
    words: dict[str, list[str]],
    disk: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr("graphzsl.common.atomic._to_disk", lambda _: signal.raise_signal(by))
        done = _run(words[name])
    assert done.exit_code == 128 + by, done.output
    assert done.stderr.splitlines()[-1:] == ["Stopped."]
    if name != "images in parts":  # finished parts stay, and the command goes on from them
        assert held(disk) == {}
    _succeeds(words[name])
