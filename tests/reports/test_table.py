"""The table of models for a paper, by hand: numbers, marks, facts, and files that LaTeX takes."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import numpy as np
import pytest

from graphzsl.models import table as grid_table
from graphzsl.reports.differences import BY_CLASSES
from tests.reports.made import WRONG, hits, write_counts, write_run
from tests.reports.table_texts import command, csv_rows, latex_rows, saved

#: Per cent of hit@1 of each seed, and their mean and deviation.
GOOD, ALIKE, POOR = (75, 87.5, 75), (68.75, 81.25, 75), (43.75, 50, 37.5)


def test_mean_deviation_and_the_best_in_bold_by_hand(runs: Path) -> None:
    given = (GOOD, ALIKE, POOR)
    assert [np.mean(each) for each in given] == pytest.approx([79.17, 75, 43.75], abs=0.01)
    deviations = [np.std(each, ddof=1) for each in given]
    assert deviations == pytest.approx([7.217, 6.25, 6.25], abs=0.001)
    head, *rows = latex_rows(saved(runs, ".tex"))
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
    lines = saved(runs, ".md").splitlines()
    assert lines[0].startswith("| model | hit@1 |")
    assert set(lines[1]) == set("| -:")
    assert lines[2].startswith("| good | **79.2 ± 7.2** | ")
    assert lines[3].startswith("| alike | 75.0 ± 6.2† | ")
    assert lines[4].startswith("| poor | 43.8 ± 6.2 | ")
    assert {line.count("|") for line in lines[:5]} == {lines[0].count("|")}


@pytest.mark.parametrize("suffix", [".tex", ".md"])
def test_the_facts_and_the_test_stand_with_the_table(runs: Path, suffix: str) -> None:
    text = saved(runs, suffix).replace("\\", "").replace("ldots{}", "…")
    for fact in (
        "Samples: drawn, split far, 4 candidates.",
        "Split: far: …; training classes: 2; test: 16 samples of 4 classes",
        "hierarchy: made up (whole)",
        "class embeddings: glosses",
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
    own, compared = csv_rows(runs), 0
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
    done = command("evaluate", "table", str(runs), "--format", "json")
    own, rows = csv_rows(runs), json.loads(done.stdout)
    assert [row["model"] for row in rows] == ["good", "alike", "poor"]
    for (model, metric), found in own.items():
        (row,) = (row for row in rows if row["model"] == model)
        assert row[metric] == float(found["mean"])
        assert row[f"{metric} sd"] == float(found["sd"])
        assert row[f"{metric} mark"] == found["mark"]
    (one, *_) = rows
    assert (one["question"], one["seeds"]) == ("Samples: drawn, split far, 4 candidates", 3)


def test_the_command_shows_models_and_metrics_on_80_columns(runs: Path) -> None:
    write_counts(runs, "a model of a rather long name, which takes two lines", 0, (4, 4, 4, 4))
    done = command("evaluate", "table", str(runs), "--format", "table")
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
        write_counts(tmp_path / "runs", model, 0, counts)
    found = csv_rows(tmp_path / "runs")["one", "hit@1"]
    given = json.loads((tmp_path / "runs" / "0.json").read_text())["metrics"]["hit@1"]
    low, high = given["per_class_interval"]
    assert (float(found["mean"]), float(found["low"]), float(found["high"])) == (0.625, low, high)
    assert (found["sd"], found["seeds"]) == ("", "1")
    text = saved(tmp_path / "runs", ".tex")
    assert rf"\textbf{{62.5 [{100 * low:.1f}, {100 * high:.1f}]}}" in text
    assert r"Behind a value: 95 \% bootstrap interval of a single run." in text
    assert r"$\pm$" not in text


def test_a_value_without_interval_stands_alone_and_the_caption_says_why(tmp_path: Path) -> None:
    """tr and H of a single run have neither deviation nor interval."""
    given = hits({"lynx": 3, "pug": 1, "oak": 2, "cat": 4, "tree": 2}, WRONG)
    (tmp_path / "runs").mkdir()
    write_run(tmp_path / "runs" / "a.json", given, "a")
    head, row = latex_rows(saved(tmp_path / "runs", ".tex"))
    assert (head[1:4], row[3]) == (["H", "ts", "tr"], "75.0")
    assert "a single seed has no deviation." in saved(tmp_path / "runs", ".md")


def test_a_column_without_a_test_has_no_bold_and_says_so(tmp_path: Path) -> None:
    for model, right in (("a", 1), ("b", 0)):
        (tmp_path / "runs").mkdir(exist_ok=True)
        write_run(tmp_path / "runs" / f"{model}.json", hits({"pug": right}, WRONG, 1), model)
    text = saved(tmp_path / "runs", ".md")
    assert "| a | 100.0 |" in text
    assert "**" not in text
    assert "Not tested, so without bold: hit@1" in text


def test_several_questions_are_several_tables(runs: Path) -> None:
    write_counts(runs, "good", 0, (4, 4, 4, 4), split="near: …")
    (last,) = list(runs.glob("9.json"))
    document = json.loads(last.read_text())
    document["provenance"]["candidates"] = {"classes": 4, "sha256": "f" * 64}
    document["simulated"] = True
    last.write_text(json.dumps(document))
    text = saved(runs, ".tex")
    assert text.count(r"\begin{table}") == text.count(r"\end{table}") == 2
    far, near = text.split(r"\end{table}")[:2]
    assert ("split far" in far, "split near" in far) == (True, False)
    assert ("split far" in near, "split near" in near) == (False, True)
    told = "(simulated), split near"
    assert told in near
    assert "The data are simulated: the figures say nothing about real images." in near
    assert "simulated" not in far
    rows = list(csv.DictReader((saved(runs, ".csv")).splitlines()))
    assert {(row["question"].partition(",")[0], row["simulated"]) for row in rows} == {
        ("Samples: drawn", "False"),
        ("Samples: drawn (simulated)", "True"),
    }
    done = command("evaluate", "table", str(runs), "--format", "table")
    assert len(re.findall(r"^Samples: drawn", done.stdout, re.MULTILINE)) == 2
    assert len({json.loads(line)["question"] for line in _jsonl(runs)}) == 2


def _jsonl(runs: Path) -> list[str]:
    lines: list[str] = command("evaluate", "table", str(runs), "--format", "jsonl").stdout
    return lines.splitlines()


def test_facts_that_differ_name_their_models(tmp_path: Path) -> None:
    for model, seed, name in (("a", 0, "glove"), ("a", 1, "glove"), ("b", 0, "lsi")):
        write_counts(tmp_path / "runs", model, seed, (3, 2, 1, 1), semantics_name=name)
    write_counts(tmp_path / "runs", "c", 0, (1, 2, 1, 1), semantics_name="lsi", note="smaller")
    text = saved(tmp_path / "runs", ".md")
    assert "Class embeddings: glove (a); lsi (b, c)." in text
    assert "Seeds: 0, 1 (a); 0 (b, c)." in text
    assert "c: smaller." in text
