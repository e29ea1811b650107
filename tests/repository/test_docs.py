"""The examples of the documentation run, and its tables are what the code says."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import networkx
import numpy as np
import pytest
from click.testing import CliRunner
from scipy.io import savemat

import graphzsl as gz
from graphzsl import metrics
from graphzsl.cli import main
from graphzsl.common import manifest
from graphzsl.data import save_subgraph
from graphzsl.data.subgraph import KIND
from graphzsl.hierarchy import Hierarchy
from graphzsl.hierarchy.branches import branches_of, hide_classes
from graphzsl.models import model_module
from graphzsl.models.registry import MODELS, family
from graphzsl.models.runs.grid_config import MODEL_KEYS
from graphzsl.reports import read_runs
from graphzsl.sources.imagenet import listed_classes
from tests.embeddings.formats.test_formats import _xlsa17
from tests.pages import recorded
from tests.problems import mini_problem, mini_samples, sample_task

ROOT = Path(__file__).resolve().parents[2]


def _python(file: str, after: str = "") -> str:
    text = (ROOT / file).read_text()
    found = re.search(re.escape(after) + r"\s*```python\n(.*?)```", text, re.DOTALL)
    assert found
    return found[1]


def test_a_published_data_set_as_the_guide_trains_on_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _xlsa17(tmp_path / "xlsa17" / "data" / "AWA2", savemat)
    monkeypatch.chdir(tmp_path)
    code = _python("docs/train-on-your-data.md", "<!-- not run: it takes the files of xlsa17 -->")
    exec(compile(code, "train-on-your-data.md", "exec"), {})
    said = capsys.readouterr().out
    assert "margin" in said
    assert "'ts'" in said


def test_the_hierarchical_metrics_of_the_documentation(capsys: pytest.CaptureFixture[str]) -> None:
    text = (ROOT / "docs" / "metrics.md").read_text()
    found = re.search(
        r"<!-- hierarchical -->\s*```python\n(.*?)```\s*```text\n(.*?)```", text, re.DOTALL
    )
    assert found
    exec(compile(found[1], "metrics.md", "exec"), {})
    assert capsys.readouterr().out == found[2]
    named = set(re.findall(r"`([a-z_]+)`", text[text.index("| function |") :].split("\n\n")[0]))
    functions = {name for name in gz.hierarchical.__all__ if name.islower()}
    assert functions <= named


def test_the_sample_is_audited_as_the_readme_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    shown = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = shown.split("$ graphzsl audit sample\n")[1].split("…\n```")[0]
    assert "a random class" in shown
    done = CliRunner().invoke(main, ["audit", "sample", "--format", "table"])
    assert done.stdout.startswith(shown)


def test_the_demo_of_the_readme_is_that_of_the_recording() -> None:
    """`docs/pictures/demo.svg` is a recording of a run; the README has its hit@1."""
    value = r"[0-9.]+ \[[0-9]+, [0-9]+\]"
    values_of = {
        line.split()[0].rstrip("*"): re.findall(value, line)
        for line in recorded("demo")
        if len(re.findall(value, line)) == 2
    }
    readme = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    head, _, *rows = readme[readme.index(next(row for row in readme if "| sgcn (short)" in row)) :]
    models = [name.strip().removesuffix(" (short)") for name in head.split("|")[2:-1]]
    for place, split in enumerate(("random", "branches")):
        cells = [cell.strip() for cell in rows[place].split("|")[1:-1]]
        assert cells[0] == split
        shown = dict(zip(models, cells[1:], strict=True))
        assert shown.pop("chance") == "0.5"
        assert shown == {model: values[place] for model, values in values_of.items()}
    assert len(values_of) == 6


def test_the_example_of_adding_a_model() -> None:
    code = _python("docs/adding-a-model.md")
    assert code.startswith("# graphzsl/models/hybrid/nearest_meaning.py")
    module = ModuleType("nearest_meaning")
    monkey = __import__("sys").modules
    monkey["nearest_meaning"] = module
    try:
        exec(compile(code, "adding-a-model.md", "exec"), module.__dict__)
        task = sample_task()
        asked = mini_samples().select(task.candidates)
        model = module.fit(task, module.Options())
        truth = metrics.columns_of(
            asked.labels, {wnid: column for column, wnid in enumerate(model.wnids)}
        )
        rank = metrics.ranks(model.scores(asked.features), truth)
        assert np.mean(metrics.hits(rank, 5)) > 0.4, "chance is 0.25"
    finally:
        del monkey["nearest_meaning"]


def test_the_plain_torch_geometric_network_learns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    problem, rows = mini_problem()
    sets = {"ilsvrc2012": problem.train, "hops-1": problem.candidates}
    graph = replace(problem.subgraph, manifest=manifest(KIND), class_sets=sets)
    save_subgraph(graph, Path("graph"))
    problem.semantics.save("glosses.safetensors")
    rows.save("classifiers.safetensors")
    found: dict[str, Any] = {}
    code = _python("docs/adding-a-model.md", "<!-- plain -->")
    exec(compile(code, "adding-a-model.md", "exec"), found)
    task, model = found["task"], found["learned"]
    assert (task.train, task.candidates) == (problem.train, problem.candidates)
    assert found["loss"] < 0.1, "half the squared distance of unit vectors is 1 at a right angle"
    assert model.wnids == task.candidates
    assert np.linalg.norm(model.classifiers.values, axis=1) == pytest.approx(1, abs=1e-5)


def test_the_readme_says_how_many_models_there_are() -> None:
    assert f"\n{len(MODELS)} of them, linear" in (ROOT / "README.md").read_text()


def test_the_guide_names_every_model() -> None:
    text = (ROOT / "docs" / "train-on-your-data.md").read_text()
    families = dict(re.findall(r"^\| ([a-z-]+) \| (`.*?) \|$", text, re.MULTILINE))
    for name in MODELS:
        assert f"`{name}`" in families[family(name)], name
    named = {name for line in families.values() for name in re.findall(r"`([a-z0-9-]+)`", line)}
    assert named == set(MODELS)


EXPERIMENTS = {
    path.stem: tomllib.loads(path.read_text())
    for path in (ROOT / "docs" / "experiments").glob("*.toml")
}
#: Grids of one table, which differ by network, by data or by semantics alone.
OF_ONE_TABLE = (
    ["rows-lite0", "rows-lite1", "rows-lite2", "rows-mobilenet"],
    ["images", "images-generalized"],
)


@pytest.mark.parametrize("name", sorted(EXPERIMENTS))
def test_experiment_files_have_real_options(name: str) -> None:
    for label, given in EXPERIMENTS[name]["models"].items():
        options = {key: value for key, value in given.items() if key not in MODEL_KEYS}
        model_module(given.get("model", label)).Options(**options)


@pytest.mark.parametrize("names", OF_ONE_TABLE)
def test_experiments_of_a_table_train_the_same_models_with_the_same_options(
    names: list[str],
) -> None:
    models = [
        {
            label: given
            for label, given in EXPERIMENTS[name]["models"].items()
            if "model" not in given
        }
        for name in names
    ]
    assert all(each == models[0] for each in models)
    splits = [EXPERIMENTS[name]["splits"] for name in names]
    assert all(each == splits[0] for each in splits)


def test_experiments_train_all_models() -> None:
    """CMT* is CMT where no seen class is a candidate."""
    trained = {
        model for name in ("rows-lite0", "slow-models") for model in EXPERIMENTS[name]["models"]
    }
    assert trained == {*MODELS} - {"cmt-star"}


def test_the_tables_of_class_rows_are_those_that_were_collected(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Every table of the page comes out of the file that the runs were collected in, and what the
    sentences say of them is so."""
    monkeypatch.syspath_prepend(ROOT / "docs" / "experiments")
    import class_rows

    rows, blocks = class_rows.rows_of(), class_rows.rows_of(class_rows.BLOCKS)
    neighbours = class_rows.rows_of(class_rows.NEIGHBOURS)
    ends = class_rows.rows_of(class_rows.ENDS)
    settings = {each: class_rows.generalized(rows, each) for each in (False, True)}
    stopped = {each: class_rows.generalized(ends, each) for each in (False, True)}
    page = (ROOT / "docs/results.md").read_text()
    both = ("random", "branches")
    for table in (
        *(class_rows.table_of_networks(rows, split, ends) for split in both),
        *(class_rows.table_of_leads(neighbours, split) for split in both),
        class_rows.table_of_one(rows, "rows-lite0", ends),
        class_rows.table_of_one(rows, "slow-models", ends),
        class_rows.table_of_one(rows, "images", ends),
        class_rows.table_of_one(rows, "graph-targets", ends, ["hit@1"]),
        *(
            class_rows.table_of_one(
                own, "images-generalized", stopped[known], class_rows.GENERALIZED
            )
            for known, own in settings.items()
        ),
        class_rows.table_of_draws(class_rows.rows_of(class_rows.VALIDATION), ends),
        *(class_rows.table_of_ranks(blocks, split)[0] for split in both),
    ):
        assert "\n".join(table) in page
    kinds = ("frequency", ["glove", "minilm"], "semantics")
    for found_ends in (
        class_rows.ends_of(ends, class_rows.NETWORKS),
        class_rows.ends_of(ends, ["images"]),
        *(class_rows.ends_of(own, ["images-generalized"]) for own in stopped.values()),
        class_rows.ends_of(ends, ["slow-models"]),
        class_rows.ends_of(ends, ["validation"]),
        class_rows.ends_of(ends, *kinds),
    ):
        assert f": {found_ends}." in page
    found = {
        (row["split"], row["model"], row["grid"]): row for row in rows if row["metric"] == "hit@1"
    }
    networks = list(class_rows.NETWORKS)

    def spread(split: str, model: str, name: str = "mean") -> str:
        values = [100 * found[split, model, grid][name] for grid in networks]
        return f"{min(values):.1f} to {max(values):.1f}"

    def kept(*models: str) -> str:
        shares = [
            100 * found["branches", model, grid]["mean"] / found["random", model, grid]["mean"]
            for model in models
            for grid in networks
        ]
        return f"{min(shares):.0f} to {max(shares):.0f} %"

    def part(split: str) -> str:
        rows_of = [found[split, "exem-ridge", grid] for grid in networks]
        shares = [100 * row["behind"] / row["mean"] for row in rows_of]
        return f"{min(shares):.0f} to {max(shares):.0f}"

    readers = ("graph-exem", "exem-ridge", "graph-linear", "sgc", "eszsl", "sae", "conse", "iap")
    leads = {(row["split"], row["model"], row["grid"]): row for row in neighbours}
    for (split, model, grid), row in leads.items():
        apart = found[split, model, grid]["mean"] - found[split, row["next"], grid]["mean"]
        assert row["ahead"] == pytest.approx(apart, abs=1e-9)
        assert row["ahead low"] <= row["ahead"] <= row["ahead high"]

    def on_networks(split: str, model: str) -> list[dict[str, Any]]:
        return [leads[split, model, grid] for grid in networks]

    level = [on_networks("random", "sgc"), on_networks("branches", "eszsl")]
    second = [on_networks(split, "exem-ridge") for split in both]
    assert {row["next"] for row in level[0]} == {"eszsl"}
    assert {row["next"] for row in level[1]} == {"sgc"}
    assert {row["next"] for rows_of in second for row in rows_of} == {"graph-linear"}

    def points(found: Sequence[dict[str, Any]]) -> str:
        shown = [class_rows._shown(row, ["ahead"]) for row in found]
        return f"{min(shown, key=float)} to {max(shown, key=float)}"

    def known(found: Sequence[dict[str, Any]]) -> int:
        return sum(row["ahead low"] > 0 for row in found)

    assert [known(found) for found in (*level, second[1])] == [3, 0, 1]
    assert all(row["ahead low"] < 0 < row["ahead high"] for row in level[1])
    apart = max(abs(float(class_rows._shown(row, ["ahead"]))) for row in level[1])
    for sentence in (
        f"to {spread('branches', 'closest-eszsl')} %, `closest`, against which its many ties count,"
        f" to {spread('branches', 'closest')} %",
        f"keep {kept(*readers)} of their hits: `graph-exem` has {spread('random', 'graph-exem')} %"
        f" of random classes and {spread('branches', 'graph-exem')} % of branches",
        f"is {spread('random', 'exem-ridge', 'behind')} points ahead of `exem-ridge`",
        f"and {spread('branches', 'exem-ridge', 'behind')} on branches; all eight intervals",
        f"is {points(level[0])} points ahead of `eszsl` on random classes; three of four intervals"
        f" exclude 0. On branches the two lie within {apart} points and all four hold 0",
        f"is {points(second[0])} points ahead of `graph-linear` on random classes, and on branches"
        f" ({points(second[1])}) one of four intervals excludes 0",
        f"that is {part('random')} % and {part('branches')} %",
    ):
        assert sentence in page
    left = {
        (grid, model): 100
        * found["branches", model, grid]["mean"]
        / found["random", model, grid]["mean"]
        for grid in ("images", "rows-mobilenet")
        for model in (*readers, "closest", "closest-eszsl")
    }
    here, rows_kept = (
        [left[grid, model] for model in readers] for grid in ("images", "rows-mobilenet")
    )
    assert (
        f"keep {min(here):.0f} to {max(here):.0f} % of their hits here, and {min(rows_kept):.0f} to"
        f" {max(rows_kept):.0f} % of rows; `closest-eszsl` keeps"
        f" {left['images', 'closest-eszsl']:.0f} %, `closest` {left['images', 'closest']:.0f} %"
    ) in page
    models = (*readers, "closest", "closest-eszsl")
    assert sum(left["images", each] < left["rows-mobilenet", each] for each in models) == 8
    of_rows = {
        model: 100 * found["random", model, "images"]["mean"] / row["mean"]
        for (split, model, grid), row in found.items()
        if (split, grid) == ("random", "rows-mobilenet")
    }
    conse, iap = of_rows.pop("conse"), of_rows.pop("iap")
    assert (
        f"keep {min(of_rows.values()):.0f} to {max(of_rows.values()):.0f} % of their hits; `conse`"
        in page
    )
    assert f"keeps {conse:.0f} %, and `iap` has more" in page
    assert iap > 100
    h, ts, ausuc = (
        {
            (is_calibrated, row["split"], row["model"]): 100 * row["mean"]
            for is_calibrated, own in settings.items()
            for row in own
            if row["metric"] == metric
        }
        for metric in ("h", "ts", "ausuc")
    )
    best, lookups = (
        [f"{of[known, split, model]:.1f}" for known in (False, True) for split in both]
        for of, model in ((h, "graph-exem"), (ts, "closest-eszsl"))
    )
    assert (
        f"H of `graph-exem` falls from {best[0]} to {best[1]} as it is, and from {best[2]} to"
        f" {best[3]} calibrated"
    ) in page
    nearest = [f"{ts[known, 'branches', 'closest']:.1f}" for known in (False, True)]
    assert (
        f"finds {lookups[1]} % (`closest-eszsl`) and {nearest[0]} % (`closest`) of the hidden\n "
        f" ones, calibrated {lookups[3]} % and {nearest[1]} %"
    ) in page
    gains = [
        sorted(h[True, split, model] - h[False, split, model] for model in models) for split in both
    ]
    assert (
        f"by {gains[0][0]:.1f} to {gains[0][-1]:.1f} points on random classes and by"
        f" {gains[1][0]:.1f} to {gains[1][-1]:.1f} on branches. ts rises and tr falls"
    ) in page
    assert all(
        ausuc[True, split, model] == pytest.approx(ausuc[False, split, model], abs=0.01)
        for split in both
        for model in models
    )
    random, branches = (
        " and ".join(f"{h[True, split, model]:.1f}" for model in ("conse", "iap")) for split in both
    )
    assert f"with H of {random} on random\n  classes and {branches} on branches" in page
    ahead = {
        (row["split"], row["model"]): [
            f"{100 * row[end]:.1f}" for end in ("behind", "behind low", "behind high")
        ]
        for row in rows
        if (row["grid"], row["metric"]) == ("images-generalized", "h")
        and row["model"] in ("graph-exem", "exem-ridge-calibrated")
    }
    gained, led = (
        " and ".join("{} [{}, {}]".format(*ahead[split, model]) for split in both)
        for model in ("graph-exem", "exem-ridge-calibrated")
    )
    assert f"`graph-exem` gains {gained};\n  calibrated it is {led} ahead of `exem-ridge`" in page
    tr = {
        (is_calibrated, row["split"], row["model"]): row["mean"]
        for is_calibrated, own in settings.items()
        for row in own
        if row["metric"] == "tr"
    }
    assert all(
        tr[True, split, model] < tr[False, split, model] for split in both for model in models
    )
    assert all(
        ts[True, split, model] > ts[False, split, model] for split in both for model in models
    )
    for split in both:
        assert h[False, split, "conse"] == h[False, split, "iap"] == 0
        order = sorted(models, key=lambda model: -h[True, split, model])
        assert (order[:2], {*order[2:4]}) == (["graph-exem", "exem-ridge"], {"conse", "iap"})
    for split in both:
        _, test = class_rows.table_of_ranks(blocks, split)
        ranks = dict(zip(test.models, test.mean_ranks, strict=True))
        gap = test.critical_difference()
        assert f"lie {gap:.2f} apart" in page
        apart = {model for model in ranks if ranks[model] - ranks["graph-exem"] > gap}
        assert apart == {model for model in ranks if ranks[model] >= ranks["sae"]}
        statistic, p = test.test()
        assert f"`{split}`: χ² = {statistic:.1f} over ten blocks, p < 10⁻¹³." in page
        assert p < 1e-13
        for grid in networks:
            order = sorted(readers, key=lambda model: -found[split, model, grid]["mean"])
            assert order[:3] == ["graph-exem", "exem-ridge", "graph-linear"]
    others = [model for model in readers if model != "graph-exem"]
    for split in both:
        for grid in networks:
            assert all(found[split, model, grid]["behind low"] > 0 for model in others)
    readme = " ".join((ROOT / "README.md").read_text().split())
    for model in ("graph-exem", "exem-ridge", "eszsl", "closest"):
        row = found["branches", model, "rows-lite0"]
        mean, low, high = (f"{100 * row[name]:.1f}" for name in ("mean", "low", "high"))
        assert re.search(rf"`{model}`(, [a-z ]+,)? (has )?{mean} % \[{low}, {high}\]", readme)
    classes = listed_classes("ilsvrc2012")
    drawn = [hide_classes(classes, 0.2, seed, 1.0, Hierarchy.load()) for seed in range(10)]
    hidden = networkx.Graph()
    hidden.add_nodes_from(wnid for each in drawn for wnid in each.hidden)
    for each in drawn:
        for members in each.branches.values():
            networkx.add_star(hidden, members)
    groups = [len(group) for group in networkx.connected_components(hidden)]
    assert (
        f"{len(groups)} such groups and single classes, of which the largest has {max(groups)}"
        in page
    )
    seeds_of = Counter(wnid for each in drawn for wnid in each.hidden)
    weights = [
        sum(seeds_of[wnid] for wnid in group) / seeds_of.total()
        for group in networkx.connected_components(hidden)
    ]
    equal = 1 / sum(weight**2 for weight in weights)
    assert f"{100 * max(weights):.1f} % of the weight: they count like {equal:.1f} of" in page
    tree = Hierarchy.load()
    inside = {
        place for members in branches_of(tree, classes).values() for place in members.tolist()
    }
    assert f"{len(inside)} of the 1,000 classes lie in a branch of 4 to 40 classes" in page
    alone = [200 - sum(map(len, each.branches.values())) for each in drawn]
    assert max(alone) == 3, "up to three classes a seed are drawn one by one to fill 200"
    sizes = {int(row["classes"]) for row in blocks if row["split"] == "branches"} - {max(groups)}
    assert (
        f"one block has {max(groups)} classes and the others {min(sizes)} to {max(sizes)}" in page
    )
    ratios = {row["split"]: row["structural_ratio"] for row in rows if row["seeds"] == "10"}
    assert f"R = {ratios['random']:.2f};" in page
    assert f"R = {ratios['branches']:.2f};" in page


