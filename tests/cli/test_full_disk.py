"""Commands on a disk that is full, or that may not be written to: one line that says so, nothing
that looks finished, nothing left over, and the result that was there as it was."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from graphzsl.cli import main
from tests.disks import fill, held, read_only
from tests.farm.operations import write_inputs
from tests.mini import MiniWordNet

_EXPERIMENT = (
    "--semantics embeddings.safetensors --classifiers classifiers.safetensors --train train.txt"
    " --candidates test.txt --graph graph"
)
_MODEL = "evaluate model closest --classifiers classifiers.safetensors"
#: What is written, and the command; OUT is a folder on the disk. A grid says so of each of its runs
#: and at its end.
COMMANDS = {
    "train": f"train closest {_EXPERIMENT} --out OUT/m",
    "convert": "convert samples samples.npz --semantics embeddings.safetensors --train train.txt"
    " --test test.txt --out OUT/d",
    "grid": "evaluate grid grid.toml",
    "count": "study frequencies count text.txt.gz --out OUT/c.csv",
    "count by Dask": "study frequencies count text.txt.gz --scheduler local:2 --out OUT/c.csv",
    "evaluate": f"{_MODEL} --rounds 20 --out OUT/r.json",
    "shard": f"{_MODEL} --shard 1/2 --out OUT/r.json",
    "merge": "evaluate merge r.shard-1-of-2.npz r.shard-2-of-2.npz --rounds 20 --out OUT/r.json",
    "audit": "audit own.csv --wordnet none --rounds 20 --out OUT/r.json",
    "table of classes": "audit own.csv --wordnet none --rounds 20 --out r.json --classes-table"
    " OUT/t.csv",
    "rows": "audit own.csv --wordnet none --rounds 20 --save OUT/rows.csv",
    "picture": "picture test.txt --train train.txt --universe none --out OUT/p.html",
    "report": "report own.json --wordnet none --out OUT/r.html",
    "figures": "report own.json --wordnet none --out r.html --figures OUT/f",
    "table": "report own.json --wordnet none --out r.html --table OUT/t.tex",
    "balanced": "split samples balance samples.npz --per-class 2 --out OUT/b.npz",
    "selected": "split samples select samples.npz --wordnet whole --classes-per-round 4"
    " --training 3 --max-rounds 1 --out OUT/g.npz",
    "tree": "export tree --set test.txt --wordnet whole --out OUT/t.csv --dropped OUT/d.csv",
    "superclasses": "export superclasses --set test.txt --number 3 --wordnet whole --out OUT/s.csv",
    "distances": "export distances --set test.txt --distance lca --wordnet whole --out OUT/d.npy",
    "names": "names --set known.txt --out OUT/names.txt",
    "names and templates": "names --set known.txt --format webdataset --out OUT/names.txt"
    " --templates-out OUT/templates.txt",
    "hierarchy": "semantics hierarchy --graph graph --dimensions 8 --out OUT/h.safetensors",
    "lsi": "semantics lsi --graph graph --dimensions 8 --out OUT/l.safetensors",
    "boxes": "study ilsvrc boxes boxes.csv --each --overlap 0.1 --flag OUT/f.csv --large OUT/l.txt"
    " --save OUT/b.csv",
    "detection": "study ilsvrc detection boxes.csv boxes.csv --save OUT/d.json",
    "unjudged": "study ilsvrc labelling precision judged.csv boxes.csv --unjudged OUT/u.csv --save"
    " OUT/p.jsonl",
    "errors": "study ilsvrc labelling errors --save OUT/e.csv",
    "joined": "semantics join embeddings.safetensors again.safetensors --out OUT/j.safetensors",
}
_SAYS = {"grid": 7}


@pytest.fixture
def inputs(
    tmp_path: Path, disk: Path, monkeypatch: pytest.MonkeyPatch, in_mini_wordnet: None
) -> Path:
    """The folder in which commands run, with what they read."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("graphzsl.audit.scored_blocks._BLOCK_SAMPLES", 8)
    write_inputs(tmp_path)
    grid = tmp_path / "grid.toml"
    grid.write_text(grid.read_text().replace('out = "out"', f'out = "{disk}/out"'))
    classes = (tmp_path / "test.txt").read_text().split()
    (tmp_path / "own.csv").write_text(
        "\n".join(
            f"{label},{label},{other}" for label in classes for other in classes if other != label
        )
    )
    (tmp_path / "boxes.csv").write_text(
        "image,class,xmin,ymin,xmax,ymax,image_width,image_height,score\n"
        "a.jpg,dog,0,0,89,89,100,100,0.5\na.jpg,cat,20,20,99,99,100,100,0.4\n"
    )
    (tmp_path / "judged.csv").write_text("image,class,right\na.jpg,dog,yes\n")
    (tmp_path / "known.txt").write_text("\n".join(MiniWordNet().named("dog", "cat", "oak")))
    _run(f"train closest {_EXPERIMENT} --out closest")
    _run("audit own.csv --wordnet none --rounds 20 --out own.json")
    return tmp_path


