"""The table of models for a paper, by hand: numbers, marks, facts, and files that LaTeX takes."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import graphzsl as gz
from graphzsl.cli import main
from graphzsl.errors import DataError
from graphzsl.evaluation.grid_tables import table as grid_table
from graphzsl.reports.differences import BY_CLASSES
from graphzsl.reports.table_files import latex_text, markdown_text
from tests.reports.made import WRONG, hits, write_run

#: Right samples of four of lynx, oak, poodle and pug, by model and seed.
RIGHTS = {
    ("good", 0): (4, 4, 3, 1),
    ("good", 1): (4, 4, 4, 2),
    ("good", 2): (4, 4, 4, 0),
    ("alike", 0): (4, 3, 4, 0),
    ("alike", 1): (4, 3, 3, 3),
    ("alike", 2): (4, 3, 3, 2),
    ("poor", 0): (2, 3, 2, 0),
    ("poor", 1): (2, 3, 2, 1),
    ("poor", 2): (2, 2, 2, 0),
}
#: Per cent of hit@1 of each seed, and their mean and deviation.
GOOD, ALIKE, POOR = (75, 87.5, 75), (68.75, 81.25, 75), (43.75, 50, 37.5)


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """Three models with three seeds each; the good one is not significantly better than one of
    them."""
    for (model, seed), counts in RIGHTS.items():
        _write(tmp_path / "runs", model, seed, counts)
    return tmp_path / "runs"


def _write(folder: Path, model: str, seed: int, counts: tuple[int, ...], **more: Any) -> None:
    folder.mkdir(exist_ok=True)
    given = dict(zip(("lynx", "oak", "poodle", "pug"), counts, strict=True))
    path = folder / f"{len(list(folder.glob('*.json')))}.json"
    more = {"split": "far: …", "semantics_name": "glosses", **more}
    write_run(path, hits(given, WRONG), model, seed, **more)


def _saved(runs: Path, suffix: str) -> str:
    path = runs.parent / f"table{suffix}"
    gz.report(runs, wordnet=None).save_table(path)
    return path.read_text()


def _csv(runs: Path) -> dict[tuple[str, str], dict[str, str]]:
    rows = list(csv.DictReader(io.StringIO(_saved(runs, ".csv"), newline="")))
    return {(row["model"], row["metric"]): row for row in rows}


def _latex_rows(text: str) -> list[list[str]]:
    """The cells of every row, head included."""
    lines = [line for line in text.splitlines() if line.endswith(r" \\")]
    return [re.split(r"(?<!\\) & ", line.removesuffix(r" \\")) for line in lines]


def _command(*words: str) -> Any:
    done = CliRunner().invoke(main, list(words), env={"COLUMNS": "80"})
    assert done.exit_code == 0, done.output
    return done


def test_mean_deviation_and_the_best_in_bold_by_hand(runs: Path) -> None:
    given = (GOOD, ALIKE, POOR)
    assert [np.mean(each) for each in given] == pytest.approx([79.17, 75, 43.75], abs=0.01)
    deviations = [np.std(each, ddof=1) for each in given]
    assert deviations == pytest.approx([7.217, 6.25, 6.25], abs=0.001)
    head, *rows = _latex_rows(_saved(runs, ".tex"))
    assert head[:2] == ["model", "hit@1"]
    assert [row[:2] for row in rows] == [
        ["good", r"\textbf{79.2 $\pm$ 7.2}"],
        ["alike", r"75.0 $\pm$ 6.2$^\dagger$"],
        ["poor", r"43.8 $\pm$ 6.2"],
    ]
    # a sample that is wrong has its class second: the rank is 2 - hit@1, and small is good
    rank = head.index("mean rank")
    assert [row[rank] for row in rows] == [
        r"\textbf{1.2 $\pm$ 0.1}",
        r"1.2 $\pm$ 0.1$^\dagger$",
        r"1.6 $\pm$ 0.1",
    ]


def test_markdown_has_the_same_cells(runs: Path) -> None:
    lines = _saved(runs, ".md").splitlines()
    assert lines[0].startswith("| model | hit@1 |")
    assert set(lines[1]) == set("| -:")
    assert lines[2].startswith("| good | **79.2 ± 7.2** | ")
    assert lines[3].startswith("| alike | 75.0 ± 6.2† | ")
    assert lines[4].startswith("| poor | 43.8 ± 6.2 | ")
    assert {line.count("|") for line in lines[:5]} == {lines[0].count("|")}


@pytest.mark.parametrize("suffix", [".tex", ".md"])
def test_the_facts_and_the_test_stand_with_the_table(runs: Path, suffix: str) -> None:
    text = _saved(runs, suffix).replace("\\", "").replace("ldots{}", "…")
    for fact in (
        "Samples: drawn, split far, 4 candidates.",
        "Split: far: …; training classes: 2; test: 16 samples of 4 classes",
        "hierarchy: made up (whole)",
        "semantics: glosses",
        "ties count against the model",
        "seeds: 0, 1, 2.",
        "standard deviation over seeds.",
        "Bold: the best of a column.",
        f"not significantly different from it, by {BY_CLASSES}; each model against the best",
        "height of common ancestor and mean rank as they are, small is good.",
    ):
        assert fact in text, fact
    assert "simulated" not in text
    assert "Without a column: " in text


def test_numbers_for_programs_are_those_of_the_table_of_a_grid(runs: Path) -> None:
    """Means, deviations and counts of seeds, to the last digit."""
    documents = [json.loads(path.read_text()) for path in sorted(runs.glob("*.json"))]
    own, compared = _csv(runs), 0
    for row in grid_table(documents):
        for metric in ("hit@1", "hp@2", "mean_rank", "lca_height@1", "unrelated"):
            found = own[row["model"], metric]
            assert float(found["mean"]) == row[metric]
            assert float(found["sd"]) == row[f"{metric} sd"]
            assert (int(found["seeds"]), int(found["candidates"])) == (3, 4)
            compared += 1
    assert compared == 3 * 5
    best = own["good", "mean_rank"]
    assert float(best["mean"]) == pytest.approx(2 - np.mean(GOOD) / 100)
    assert (best["mark"], best["test"]) == ("best", BY_CLASSES)
    assert [own[name, "hit@1"]["mark"] for name in ("good", "alike", "poor")] == [
        "best",
        "alike",
        "",
    ]
    assert (best["split"], best["samples"], best["simulated"]) == ("far: …", "16", "False")


def test_the_command_prints_what_the_file_holds(runs: Path) -> None:
    done = _command("evaluate", "table", str(runs), "--format", "json")
    own, rows = _csv(runs), json.loads(done.stdout)
    assert [row["model"] for row in rows] == ["good", "alike", "poor"]
    for (model, metric), found in own.items():
        (row,) = (row for row in rows if row["model"] == model)
        assert row[metric] == float(found["mean"])
        assert row[f"{metric} sd"] == float(found["sd"])
        assert row[f"{metric} mark"] == found["mark"]
    (one, *_) = rows
    assert (one["question"], one["seeds"]) == ("Samples: drawn, split far, 4 candidates", 3)


def test_the_command_shows_models_and_metrics_on_80_columns(runs: Path) -> None:
    _write(runs, "a model of a rather long name, which takes two lines", 0, (4, 4, 4, 4))
    done = _command("evaluate", "table", str(runs), "--format", "table")
    lines = done.stdout.splitlines()
    assert lines[0] == "Samples: drawn, split far, 4 candidates."
    assert max(map(len, [*lines, *done.stderr.splitlines()])) <= 80
    heads = [line.split() for line in lines if line.startswith("model")]
    assert [name for head in heads for name in head if name != "model"] == [
        "hit@1",
        "lca_height@1",
        "mean_rank",
    ], "each model has a row, in as many tables as there must be"
    assert len(heads) == 2
    assert len([line for line in lines if line.startswith("good ")]) == 2
    assert "79.2 ± 7.2 %" in done.stdout
    assert "★ 100.0 % [100.0, 100.0]" in done.stdout
    assert "★: the best of a column. ≈: not significantly different" in done.stderr
    assert "lca_height_wordnet" not in done.stdout, "a metric that the page does not show first"


def test_one_run_has_its_interval_and_no_deviation(tmp_path: Path) -> None:
    for model, counts in (("one", (4, 3, 2, 1)), ("two", (1, 1, 1, 0))):
        _write(tmp_path / "runs", model, 0, counts)
    found = _csv(tmp_path / "runs")["one", "hit@1"]
    given = json.loads((tmp_path / "runs" / "0.json").read_text())["metrics"]["hit@1"]
    low, high = given["per_class_interval"]
    assert (float(found["mean"]), float(found["low"]), float(found["high"])) == (0.625, low, high)
    assert (found["sd"], found["seeds"]) == ("", "1")
    text = _saved(tmp_path / "runs", ".tex")
    assert rf"\textbf{{62.5 [{100 * low:.1f}, {100 * high:.1f}]}}" in text
    assert r"In brackets: 95 \% bootstrap interval of a single run." in text
    assert r"$\pm$" not in text


def test_a_value_without_interval_stands_alone_and_the_caption_says_why(tmp_path: Path) -> None:
    """tr and H of a single run have neither deviation nor interval."""
    given = hits({"lynx": 3, "pug": 1, "oak": 2, "cat": 4, "tree": 2}, WRONG)
    (tmp_path / "runs").mkdir()
    write_run(tmp_path / "runs" / "a.json", given, "a")
    head, row = _latex_rows(_saved(tmp_path / "runs", ".tex"))
    assert (head[1:4], row[3]) == (["H", "ts", "tr"], "75.0")
    assert "A single seed has no deviation." in _saved(tmp_path / "runs", ".md")


def test_a_column_without_a_test_has_no_bold_and_says_so(tmp_path: Path) -> None:
    for model, right in (("a", 1), ("b", 0)):
        (tmp_path / "runs").mkdir(exist_ok=True)
        write_run(tmp_path / "runs" / f"{model}.json", hits({"pug": right}, WRONG, 1), model)
    text = _saved(tmp_path / "runs", ".md")
    assert "| a | 100.0 |" in text
    assert "**" not in text
    assert "Not tested, so without bold: hit@1" in text


def test_several_questions_are_several_tables(runs: Path) -> None:
    _write(runs, "good", 0, (4, 4, 4, 4), split="near: …")
    (last,) = list(runs.glob("9.json"))
    document = json.loads(last.read_text())
    document["provenance"]["candidates"] = {"classes": 4, "sha256": "f" * 64}
    document["simulated"] = True
    last.write_text(json.dumps(document))
    text = _saved(runs, ".tex")
    assert text.count(r"\begin{table}") == text.count(r"\end{table}") == 2
    far, near = text.split(r"\end{table}")[:2]
    assert ("split far" in far, "split near" in far) == (True, False)
    assert ("split far" in near, "split near" in near) == (False, True)
    told = "(simulated), split near"
    assert told in near
    assert "The data are simulated: the figures say nothing about real images." in near
    assert "simulated" not in far
    rows = list(csv.DictReader((_saved(runs, ".csv")).splitlines()))
    assert {(row["question"].partition(",")[0], row["simulated"]) for row in rows} == {
        ("Samples: drawn", "False"),
        ("Samples: drawn (simulated)", "True"),
    }
    done = _command("evaluate", "table", str(runs), "--format", "table")
    assert len(re.findall(r"^Samples: drawn", done.stdout, re.MULTILINE)) == 2
    assert len({json.loads(line)["question"] for line in _jsonl(runs)}) == 2


def _jsonl(runs: Path) -> list[str]:
    lines: list[str] = _command("evaluate", "table", str(runs), "--format", "jsonl").stdout
    return lines.splitlines()


def test_facts_that_differ_name_their_models(tmp_path: Path) -> None:
    for model, seed, name in (("a", 0, "glove"), ("a", 1, "glove"), ("b", 0, "lsi")):
        _write(tmp_path / "runs", model, seed, (3, 2, 1, 1), semantics_name=name)
    _write(tmp_path / "runs", "c", 0, (1, 2, 1, 1), semantics_name="lsi", note="smaller")
    text = _saved(tmp_path / "runs", ".md")
    assert "Semantics: glove (a); lsi (b, c)." in text
    assert "Seeds: 0, 1 (a); 0 (b, c)." in text
    assert "c: smaller." in text


NAMES = ["a_b & 5%", "[x] #1 {y} $z$", r"back\slash ~^<|>", "*star*\nline", "=1+1"]


def test_special_characters_are_escaped(tmp_path: Path) -> None:
    assert latex_text("a_b & 5%") == r"a\_b \& 5\%"
    assert latex_text(r"\x") == r"\textbackslash{}x"
    assert latex_text("[x]") == "{}[x]", "a bracket behind the end of a row is its argument"
    assert latex_text("a\n\x1b[b") == "a [b"
    assert markdown_text("a_b | *c*") == r"a\_b \| \*c\*"
    for place, name in enumerate(NAMES):
        _write(tmp_path / "runs", name, 0, (4 - place % 4, 2, 1, 1))
    rows = _latex_rows(_saved(tmp_path / "runs", ".tex"))
    assert {len(row) for row in rows} == {len(rows[0])}
    assert {row[0] for row in rows[1:]} == {*map(latex_text, NAMES)}
    lines = _saved(tmp_path / "runs", ".md").splitlines()[:7]
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in lines} == {len(rows[0]) + 1}
    assert {name for name, _ in _csv(tmp_path / "runs")} == {*NAMES[:-1], "'=1+1"}


def test_latex_takes_the_file(runs: Path) -> None:
    """By a compiler where there is one; its structure in any case."""
    for place, name in enumerate(NAMES):
        _write(runs, name, 0, (4 - place % 4, 2, 1, 1))
    given = hits({"lynx": 3, "pug": 1, "oak": 2, "cat": 4, "tree": 2}, WRONG)
    write_run(runs / "generalized.json", given, "[a]")
    text = _saved(runs, ".tex")
    for part in text.split(r"\begin{table}")[1:]:
        (columns,) = re.findall(r"\\begin\{tabular\}\{(l[r]+)\}", part)
        assert {len(row) for row in _latex_rows(part)} == {len(columns)}
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
    done = _command(*given, str(path))
    assert f"3 models of 1 question in {path}." in done.stderr
    assert page.is_file()
    assert path.read_text() == _saved(runs, ".tex")
    done = CliRunner().invoke(main, [*given, str(runs.parent / "table.txt")])
    assert (done.exit_code, "must end in .tex, .csv or .md" in done.stderr) == (2, True)


def test_other_suffixes_and_no_runs_are_refused(runs: Path) -> None:
    with pytest.raises(DataError, match=r"must end in \.tex, \.csv or \.md"):
        gz.report(runs, wordnet=None).save_table(runs / "table.xlsx")
    (runs / "empty").mkdir()
    done = CliRunner().invoke(main, ["evaluate", "table", str(runs / "empty")])
    assert (done.exit_code, "There is no run to report" in done.stderr) == (1, True)
