"""The report never averages runs of different tasks, and a note stands at its own run."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import graphzsl as gz
from graphzsl.audit import Predictions, read_predictions
from graphzsl.audit.evaluate import evaluate
from graphzsl.audit.evaluation_options import EvaluationOptions as Options
from graphzsl.audit.run_identity import groups
from graphzsl.cli import main
from graphzsl.models import table
from graphzsl.models.runs.grid_tables import mean_ranks
from tests.problems import mini_subgraph


def evaluation(
    hits: int,
    samples: int = 10,
    *,
    candidates: int = 10,
    seed: int = 0,
    model: str = "eszsl",
    note: str = "",
    given: dict[str, Any] | None = None,
    depth: int = 10,
    **more: Any,
) -> dict[str, Any]:
    """A real evaluation of ``of`` samples, one per class, of which the first ``hits`` are right."""
    names = [f"class{number:03d}" for number in range(candidates)]
    labels = names[:samples]
    top = np.tile(np.arange(depth), (samples, 1))
    rank = np.where(np.arange(samples) < hits, 1, candidates)
    complete = depth == 10
    found = Predictions(
        names, labels, top, rank, complete, metadata={"features": "photos", "sha256": "0" * 64}
    )
    checksum = {"classes": candidates, "sha256": f"{candidates:064d}"}
    provenance = {
        "model": model,
        "seed": seed,
        "given_options": given or {},
        "candidates": checksum,
        "train": checksum,
    }
    against = Options(rounds=10)
    more = {"split": "hidden: …", "model_label": model, "semantics_name": "glosses", **more}
    return evaluate(found, against, provenance=provenance, run=f"{model}-{seed}", note=note, **more)


def _page(folder: Path, *runs: dict[str, Any]) -> str:
    for number, run in enumerate(runs):
        (folder / f"{number}.json").write_text(json.dumps(run))
    paths = [folder / f"{number}.json" for number in range(len(runs))]
    return gz.report(paths, title="title").html


def _rows(page: str) -> list[tuple[str, str, str]]:
    """(model, number of runs, hit@1) of every row of the headline tables."""
    runs = re.findall(r"<summary>([^<]*): (\d+) runs?</summary>", page)
    hits = re.findall(r'data-metric="hit@1"[^>]*>(?:<abbr.*?</abbr> )?([\d.]*)<', page)
    assert len(runs) == len(hits)
    names = re.findall(r'<tr><th scope="row">([^<]*)<.*?data-metric', page)
    assert names == [name for name, _ in runs]
    return [(name, count, hit) for (name, count), hit in zip(runs, hits, strict=True)]


def test_what_ties_decide_stands_in_the_tables(tmp_path: Path) -> None:
    """Two of four samples tie their class with another: 2 of 4 right by the rule, 3 at random."""
    names = ["a", "b", "c", "d"]
    scores = np.eye(4)
    scores[0, 1] = scores[1, 2] = 1
    runs = []
    for seed in (0, 1):
        found = Predictions.from_scores(scores, names, names, metadata={"features": "photos"})
        more = {"split": "hidden: …", "model_label": "closest", "semantics_name": "glosses"}
        provenance = {"model": "closest", "seed": seed}
        runs.append(evaluate(found, Options(rounds=10), provenance=provenance, **more))
    lists = evaluation(4)
    (row,) = (row for row in table(runs) if row["model"] == "closest")
    assert (row["hit@1"], row["hit@1 expected"]) == (0.5, 0.75)
    assert "hit@1 expected" not in table([lists])[0], "no tie decides anything"
    page = _page(tmp_path, *runs, {**lists, "ties": "another rule"})
    assert "50.0<small>± 0.0</small><small>random ties: 75.0</small>" in page
    assert page.count("<dd>count against the model") == page.count("<dd>another rule</dd>") == 1


def test_a_model_with_candidates_of_its_own_does_not_take_away_the_ranks_of_the_others() -> None:
    runs = [
        evaluation(hits + seed, seed=seed, model=model)
        for seed in (0, 1, 2)
        for model, hits in (("a", 6), ("b", 4), ("c", 2))
    ]
    alone = [evaluation(1, candidates=20, seed=seed, model="softmax") for seed in (0, 1, 2)]
    ranks = mean_ranks([*runs, *alone])["hit@1"]
    assert ranks.models == ["a", "b", "c"]
    assert ranks.mean_ranks.tolist() == [1, 2, 3]
    assert len(ranks.ranks) == 3


def test_runs_with_other_candidates_are_not_averaged(tmp_path: Path) -> None:
    page = _page(tmp_path, evaluation(4, candidates=10), evaluation(8, candidates=20, seed=1))
    assert sorted(_rows(page)) == [
        ("eszsl", "1", "40.0"),
        ("eszsl", "1", "80.0"),
    ], "each stands in a table of its own"
    assert re.findall(r"<h2 [^>]*>(.*?)</h2>", page) == [
        f"Samples: photos, split hidden, {number} candidates" for number in (10, 20)
    ]


def test_the_number_of_candidates_is_part_of_the_question_of_a_grid_too(tmp_path: Path) -> None:
    """A grid's split is known by its definition and not by its lists, which differ from seed to
    seed."""
    given = {"split_definition": {"name": "hidden", "of": "ilsvrc2012", "hide": 0.2}}
    page = _page(
        tmp_path,
        evaluation(4, candidates=10, **given),
        evaluation(8, candidates=20, seed=1, **given),
    )
    assert sorted(_rows(page)) == [("eszsl", "1", "40.0"), ("eszsl", "1", "80.0")]


def test_of_a_folder_only_runs_are_reported(tmp_path: Path) -> None:
    """A folder may hold the JSON of windows and manifests too; a file that is named must be a
    run."""
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "one.json").write_text(json.dumps(evaluation(4)))
    (tmp_path / "runs" / "windows.json").write_text(json.dumps({"kind": "windows"}))
    (tmp_path / "runs" / "list.json").write_text("[1]")
    page = tmp_path / "page.html"
    done = CliRunner().invoke(main, ["report", str(tmp_path / "runs"), "--out", str(page)])
    assert (done.exit_code, _rows(page.read_text())) == (0, [("eszsl", "1", "40.0")])
    assert "1 run in" in done.output
    assert "2 JSON files that are not runs were passed over" in done.output
    done = CliRunner().invoke(
        main, ["report", str(tmp_path / "runs" / "windows.json"), "--out", str(page)]
    )
    assert (done.exit_code, "windows.json is not a run" in done.output) == (1, True)
    (tmp_path / "runs" / "one.json").unlink()
    done = CliRunner().invoke(main, ["report", str(tmp_path / "runs"), "--out", str(page)])
    assert (done.exit_code, "There is no run to report" in done.output) == (1, True)


def test_seeds_of_one_task_are_averaged(tmp_path: Path) -> None:
    page = _page(tmp_path, evaluation(4, seed=0), evaluation(8, seed=1))
    assert _rows(page) == [("eszsl", "2", "60.0")]
    assert "± 28.3" in page, "the standard deviation of 40 and 80"


@pytest.mark.parametrize(
    "change",
    [{"given": {"gamma": 3.0}}, {"semantics_name": "minilm"}, {"inputs": {"graph": "other"}}],
)
def test_other_options_semantics_or_inputs_are_another_row(
    tmp_path: Path, change: dict[str, Any]
) -> None:
    page = _page(tmp_path, evaluation(4), evaluation(8, seed=1, **change))
    assert [(runs, hit) for _, runs, hit in _rows(page)] == [("1", "80.0"), ("1", "40.0")]
    assert len({name for name, _, _ in _rows(page)}) == 2, "the rows can be told apart"


def test_two_runs_of_one_seed_are_no_sample_of_seeds(tmp_path: Path) -> None:
    assert [
        (runs, hit) for _, runs, hit in _rows(_page(tmp_path, evaluation(4), evaluation(8)))
    ] == [
        ("1", "80.0"),
        ("1", "40.0"),
    ]


def test_the_same_file_twice_is_oneevaluation(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(evaluation(4)))
    (tmp_path / "folder").mkdir()
    report = gz.report([tmp_path / "a.json", tmp_path / "folder" / ".." / "a.json", tmp_path])
    assert "1 run of" in repr(report)


def test_a_note_stands_at_its_own_run_alone(tmp_path: Path) -> None:
    page = _page(
        tmp_path, evaluation(4, model="sgcn", note="smaller than the paper's"), evaluation(8)
    )
    assert page.count("smaller than the paper&#39;s") == 2
    assert '>sgcn<small class="beside">smaller than the paper' in page
    assert '<p class="note below">sgcn: smaller than the paper' in page, "of a narrow page"


def test_a_metric_that_one_run_lacks_stays_in_the_table(tmp_path: Path) -> None:
    page = _page(
        tmp_path, evaluation(4, candidates=30), evaluation(8, candidates=30, model="short", depth=5)
    )
    assert '<button type="button">hit@10</button>' in page
    assert "hit@20 is the same as hit@10" in page
    assert len(_rows(page)) == 2


def test_the_table_of_a_grid_keeps_questions_apart() -> None:
    rows = table([evaluation(4), evaluation(8, seed=1), evaluation(9, candidates=20)])
    assert [(row["seeds"], row["candidates"], row["hit@1"], row["hit@1 sd"]) for row in rows] == [
        (1, 20, 0.9, None),
        (2, 10, pytest.approx(0.6), pytest.approx(np.std([0.4, 0.8], ddof=1))),
    ]


def test_the_spread_over_validation_splits_is_not_that_over_seeds() -> None:
    """Seeds 0 and 1 with validation splits (4, 6) and (7, 9) of 10: seed means 50 and 80, each √200
    = 14.14 apart."""
    values = {(0, 0): 4, (0, 1): 6, (1, 0): 7, (1, 1): 9}
    (row,) = table(
        [evaluation(hits, seed=seed, validation_seed=fold) for (seed, fold), hits in values.items()]
    )
    assert (row["hit@1"], row["hit@1 sd"], row["hit@1 validation sd"]) == pytest.approx(
        (0.65, 0.21213, 0.14142), abs=1e-5
    )
    assert row["seeds"] == 2


def test_the_report_averages_validation_seeds_as_the_table_does(tmp_path: Path) -> None:
    """One row for all runs of a model; the spread over seeds is that of the means of validation
    seeds."""
    values = {(0, 0): 4, (0, 1): 6, (1, 0): 7, (1, 1): 9}
    runs = [evaluation(hits, seed=seed, validation_seed=v) for (seed, v), hits in values.items()]
    page = _page(tmp_path, *runs)
    assert _rows(page) == [("eszsl", "4", "65.0")]
    assert "± 21.2" in page, "over seeds: 50 and 80"
    assert "± 14.1 over validation seeds" in page
    for name in ("seeds", "validation seeds"):
        assert f"<dt>{name}</dt><dd>0, 1</dd>" in page


def test_validation_seeds_alone_have_no_spread_over_seeds(tmp_path: Path) -> None:
    runs = [evaluation(hits, validation_seed=number) for number, hits in enumerate((4, 8))]
    page = _page(tmp_path, *runs)
    assert _rows(page) == [("eszsl", "2", "60.0")]
    assert "± 28.3 over validation seeds" in page
    (row,) = table(runs)
    assert row["hit@1 sd"] is None
    assert (row["hit@1"], row["hit@1 validation sd"]) == pytest.approx((0.6, 0.28284), abs=1e-5)


def test_runs_of_drawn_validation_classes_are_no_sample_with_runs_of_the_usual_ones(
    tmp_path: Path,
) -> None:
    runs = [evaluation(4), evaluation(8, seed=1, validation_seed=0)]
    assert [(runs, hit) for _, runs, hit in _rows(_page(tmp_path, *runs))] == [
        ("1", "80.0"),
        ("1", "40.0"),
    ]
    assert len(table(runs)) == 2


def test_every_metric_has_ranks_in_its_own_direction() -> None:
    """Three models on two questions: better hits mean worse (larger) ranks for none, so the orders
    agree."""
    runs = [
        evaluation(hits, seed=seed, model=model)
        for seed in (0, 1)
        for model, hits in (("a", 9), ("b", 6), ("c", 2))
    ]
    found = mean_ranks(runs)
    assert {"hit@1", "hit@5", "mean_rank"} <= set(found)
    assert "hit@10" not in found, "all 10 candidates are among the first 10: no model differs"
    for each in found.values():
        assert dict(zip(each.models, each.mean_ranks.tolist(), strict=True)) == {
            "a": 1.0,
            "b": 2.0,
            "c": 3.0,
        }
        assert len(each.ranks) == 2


def test_no_metric_of_an_evaluation_is_left_without_ranks(tmp_path: Path) -> None:
    """Everything that a run on all of WordNet holds has ranks, but for the shares of parents and
    children."""
    hierarchy = replace(mini_subgraph(), manifest={"whole": True}).hierarchy
    names = hierarchy.wnids[:25]
    runs = []
    for seed in (0, 1):
        random = np.random.default_rng(seed)
        for model, strength in (("a", 3.0), ("b", 1.0), ("c", 0.0)):
            scores = random.normal(size=(25, 25)) + strength * np.eye(25)
            np.savez(tmp_path / "s.npz", scores=scores, classes=names, labels=names)
            against = Options(hierarchy, rounds=5)
            manifest = {
                "provenance": {"seed": seed},
                "model_label": model,
                "split": "x",
                "semantics_name": "y",
            }
            runs.append(
                evaluate(read_predictions(tmp_path / "s.npz"), against, run=model, **manifest)
            )
    assert set(mean_ranks(runs)) == set(runs[0]["metrics"]) - {"parent", "child"}
    assert {
        "hit@1",
        "hp@5",
        "mean_rank",
        "unrelated",
        "lca_height@5",
        "lca_height_wordnet@1",
    } <= set(mean_ranks(runs))
    for name in ("hit@1", "mean_rank", "correct"):
        ranks = dict(
            zip(
                mean_ranks(runs)[name].models,
                mean_ranks(runs)[name].mean_ranks.tolist(),
                strict=True,
            )
        )
        assert ranks["a"] < ranks["c"], f"{name}: the strongest model is first"


def test_runs_from_outside_on_the_same_samples_share_a_table() -> None:
    one, other = evaluation(4), evaluation(8)
    for run, name in ((one, "clip.csv"), (other, "softmax.csv")):
        run["features"] = {"predictions": name, "sha256": name}
        run["run"] = name
    assert len(groups([one, other])) == 2
    from graphzsl.audit.run_identity import question

    assert question(one) == question(other)
    other["labels_sha256"] = "other samples"
    assert question(one) != question(other)


def test_names_of_formulas_and_without_end_are_drawn(tmp_path: Path) -> None:
    """``$\\frac{$`` was read as a formula of LaTeX, and 100,000 letters took ten seconds."""
    from graphzsl.reports.names import legend_text

    assert legend_text("$\\frac{$") == "\\$\\frac{\\$"
    assert len(legend_text("x" * 100_000)) == 60
    pytest.importorskip("matplotlib")
    from matplotlib.figure import Figure

    figure = Figure()
    axes = figure.subplots()
    axes.plot([0, 1], label=legend_text("$\\frac{$"))
    axes.legend()
    figure.savefig(tmp_path / "x.png")


@pytest.mark.parametrize("group", ["²", "x images or more", "² images or more"])
def test_groups_of_other_names_are_shown_as_they_are(tmp_path: Path, group: str) -> None:
    rows = [{"group": each, "hit@1": 0.5, "classes": 2} for each in (group, "10 images or more")]
    runs = [evaluation(4, model=model, groups={"population": rows}) for model in ("a", "b")]
    runs[0]["generalized"] = None
    page = _page(tmp_path, *runs)
    assert group in page
    assert "≥ 10" in page


def test_a_model_has_one_colour_and_mark_on_a_page(tmp_path: Path) -> None:
    """a is first of 10 candidates and second of 20; c, which the second table alone has, comes
    third on the page."""
    told = [("a", 8, 10), ("b", 4, 10), ("b", 9, 20), ("a", 5, 20), ("c", 7, 20)]
    page = _page(tmp_path, *(evaluation(h, model=m, candidates=c) for m, h, c in told))
    legend = re.findall(r'data-toggle="(\d+)"><svg class="swatch c(\d+)".*?</svg>(\w)<', page)
    assert legend == [
        *(("0", "0", "a"), ("1", "1", "b")),
        *(("1", "1", "b"), ("2", "2", "c"), ("0", "0", "a")),
    ]
    for name, place in (("a", 0), ("b", 1), ("c", 2)):
        of_model = (
            rf'<g class="(c\d+)" data-series="(\d+)">(?:(?!</svg>|data-series).)*<title>{name},'
        )
        assert {*re.findall(of_model, page, re.DOTALL)} == {(f"c{place}", str(place))}
