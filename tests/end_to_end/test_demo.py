"""The demo from start to end, on the full graph, with the gloss embeddings, one seed and a tiny
GCN."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from graphzsl.cli.demo.tour import Scale, run_demo
from graphzsl.data.class_matrix import CLASSIFIERS, ClassMatrix
from graphzsl.database.client import Database
from graphzsl.settings import Settings

SMALL = Scale(
    seeds=1,
    gcn_hidden=32,
    gcn_epochs=20,
    semantics="glosses",
    models=("graph-exem", "sgcn", "graph-linear", "conse", "closest"),
)
IMAGES = replace(SMALL, models=("graph-exem", "sgcn"))


def test_the_demo(
    full_database: Database,
    full_settings: Settings,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    run_demo(full_settings, tmp_path, SMALL)
    said = capsys.readouterr().out
    assert "hops-1 1,548" in said
    assert "hops-2 5,990" in said
    assert "smaller than the paper's" in said
    runs = {
        path.stem: json.loads(path.read_text())
        for path in (tmp_path / "runs" / "hidden-classes").glob("*.json")
    }
    assert set(runs) == {f"{name}-hidden-{SMALL.semantics}-0" for name in SMALL.models}
    for run in runs.values():
        assert (run["samples"], run["classes"], run["candidates"]) == (200, 200, 200)
        assert run["metrics"]["hit@1"]["per_class"] > 0.05, "ten times chance"
        assert run["metrics"]["hp@5"]["per_class"] > 0.1
    for name in set(SMALL.models) - {"conse", "graph-exem"}:
        matrix = ClassMatrix.load(
            tmp_path / "models" / name / "classifiers.safetensors", CLASSIFIERS
        )
        assert matrix.values.shape == (20_842, 1_281)
    assert "<svg" in (tmp_path / "report.html").read_text()


def test_the_demo_on_real_images(
    full_database: Database,
    full_settings: Settings,
    tmp_path: Path,
    reference: Callable[[str], Path],
    capsys: pytest.CaptureFixture[str],
) -> None:
    from graphzsl.cli.demo import zeroshot

    images = reference("in1k_mobilenet_v1.npz")
    graph = zeroshot.export_graph(full_database, tmp_path)
    zeroshot._embeddings(graph, tmp_path / "class_embeddings.safetensors", "glosses")
    zeroshot._images(tmp_path, IMAGES, images)
    runs = {
        path.stem: json.loads(path.read_text())
        for path in (tmp_path / "runs" / "images").glob("*.json")
    }
    assert set(runs) == {f"{name}-hidden-{SMALL.semantics}-0" for name in IMAGES.models}
    assert all(run["metrics"]["hit@1"]["per_class"] > 0.02 for run in runs.values()), (
        "four times chance"
    )
    assert "reference" in capsys.readouterr().out
