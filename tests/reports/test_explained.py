"""What a report explains, counted by hand on real runs: significance, groups, classes, confusions
and comparisons."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from scipy import stats

from graphzsl.audit import read_run_samples
from graphzsl.audit.mistakes import confusions
from graphzsl.cli import main
from graphzsl.common import DataError
from graphzsl.metrics.significance import compare_paired
from graphzsl.reports import charts, read_runs
from graphzsl.reports.charts import Chart, charts_of
from graphzsl.reports.classes import class_table
from graphzsl.reports.comparison import comparisons_of
from graphzsl.reports.confusions import Wrong, confusions_of, names_of, way_up, wrong_of
from graphzsl.reports.differences import BY_CLASSES, BY_SEEDS, difference
from graphzsl.reports.headline import UNTESTED, Column, Headline, directions, headline_of
from graphzsl.reports.page import render
from graphzsl.reports.runs import read_reported
from graphzsl.reports.tasks import Task, tasks_of
from tests.audit.kinds import ranked
from tests.reports.made import TREE, WRONG, hits, write_run
from tests.reports.test_report import evaluation


def _task(folder: Path) -> Task:
    (task,) = tasks_of(read_runs([folder]))
    return task


@pytest.fixture
def two(tmp_path: Path) -> Task:
    """Of 4 samples per class, hit@1 of lynx, oak, poodle, pug: 100, 100, 75, 25 and 50, 75, 50, 0
    in seed 0; 100, 100, 100, 0 and 50, 75, 50, 25 in seed 1."""
    rights = {
        ("good", 0): (4, 4, 3, 1),
        ("good", 1): (4, 4, 4, 0),
        ("poor", 0): (2, 3, 2, 0),
        ("poor", 1): (2, 3, 2, 1),
    }
    for (model, seed), counts in rights.items():
        given = dict(zip(("lynx", "oak", "poodle", "pug"), counts, strict=True))
        write_run(tmp_path / f"{model}-{seed}.json", hits(given, WRONG), model, seed)
    return _task(tmp_path)


def _chart(task: Task, key: str) -> Chart:
    (chart,) = (each for each in charts_of(task) if each.key == key)
    return chart


def test_the_headline_by_hand(two: Task) -> None:
    headline = headline_of(two)
    assert [entry.name for entry in two.entries] == ["good", "poor"]
    (hit,) = (column for column in headline.columns if column.metric == "hit@1")
    # good: (300 / 4 + 300 / 4) / 2; poor: (175 / 4 + 200 / 4) / 2, 6.25 apart
    assert [cell.value for cell in hit.cells] == ["75.0", "46.9"]
    assert [cell.notes for cell in hit.cells] == [("± 0.0",), (f"± {6.25 / np.sqrt(2):.1f}",)]
    assert headline.facts["training classes"] == "2"
    assert headline.facts["test"] == "16 samples of 4 classes"
    assert headline.facts["hierarchy"] == "made up (whole)"
    assert headline.facts["seeds"] == "0, 1"
    assert headline.fact_columns == {}
    assert "hit@2 100.0" in headline.left_out[-1], "what is the same for all has no column"
    assert "correct is the same as hit@1" in headline.left_out
    assert "hit@2" not in {column.metric for column in headline.columns}


def test_metrics_of_which_large_values_are_not_good_are_named() -> None:
    metrics = ("hit@1", "mean_rank", "parent", "child")
    columns = [Column(metric, metric, "", is_first=False, cells=[]) for metric in metrics]
    assert directions(Headline({}, {}, columns, [], [], [])) == (
        "For mean_rank small is good; for parent, child neither large nor small is good; for the"
        " others large is."
    )


def test_facts_that_differ_are_columns(tmp_path: Path) -> None:
    for name in ("minilm", "glove"):
        path = tmp_path / f"{name}.json"
        write_run(path, hits({"lynx": 1}, WRONG), name, semantics_name=name)
    headline = headline_of(_task(tmp_path))
    assert headline.fact_columns == {"class embeddings": ["glove", "minilm"]}
    assert "class embeddings" not in headline.facts


def test_a_difference_is_that_of_the_means_and_by_classes(two: Task) -> None:
    """By class, mean over seeds: lynx 50, oak 25, poodle 37.5, pug 0: all resamples but that of pug
    alone, one of 256, are above 0."""
    found = difference(two.entries[0], two.entries[1], "hit@1")
    assert found
    assert (found.mean, found.test) == (pytest.approx((0.5 + 0.25 + 0.375 + 0) / 4), BY_CLASSES)
    for metric in ("hit@1", "hp@2", "mean_rank", "lca_height@1"):
        one, other = two.entries
        between = difference(one, other, metric)
        assert between
        assert between.mean == pytest.approx(one.mean(metric) - other.mean(metric)), metric
    assert 0 < found.low < found.mean < found.high <= 0.5
    assert found.is_significant


def test_the_best_is_marked_with_those_that_do_not_differ(tmp_path: Path) -> None:
    rights = {"best": (4, 3, 2, 3), "alike": (2, 4, 3, 2), "worse": (1, 1, 0, 1)}
    for model, counts in rights.items():
        given = dict(zip(("lynx", "oak", "poodle", "pug"), counts, strict=True))
        write_run(tmp_path / f"{model}.json", hits(given, WRONG), model)
    headline = headline_of(_task(tmp_path))
    marks = {column.metric: [cell.mark for cell in column.cells] for column in headline.columns}
    # by class: 50, -25, -25, 25; and 75, 50, 50, 50
    assert marks["hit@1"] == ["best", "alike", ""]
    assert marks["mean_rank"] == ["best", "alike", ""], "of which small is good"
    assert headline.tests == [BY_CLASSES]


def test_seeds_count_the_same_however_many_validation_seeds_they_have(tmp_path: Path) -> None:
    """Seed 0 has two validation seeds with differences 75 and 25 on one class of two, seed 1 one
    with 0: (50 + 0) / 2 of one class, 12.5 of both."""
    rights = {("a", 0, 0): 4, ("a", 0, 1): 2, ("a", 1, 0): 1}
    rights |= {("b", 0, 0): 1, ("b", 0, 1): 1, ("b", 1, 0): 1}
    for (model, seed, fold), right in rights.items():
        given = hits({"lynx": right, "oak": 1}, WRONG)
        path = tmp_path / f"{model}{seed}{fold}.json"
        write_run(path, given, model, seed, validation_seed=fold)
    one, other = _task(tmp_path).entries
    found = difference(one, other, "hit@1")
    assert found
    assert found.mean == pytest.approx(0.125)
    assert found.mean == pytest.approx(one.mean("hit@1") - other.mean("hit@1"))


def test_equal_models_are_both_the_best(tmp_path: Path) -> None:
    for model in ("a", "b"):
        write_run(tmp_path / f"{model}.json", hits({"lynx": 1, "oak": 2}, WRONG), model)
    headline = headline_of(_task(tmp_path))
    assert [cell.mark for cell in headline.columns[0].cells] == ["best", "best"]
    said = " ".join(render([_task(tmp_path)], "title").split())
    assert "<b>a</b> and <b>b</b> have the same hit@1 on all 2 classes" in said
    assert "+0.0 to +0.0" not in said


def test_what_is_0_in_a_single_run_has_no_column(tmp_path: Path) -> None:
    write_run(tmp_path / "a.json", hits({"lynx": 1, "oak": 2}, WRONG), "a")
    headline = headline_of(_task(tmp_path))
    assert headline.left_out[-1] == "zero: child, parent"
    assert {"hit@1", "hp@2"} <= {column.metric for column in headline.columns}


def test_a_bar_ends_where_per_cents_do(tmp_path: Path) -> None:
    for seed, count in enumerate((10, 0)):
        (tmp_path / f"{seed}.json").write_text(json.dumps(evaluation(count, seed=seed)))
    point = _chart(_task(tmp_path), "hit-at-k").series[0].lines[0][0]
    assert (point.y, point.low, point.high) == (50, 0, 100), "50 ± 70.7"


def test_without_tables_of_classes_seeds_are_tested_or_nothing(tmp_path: Path) -> None:
    values = {"a": (9, 8, 9), "b": (8, 9, 8), "c": (3, 2, 1)}
    for model, counts in values.items():
        for seed, count in enumerate(counts):
            run = evaluation(count, model=model, seed=seed)
            (tmp_path / f"{model}{seed}.json").write_text(json.dumps(run))
    task = _task(tmp_path)
    found = difference(task.entries[0], task.entries[1], "hit@1")
    assert found
    expected = stats.ttest_rel([0.9, 0.8, 0.9], [0.8, 0.9, 0.8]).confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))
    headline = headline_of(task)
    hit = headline.columns[0]
    assert ([cell.mark for cell in hit.cells], hit.tests) == (["best", "alike", ""], [BY_SEEDS])
    for path in tmp_path.glob("?[12].json"):
        path.unlink()
    headline = headline_of(_task(tmp_path))
    assert [cell.mark for cell in headline.columns[0].cells] == ["", "", ""], "an untested ★ lies"
    assert headline.tests == []
    assert headline.untested[0].endswith(UNTESTED)
    assert "★" not in render([_task(tmp_path)], "title").split("Not tested, so without ★")[0]


def test_groups_by_hand_and_as_the_runs_say(two: Task) -> None:
    hops = _chart(two, "by-hops")
    assert [text for _, text in hops.ticks] == ["1", "3"]
    assert hops.counts == ["2", "2"]
    # good: lynx and oak 100 in both seeds; poodle and pug 50 in both
    assert [point.y for point in hops.series[0].lines[0]] == [100, 50]
    assert [point.y for point in hops.series[1].lines[0]] == [62.5, pytest.approx(31.25)]
    population = _chart(two, "by-population")
    assert [text for _, text in population.ticks] == ["10–99", "300–999", "unknown"]
    depth = _chart(two, "by-depth")
    assert [text for _, text in depth.ticks] == ["2", "3"]
    assert [point.y for point in depth.series[0].lines[0]] == [100, pytest.approx(200 / 3)]
    for kind in ("hops", "population"):
        for series, entry in zip(_chart(two, f"by-{kind}").series, two.entries, strict=True):
            rows = [run.document["groups"][kind] for run in entry.runs]
            said = [
                100 * np.mean([row["hit@1"] for row in each]) for each in zip(*rows, strict=True)
            ]
            assert [point.y for point in series.lines[0]] == pytest.approx(said)
    assert {(p.is_faint, p.low) for p in hops.points} == {(True, None)}, "two classes are few"


def test_classes_of_groups_are_means_over_seeds() -> None:
    """Of three seeds, one has 2 classes in a group and the others none: 0.7 on average."""
    assert charts._count([2, 0, 0]) == "0.7"
    assert charts._count([26, 27, 27]) == "26.7"
    assert charts._count([172, 173, 173]) == "172.7"
    assert charts._count([1200, 1200]) == "1,200"
    assert charts._count([0, 0]) == ""


def test_axes_start_at_0_and_hold_the_bars(two: Task) -> None:
    for chart in charts_of(two):
        assert min(point.y for point in chart.points) >= 0
        assert max(point.high or point.y for point in chart.points) <= chart.top <= 100


def test_a_class_of_several_seeds_by_hand(two: Task) -> None:
    names = names_of(two, None)
    wrong = {entry: wrong_of(entry) for entry in two.entries}
    table = class_table(two, wrong, names)
    assert table
    rows = {row[1]: (place, row) for place, row in enumerate(table["classes"])}
    place, row = rows["poodle"]
    # name, wnid, hops from and to, closest, as close, images, depth, samples, training
    assert row == ["poodle", "poodle", 3, 3, "cat", 1, 40, 3, 4, False]
    good, poor = table["models"]
    assert (good["hit1"][place], good["hit5"][place]) == (87.5, 100)
    assert good["seeds"][place] == [75.0, 100.0]
    assert good["wrong"][place] == ["pug", 12.5], "one of eight samples"
    assert poor["wrong"][rows["lynx"][0]] == ["pug", 50.0]
    assert good["wrong"][rows["lynx"][0]] is None
    assert good["seed_names"] == ["seed 0", "seed 1"]


def test_hops_that_differ_from_seed_to_seed_are_from_to(two: Task) -> None:
    for run, hops in zip(two.runs, (3, 5, 2, None), strict=True):
        assert run.classes
        run.classes["hops"] = [hops] * 4
    table = class_table(two, {}, {})
    assert table
    assert [row[2:4] for row in table["classes"]] == [[2, 5]] * 4


def test_a_class_that_is_training_in_one_seed_alone_has_two_rows(tmp_path: Path) -> None:
    """Seen in the run that has samples of it beside those of unseen classes."""
    given = {**hits({"lynx": 3, "pug": 1}, WRONG), "cat": ["cat", "lynx", "lynx", "lynx"]}
    write_run(tmp_path / "a.json", given, "a")
    task = _task(tmp_path)
    assert task.generalized
    wrong = {entry: wrong_of(entry) for entry in task.entries}
    table = class_table(task, wrong, names_of(task, None))
    assert table
    training = {row[1]: row[9] for row in table["classes"]}
    assert training == {"cat": True, "lynx": False, "pug": False}
    (model,) = table["models"]
    place = next(place for place, row in enumerate(table["classes"]) if row[1] == "cat")
    assert (model["hit1"][place], model["wrong"][place]) == (25.0, ["lynx", 75.0])
    found = wrong[task.entries[0]]
    assert found
    assert ("cat", "lynx") not in found.pairs, "the confusions are those of unseen classes"
    headline = headline_of(task)
    values = {column.label: column.cells[0].value for column in headline.columns}
    ts, tr = 50, 25
    assert (values["ts"], values["tr"]) == ("50.0", "25.0")
    assert values["H"] == f"{2 * ts * tr / (ts + tr):.1f}"
    curve = _chart(task, "seen-unseen")
    assert (curve.series[0].marks[0].x, curve.series[0].marks[0].y) == (50, 25)
    run = task.entries[0].runs[0].document["generalized"]
    drawn = np.array([[point.y, point.x] for point in curve.series[0].lines[0]]) / 100
    assert drawn == pytest.approx(np.array(run["curve"]))


def test_confusions_with_the_way_between_by_hand(two: Task) -> None:
    wrong = wrong_of(two.entries[1])
    assert wrong
    rows = confusions_of(wrong, names_of(two, TREE), TREE)
    first = rows[0]
    # pug is wrong 4 + 3 times, poodle 2 + 2, lynx 2 + 2, oak 1 + 1
    assert [(row.true, row.predicted, row.samples) for row in rows] == [
        ("pug", "poodle", 7),
        ("lynx", "pug", 4),
        ("poodle", "pug", 4),
        ("oak", "lynx", 2),
    ], "lynx is farther from pug than poodle"
    assert (first.share, first.common, first.height) == (7 / 8, "dog", 1)
    assert (first.up, first.down) == (["pug"], ["poodle"])
    assert (rows[1].up, rows[1].common, rows[1].down) == (["lynx"], "animal", ["dog", "pug"])
    assert confusions_of(wrong, {}, None)[0].up is None


@pytest.mark.parametrize(("first", "pairs"), [(["pug", "pug", "oak"], 1), (["pug", "oak"], 2)])
def test_confusions_of_one_sample_are_shown_where_there_are_no_others(
    tmp_path: Path, first: list[str], pairs: int
) -> None:
    write_run(tmp_path / "a.json", {"poodle": ["poodle", *first]}, "a")
    page = render([_task(tmp_path)], "title", hierarchy=TREE)
    table = page.partition("<caption>Confusions of a</caption>")[2].partition("</table>")[0]
    assert table.count('<tr><th scope="row">') == pairs
    assert ("; 2 of 2 single mistakes:" in page) == (pairs == 2)


def test_confusions_are_ranked_as_those_of_an_evaluation() -> None:
    labels = ["lynx", "lynx", "pug", "oak", "poodle", "poodle"]
    firsts = ["pug", "oak", "poodle", "lynx", "pug", "poodle"]
    names = ["lynx", "oak", "poodle", "pug"]
    found = ranked([[first] for first in firsts], labels, names)
    expected = [(row["true"], row["predicted"], row["height"]) for row in confusions(found, TREE)]
    pairs = [pair for pair in zip(labels, firsts, strict=True) if pair[0] != pair[1]]
    sizes = {name: labels.count(name) for name in names}
    wrong = Wrong(dict.fromkeys(pairs, 1), sizes, frozenset(names))
    rows = confusions_of(wrong, {}, TREE)
    assert [(row.true, row.predicted, row.height) for row in rows] == expected


def test_the_way_up_is_a_shortest_one() -> None:
    assert way_up(TREE, "poodle", "thing") == ["poodle", "dog", "animal", "thing"]
    assert way_up(TREE, "poodle", "poodle") == ["poodle"]
    assert way_up(TREE, "lynx", "thing") == ["lynx", "animal", "thing"], "and not by the cat"


def test_two_models_compared_by_hand(two: Task) -> None:
    (found,) = comparisons_of(two, names_of(two, None))
    assert [(each.name, each.first, each.second) for each in found.changes] == [
        ("lynx", 100, 50),
        ("poodle", 87.5, 50),
        ("oak", 100, 75),
    ]
    assert (found.lost_count, found.equal, found.seed) == (0, 1, "seed 0")
    assert found.paired
    one, other = (read_reported(entry.runs[0].source) for entry in two.entries)
    assert one.samples
    assert other.samples
    expected = compare_paired(one.samples.rank == 1, other.samples.rank == 1, rounds=10)
    assert found.paired.statistics() == {key: expected[key] for key in found.paired.statistics()}
    # 12 and 7 of 16 are right in seed 0, and none of the poor model's alone
    assert (found.paired.only_first, found.paired.only_second, found.paired.both) == (5, 0, 7)


def test_runs_of_other_seeds_are_not_compared(tmp_path: Path) -> None:
    for model, seed in (("a", 0), ("b", 1)):
        write_run(tmp_path / f"{model}.json", hits({"lynx": 1}, WRONG), model, seed)
    assert comparisons_of(_task(tmp_path), {}) == []


def test_files_of_another_evaluation_are_left_out(
    tmp_path: Path,
) -> None:
    path = write_run(tmp_path / "a.json", hits({"lynx": 1}, WRONG), "a")
    other = write_run(tmp_path / "b.json", hits({"oak": 1, "pug": 2}, WRONG), "b")
    for suffix in (".classes.parquet", ".samples.parquet"):
        path.with_suffix(suffix).write_bytes(other.with_suffix(suffix).read_bytes())
    run = read_reported(path)
    assert (run.classes, run.samples) == (None, None)
    assert run.no_classes.endswith("a.classes.parquet is not the table of classes of a.json")
    assert "a.samples.parquet are not the samples of a.json" in run.no_samples


@pytest.mark.parametrize("table", ["gone", "none", "csv"])
def test_a_report_says_what_it_misses(tmp_path: Path, table: str) -> None:
    """On stderr and on the page, once for all runs that lack it."""
    paths = [write_run(tmp_path / f"{name}.json", hits({"lynx": 1}, WRONG), name) for name in "ab"]
    for path in paths:
        path.with_suffix(".classes.parquet").unlink()
        document = json.loads(path.read_text())
        if table == "none":
            del document["class_table"]
        if table == "csv":
            (tmp_path / "t.csv").write_text("wnid,hit@1\nlynx,1\n")
            document["class_table"]["file"] = "t.csv"
        path.write_text(json.dumps(document))
    done = CliRunner().invoke(
        main, ["report", *map(str, paths), "--out", str(tmp_path / "r.html"), "--wordnet", "none"]
    )
    assert done.exit_code == 0, done.output
    reason = {
        "gone": f"{tmp_path / 'a.classes.parquet'} does not exist",
        "none": f"{tmp_path / 'a.json'} has no table of them",
        "csv": f"{tmp_path / 't.csv'} is no .parquet",
    }[table]
    missing = "No classes, no confusions and no accuracy over the hierarchy of 2 runs: "
    for text in (done.stderr, (tmp_path / "r.html").read_text()):
        assert text.count(missing + reason) == 1


@pytest.mark.parametrize("folder", ["", "tables"])
def test_a_table_in_another_folder_is_of_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    """The run holds the path from its own folder, so both can be moved together."""
    (tmp_path / "p.csv").write_text("label,pred\nlynx,lynx\noak,lynx\n")
    monkeypatch.chdir(tmp_path)
    table = Path(folder) / "t.parquet"
    command = f"audit p.csv --wordnet none --rounds 50 --out r/a.json --classes-table {table}"
    done = CliRunner().invoke(main, command.split())
    assert done.exit_code == 0, done.output
    assert json.loads(Path("r/a.json").read_text())["class_table"]["file"] == f"../{table}"
    assert read_reported("r/a.json").classes is not None
    moved = tmp_path / "moved"
    moved.mkdir()
    for name in ("r", folder or "t.parquet"):
        Path(name).rename(moved / name)
    run = read_reported(moved / "r" / "a.json")
    assert run.classes is not None
    assert run.classes["wnid"] == ["lynx", "oak"]


SUFFIXES = (".json", ".samples.parquet", ".classes.parquet")


@pytest.mark.parametrize("renamed", [SUFFIXES[:1], SUFFIXES, SUFFIXES[:2]])
@pytest.mark.parametrize("is_run_again", [False, True])
def test_a_renamed_run_keeps_its_files(
    tmp_path: Path, renamed: tuple[str, ...], is_run_again: bool
) -> None:
    """Its JSON alone, or all files together; what has the old name then may be of another run."""
    path = write_run(tmp_path / "a.json", hits({"lynx": 1, "oak": 2}, WRONG), "a")
    for suffix in renamed:
        path.with_suffix(suffix).rename(tmp_path / f"b{suffix}")
    if is_run_again and renamed == SUFFIXES:
        write_run(path, hits({"oak": 1, "pug": 2}, WRONG), "a")
    run = read_reported(tmp_path / "b.json")
    assert run.classes is not None
    assert run.samples is not None
    assert len(run.samples.labels) == run.document["samples"]
    samples = next(tmp_path.glob("b.samples.parquet"), tmp_path / "a.samples.parquet")
    for command in ("compare", "relative"):
        done = CliRunner().invoke(
            main, ["evaluate", command, str(tmp_path / "b.json"), str(samples)]
        )
        assert done.exit_code == 0, done.output


@pytest.mark.parametrize("name", [".", "/", "..", "/x/y.parquet", "x/..", "../y.parquet"])
def test_what_is_no_path_of_a_file_of_a_run_is_refused(tmp_path: Path, name: str) -> None:
    path = write_run(tmp_path / "a.json", hits({"lynx": 1}, WRONG), "a")
    document = json.loads(path.read_text())
    document["samples_file"]["file"] = name
    path.write_text(json.dumps(document))
    for read in (read_reported, read_run_samples):
        with pytest.raises(DataError, match=r"a\.json: samples_file: .* is no path of a file"):
            read(path)


def test_a_table_of_classes_as_csv_is_left_out(tmp_path: Path) -> None:
    path = write_run(tmp_path / "a.json", hits({"lynx": 1}, WRONG), "a")
    document, table = json.loads(path.read_text()), b"wnid\nn02127052\n"
    (tmp_path / "a.csv").write_bytes(table)
    document["class_table"] = {"file": "a.csv", "sha256": hashlib.sha256(table).hexdigest()}
    path.write_text(json.dumps(document))
    assert read_reported(path).classes is None


def _two_of_one_test_set(folder: Path) -> tuple[Path, Path]:
    """Three of four right, and one of four, of the same samples; the second's samples lie beside
    the first's JSON."""
    one = write_run(folder / "a.json", hits({"lynx": 3, "oak": 3}, WRONG), "a")
    other = write_run(folder / "b.json", hits({"lynx": 1, "oak": 1}, WRONG), "b")
    suffix = ".samples.parquet"
    one.with_suffix(suffix).write_bytes(other.with_suffix(suffix).read_bytes())
    return one, other


