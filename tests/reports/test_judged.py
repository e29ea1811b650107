"""What a report may say: no test and no interval of one class, no star without a test, all models,
and questions that are told apart."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import unescape
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import graphzsl as gz
from graphzsl.audit import Predictions
from graphzsl.audit.evaluation import evaluate_run
from graphzsl.audit.run_files import interval_of
from graphzsl.hierarchy import Hierarchy
from graphzsl.reports import charts, command_of, read_runs
from graphzsl.reports.charts import Chart, Point, Series, charts_of
from graphzsl.reports.confusions import confusions_of, wrong_of
from graphzsl.reports.differences import (
    BY_BRANCHES,
    BY_CLASSES,
    BY_SIDES,
    difference,
    interval_over_classes,
)
from graphzsl.reports.facts import MEANINGS
from graphzsl.reports.headline import UNTESTED_AUSUC, finding, headline_of
from graphzsl.reports.page import render
from graphzsl.reports.svg import drawn
from graphzsl.reports.table import value_rows
from graphzsl.reports.table_files import save_table
from graphzsl.reports.tasks import Task, tasks_of
from tests.audit.kinds import evaluated, ranked
from tests.reports.made import TREE, UNSEEN, WRONG, hits, write_run


def _task(folder: Path) -> Task:
    (task,) = tasks_of(read_runs([folder]))
    return task


def test_only_metrics_that_hold_each_other_are_called_the_same(tmp_path: Path) -> None:
    """One sample: hit@2 is 1, and so is the height of the common ancestor of pug and poodle."""
    write_run(tmp_path / "a.json", {"pug": ["poodle"]}, "a")
    task = _task(tmp_path)
    values = task.entries[0].values[0]
    assert values["lca_height@1"] == values["hit@2"] == 1
    headline = headline_of(task)
    assert not [text for text in headline.left_out if "height" in text]
    assert "height of common ancestor" in [column.label for column in headline.columns]


def test_one_class_has_no_interval_and_no_test(tmp_path: Path) -> None:
    for model, right in (("a", 1), ("b", 0)):
        write_run(tmp_path / f"{model}.json", hits({"pug": right}, WRONG, 1), model)
    task = _task(tmp_path)
    for entry in task.entries:
        metric = entry.documents[0]["metrics"]["hit@1"]
        assert (metric["per_class_interval"], metric["per_sample_interval"]) == (None, None)
    assert difference(*task.entries, "hit@1") is None
    (hit,) = (each for each in headline_of(task).columns if each.metric == "hit@1")
    assert [cell.notes for cell in hit.cells] == [("one class",), ("one class",)]
    document = json.loads((tmp_path / "a.json").read_text())
    assert interval_of(document, "hit@1") is None
    document["metrics"]["hit@1"]["per_class_interval"] = [0.5, 1]
    assert interval_of(document, "hit@1") == (0.5, 1)
    result = evaluated(["tench"], [["tench", "hen"]])
    assert result["hit@1"].interval is None
    assert repr(result["hit@1"]) == "<Metric hit@1: 1, of one class>"
    assert (result.rows()[0]["low"], result.rows()[0]["high"]) == (None, None)
    render([task], "title")


def test_ts_has_the_interval_of_the_hit_1_that_it_stands_for(tmp_path: Path) -> None:
    """hit@1 of a generalized run is of samples of unseen classes, which ts is: its column is left
    out as a repetition, and its interval must not go with it."""
    given = hits({"lynx": 3, "pug": 1, "oak": 2, "cat": 4, "tree": 2}, WRONG)
    write_run(tmp_path / "a.json", given, "a")
    task = _task(tmp_path)
    low, high = task.entries[0].documents[0]["metrics"]["hit@1"]["per_class_interval"]
    assert 0 < low < high < 1, "the premise"
    cells = {column.metric: column.cells[0] for column in headline_of(task).columns}
    assert "hit@1" not in cells
    assert cells["ts"].notes[0] == f"{100 * low:.1f} to {100 * high:.1f}"
    assert cells["tr"].notes == cells["h"].notes == ()
    assert "AUSUC, a side without its table and one class have none" in render([task], "title")


def test_the_mark_of_a_model_lies_on_the_curve_that_its_run_holds(tmp_path: Path) -> None:
    """A run holds some of 300 points of its curve; the one with nothing taken off is among them."""
    draw = np.random.default_rng(1)
    names = ["cat", "tree", *UNSEEN]
    labels = draw.integers(0, len(names), 300)
    scores = draw.normal(size=(300, len(names)))
    scores[np.arange(300), labels] += 1.5
    predictions = Predictions.from_scores(
        scores, names, [names[each] for each in labels], seen=["cat", "tree"]
    )
    run = evaluate_run(predictions, {"model": "a"}, ["cat", "tree"], hierarchy=TREE, rounds=10)
    found = run.manifest["generalized"]
    assert len(found["curve"]) <= 51
    own = [found["hit@1"]["per_class"][side] for side in ("tr", "ts")]
    assert min(np.abs(np.array(found["curve"]) - own).max(axis=1)) < 1e-5


def test_classes_that_seeds_draw_are_resampled_and_not_seeds(tmp_path: Path) -> None:
    """Two seeds hide classes that overlap. By hand: seed 0 has lynx 1, oak 1/2, pug 0; seed 1 has
    pug 1/2, poodle 1, oak 0. Of the mean 1/2 lynx has the share 1/6, oak 1/12, pug 1/12, poodle
    1/6, and of the weight 1 1/6, 1/3, 1/3, 1/6; the interval is that of all 4⁴ draws of four
    classes, each the sum of their shares over the sum of their weights."""
    drawn = [{"lynx": 4, "oak": 2, "pug": 0}, {"pug": 2, "poodle": 4, "oak": 0}]
    for seed, counts in enumerate(drawn):
        for model, right in (("a", counts), ("b", dict.fromkeys(counts, 0))):
            path = tmp_path / f"{model}{seed}.json"
            definition = {"name": "hidden", "of": "some", "hide": 0.5}
            write_run(path, hits(right, WRONG), model, seed, split_definition=definition)
    task = _task(tmp_path)
    (hit,) = (each for each in headline_of(task).columns if each.metric == "hit@1")
    best, worst = hit.cells
    classes = [(1 / 6, 1 / 6), (1 / 12, 1 / 3), (1 / 12, 1 / 3), (1 / 6, 1 / 6)]
    sums = np.sum([*product(classes, repeat=4)], axis=1)
    means = sums[:, 0] / sums[:, 1]
    low, high = np.quantile(means, [0.025, 0.975])
    assert best.number == pytest.approx(1 / 2)
    assert best.interval == pytest.approx((low, high), abs=0.03)
    assert best.notes[0] == " to ".join(f"{100 * end:.1f}" for end in best.interval or ())
    chart = next(each for each in charts_of(task) if each.key == "hit-at-k")
    first = chart.series[0].lines[0][0]
    assert (first.low, first.high) == pytest.approx([100 * end for end in best.interval or ()])
    assert (best.behind, worst.interval) == (None, (0, 0))
    assert worst.behind is not None, "the other model has no hit: the difference is the mean"
    assert (worst.behind.mean, worst.behind.low) == pytest.approx((1 / 2, low), abs=0.03)
    save_table(tmp_path / "table.md", [task], [headline_of(task)])
    text = (tmp_path / "table.md").read_text()
    assert "over the distinct classes that the seeds draw" in text
    assert "±" not in text
    row = next(row for row in value_rows(task, headline_of(task)) if row["mean"] == 0)
    assert row["behind"] == pytest.approx(1 / 2)


def test_groups_of_several_seeds_have_intervals_over_their_classes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seed 0 hides lynx 1 and oak 1/2, seed 1 oak 0, all one hop away: (3/4 + 0) / 2 on average. Of
    it the lynx has the share 1/4 and the weight 1/4, the oak 1/8 and 3/4, so two draws give 1 (both
    the lynx, 1 of 4), 3/8 or 1/6. The poodle is alone: nothing can be resampled."""
    monkeypatch.setattr(charts, "FEW", 1)
    for seed, counts in enumerate(({"lynx": 4, "oak": 2}, {"oak": 0, "poodle": 4})):
        more = {"split_definition": {"name": "hidden", "of": "some"}}
        write_run(tmp_path / f"{seed}.json", hits(counts, WRONG), "a", seed, **more)
    (chart,) = (each for each in charts_of(_task(tmp_path)) if each.key == "by-hops")
    near, far = chart.series[0].lines[0]
    assert (near.y, near.low, near.high) == pytest.approx((37.5, 100 / 6, 100))
    assert (far.y, far.low, far.high) == (100, None, None)
    assert chart.intervals == "Around each mean: 95 % bootstrap interval over classes."


