"""What is written: a name that says something else is refused, and so is replacing what is not the
same kind."""

from __future__ import annotations

import csv
import errno
import io
import json
import math
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest
from click.testing import CliRunner

from graphzsl.audit import Predictions
from graphzsl.audit.class_table import write_class_table
from graphzsl.audit.evaluation_options import EvaluationOptions as Options
from graphzsl.audit.runs import write_run
from graphzsl.benchmark.sample_selection import ProbedSamples, write_flags
from graphzsl.cli import main
from graphzsl.cli.output import show
from graphzsl.cli.types import Folder
from graphzsl.common import DataError, atomic, manifest, write_result
from graphzsl.data import EMBEDDINGS, ClassMatrix, Samples, save_samples, write_windows
from graphzsl.reports.report import Report
from tests.reports.test_report import evaluation as _run

ONE = np.ones((1, 1), dtype=np.float32)
RANK = np.ones(1, dtype=np.int64)
PREDICTED = Predictions(["a"], ["a"], np.zeros((1, 1), dtype=np.int64), RANK, True)
MATRIX = ClassMatrix(["a"], ONE, {"kind": EMBEDDINGS})


@pytest.mark.parametrize(
    ("write", "suffixes"),
    [
        (PREDICTED.save, ".parquet"),
        (MATRIX.save, ".safetensors"),
        (lambda path: save_samples(Samples(ONE, ["a"], {}), path), ".npz"),
        (lambda path: write_class_table([{"wnid": "a"}], path, path, 0.95), ".parquet or .csv"),
        (lambda path: write_flags(path, ["a"], ProbedSamples(RANK, RANK, 1)), ".csv"),
        (lambda path: write_windows([], path), ".jsonl"),
        (lambda path: Report("title", "", []).save(path), ".html"),
        (lambda path: Report("title", "", []).save_table(path), ".tex, .csv or .md"),
        (lambda path: write_run(path, _run(4), None, Options(), None), ".json"),
    ],
)
def test_the_library_refuses_a_suffix_as_the_commands_do(
    write: Callable[[Path], Any], suffixes: str, tmp_path: Path
) -> None:
    for name in ("out.txt", "out"):
        with pytest.raises(DataError, match=f"{name} must end in {suffixes}: the suffix decides"):
            write(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def _folders_of(command: click.Command, path: str = "") -> Iterator[tuple[str, click.Parameter]]:
    """(command, option) of every option that is a folder to write."""
    if isinstance(command, click.Group):
        for name in command.list_commands(click.Context(command)):
            found = command.get_command(click.Context(command), name)
            assert found is not None
            yield from _folders_of(found, f"{path} {name}")
    for option in command.params:
        if isinstance(option.type, Folder):
            yield path, option


def test_no_folder_is_written_under_the_name_of_a_file(tmp_path: Path) -> None:
    options = list(_folders_of(main))
    assert {" export hcorrect", " convert samples", " train eszsl", " report"} <= {
        command for command, _ in options
    }
    for command, option in options:
        for name in ("hc.csv", "x.JSON", "v.safetensors", "t.csv.gz", "hc.xlsx", "t.tex"):
            with pytest.raises(click.BadParameter, match=f"{name} would be a folder"):
                option.type.convert(str(tmp_path / name), option, None)
        assert option.type.convert(str(tmp_path / "resnet50.a1_in1k"), option, None), command
    wanted = pytest.raises(DataError, match=r"hc\.csv would be a folder.* such as .*/hc\.")
    with wanted, atomic.atomic_folder(tmp_path / "hc.csv"):
        pass
    assert list(tmp_path.iterdir()) == []


OTHERS = {
    "settings": json.dumps({"colour": "blue"}),
    "a list": "[1, 2]",
    "no JSON": "mine",
    "another kind": json.dumps(manifest("windows")),
}


@pytest.mark.parametrize("content", OTHERS.values(), ids=OTHERS)
def test_a_json_file_that_is_not_a_run_is_not_replaced_by_one(content: str, tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_text(content)
    beside = tmp_path / "run.samples.parquet"
    beside.write_text("mine")
    with pytest.raises(DataError, match=r"run\.json .*, and this would be 'evaluation'"):
        write_run(path, _run(4), PREDICTED, Options(), None)
    assert (path.read_text(), beside.read_text()) == (content, "mine")
    predictions = tmp_path / "given.csv"
    predictions.write_text("label,top1\na,a\n")
    arguments = ["audit", str(predictions), "--out", str(path)]
    done = CliRunner().invoke(main, arguments)
    assert (done.exit_code, "this would be 'evaluation'" in done.output) == (2, True), done.output
    done = CliRunner().invoke(main, ["evaluate", "windows", str(predictions), "--out", str(path)])
    is_windows = content == OTHERS["another kind"]
    assert ("this would be 'windows'" in done.output) != is_windows
    assert path.read_text() == content


@pytest.mark.parametrize("name", ["run.samples.parquet", "run.classes.parquet", "run.json"])
def test_a_file_that_does_not_reach_the_disk_leaves_the_whole_run(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Networks say only then that a disk is full; a file that was moved before is of no run."""
    path = tmp_path / "run.json"
    write_run(path, _run(4), PREDICTED, Options(), None)
    before = {each.name: each.read_bytes() for each in tmp_path.iterdir()}
    assert len(before) == 3
    to_disk = atomic._to_disk

    def full(partial: Path) -> None:
        if partial.name.startswith(f".{name}."):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        to_disk(partial)

    monkeypatch.setattr(atomic, "_to_disk", full)
    places = np.zeros((2, 1), dtype=np.int64)
    others = Predictions(["a", "b"], ["a", "b"], places, np.ones(2, dtype=np.int64), True)
    with pytest.raises(DataError, match=rf"{name} cannot be written: the disk is full"):
        write_run(path, _run(8), others, Options(), None)
    assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == before


def test_a_run_is_replaced_by_a_run_and_an_empty_file_by_anything(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.touch()
    write_run(path, _run(4), None, Options(), None)
    write_run(path, _run(8), None, Options(), None)
    assert json.loads(path.read_text())["metrics"]["hit@1"]["per_class"] == 0.8
    with pytest.raises(DataError, match="wrote as 'evaluation', and this would be 'windows'"):
        write_result(path, manifest("windows"))


def test_no_cell_of_a_table_is_a_formula_of_a_spreadsheet(
    capsys: pytest.CaptureFixture[str],
) -> None:
    texts = ["=1+1", "+cmd|x", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "dog", ""]
    rows: list[dict[str, Any]] = [
        {"text": text, "number": -1.5, "list": ["=a"], "=name": 1} for text in texts
    ]
    show(rows, output_format="csv")
    read = list(csv.DictReader(io.StringIO(capsys.readouterr().out, newline="")))
    formulas = ["'=1+1", "'+cmd|x", "'-2+3", "'@SUM(A1)", "'\t=1", "'\n=1"]
    assert [row["text"] for row in read] == [*formulas, "dog", ""]
    assert {(row["number"], row["list"], row["'=name"]) for row in read} == {("-1.5", "'=a", "1")}
    show(rows, output_format="json")
    assert json.loads(capsys.readouterr().out) == rows


def test_programs_read_every_character_and_no_number_that_json_lacks(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """On a terminal a space stands where it would obey."""
    rows = [{"text": "\x1b[31mred", "inf": math.inf, "all": [-math.inf, math.nan]}]
    show(rows, output_format="csv")
    assert next(csv.DictReader(io.StringIO(capsys.readouterr().out)))["text"] == "\x1b[31mred"
    show(rows, output_format="json")

    def refuse(text: str) -> None:
        raise AssertionError(text)

    assert json.loads(capsys.readouterr().out, parse_constant=refuse) == [
        {"text": "\x1b[31mred", "inf": "Infinity", "all": ["-Infinity", None]}
    ]