@pytest.mark.parametrize(
    ("has_samples", "why"),
    [
        (True, "their checksum is another than that in the run"),
        (False, "the run was written without samples"),
    ],
)
def test_samples_of_another_model_are_left_out(tmp_path: Path, has_samples: bool, why: str) -> None:
    """The true classes are the same, and so is all that they say of themselves."""
    one, other = _two_of_one_test_set(tmp_path)
    if not has_samples:
        document = json.loads(one.read_text())
        del document["samples_file"]
        one.write_text(json.dumps(document))
    run = read_reported(one)
    assert run.samples is None
    assert f"a.samples.parquet are not the samples of a.json, {why}" in run.no_samples
    assert read_reported(other).samples is not None
    # no command that reads samples beside a run takes them
    for command in ("compare", "relative"):
        done = CliRunner().invoke(main, ["evaluate", command, str(one), str(other)])
        assert done.exit_code == 1, done.output
        assert f"are not the samples of a.json: {why}" in done.output
        # a file that is given by itself is what it is
        files = [str(path.with_suffix(".samples.parquet")) for path in (one, other)]
        done = CliRunner().invoke(main, ["evaluate", command, *files])
        assert done.exit_code == 0, done.output


def test_provenance_is_told_once_per_model(two: Task) -> None:
    from graphzsl.reports.provenance import origin_of

    origin = origin_of(two.entries[0])
    assert [Path(file).name for file, _, _ in origin.runs] == ["good-0.json", "good-1.json"]
    assert [seeds for _, seeds, _ in origin.runs] == ["seed 0", "seed 1"]
    assert "train / classes: 2" in origin.common
    assert [text for _, text in origin.differing] == ["seed: 0", "seed: 1"]