def test_marks_of_a_group_stand_beside_each_other() -> None:
    """Three models at 0.1 of a group from each other, the middle one above the tick; a line through
    each mark from end to end of its interval, whose places the axis of per cents gives."""
    line = [Point(0.0, 50.0, 30.0, 80.0), Point(1.0, 20.0)]
    series = [Series(name, place, [line], []) for place, name in enumerate("abc")]
    ticks = [(0.0, "1"), (1.0, "2")]
    chart = Chart("by-hops", "hit@1", "hops", "%", "groups", ticks, series, "")
    assert [chart.aside(place) for place in range(3)] == pytest.approx([-0.1, 0, 0.1])
    drawing = drawn(chart, 8)
    width, height = (440 - 46 - 18) / 2, 300 - 44 - 10
    marks = [float(x) for x in re.findall(r'mark" transform="translate\(([\d.]+) ', drawing)]
    middle = 46 + width / 2
    assert marks[::2] == pytest.approx(
        [middle - 0.1 * width, middle, middle + 0.1 * width], abs=0.1
    )
    ends = re.findall(r'class="interval" d="M([\d.]+) ([\d.]+)V([\d.]+)"', drawing)
    low, high = (10 + height * (1 - value / 80) for value in (30, 80))
    for mark, found in zip(marks[::2], ends, strict=True):
        assert [float(each) for each in found] == pytest.approx([mark, low, high], abs=0.1)
    assert "band" not in drawing


