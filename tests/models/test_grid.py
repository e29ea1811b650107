"""Grids of runs on the mini WordNet: no database."""

from __future__ import annotations

import json
import re
from dataclasses import make_dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from graphzsl import __version__
from graphzsl.audit.run_identity import question
from graphzsl.cli import main
from graphzsl.common import DataError, SettingsError
from graphzsl.common.files import read_json, sha256_text
from graphzsl.data import EMBEDDINGS, ClassMatrix, load_samples, save_samples
from graphzsl.data.dataset import with_parts
from graphzsl.hierarchy import Hierarchy
from graphzsl.hierarchy.branches import hide_classes
from graphzsl.models import Grid, results, run_grid, table
from graphzsl.models.base.options import option
from graphzsl.models.graph import graph_linear
from graphzsl.models.hybrid import conse
from graphzsl.models.runs.grid_tables import write_tables
from graphzsl.names import class_values
from tests.problems import mini_samples, mini_subgraph, sample_task, save_experiment

CONFIG = """
out = "runs"
graph = "graph"
wordnet = "whole"
classifiers = "classifiers.safetensors"
seeds = [0, 1]
[semantics]
made-up = "embeddings.safetensors"
[splits.hidden]
of = "chosen"
hide = 0.3
[models.eszsl]
[models.conse]
top = 3
scale = 5.0
[models.signed]
model = "eszsl"
labels = "signed"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A graph, its whole, embeddings, classifier rows, samples and lists, as files."""
    save_experiment(tmp_path)
    (tmp_path / "grid.toml").write_text(CONFIG)
    return tmp_path


