"""Files of a table of models: characters that LaTeX, Markdown and spreadsheets take for orders, a
structure that LaTeX takes, and what writes them."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

import graphzsl as gz
from graphzsl.cli import main
from graphzsl.common import DataError
from graphzsl.reports.table_files import latex_text, markdown_text
from tests.reports.made import WRONG, hits, write_counts, write_run
from tests.reports.table_texts import command, csv_rows, latex_rows, saved

NAMES = ["a_b & 5%", "[x] #1 {y} $z$", r"back\slash ~^<|>", "*star*\nline", "=1+1"]


def test_special_characters_are_escaped(tmp_path: Path) -> None:
    assert latex_text("a_b & 5%") == r"a\_b \& 5\%"
    assert latex_text(r"\x") == r"\textbackslash{}x"
    assert latex_text("[x]") == "{}[x]", "a bracket behind the end of a row is its argument"
    assert latex_text("a\n\x1b[b") == "a [b"
    assert markdown_text("a_b | *c*") == r"a\_b \| \*c\*"
    for place, name in enumerate(NAMES):
        write_counts(tmp_path / "runs", name, 0, (4 - place % 4, 2, 1, 1))
    rows = latex_rows(saved(tmp_path / "runs", ".tex"))
    assert {len(row) for row in rows} == {len(rows[0])}
    assert {row[0] for row in rows[1:]} == {*map(latex_text, NAMES)}
    lines = saved(tmp_path / "runs", ".md").splitlines()[:7]
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in lines} == {len(rows[0]) + 1}
    assert {name for name, _ in csv_rows(tmp_path / "runs")} == {*NAMES[:-1], "'=1+1"}


def test_latex_takes_the_file(runs: Path) -> None:
    """By a compiler where there is one; its structure in any case."""
    for place, name in enumerate(NAMES):
        write_counts(runs, name, 0, (4 - place % 4, 2, 1, 1))
    given = hits({"lynx": 3, "pug": 1, "oak": 2, "cat": 4, "tree": 2}, WRONG)
    write_run(runs / "generalized.json", given, "[a]")
    text = saved(runs, ".tex")
    for part in text.split(r"\begin{table}")[1:]:
        (columns,) = re.findall(r"\\begin\{tabular\}\{(l[r]+)\}", part)
        assert {len(row) for row in latex_rows(part)} == {len(columns)}
        rules = ["toprule", "midrule", "bottomrule"]
        assert re.findall(r"^\\(\w+rule)$", part, re.MULTILINE) == rules
        bare = re.sub(r"\\[{}]", "", re.sub(r"^%.*$", "", part, flags=re.MULTILINE))
        assert bare.count("{") == bare.count("}")
    compiler = shutil.which("pdflatex") or shutil.which("tectonic")
    if compiler is None:
        pytest.skip("neither pdflatex nor tectonic is installed: the structure alone was checked")
    document = "\\documentclass{article}\\usepackage{booktabs}\n\\begin{document}\n"
    (runs.parent / "paper.tex").write_text(f"{document}\\input{{table}}\n\\end{{document}}\n")
    batch = ["-halt-on-error", "-interaction=nonstopmode"] if "pdflatex" in compiler else []
    done = subprocess.run(
        [compiler, *batch, "paper.tex"], cwd=runs.parent, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout[-2000:]
    assert (runs.parent / "paper.pdf").stat().st_size > 1000


def test_the_report_writes_the_table_beside_the_page(runs: Path) -> None:
    page, path = runs.parent / "page.html", runs.parent / "other.tex"
    given = ("report", str(runs), "--wordnet", "none", "--out", str(page), "--table")
    done = command(*given, str(path))
    assert f"3 models of 1 question in {path}." in done.stderr
    assert page.is_file()
    assert path.read_text() == saved(runs, ".tex")
    done = CliRunner().invoke(main, [*given, str(runs.parent / "table.txt")])
    assert (done.exit_code, "must end in .tex, .csv or .md" in done.stderr) == (2, True)


def test_other_suffixes_and_no_runs_are_refused(runs: Path) -> None:
    with pytest.raises(DataError, match=r"must end in \.tex, \.csv or \.md"):
        gz.report(runs, wordnet=None).save_table(runs / "table.xlsx")
    (runs / "empty").mkdir()
    done = CliRunner().invoke(main, ["evaluate", "table", str(runs / "empty")])
    assert (done.exit_code, "There is no run to report" in done.stderr) == (1, True)