def test_the_icicle_has_the_mean_of_the_table(tmp_path: Path) -> None:
    """Seeds hide lynx 1, oak 1/2, pug 0, and pug 1/2, poodle 1, oak 0: 1/2 on average. Of the means
    of the four classes, 1, 1/4, 1/4 and 1, the mean would be 5/8."""
    for seed, counts in enumerate(
        ({"lynx": 4, "oak": 2, "pug": 0}, {"pug": 2, "poodle": 4, "oak": 0})
    ):
        more = {"split_definition": {"of": "some"}}
        write_run(tmp_path / f"{seed}.json", hits(counts, WRONG), "a", seed, **more)
    task = _task(tmp_path)
    html = render([task], "title", hierarchy=TREE)
    _, held = html.split('<div class="gz-picture"><script type="application/json">')
    data = json.loads(held.split("</script>")[0])
    assert data["values"][0]["mean"][0] == task.entries[0].mean("hit@1") == 1 / 2


def test_a_report_says_how_classes_are_hidden(tmp_path: Path) -> None:
    """Ratio and branches of each seed; of a split that no seed draws nothing is known."""
    own, drawn = hits({"lynx": 4, "oak": 2}, WRONG), {"split_definition": {"of": "some"}}
    for seed, (ratio, branches) in enumerate(((2.169, {"feline": ["lynx"]}), (1.95, {}))):
        more = {**drawn, "structural_ratio": ratio, "hidden_branches": branches}
        write_run(tmp_path / "a" / f"{seed}.json", own, "a", seed, **more)
    facts = headline_of(_task(tmp_path / "a")).facts
    assert (facts["structural ratio"], facts["hidden branches"]) == ("1.95 to 2.17", "0 to 1")
    assert MEANINGS["structural ratio"] in render([_task(tmp_path / "a")], "title")
    write_run(tmp_path / "b" / "b.json", own, "b", **drawn, structural_ratio=None)
    facts = headline_of(_task(tmp_path / "b")).facts
    assert facts["hidden branches"] == "none: classes are hidden one by one"
    assert "structural ratio" not in facts
    write_run(tmp_path / "c" / "c.json", own, "c")
    assert not {"hidden branches", "structural ratio"} & {*headline_of(_task(tmp_path / "c")).facts}


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ([(4, 4, 4, 4)], "a reaches 100.0 % hit@1"),
        ([(4, 4, 4, 4), (0, 0, 0, 0)], "significantly more than the other model"),
        ([(4, 4, 4, 4), (0, 0, 0, 0), (1, 1, 1, 1)], "significantly more than the 2 other models"),
        (
            [(4, 3, 2, 3), (2, 4, 3, 2), (1, 1, 0, 1)],
            "a reaches the highest hit@1, 75.0 %, not significantly more than 1 of the 2 other"
            " models",
        ),
        (
            [(4, 3, 2, 3), (2, 4, 3, 2)],
            "a reaches the highest hit@1, 75.0 %, not significantly more than the other model",
        ),
    ],
)
def test_the_heading_of_the_table_is_what_it_shows(
    tmp_path: Path, counts: list[tuple[int, ...]], said: str
) -> None:
    for model, own in zip("abc", counts, strict=False):
        given = dict(zip(("lynx", "oak", "poodle", "pug"), own, strict=True))
        write_run(tmp_path / f"{model}.json", hits(given, WRONG), model)
    task = _task(tmp_path)
    assert finding(task, headline_of(task)).endswith(said)
    for path in tmp_path.glob("*.classes.parquet"):
        path.unlink()
    task = _task(tmp_path)
    assert "significantly" not in finding(task, headline_of(task)), "nothing was tested"


