"""The demo from start to end, on the full graph, with the gloss embeddings, one seed and a tiny
GCN."""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import networkx
import numpy as np
import pytest

from graphzsl.cli.demo.tour import Scale, run_demo
from graphzsl.cli.demo.zeroshot import SPLITS
from graphzsl.common import Settings
from graphzsl.data import CLASSIFIERS, ClassMatrix, Subgraph
from graphzsl.database import Database
from graphzsl.models import Task

pytestmark = pytest.mark.thorough("the demo")

MODELS = ("graph-exem", "sgcn", "graph-linear", "conse", "closest")
SMALL = Scale(
    seeds=1,
    gcn={"hidden": 32, "epochs": 20, "check_every": 10},
    semantics="glosses",
    models=MODELS,
    predicted=MODELS,
    unseen="all",
)
IMAGES = replace(SMALL, models=("graph-exem", "sgcn"))


@pytest.fixture(scope="module")
def demo(
    full_database: Database, full_settings: Settings, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, str]:
    """The folder that the demo filled, and what it said."""
    folder, said = tmp_path_factory.mktemp("demo"), io.StringIO()
    with contextlib.redirect_stdout(said):
        run_demo(full_settings, folder, SMALL)
    return folder, said.getvalue()


def test_the_demo(demo: tuple[Path, str]) -> None:
    folder, said = demo
    assert "hops-1 1,548" in said
    assert "hops-2 5,990" in said
    assert "smaller than the paper's" in " ".join(said.split())
    question = said[said.index("Hidden classes:") :].splitlines()[:3]
    assert all(60 < len(line) <= 80 for line in question), "lines are as wide as the terminal"
    begin = next(row for row, line in enumerate(said.splitlines()) if line.startswith("model "))
    scores = said.splitlines()[begin : begin + 2 + len(SMALL.models)]
    assert all(len(line) <= 80 for line in scores), "the terminal of tests has 80 columns"
    assert "\x1b" not in said
    runs = {
        path.stem: json.loads(path.read_text())
        for path in (folder / "runs" / "hidden-classes").glob("*.json")
    }
    assert set(runs) == {
        f"{name}-{split}-{SMALL.semantics}-0" for name in SMALL.models for split in SPLITS
    }
    for name, run in runs.items():
        assert (run["samples"], run["classes"], run["candidates"]) == (200, 200, 200)
        if "-random-" in name or name.startswith("graph-exem"):  # branches leave little to look up
            assert run["metrics"]["hit@1"]["per_class"] > 0.05, "ten times chance"
            assert run["metrics"]["hp@5"]["per_class"] > 0.1
    ratios = {run["split"].partition(":")[0]: run["structural_ratio"] for run in runs.values()}
    assert f"random {ratios['random']:.2f}, branches {ratios['branches']:.2f}." in said
    assert ratios["random"] < 1 < 1.5 < ratios["branches"]
    printed = {line.split()[0].rstrip("*"): line.split()[1:] for line in scores[2:]}
    for name in SMALL.models:
        for split, place in zip(SPLITS, (0, 4), strict=True):
            metrics = runs[f"{name}-{split}-{SMALL.semantics}-0"]["metrics"]
            shown = [f"{100 * metrics[each]['per_class']:.1f}" for each in ("hit@1", "hp@5")]
            low, high = (f"{100 * end:.0f}" for end in metrics["hit@1"]["per_class_interval"])
            hit, *ends, hp = printed[name][place : place + 4]
            assert [hit, hp] == shown
            if split == "random":  # of branches it is of whole ones
                assert ends == [f"[{low},", f"{high}]"]
    for name in set(SMALL.models) - {"conse", "graph-exem"}:
        matrix = ClassMatrix.load(folder / "models" / name / "classifiers.safetensors", CLASSIFIERS)
        assert matrix.values.shape == (20_842, 1_281)
    page = (folder / "report.html").read_text()
    for part in (
        "What does accuracy depend on?",
        "Which branches of the hierarchy are easy, and which hard?",
        "Which classes are hard?",
        "Which classes are taken for others?",
    ):
        assert f">{part}</h3>" in page


def test_the_demo_on_real_images(
    demo: tuple[Path, str],
    tmp_path: Path,
    reference: Callable[[str], Path],
    capsys: pytest.CaptureFixture[str],
) -> None:
    """With the graph and the class embeddings of the demo."""
    from graphzsl.cli.demo import zeroshot

    images = reference("in1k_mobilenet_v1.npz")
    for name in ("graph", "wordnet", "class_embeddings.safetensors"):
        (tmp_path / name).symlink_to(demo[0] / name)
    zeroshot._images(tmp_path / "class_embeddings.safetensors", IMAGES, images)
    runs = {
        path.stem: json.loads(path.read_text())
        for path in (tmp_path / "runs" / "images").glob("*.json")
    }
    assert set(runs) == {
        f"{name}-{split}-{SMALL.semantics}-0" for name in IMAGES.models for split in SPLITS
    }
    of_random = [run for name, run in runs.items() if "-random-" in name]
    assert all(run["metrics"]["hit@1"]["per_class"] > 0.02 for run in of_random), (
        "four times chance"
    )
    assert "Real images: 1,000 of them" in capsys.readouterr().out


def test_the_demo_encodes_what_models_see_and_that_once(
    tmp_path: Path, task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nodes within two edges of the classes, in the graph's order, and nothing again in another
    run."""
    from graphzsl.cli.demo.zeroshot import _class_embeddings

    graph, encoded = task.subgraph, []

    def embed_text(_: Subgraph, wnids: list[str]) -> ClassMatrix:
        encoded.append(wnids)
        return ClassMatrix.from_rows(
            {wnid: [float(wnid[1:]), 1.0] for wnid in wnids},
            {"semantics": "text", "sources": graph.manifest.get("sources")},
        )

    monkeypatch.setattr("graphzsl.embeddings.embed_text", embed_text)
    path, texts = tmp_path / "rows.safetensors", Scale()
    tree = networkx.Graph([(graph.wnids[a], graph.wnids[b]) for a, b in graph.edge_index.T])
    classes = graph.wnids[-2:]
    near = networkx.multi_source_dijkstra_path_length(tree, {*classes}, cutoff=2)
    first = _class_embeddings(graph, classes, path, texts)
    assert encoded == [[wnid for wnid in graph.wnids if wnid in near]]
    assert 2 < len(first.wnids) < len(graph.wnids)
    assert np.array_equal(_class_embeddings(graph, classes, path, texts).values, first.values)
    assert len(encoded) == 1
    _class_embeddings(graph, classes[:1], path, texts)
    assert len(encoded) == 2, "other classes"
    changed = replace(graph, manifest={**graph.manifest, "sources": {"wordnet": "other"}})
    _class_embeddings(changed, classes[:1], path, texts)
    assert len(encoded) == 3