@pytest.mark.thorough("runs of hours, where they are")
@pytest.mark.parametrize("grid", sorted({*EXPERIMENTS} - {"semantics"}))
def test_what_was_collected_is_what_the_runs_say(
    monkeypatch: pytest.MonkeyPatch, grid: str
) -> None:
    folder = ROOT / "runs" / grid
    if not folder.exists():
        pytest.skip(f"the runs are not here; docs/experiments/{grid}.toml makes them")
    monkeypatch.syspath_prepend(ROOT / "docs" / "experiments")
    import class_rows

    found = [*class_rows.of_ends([folder])]
    kept = [row for row in class_rows.rows_of(class_rows.ENDS) if row["grid"] == grid]
    assert [row | {"runs": str(row["runs"])} for row in found] == kept
    if grid in ("frequency", "validation"):  # they have files of their own
        return
    if grid == "rows-lite0":
        metrics: dict[str, list[float]] = {split: [] for split in class_rows.BOTH}
        for run in read_runs(sorted(folder.glob("closest-[rb]*.json"))):
            hit = run.document["metrics"]["hit@1"]
            split = run.document["split_definition"]["name"]
            if split in metrics and run.document["model_label"] == "closest":
                metrics[split].append(100 * hit["expected_under_random_ties"]["per_class"])
        random, branches = (np.mean(values) for values in metrics.values())
        said = f"would be {random:.1f} % (random) and {branches:.1f} % (branches)"
        assert said in (ROOT / "docs/results.md").read_text()
    place = ("grid", "split", "model", "metric")
    kept = {tuple(row[name] for name in place): row for row in class_rows.rows_of()}
    for row in class_rows.collected([folder]):
        own = kept[tuple(row[name] for name in place)]
        for name in class_rows.NUMBERS:
            if isinstance(row.get(name), float):
                assert own[name] == pytest.approx(row[name], abs=1e-5), (row, name)