def test_classes_of_a_hidden_branch_are_resampled_as_one(tmp_path: Path) -> None:
    """lynx 1 and oak 1/2 are hidden as one branch by a seed, oak and pug 0 one by one. By hand: two
    draws of branch and pug give 3/4 (1 of 4), 1/2 (2 of 4) or 0, so the interval is 0 to 3/4; of
    three classes it would end at 1, three times the lynx (1 of 27)."""
    for seed, branches in enumerate(({"feline": ["lynx", "oak"]}, {})):
        for model, right in (("a", (4, 2, 0)), ("b", (0, 0, 0))):
            own = dict(zip(("lynx", "oak", "pug"), right, strict=True))
            more = {"split_definition": {"name": "hidden", "of": "some"}}
            more |= {"hidden_branches": branches} if branches else {}
            write_run(tmp_path / f"{model}{seed}.json", hits(own, WRONG), model, seed, **more)
    task = _task(tmp_path)
    (hit,) = (each for each in headline_of(task).columns if each.metric == "hit@1")
    best, worst = hit.cells
    assert best.interval == pytest.approx((0, 3 / 4))
    assert worst.behind is not None
    assert (worst.behind.low, worst.behind.high) == pytest.approx((0, 3 / 4))
    assert worst.behind.test == BY_BRANCHES
    save_table(tmp_path / "table.md", [task], [headline_of(task)])
    assert "those of a hidden branch as one" in (tmp_path / "table.md").read_text()


def test_a_single_run_of_branches_has_their_interval_and_not_that_of_its_file(
    tmp_path: Path,
) -> None:
    """lynx 1 and oak 1/2 as one branch, pug 0: 0 to 3/4 as above, in the table and in the pictures;
    without the table of classes there is none."""
    own = {"lynx": 4, "oak": 2, "pug": 0}
    more = {"split_definition": {"name": "x", "of": "some"}}
    more |= {"hidden_branches": {"feline": ["lynx", "oak"]}}
    write_run(tmp_path / "a.json", hits(own, WRONG), "a", 0, **more)
    (hit,) = (each for each in headline_of(_task(tmp_path)).columns if each.metric == "hit@1")
    assert hit.cells[0].interval == pytest.approx((0, 3 / 4))
    chart = next(each for each in charts_of(_task(tmp_path)) if each.key == "hit-at-k")
    first = chart.series[0].lines[0][0]
    assert (first.low, first.high) == pytest.approx((0, 75))
    save_table(tmp_path / "table.md", [_task(tmp_path)], [headline_of(_task(tmp_path))])
    text = (tmp_path / "table.md").read_text()
    assert "those of a hidden branch as one" in text
    assert "of a single run" not in text
    (tmp_path / "a.classes.parquet").unlink()
    (hit,) = (each for each in headline_of(_task(tmp_path)).columns if each.metric == "hit@1")
    assert (hit.cells[0].interval, hit.cells[0].notes) == (None, ())


