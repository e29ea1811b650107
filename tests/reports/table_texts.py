"""The files of a table of models, as tests read them."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import Any

from click.testing import CliRunner

import graphzsl as gz
from graphzsl.cli import main


def saved(runs: Path, suffix: str) -> str:
    """The text of the table of some runs."""
    path = runs.parent / f"table{suffix}"
    gz.report(runs, wordnet=None).save_table(path)
    return path.read_text()


def csv_rows(runs: Path) -> dict[tuple[str, str], dict[str, str]]:
    """(model, metric) -> row."""
    rows = list(csv.DictReader(io.StringIO(saved(runs, ".csv"), newline="")))
    return {(row["model"], row["metric"]): row for row in rows}


def latex_rows(text: str) -> list[list[str]]:
    """The cells of every row, head included."""
    lines = [line for line in text.splitlines() if line.endswith(r" \\")]
    return [re.split(r"(?<!\\) & ", line.removesuffix(r" \\")) for line in lines]


def command(*words: str) -> Any:
    """Output of a command that must succeed, on a terminal of 80 columns."""
    done = CliRunner().invoke(main, list(words), env={"COLUMNS": "80"})
    assert done.exit_code == 0, done.output
    return done