def test_a_grid_runs_once_and_goes_on(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    grid, failed = run_grid(folder / "grid.toml")
    assert failed == {}
    files = sorted((folder / "runs").glob("*-hidden-made-up-*.json"))
    assert len(files) == 6
    run = json.loads(files[0].read_text())
    assert run["metrics"]["hp@2"]["per_class"] > 0
    assert run["hierarchy"]["whole"] is True
    assert run["provenance"]["seed"] in (0, 1)
    rows = table(results(grid))
    assert [row["seeds"] for row in rows] == [2, 2, 2]
    values = [
        json.loads((folder / "runs" / f"eszsl-hidden-made-up-{s}.json").read_text())["metrics"][
            "hit@1"
        ]["per_class"]
        for s in (0, 1)
    ]
    row = next(row for row in rows if row["model"] == "eszsl")
    assert row["hit@1"] == pytest.approx(np.mean(values))
    assert row["hit@1 sd"] == pytest.approx(np.std(values, ddof=1))
    assert (
        (folder / "runs" / "table.csv")
        .read_text()
        .startswith("model,split,semantics,seeds,candidates,hit@1")
    )
    ranks = (folder / "runs" / "ranks.csv").read_text().splitlines()
    assert ranks[0] == "metric,model,mean_rank,ranks,observations"
    assert {"hit@1", "mean_rank", "lca_height@1"} <= {line.partition(",")[0] for line in ranks[1:]}
    assert sum(line.startswith("hit@1,") for line in ranks) == 3
    assert _run("report", f"{folder}/runs", "--out", f"{folder}/page.html").exit_code == 0
    page = (folder / "page.html").read_text()
    assert '<th scope="row">signed' in page, "a variant has its own row"
    assert "by hops" in page
    assert "semantic accuracy" in page
    before = {path: path.stat().st_mtime_ns for path in files}

    (folder / "runs" / "eszsl-hidden-made-up-1.json").unlink()  # as an interruption leaves it
    (folder / "grid.toml").write_text(CONFIG.replace("top = 3", "top = 4"))
    run_grid(folder / "grid.toml")
    for path, time in before.items():
        changed = path.name == "eszsl-hidden-made-up-1.json" or path.name.startswith("conse")
        assert (path.stat().st_mtime_ns != time) == changed, path.name


def test_ranks_of_an_earlier_state_of_a_grid_are_taken_away(tmp_path: Path) -> None:
    """Three models over two seeds have ranks; without a seed of one of them there is one cell."""
    runs = [
        {
            "model_label": label,
            "split": "hidden",
            "semantics_name": "made-up",
            "provenance": {"seed": seed},
            "metrics": {"hit@1": {"per_class": hit + seed / 10}},
            "candidates": 4,
        }
        for label, hit in (("a", 0.5), ("b", 0.4), ("c", 0.3))
        for seed in (0, 1)
    ]
    write_tables(tmp_path, runs)
    assert (tmp_path / "ranks.csv").exists()
    write_tables(tmp_path, runs[:-1])
    assert not (tmp_path / "ranks.csv").exists()


def test_a_run_is_done_again_when_a_default_or_a_grid_changes(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a run depends on and the configuration does not say: else runs of two defaults stand in
    one row."""
    (folder / "grid.toml").write_text(CONFIG.replace("[0, 1]", "[0]"))
    grid, _ = run_grid(folder / "grid.toml")
    run = next(each for each in grid.runs() if each.label == "conse")
    assert grid.is_done(run)
    for name, value in (
        (
            "Options",
            make_dataclass(
                "Options",
                [("ridge", float, option(1e-3, "another default"))],
                bases=(conse.Options,),
                frozen=True,
            ),
        ),
        ("GRID", [{"top": 1}]),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(conse, name, value)
            assert not grid.is_done(run), name
        assert grid.is_done(run)
    with monkeypatch.context() as patch:
        patch.setattr("graphzsl.models.runs.grid.__version__", "0.0.0")
        assert not grid.is_done(run)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("seeds = [0, 1]", "seeds = [-1]", "seeds is a list of whole numbers from 0"),
        ("seeds = [0, 1]", 'seeds = ["a"]', "seeds is a list of whole numbers"),
        ("seeds = [0, 1]", "seeds = [true]", "seeds is a list of whole numbers"),
        ("seeds = [0, 1]", "seeds = 3", "seeds is a list of whole numbers"),
        ("seeds = [0, 1]", "seeds = []", "seeds is a list of whole numbers"),
        ("seeds = [0, 1]", "seeds = [0, 0]", "seeds is a list of different numbers"),
        (
            "seeds = [0, 1]",
            "seeds = [0]\nvalidation_seeds = [99999999999]",
            "validation_seeds is a list of whole numbers",
        ),
        ("seeds = [0, 1]", 'seeds = [0]\nkeep_samples = "no"', "keep_samples is true or false"),
        ("hide = 0.3", 'hide = "x"', "hide is a share above 0"),
        ("hide = 0.3", "hide = 1.5", "hide is a share above 0"),
        ("[models.eszsl]", "[models]\neszsl = 3", "[models.eszsl] is a table"),
        ('of = "chosen"', "of = inf", "the number inf, which is not finite"),
        ('of = "chosen"', "of = 3", "[splits.hidden] of is a class set of the graph or a file"),
        ("[models.eszsl]", "[models.eszsl]\nridge = inf", "the number inf, which is not finite"),
        ("[models.eszsl]", "[models.eszsl]\ngamma = nan", "the number nan, which is not finite"),
        ('graph = "graph"', "graph = 3", "graph is a path"),
        ('out = "runs"', 'out = "runs"\ncompute = 3', "[compute] is a table"),
    ],
)
def test_values_of_a_wrong_kind_are_named_before_any_run(
    folder: Path, old: str, new: str, message: str
) -> None:
    (folder / "grid.toml").write_text(CONFIG.replace(old, new))
    done = _run("evaluate", "grid", f"{folder}/grid.toml")
    assert (done.exit_code, message in done.output) == (1, True), done.output
    assert not (folder / "runs").exists()


def test_samples_of_an_earlier_run_do_not_stand_beside_another_json(folder: Path) -> None:
    (folder / "grid.toml").write_text(
        CONFIG.replace("seeds = [0, 1]", "seeds = [0]\nkeep_samples = true")
    )
    run_grid(folder / "grid.toml")
    beside = [
        folder / "runs" / f"conse-hidden-made-up-0{suffix}"
        for suffix in (".samples.parquet", ".classes.parquet")
    ]
    assert all(path.exists() for path in beside)
    (folder / "grid.toml").write_text(CONFIG.replace("[0, 1]", "[0]").replace("top = 3", "top = 4"))
    run_grid(folder / "grid.toml")
    assert not any(path.exists() for path in beside)
    assert (folder / "runs" / "eszsl-hidden-made-up-0.samples.parquet").exists(), (
        "that run did not change"
    )


def test_a_grid_replaces_no_json_that_is_not_its_run(folder: Path) -> None:
    (folder / "grid.toml").write_text(CONFIG)
    (folder / "runs").mkdir()
    mine = folder / "runs" / "signed-hidden-made-up-1.json"
    mine.write_text('{"colour": "blue"}')
    with pytest.raises(
        DataError, match=r"signed-hidden-made-up-1\.json was not written by graphzsl"
    ):
        run_grid(folder / "grid.toml")
    assert [path.name for path in (folder / "runs").iterdir()] == [mine.name], "before any run"
    assert mine.read_text() == '{"colour": "blue"}'


def test_a_grid_leaves_samples_and_classes_for_other_commands(folder: Path) -> None:
    (folder / "grid.toml").write_text(CONFIG.replace("[0, 1]", "[0]"))
    run_grid(folder / "grid.toml")
    assert not list((folder / "runs").glob("*.parquet"))
    (folder / "grid.toml").write_text(
        CONFIG.replace("seeds = [0, 1]", "seeds = [0]\nkeep_samples = true")
    )
    _, failed = run_grid(folder / "grid.toml")
    assert failed == {}
    files = [f"{folder}/runs/{name}-hidden-made-up-0" for name in ("eszsl", "conse", "signed")]
    assert _run("evaluate", "compare", f"{files[0]}.json", f"{files[1]}.json").exit_code == 0
    assert _run("evaluate", "agreement", f"{files[0]}.classes.parquet").exit_code == 0
    assert (
        _run(
            "study", "ilsvrc", "accuracy", *(f"{file}.classes.parquet" for file in files)
        ).exit_code
        == 0
    )
    run = json.loads(Path(f"{files[0]}.json").read_text())
    values = class_values(Path(f"{files[0]}.classes.parquet"))
    assert np.mean(list(values.values())) == pytest.approx(run["metrics"]["hit@1"]["per_class"])
    assert run["class_table"]["classes"] == len(values)


def test_a_grid_asks_with_images_and_validates_with_them(folder: Path) -> None:
    (folder / "grid.toml").write_text(
        CONFIG.replace("seeds = [0, 1]", 'seeds = [0]\nfeatures = "samples.npz"')
    )
    grid, failed = run_grid(folder / "grid.toml")
    assert failed == {}
    run = json.loads((folder / "runs" / "eszsl-hidden-made-up-0.json").read_text())
    drawn = grid.lists("hidden", 0)
    train, unseen = drawn.train, drawn.hidden
    assert run["samples"] == 8 * len(unseen)
    assert run["provenance"]["validated_with"]["features"] == "samples.npz"
    assert run["features"]["centred_on"] == "training classes"
    assert not set(train) & set(unseen)


def test_a_grid_on_simulated_features_says_so(folder: Path) -> None:
    """Whole files and what others make of them: centred, halved, in a data set."""
    samples = load_samples(folder / "samples.npz")
    said = {**samples.metadata, "simulated": True}
    save_samples(replace(samples, metadata=said), folder / "samples.npz")
    assert load_samples(folder / "samples.npz").metadata["simulated"] is True
    for setting in ("", 'setting = "generalized"\n'):
        config = CONFIG.replace("seeds = [0, 1]", 'seeds = [0]\nfeatures = "samples.npz"')
        (folder / "grid.toml").write_text(setting + config.split("[models.conse]")[0])
        _, failed = run_grid(folder / "grid.toml")
        assert failed == {}
        run = json.loads((folder / "runs" / "eszsl-hidden-made-up-0.json").read_text())
        assert run["features"]["simulated"] is True
        assert json.loads(question(run))["simulated"] is True


def test_a_list_of_every_candidate_stands_in_no_table(folder: Path) -> None:
    grid, _ = run_grid(folder / "grid.toml")
    rows = table(results(grid))
    (count,) = {row["candidates"] for row in rows}
    assert 5 < count < 20
    shown = {name for row in rows for name in row}
    assert "hit@5" in shown
    assert not {"hit@20", "hp@20"} & shown


def test_a_note_and_the_options_given_stand_at_their_own_run(folder: Path) -> None:
    (folder / "grid.toml").write_text(
        CONFIG.replace("top = 3", 'top = 3\nnote = "small"').replace("[0, 1]", "[0]")
    )
    grid, failed = run_grid(folder / "grid.toml")
    assert failed == {}
    found = {run["model_label"]: run for run in results(grid)}
    assert {label: run["note"] for label, run in found.items()} == {
        "eszsl": "",
        "conse": "small",
        "signed": "",
    }
    assert found["signed"]["provenance"]["given_options"] == {"labels": "signed"}
    assert found["eszsl"]["provenance"]["given_options"] == {}


def test_validation_seeds_choose_on_other_classes_of_the_same_split(folder: Path) -> None:
    config = CONFIG.replace("seeds = [0, 1]", "seeds = [0]\nvalidation_seeds = [5, 6]")
    (folder / "grid.toml").write_text(config)
    grid, failed = run_grid(folder / "grid.toml")
    assert failed == {}
    one, other = (
        json.loads((folder / "runs" / f"eszsl-hidden-made-up-0-v{n}.json").read_text())
        for n in (5, 6)
    )
    assert one["provenance"]["candidates"] == other["provenance"]["candidates"]
    assert one["provenance"]["chosen_on_validation"] != other["provenance"]["chosen_on_validation"]
    row = next(row for row in table(results(grid)) if row["model"] == "eszsl")
    assert (row["seeds"], row["hit@1 sd"]) == (1, None)
    assert row["hit@1 validation sd"] >= 0


def test_a_changed_list_of_a_split_runs_again(folder: Path) -> None:
    config = CONFIG.replace(
        'of = "chosen"\nhide = 0.3', 'train = "train.txt"\ntest = "test.txt"'
    ).replace("[0, 1]", "[0]")
    (folder / "grid.toml").write_text(config)
    grid, _ = run_grid(folder / "grid.toml")
    assert len(results(grid)) == 3
    shorter = (folder / "test.txt").read_text().split()[:-3]
    (folder / "test.txt").write_text("\n".join(shorter))
    assert results(Grid(folder / "grid.toml")) == [], "the candidates are others now"


@pytest.mark.parametrize("hide", ["hide = 0.2", ""])
def test_200_of_1000_classes_are_hidden(folder: Path, hide: str) -> None:
    """Frome et al. 2013, appendix A.1: 800 classes to learn from, 200 to test; a fifth is what is
    hidden where a grid does not say it."""
    (folder / "grid.toml").write_text(CONFIG.replace("hide = 0.3", hide))
    thousand = [f"n{number:08}" for number in range(1000)]
    (folder / "chosen").write_text("\n".join(thousand))
    grid = Grid(folder / "grid.toml")
    grid.graph = replace(grid.graph, class_sets={})
    lists = {seed: grid.lists("hidden", seed) for seed in (0, 1)}
    for each in lists.values():
        assert (len(each.train), len(each.hidden)) == (800, 200)
        assert sorted([*each.train, *each.hidden]) == thousand
    assert lists[0] != lists[1]


def test_a_class_without_an_embedding_is_filled_for_models_of_the_graph_alone(
    folder: Path,
) -> None:
    """A model of the graph takes one from the nodes below and above it; ESZSL has none."""
    path = folder / "embeddings.safetensors"
    matrix = ClassMatrix.load(path, EMBEDDINGS)
    text = CONFIG.partition("[models.eszsl]")[0] + "[models.eszsl]\n[models.graph-linear]\n"
    (folder / "grid.toml").write_text(text.replace("[0, 1]", "[0]"))
    hidden = Grid(folder / "grid.toml").lists("hidden", 0).hidden
    kept = dict(zip(matrix.wnids, matrix.values, strict=True))
    del kept[hidden[0]]
    ClassMatrix.from_rows(kept, matrix.metadata).save(path)
    grid, failed = run_grid(folder / "grid.toml")
    assert [name.partition("-hidden")[0] for name in failed] == ["eszsl"]
    assert hidden[0] in next(iter(failed.values()))
    assert grid.is_done(next(run for run in grid.runs() if run.label == "graph-linear"))


def test_whole_branches_are_hidden_and_validated_on(folder: Path) -> None:
    """Hyper-parameters are chosen on branches of the training classes, drawn as the test classes
    are; the run says how much of its answer is looking up a neighbour."""
    text = CONFIG.replace("hide = 0.3", "hide = 0.3\nbranches = 1.0").replace("[0, 1]", "[4]")
    (folder / "grid.toml").write_text(text)
    grid, failed = run_grid(folder / "grid.toml")
    assert failed == {}
    run = read_json(grid.file(next(grid.runs())))
    assert grid.graph is not None
    hierarchy = grid.graph.hierarchy
    classes = grid.graph.class_sets["chosen"]
    drawn = hide_classes(classes, 0.3, 4, 1.0, hierarchy)
    assert len(drawn.branches) > 0
    assert run["provenance"]["train"]["sha256"] == sha256_text("\n".join(sorted(drawn.train)))
    assert run["structural_ratio"] == drawn.structural_ratio(hierarchy)
    assert run["hidden_branches"] == drawn.branches
    assert run["split_definition"] == {
        "name": "hidden",
        "of": "chosen",
        "hide": 0.3,
        "branches": 1.0,
    }
    folds = [hide_classes(drawn.train, 0.2, 12 + fold, 1.0, hierarchy) for fold in range(3)]
    assert run["provenance"]["validation"]["sha256"] == [
        sha256_text("\n".join(sorted(fold.hidden))) for fold in folds
    ]
    page = _run("report", f"{folder}/runs", "--out", f"{folder}/page.html")
    assert page.exit_code == 0
    assert (
        "30 % of chosen hidden, 100 % of them in whole branches, drawn by the seed"
        in (folder / "page.html").read_text()
    )


@pytest.mark.parametrize("written", ['"0,1"', "[0, 1]"])
def test_several_numbers_are_hashed_as_text(folder: Path, written: str) -> None:
    """The literal text is part of the identity."""
    (folder / "grid.toml").write_text(
        CONFIG + f'[models.linear]\nmodel = "graph-linear"\npowers = {written}\n'
    )
    grid = Grid(folder / "grid.toml")
    run = next(run for run in grid.runs() if run.label == "linear")
    drawn = grid.lists("hidden", 0)
    lists = [sha256_text("\n".join(names)) for names in (drawn.train, drawn.hidden)]
    parts = [
        __version__,
        "graph-linear",
        {"powers": "0,1"},
        {"powers": "0,1", "ridge": 8.0},
        graph_linear.GRID,
        0,
        {"of": "chosen", "hide": 0.3},
        lists,
        False,
        grid.inputs,
        "made-up",
        None,
        "",
        {},
    ]
    assert grid.identity(run) == sha256_text(json.dumps(parts, sort_keys=True))
    assert grid.execute(run)["provenance"]["options"]["powers"] == "0,1"


def test_the_identity_of_a_run_holds_its_hierarchy(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def grid(line: str) -> Grid:
        (folder / "grid.toml").write_text(CONFIG.replace('wordnet = "whole"', line))
        return Grid(folder / "grid.toml")

    whole = grid('wordnet = "whole"')
    (first, *_) = whole.runs()
    lasting = json.loads((folder / "whole" / "manifest.json").read_text())
    assert lasting["whole"]
    assert whole.inputs["hierarchy"] == sha256_text(json.dumps(lasting, sort_keys=True))
    with pytest.raises(SettingsError, match="there is no setting 'hierarchy'; known:"):
        grid('hierarchy = "whole"')
    loaded = replace(mini_subgraph(), manifest={"whole": True}).hierarchy
    monkeypatch.setattr(Hierarchy, "load", lambda: loaded)
    assert grid('wordnet = "wordnet"').hierarchy is loaded
    assert grid('wordnet = "wordnet"').identity(first) != whole.identity(first)
    (folder / "whole").rename(folder / "wordnet")
    assert grid('wordnet = "wordnet"').identity(first) == whole.identity(first), "the folder's"


def test_a_text_with_spaces_is_hashed_as_it_is_written(folder: Path) -> None:
    def identity(written: str) -> str:
        (folder / "grid.toml").write_text(
            CONFIG + f'[models.linear]\nmodel = "graph-linear"\npowers = {written}\n'
        )
        grid = Grid(folder / "grid.toml")
        return grid.identity(next(run for run in grid.runs() if run.label == "linear"))

    assert identity("[0, 1]") == identity('"0,1"') != identity('"0, 1"')


def test_training_classes_are_no_test_classes_of_a_split(folder: Path) -> None:
    text = CONFIG.replace("seeds = [0, 1]", "seeds = [0]")
    split = CONFIG[CONFIG.index("[splits.hidden]") : CONFIG.index("[models.eszsl]")]
    both = '[splits.both]\ntrain = "train"\ntest = "chosen"\n'
    (folder / "grid.toml").write_text(text.replace(split, both))
    _, failed = run_grid(folder / "grid.toml")
    assert failed
    for message in failed.values():
        assert re.search(r"\d+ of the \d+ test classes of \[splits.both\] are training", message)


def test_a_failing_run_does_not_stop_the_others(folder: Path) -> None:
    (folder / "grid.toml").write_text(
        CONFIG + '[models.sgc]\nsteps = 2\n[models.bad]\nmodel = "graph-linear"\npowers = "x"\n'
    )
    grid, failed = run_grid(folder / "grid.toml")
    assert set(failed) == {"bad-hidden-made-up-0", "bad-hidden-made-up-1"}
    assert "powers are different whole numbers" in failed["bad-hidden-made-up-0"]
    assert len(table(results(grid))) == 4
    assert _run("evaluate", "grid", str(folder / "grid.toml")).exit_code == 1


def test_a_grid_over_a_data_set_in_both_settings(folder: Path) -> None:
    task = sample_task()
    data = with_parts(
        mini_samples(),
        task.semantics,
        task.train,
        {"test": task.candidates},
        {"features": "made up", "simulated": True},
    )
    data.save(folder / "data")
    for setting in ("standard", "generalized"):
        (folder / "data.toml").write_text(
            f'out = "runs-{setting}"\ndata = "data"\nsetting = "{setting}"\nwordnet ='
            ' "whole"\n[models.eszsl]\n[models.conse]\n[models.cmt-star]\nhidden = 64\nepochs ='
            " 60\n"
        )
        if setting == "generalized":
            with (folder / "data.toml").open("a") as file:
                file.write('[models.eszsl-calibrated]\nmodel = "eszsl"\ncalibrate = true\n')
        grid, failed = run_grid(folder / "data.toml")
        assert failed == {}
        rows = table(results(grid))
        assert ("ts" in rows[0]) == (setting != "standard")
        for row in rows:
            if setting != "standard":
                assert row["h"] == pytest.approx(
                    2 * row["ts"] * row["tr"] / max(1e-9, row["ts"] + row["tr"]), abs=5e-4
                )
                assert row["candidates"] == 45
                assert 0 <= row["ausuc"] <= 1, "an area of two shares"
                run = read_json(grid.out / f"{row['model']}-test-own-0.json")
                is_calibrated = row["model"] == "eszsl-calibrated"
                assert bool(run["provenance"]["calibration"]) == is_calibrated
            else:
                assert row["hit@1"] > 0.1, "twice chance"
                assert row["candidates"] == 20
        if setting == "generalized":
            plain, calibrated = (
                next(row for row in rows if row["model"] == name)
                for name in ("eszsl", "eszsl-calibrated")
            )
            assert calibrated["ts"] >= plain["ts"]
            assert calibrated["tr"] < plain["tr"]
            assert calibrated["ausuc"] == plain["ausuc"], "the curve is of all amounts"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("seeds", "sedes"), "there is no setting 'sedes'"),
        (('out = "runs"', ""), "'out' is missing"),
        (("top = 3", "topp = 3"), r"\[models\.conse\] has no option 'topp'"),
        (("top = 3", "calibrate = 1"), r"\[models\.conse\] calibrate is true or false, not 1"),
        (("top = 3", "calibrate = true"), "calibrate has no effect without `setting = "),
        (("hide = 0.3", "hid = 0.3"), r"\[splits\.hidden\] has no 'hid'"),
        (('of = "chosen"', ""), r"\[splits\.hidden\] needs `of`"),
        (("hide = 0.3", 'test = "t.txt"'), r"hidden\] test has no effect: `of` names the classes"),
        (
            ('of = "chosen"\nhide = 0.3', 'train = "a"\ntest = "b"\nhide = 0.3\nbranches = 1'),
            r"hide has no effect: `train` and `test` are whole(.|\n)*branches has no effect",
        ),
        (
            ('classifiers = "classifiers.safetensors"', 'data = "data"'),
            r"\[splits\.hidden\] of has no effect: `data` has its own training classes",
        ),
        (
            ('graph = "graph"\nwordnet = "whole"', ""),
            "'chosen' is neither a class set of the graph",
        ),
        (('of = "chosen"', 'of = "nothing"'), "'nothing' is neither a class set of the graph"),
        (("[semantics]", "[semantics"), "not valid TOML"),
        (('classifiers = "classifiers.safetensors"', ""), "either `classifiers`"),
        (
            ("seeds = [0, 1]", 'seeds = [0]\nsetting = "both"'),
            "setting is standard or generalized, not 'both'",
        ),
        (
            ("seeds = [0, 1]", 'seeds = [0]\nsetting = "generalized"'),
            "rows of training classes are what models learn from",
        ),
        (
            ("[models.signed]", '[models."../signed"]'),
            r"\[models\] '../signed' becomes part of a file's name",
        ),
        (("[splits.hidden]", '[splits."a/b"]'), r"\[splits\] 'a/b' becomes part of a file's name"),
        (
            (
                "[models.eszsl]",
                "[splits.x-hidden]\nof='chosen'\n[models.eszsl]\n[models.eszsl-x]\nmodel='eszsl'",
            ),
            "two runs would be written to eszsl-x-hidden-made-up-0.json",
        ),
    ],
)
def test_a_wrong_configuration_is_named(
    folder: Path, change: tuple[str, str], message: str
) -> None:
    (folder / "grid.toml").write_text(CONFIG.replace(*change))
    with pytest.raises(SettingsError, match=message):
        _lists_of(folder / "grid.toml")


def test_branches_need_a_hierarchy(folder: Path) -> None:
    text = CONFIG.replace('graph = "graph"\nwordnet = "whole"', "")
    (folder / "grid.toml").write_text(text.replace("hide = 0.3", "hide = 0.3\nbranches = 1.0"))
    with pytest.raises(SettingsError, match="branches are those of a hierarchy"):
        Grid(folder / "grid.toml")


def test_the_folder_of_a_grid_has_no_name_of_a_file(folder: Path) -> None:
    (folder / "grid.toml").write_text(CONFIG.replace('out = "runs"', 'out = "runs.json"'))
    with pytest.raises(DataError, match=r"runs\.json would be a folder, and ends in \.json"):
        _lists_of(folder / "grid.toml")


def test_all_that_is_wrong_is_said_at_once(tmp_path: Path) -> None:
    path = tmp_path / "grid.toml"
    path.write_text(
        'out = "runs"\nclasifiers = "c"\nseeds = [0, 0]\nsetting = "both"\nkeep_samples = 1\n'
        '[semantics]\nglosses = 3\n[splits.hidden]\nof = "a"\nhide = 2\nhid = 0.1\nbranches = 3\n'
        '[splits."a/b"]\n[models.eszsl]\ngama = 1.0\n[models.esszl]\n[models.x]\n'
        '# a comment\nmodel = "nothing"\n'
    )
    with pytest.raises(SettingsError) as error:
        _lists_of(path)
    lines = str(error.value).splitlines()
    for line, said in zip(
        lines,
        (
            "2: there is no setting 'clasifiers' (did you mean 'classifiers'?); known: class",
            "3: seeds is a list of different numbers, not [0, 0].",
            "4: setting is standard or generalized, not 'both'.",
            "5: keep_samples is true or false, not 1.",
            "7: semantics glosses is a path, not 3.",
            "10: [splits.hidden] hide is a share above 0 and below 1, not 2.",
            "11: [splits.hidden] has no 'hid' (did you mean 'hide'?); known: branches, hide, ",
            "12: [splits.hidden] branches is the share of the hidden classes that go as whole",
            "13: [splits] 'a/b' becomes part of a file's name: use letters, digits, spaces",
            "15: [models.eszsl] has no option 'gama' (did you mean 'gamma'?); known: ",
            "16: ",
            "19: ",
        ),
        strict=True,
    ):
        assert line.startswith(f"{path}:{said}")
    assert "Did you mean 'eszsl'?" in lines[-2]


def _lists_of(config: Path) -> None:
    grid = Grid(config)
    for run in grid.runs():
        grid.lists(run.split, run.seed)


def _run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))