def test_h_is_tested_over_classes_of_both_sides(tmp_path: Path) -> None:
    """H of one model is that of 100 and 100, of the other that of 50 and 25: all classes are alike,
    so every resample says the same."""
    for model, unseen, seen in (("a", 4, 4), ("b", 2, 1)):
        given = hits(dict.fromkeys(("lynx", "oak", "pug"), unseen), WRONG)
        given |= hits(dict.fromkeys(("cat", "tree"), seen), WRONG)
        write_run(tmp_path / f"{model}.json", given, model)
    task = _task(tmp_path)
    found = difference(*task.entries, "h")
    assert found
    expected = 1 - 2 * 0.5 * 0.25 / 0.75
    assert (found.mean, found.low, found.high) == pytest.approx((expected,) * 3)
    assert found.mean == pytest.approx(task.entries[0].mean("h") - task.entries[1].mean("h"))
    assert found.test == BY_SIDES
    headline = headline_of(task)
    marks = {column.metric: [cell.mark for cell in column.cells] for column in headline.columns}
    assert marks["h"] == ["best", ""]
    assert marks["ausuc"] == ["", ""], "a table of classes does not hold its curve"
    assert headline.untested == [f"AUSUC: {UNTESTED_AUSUC}"]


def test_h_of_several_seeds_is_the_mean_of_their_h(tmp_path: Path) -> None:
    rights = {("a", 0): (4, 2, 3), ("a", 1): (3, 3, 4), ("b", 0): (1, 2, 2), ("b", 1): (2, 2, 0)}
    for (model, seed), (lynx, pug, cat) in rights.items():
        given = hits({"lynx": lynx, "pug": pug, "cat": cat, "tree": 4 - cat}, WRONG)
        write_run(tmp_path / f"{model}{seed}.json", given, model, seed)
    one, other = _task(tmp_path).entries
    found = difference(one, other, "h")
    assert found
    assert found.mean == pytest.approx(one.mean("h") - other.mean("h"))
    assert found.low < found.mean < found.high


def test_h_of_classes_that_seeds_draw_has_an_interval_of_both_sides(tmp_path: Path) -> None:
    """ts of lynx 1, oak 1/2, pug 1/4, tr of cat 1, tree 1/2, in each of two seeds: the interval of
    H is that of all 3³ draws of unseen classes with all 2² of training classes."""
    rights = {"lynx": 4, "oak": 2, "pug": 1, "cat": 4, "tree": 2}
    for seed in (0, 1):
        definition = {"name": "hidden", "of": "some", "hide": 0.5}
        path = tmp_path / f"{seed}.json"
        write_run(path, hits(rights, WRONG), "a", seed, split_definition=definition)
    (entry,) = _task(tmp_path).entries
    draws = [
        2 * ts * tr / (ts + tr)
        for ts in map(np.mean, product((1, 1 / 2, 1 / 4), repeat=3))
        for tr in map(np.mean, product((1, 1 / 2), repeat=2))
    ]
    expected = tuple(np.quantile(draws, [0.025, 0.975]))
    assert interval_over_classes(entry, "h") == pytest.approx(expected, abs=0.03)


def test_heights_are_among_the_candidates_as_in_an_audit(tmp_path: Path) -> None:
    """thing, animal, cat, lynx: 3 down from the thing, though no sample is of the lynx or taken for
    it."""
    found = ranked([["tree"]], ["cat"], ["cat", "tree", "lynx"])
    run = evaluate_run(found, {"model": "a"}, [], hierarchy=TREE, rounds=10)
    run.save(tmp_path / "a.json")
    (row,) = run.confusions()
    task = _task(tmp_path)
    wrong = wrong_of(task.entries[0])
    assert wrong
    (own,) = confusions_of(wrong, {}, TREE)
    assert (own.height, row["height"]) == (3, 3)
    html = render([task], "title", hierarchy=TREE)
    assert "among the candidates and their ancestors, as in an audit" in html


def test_every_model_has_classes_confusions_and_comparisons(tmp_path: Path) -> None:
    """Ten models, two more than plots have colours: 10 tables of confusions and 45 pairs."""
    for number in range(10):
        own = hits(dict.fromkeys(UNSEEN, number % 4), WRONG)
        write_run(tmp_path / f"{number}.json", own, f"model-{number}")
    html = render([_task(tmp_path)], "title")
    classes = json.loads(html.split('id="task-0-classes">')[1].split("</script>")[0])
    assert len(classes["models"]) == 10
    assert len(re.findall(r'data-part="task-0-confusions"', html)) == 10
    pairs = html.split('<select data-shows="task-0-pair">')[1].split("</select>")[0]
    assert (pairs.count("<optgroup"), pairs.count("<option")) == (9, 45)
    assert html.count('data-part="task-0-pair"') == 45
    assert "The first 8 models are drawn" in html