def test_ends_are_counted_by_split_and_by_embeddings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "docs" / "experiments")
    import class_rows

    names = ("grid", "split", "semantics", "model", "option", "value", "end", "runs")
    ends = [
        dict(zip(names, row, strict=True))
        for row in (
            ("one", "random", "minilm", "sae", "ridge", "8", "largest", "3"),
            ("two", "random", "glove", "sae", "ridge", "8", "largest", "2"),
            ("two", "branches", "glove", "sae", "ridge", "8", "largest", "1"),
            ("two", "branches", "glove", "eszsl", "gamma", "0.1", "smallest", "4"),
            ("three", "random", "glove", "conse", "depth", "1", "smallest", "9"),
        )
    ]
    told = "`eszsl` gamma 0.1, the smallest (0, 4); `sae` ridge 8, the largest (5, 1)"
    assert class_rows.ends_of(ends, ["one", "two"]) == told
    told = "`eszsl` gamma 0.1, the smallest (4, 0); `sae` ridge 8, the largest (3, 3)"
    assert class_rows.ends_of(ends, ["one", "two"], ["glove", "minilm"], "semantics") == told
    assert class_rows.marked(ends, ["two"], ["random"]) == {"sae", "exem"}


def test_what_the_table_of_word_frequency_teaches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "docs" / "experiments")
    import frequency

    rows = frequency.rows_of()
    # two seeds hide class x, one of them y
    runs = [
        SimpleNamespace(
            document={"model_label": "m", "semantics_name": "glove"}, by_class={"hit@1": hits}.get
        )
        for hits in ({"x": 0.5, "y": 1.0}, {"x": 0.25})
    ]
    monkeypatch.setattr("graphzsl.reports.read_runs", lambda folders: runs)
    assert frequency.accuracy(ROOT) == {"m": {"glove": {"x": 0.375, "y": 1.0}}}
    page = (ROOT / "docs/results.md").read_text()
    assert "\n".join(frequency.table(rows)) in page
    of = {row["model"]: row for row in rows}
    readers = [row for row in rows if row["model"] != "closest"]
    kinds = frequency.KINDS
    most = [max(row[kind] for row in readers) for kind in kinds]
    ahead = [100 * row[f"{kind} gain"] for row in readers for kind in kinds]
    known = sum(row[f"{kind} gain low"] > 0 for row in readers for kind in kinds)
    assert all(row["difference low"] <= 0 <= row["difference high"] for row in rows)
    assert min(row[kind] for row in readers for kind in kinds) > 0
    assert (len(ahead), known) == (12, 3)
    assert sum(row[f"{kind} low"] > 0 for row in readers for kind in kinds) == 6
    names = [f"{kind} r {scale}" for scale in ("log10", "linear") for kind in kinds]
    assert all(row[f"{name} low"] < 0 < row[f"{name} high"] for row in rows for name in names)
    assert len(rows) * len(names) == 28
    r = [sorted(row[name] for row in readers) for name in names]
    largest = max(readers, key=lambda row: row["minilm r log10"])
    highest = [f"{largest['minilm r log10' + end]:.2f}" for end in ("", " low", " high")]
    assert float(highest[0]) == round(max(map(max, r)), 2)
    least = min(r[0][0], r[1][0])
    assert str(gz.papers.system("G13").ours).startswith(f"{least:.2f} to {highest[0]} for six")
    first = rows[0]
    for sentence in (
        f"at most {most[0]:.2f} with GloVe and {most[1]:.2f} with MiniLM, though positive",
        f"which reads none, has {of['closest']['glove']:.2f}",
        f"reach from {min(row['difference low'] for row in rows):.2f} to"
        f" {max(row['difference high'] for row in rows):.2f}. Six of the twelve intervals of ρ",
        f"by {min(ahead):.1f} to {max(ahead):.1f} points for the models",
        f"r is {r[0][0]:.2f} to {r[0][-1]:.2f} with GloVe and {r[1][0]:.2f} to {r[1][-1]:.2f} with"
        f" MiniLM for models that read words ({of['closest']['glove r log10']:.2f} for `closest`),"
        f" on mean frequency itself {r[2][0]:.2f} to {r[2][-1]:.2f} and {r[3][0]:.2f} to"
        f" {r[3][-1]:.2f}",
        f"Fisher's interval of the largest, {highest[0]}, is [{highest[1]}, {highest[2]}]",
        f"{first['classes']:.0f} of the {first['hidden']:.0f}\nhidden classes have one",
        f"phrases alone ({first['phrases']:.0f}) or by words that the package does not list"
        f" ({first['hidden'] - first['classes'] - first['phrases']:.0f}:",
        f"is named at most {first['at most']:,.0f} times, the most frequent at least"
        f" {first['at least']:,.0f} times",
    ):
        assert sentence in page


