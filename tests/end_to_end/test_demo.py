"""The demo from start to end, on the full graph, with the gloss embeddings, one seed and a tiny
GCN."""

from __future__ import annotations

import contextlib
import io
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
    assert "smaller than the paper's" in said
    runs = {
        path.stem: json.loads(path.read_text())
        for path in (folder / "runs" / "hidden-classes").glob("*.json")
    }
    assert set(runs) == {f"{name}-hidden-{SMALL.semantics}-0" for name in SMALL.models}
    for run in runs.values():
        assert (run["samples"], run["classes"], run["candidates"]) == (200, 200, 200)
        assert run["metrics"]["hit@1"]["per_class"] > 0.05, "ten times chance"
        assert run["metrics"]["hp@5"]["per_class"] > 0.1
    for name in set(SMALL.models) - {"conse", "graph-exem"}:
        matrix = ClassMatrix.load(folder / "models" / name / "classifiers.safetensors", CLASSIFIERS)
        assert matrix.values.shape == (20_842, 1_281)
    assert "<svg" in (folder / "report.html").read_text()


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
    assert "reference" in capsys.readouterr().out