def test_an_icicle_of_training_classes_where_there_are_no_others(tmp_path: Path) -> None:
    labels = ["cat", "tree", "cat"]
    found = ranked([["cat"], ["tree"], ["tree"]], labels, ["cat", "tree"])
    found = replace(found, seen=["cat", "tree"])
    run = evaluate_run(found, {"model": "a"}, ["cat", "tree"], hierarchy=TREE, rounds=10)
    run.save(tmp_path / "a.json")
    html = render([_task(tmp_path)], "title", hierarchy=TREE)
    _, held = html.split('<div class="gz-picture"><script type="application/json">')
    data = json.loads(held.split("</script>")[0])
    assert data["below"] == {"Training": [2, 1, 1, 1, 1]}


def _with_a_stranger(folder: Path) -> Task:
    """One of four classes is in no hierarchy, and is taken for the pug, as the poodle is."""
    known = ["poodle", "pug", "lynx", "n03000001"]
    found = ranked([["pug"], ["pug"], ["lynx"], ["pug"]], known, known)
    evaluate_run(found, {"model": "a"}, [], rounds=10).save(folder / "a.json")
    return _task(folder)


def test_a_class_outside_of_the_hierarchy_is_left_out_and_named(tmp_path: Path) -> None:
    task = _with_a_stranger(tmp_path)
    html = render([task], "title", hierarchy=TREE)
    _, held = html.split('<div class="gz-picture"><script type="application/json">')
    data = json.loads(held.split("</script>")[0])
    own = {data["wnid"][int(at)]: value for at, value in data["values"][0]["own"].items()}
    assert own == {"poodle": 0, "pug": 1, "lynx": 1}
    said = unescape(html)
    assert "Left out: 1 class of 4, not in the hierarchy: 'n03000001'" in said
    assert "A class that is not in the hierarchy has no ancestor" in said
    wrong = wrong_of(task.entries[0])
    assert wrong
    rows = {row.true: row for row in confusions_of(wrong, {}, TREE)}
    # poodle and pug are siblings below the dog, and leaves
    assert (rows["poodle"].common, rows["poodle"].height) == ("dog", 1)
    assert (rows["n03000001"].common, rows["n03000001"].height) == (None, None)
    # where none is in it there is no icicle, and nothing to say
    assert "Left out" not in render([task], "title", hierarchy=Hierarchy.from_edges([("a", "b")]))


def test_the_ends_of_the_semantic_interval_are_tested_over_classes(tmp_path: Path) -> None:
    """A parent counts at both ends, a child at the upper one."""
    candidates = ["dog", "cat", "poodle", "pug", "lynx"]
    for name, firsts in {
        "good": ["dog", "poodle", "pug", "lynx", "lynx", "cat"],
        "poor": ["cat", "lynx", "lynx", "pug", "lynx", "cat"],
    }.items():
        labels = ["poodle", "dog", "pug", "cat", "lynx", "cat"]
        found = ranked([[each] for each in firsts], labels, candidates)
        run = evaluate_run(found, {"model": name}, [], hierarchy=TREE, rounds=10)
        run.manifest["model_label"] = name
        run.save(tmp_path / f"{name}.json")
    task = _task(tmp_path)
    good = next(entry for entry in task.entries if entry.name == "good").runs[0]
    # of good the poodle is a dog (parent), the dog a poodle (child), one of two cats a lynx (child)
    assert good.by_class("semantic_low") == {"poodle": 1, "dog": 0, "pug": 1, "cat": 0.5, "lynx": 1}
    assert good.by_class("semantic_high") == {"poodle": 1, "dog": 1, "pug": 1, "cat": 1, "lynx": 1}
    low, high = good.document["semantic_interval"]["per_class"]
    assert (low, high) == (pytest.approx(0.7), pytest.approx(1))
    found = headline_of(task)
    tested = [column for column in found.columns if column.metric.startswith("semantic")]
    assert [column.metric for column in tested] == ["semantic_low", "semantic_high"]
    for column in tested:
        assert column.tests == [BY_CLASSES]
        assert "untested" not in {cell.mark for cell in column.cells}
    assert not any("semantic accuracy" in text for text in found.untested)