def _run(command: str, code: int = 0) -> Result:
    done = CliRunner().invoke(main, command.split())
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == code, done.output
    assert "Traceback" not in done.output
    return done


def _prepare(name: str) -> None:
    for number in (1, 2) if name == "merge" else ():
        _run(f"{_MODEL} --shard {number}/2 --out r.json")
    if name == "joined":
        _run("semantics hierarchy --graph graph --dimensions 4 --out again.safetensors")


@pytest.mark.parametrize("name", COMMANDS)
def test_a_full_disk_is_one_line(name: str, inputs: Path, disk: Path) -> None:
    _prepare(name)
    fill(disk, 0)
    done = _run(COMMANDS[name].replace("OUT", str(disk)), code=1)
    lines = [line for line in done.stderr.splitlines() if "the disk is full" in line]
    assert len(lines) == _SAYS.get(name, 1), done.output
    assert str(disk) in lines[0]
    left = [path for path in held(disk) if not path.startswith("out/")]  # a grid's own are below
    assert left == []
    assert not list(disk.glob("out/*-0.json"))
    assert not list(disk.glob("out/.*.part"))


@pytest.mark.parametrize("free", [0, 12 << 10])
@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "grid"])
def test_a_full_disk_keeps_what_was_there(name: str, free: int, inputs: Path, disk: Path) -> None:
    """No file is replaced where some files of a result still fit on the disk and others do not."""
    _prepare(name)
    command = COMMANDS[name].replace("OUT", str(disk))
    _run(command)
    before = held(disk)
    assert before
    fill(disk, free)
    done = CliRunner().invoke(main, command.split())
    if free and done.exit_code == 0:
        return  # all of it fits
    assert done.exit_code == 1, done.output
    assert "the disk is full" in done.stderr
    assert held(disk) == before


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "grid"])
def test_a_folder_that_may_not_be_written_to_is_one_line(
    name: str, inputs: Path, disk: Path
) -> None:
    """A file system that is mounted read-only, which binds root too."""
    _prepare(name)
    with read_only(disk):
        done = CliRunner().invoke(main, COMMANDS[name].replace("OUT", str(disk)).split())
    assert done.exit_code in (1, 2), done.output
    (line,) = [line for line in done.stderr.splitlines() if "cannot be written" in line]
    assert str(disk) in line
    assert "Traceback" not in done.output
    assert held(disk) == {}


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("name", [name for name in COMMANDS if "Dask" not in name])
def test_a_signal_while_a_file_is_written_keeps_what_was_there(
    name: str, by: signal.Signals, inputs: Path, disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the last moment: all of the file is written, and waits for its name."""
    _prepare(name)
    command = COMMANDS[name].replace("OUT", str(disk))
    _run(command)
    before = held(disk)
    if name == "grid":  # which keeps the runs that are there
        for path in disk.glob("out/*-0*"):
            path.unlink()
        before = held(disk)
    monkeypatch.setattr("graphzsl.common.atomic._to_disk", lambda _: signal.raise_signal(by))
    done = CliRunner().invoke(main, command.split())
    assert done.exit_code == 128 + by, done.output
    assert done.stderr.splitlines()[-1:] == ["Stopped."]
    assert held(disk) == before