def test_the_figure_of_structural_ratio_is_drawn_from_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(ROOT / "docs" / "experiments")
    import class_rows

    drawn = class_rows.FIGURE.read_text()
    monkeypatch.setattr(class_rows, "FIGURE", tmp_path / "drawn.svg")
    class_rows.draw(class_rows.rows_of())
    assert class_rows.FIGURE.read_text() == drawn


def test_the_spread_over_validation_splits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "docs" / "experiments")
    import class_rows

    rows = class_rows.rows_of(class_rows.VALIDATION)
    assert {row["model"] for row in rows} == set(EXPERIMENTS["validation"]["models"])
    most = max(rows, key=lambda row: float(row["spread"]))
    assert (most["model"], most["split"]) == ("exem-ridge", "random")
    said = (
        f"deviation of as much as {100 * float(most['spread']):.1f} points (`exem-ridge`, random)"
    )
    assert said in (ROOT / "docs/results.md").read_text()


def test_what_the_tables_of_embeddings_teach(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "docs" / "experiments")
    import class_rows

    page, rows = (ROOT / "docs/results.md").read_text(), class_rows.rows_of(class_rows.KINDS)
    of = {(row["split"], row["model"], row["kind"]): row for row in rows}
    models, kinds = list(dict.fromkeys(row["model"] for row in rows)), list(class_rows.COLUMNS)
    both = ("random", "branches")
    for split in both:
        for names in (class_rows.NUMBERS[1:4], class_rows.GAIN):
            assert "\n".join(class_rows.table_of_kinds(rows, split, names)) in page
    again = {
        (row["split"], row["model"]): row["mean"]
        for row in class_rows.rows_of()
        if (row["grid"], row["metric"]) == ("rows-lite0", "hit@1") and row["split"] in both
    }
    for split in both:
        for model in models:
            first = of[split, model, "minilm"]
            assert first["mean"] == pytest.approx(again[split, model], abs=1e-9)
            assert first["gain"] == first["gain low"] == first["gain high"] == 0
            for kind in kinds[1:]:
                row = of[split, model, kind]
                assert row["gain"] == pytest.approx(row["mean"] - first["mean"], abs=1e-9)
                assert row["gain low"] <= row["gain"] <= row["gain high"]
            assert all(of[split, model, kind]["gain high"] < 0 for kind in ("lsi", "glove"))

    def span(split: str, kind: str, among: list[str] = models) -> str:
        sizes = [abs(100 * of[split, model, kind]["gain"]) for model in among]
        return f"{min(sizes):.1f} to {max(sizes):.1f}"

    def gain(split: str, model: str, names: Sequence[str] = class_rows.GAIN) -> str:
        row = of[split, model, "minilm-graph"]
        return "{:.1f} [{:.1f}, {:.1f}]".format(*(abs(100 * row[name]) for name in names))

    means = {key: 100 * row["mean"] for key, row in of.items()}
    columns = [[means[split, each, kind] for each in models] for split in both for kind in kinds]
    apart = [max(column) - min(column) for column in columns]
    better, less = (
        [
            [model for model in models if is_known(of[split, model, kind])]
            for split in both
            for kind in kinds[1:3]
        ]
        for is_known in (
            lambda row: row["gain low"] > 0,
            lambda row: row["gain high"] < 0,
        )
    )
    assert [len(each) for each in better] == [3, 2, 6, 0]
    assert [len(each) for each in less] == [0, 1, 0, 6]
    assert better[1] == ["eszsl", "sae"]
    leads = [
        [
            f"{means[split, 'graph-exem', kind] - means[split, 'exem-ridge', kind]:.1f}"
            for kind in ("lsi", "glove", "cupl", "minilm", "minilm-graph")
        ]
        for split in both
    ]
    best = [f"{means[split, 'graph-exem', 'cupl']:.1f}" for split in both]
    backwards = ("gain", "gain high", "gain low")
    for sentence in (
        f"lose {span('random', 'glove')} points on random classes and {span('branches', 'glove')}"
        f" on branches, with LSI {span('random', 'lsi')} and {span('branches', 'lsi')}; all 32",
        f"Within a column they lie {min(apart):.1f} to {max(apart):.1f} points apart",
        f"gain {span('random', 'cupl')} points on random classes, three of eight intervals exclude"
        f" 0, and {span('branches', 'cupl')} on branches, six of eight",
        f"(`eszsl` {gain('random', 'eszsl')}, `sae` {gain('random', 'sae')})",
        f"takes {span('branches', 'minilm-graph', less[3])} points from six of the eight",
        f"it takes {gain('random', 'graph-exem', backwards)} and"
        f" {gain('branches', 'graph-exem', backwards)}",
        f"{', '.join(leads[0][:4])} points with LSI, GloVe, CuPL, MiniLM on random classes,"
        f" {', '.join(leads[1][:4])} on branches",
        f"there is none ({leads[0][4]} and {leads[1][4]})",
        f"the best of all in both splits, {best[0]} % and {best[1]} %",
    ):
        assert sentence in page
    for split in both:
        largest = max(value for (its, _, _), value in means.items() if its == split)
        assert largest == means[split, "graph-exem", "cupl"]


def test_what_the_table_of_graph_targets_teaches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "docs" / "experiments")
    import class_rows

    of = {
        (row["model"], row["split"]): row
        for row in class_rows.rows_of()
        if (row["grid"], row["metric"]) == ("graph-targets", "hit@1")
    }
    apart = []
    for network in ("sgcn", "dense-gcn"):
        for split in ("random", "branches"):
            forms = [of[network + form, split] for form in ("", "-centred", "-bias-column")]
            means = [100 * row["mean"] for row in forms]
            apart.append(max(means) - min(means))
            assert min(means) == means[-1]
            assert max(row["low"] for row in forms) < min(row["mean"] for row in forms)
    page = (ROOT / "docs/results.md").read_text()
    assert f"within a network the three lie within {max(apart):.1f} points" in page
