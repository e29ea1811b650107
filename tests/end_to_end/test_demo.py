"""The demo from start to end, on the full graph, with the gloss embeddings, one seed and a tiny
GCN."""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from graphzsl.cli.demo.tour import Scale, run_demo
from graphzsl.common import Settings
from graphzsl.data import CLASSIFIERS, ClassMatrix, Subgraph
from graphzsl.database import Database
from graphzsl.models import Task

pytestmark = pytest.mark.thorough("the demo")

SMALL = Scale(
    seeds=1,
    gcn_hidden=32,
    gcn_epochs=20,
    semantics="glosses",
    models=("graph-exem", "sgcn", "graph-linear", "conse", "closest"),
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
    begin = next(row for row, line in enumerate(said.splitlines()) if line.startswith("model "))
    scores = said.splitlines()[begin : begin + 2 + len(SMALL.models)]
    assert all(len(line) <= 80 for line in scores), "the terminal of tests has 80 columns"
    assert "\x1b" not in said
    runs = {
        path.stem: json.loads(path.read_text())
        for path in (folder / "runs" / "hidden-classes").glob("*.json")
    }
    assert set(runs) == {f"{name}-hidden-{SMALL.semantics}-0" for name in SMALL.models}
    for run in runs.values():
        assert (run["samples"], run["classes"], run["candidates"]) == (200, 200, 200)
        assert run["metrics"]["hit@1"]["per_class"] > 0.05, "ten times chance"
        assert run["metrics"]["hp@5"]["per_class"] > 0.1
    printed = {line.split()[0].rstrip("*"): line.split()[1] for line in scores[2:]}
    for name in SMALL.models:
        hit = runs[f"{name}-hidden-{SMALL.semantics}-0"]["metrics"]["hit@1"]["per_class"]
        assert printed[name] == f"{100 * hit:.1f}", "per cent"
    for name in set(SMALL.models) - {"conse", "graph-exem"}:
        matrix = ClassMatrix.load(folder / "models" / name / "classifiers.safetensors", CLASSIFIERS)
        assert matrix.values.shape == (20_842, 1_281)
    page = (folder / "report.html").read_text()
    for part in (
        "Models",
        "Pictures",
        "Accuracy over the hierarchy",
        "Classes",
        "Worst confusions",
    ):
        assert f"<h3>{part}</h3>" in page


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
    assert set(runs) == {f"{name}-hidden-{SMALL.semantics}-0" for name in IMAGES.models}
    assert all(run["metrics"]["hit@1"]["per_class"] > 0.02 for run in runs.values()), (
        "four times chance"
    )
    assert "reference" not in capsys.readouterr().out, "it is of the sentence encoder's embeddings"
    texts = replace(IMAGES, semantics="text")
    zeroshot._images(tmp_path / "class_embeddings.safetensors", texts, images)
    assert "(reference: " in capsys.readouterr().out


def test_the_demo_encodes_every_node_once(
    tmp_path: Path, task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    """First the nodes near the classes, then the others, and nothing again in another run."""
    from graphzsl.cli.demo.zeroshot import _sentences

    graph, encoded = task.subgraph, []

    def embed_text(_: Subgraph, wnids: list[str]) -> ClassMatrix:
        encoded.append(wnids)
        values = [[float(wnid[1:]), 1.0] for wnid in wnids]
        return ClassMatrix.from_rows(
            dict(zip(wnids, values, strict=True)),
            {"semantics": "text", "sources": graph.manifest.get("sources")},
        )

    monkeypatch.setattr("graphzsl.embeddings.embed_text", embed_text)
    near, far = graph.wnids[3:30:2], [w for w in graph.wnids if w not in graph.wnids[3:30:2]]
    first = _sentences(graph, near, tmp_path / "near.safetensors")
    whole = _sentences(graph, graph.wnids, tmp_path / "whole.safetensors", first)
    assert encoded == [near, far]
    assert whole.wnids == graph.wnids
    expected = [np.float32(float(wnid[1:])) for wnid in graph.wnids]
    assert whole.values[:, 0].tolist() == expected
    again = _sentences(graph, graph.wnids, tmp_path / "whole.safetensors", first)
    assert len(encoded) == 2
    assert np.array_equal(again.values, whole.values)
    assert _sentences(graph, near, tmp_path / "same.safetensors", first).wnids == near
    assert len(encoded) == 2
    changed = replace(graph, manifest={**graph.manifest, "sources": {"wordnet": "other"}})
    _sentences(changed, near, tmp_path / "near.safetensors")
    assert len(encoded) == 3