def test_populations_that_a_run_lacks_are_the_shipped_ones() -> None:
    """1,133 images of the tench, 8 of organism: lines of the shipped table."""
    wnids = ["n01440764", "n00004475"]
    result = gz.evaluate(wnids, [[wnids[0]], [wnids[0]]], wordnet=None, rounds=10)
    report = gz.report(result, wordnet=None)
    (task,) = report.tasks
    (run,) = task.runs
    assert (run.has_shipped_images, run.images) == (True, {wnids[0]: 1133, wnids[1]: 8})
    (chart,) = (each for each in charts_of(task) if each.key == "by-population")
    assert [text for _, text in chart.ticks] == ["0–9", "≥ 1,000"]
    assert [point.y for point in chart.series[0].lines[0]] == [0, 100]
    assert "shipped with graphzsl" in chart.caption
    assert ",1133," in report.html, "the table of classes has them too"
    names = evaluated(["tench", "hen"], [["tench"], ["hen"]], wordnet=None, rounds=10)
    assert "images of the class in ImageNet" not in gz.report(names, wordnet=None).html


def test_questions_under_one_title_say_what_differs(tmp_path: Path) -> None:
    """The same candidates and samples, but of another number of them trained."""
    for name, train in (("one", ["cat"]), ("two", ["cat", "tree"])):
        found = ranked([["lynx"], ["pug"]], ["lynx", "oak"], ["lynx", "oak", "pug"])
        run = evaluate_run(found, {"model": name}, train, hierarchy=TREE, rounds=10)
        run.save(tmp_path / f"{name}.json")
    names = [task.name for task in tasks_of(read_runs([tmp_path]))]
    assert [name.partition(" (")[2] for name in names] == [
        "training classes: 1)",
        "training classes: 2)",
    ]


def test_the_command_that_makes_a_page_again_is_whole() -> None:
    given = ["runs"], "page.html", "Two words"
    command = "graphzsl report runs --out page.html --title 'Two words'"
    assert command_of(*given) == command
    assert command_of(*given, None) == f"{command} --wordnet none"
    assert command_of(*given, Path("exported")) == f"{command} --wordnet exported"
    assert command_of(*given, TREE) == "", "no file holds it"


def test_all_files_of_a_folder_are_one_pattern(tmp_path: Path) -> None:
    """As a shell lists them: in order, and without any other."""
    folder = tmp_path / "my runs"
    folder.mkdir()
    files = [folder / f"{name}.json" for name in "abc"]
    for file in files:
        file.touch()
    whole = command_of(files, "page.html", "title")
    assert whole == f"graphzsl report '{folder}'/*.json --out page.html --title title"
    for part in (files[:2], files[::-1]):
        assert "*" not in command_of(part, "page.html", "title")


@pytest.mark.parametrize(
    ("metadata", "told"),
    [
        ([{"predictions": "first.csv"}, {"predictions": "second.csv"}], "samples of first.csv"),
        ([{"backbone": "resnet50"}, {"backbone": "vit"}], "samples with backbone resnet50"),
        ([{}, {}], "samples [0-9a-f]{8}…"),
    ],
)
def test_questions_of_other_samples_are_called_by_them(
    tmp_path: Path, metadata: list[dict[str, str]], told: str
) -> None:
    """The same candidates and as many samples of as many classes, of which other ones are true."""
    for name, labels, more in zip(
        ("one", "two"), (["lynx", "oak"], ["oak", "lynx"]), metadata, strict=True
    ):
        found = ranked([["lynx"], ["pug"]], labels, ["lynx", "oak", "pug"])
        found = replace(found, metadata=dict(more))
        run = evaluate_run(found, {"model": name}, ["cat"], hierarchy=TREE, rounds=10)
        run.save(tmp_path / f"{name}.json")
    names = [task.name for task in tasks_of(read_runs([tmp_path]))]
    assert len(set(names)) == 2
    assert re.search(rf"\({told}\)$", names[0]), names
