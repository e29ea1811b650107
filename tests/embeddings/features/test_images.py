"""Images in folders through a real (random) timm network, and fine-tuning it to fixed
classifiers."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import numpy as np
import pytest
import torch
from PIL import Image

from graphzsl.common import DataError, ModelError
from graphzsl.data import CLASSIFIERS, ClassMatrix, load_samples, save_samples
from graphzsl.embeddings import backbone, fine_tune, image_features, open_images
from graphzsl.embeddings.features import hub
from tests.embeddings.features.made_images import fill_with_classes

NETWORK = "test_resnet"
ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three classes of eight images, each class of its own colour."""
    root = tmp_path_factory.mktemp("images")
    fill_with_classes(root, ["n00000001", "n00000002", "n00000003"])
    return root


def test_features_of_a_folder(folder: Path, tmp_path: Path) -> None:
    torch.manual_seed(0)
    network = backbone(NETWORK, pretrained=False).eval()
    torch.save(network.state_dict(), tmp_path / "w.pt")
    found = image_features(folder, NETWORK, tmp_path / "w.pt", batch=5)
    assert found.labels == [
        name for name in ("n00000001", "n00000002", "n00000003") for _ in range(8)
    ]
    assert found.features.shape == (24, network.num_features)
    one = image_features(folder, NETWORK, tmp_path / "w.pt", batch=24)
    assert found.features == pytest.approx(one.features, abs=1e-4), "batches change nothing"
    weight = network.get_classifier().weight.detach()
    from timm.data import create_transform, resolve_data_config

    config = resolve_data_config({}, model=network)
    image = create_transform(
        **{k: config[k] for k in ("input_size", "interpolation", "mean", "std", "crop_pct")}
    )(Image.open(folder / "n00000001" / "0.png"))
    with torch.no_grad():
        logits = network(image[None])[0]
    bias = network.get_classifier().bias.detach()
    assert torch.from_numpy(found.features[0]) @ weight.T + bias == pytest.approx(logits, abs=1e-3)
    save_samples(found, tmp_path / "f.npz")
    assert load_samples(tmp_path / "f.npz").features == pytest.approx(found.features)


def test_fine_tuning_moves_the_trunk_and_not_the_classifiers(folder: Path, tmp_path: Path) -> None:
    torch.manual_seed(0)
    network = backbone(NETWORK, pretrained=False)
    names = ["n00000001", "n00000002", "n00000003"]
    rows = np.random.default_rng(0).normal(size=(3, network.num_features + 1)).astype(np.float32)
    fixed = ClassMatrix(names, rows, {"kind": CLASSIFIERS})
    before = {name: value.clone() for name, value in network.state_dict().items()}
    losses = fine_tune(folder, network, fixed, tmp_path / "w.pt", epochs=8, lr=3e-3, batch=8)
    assert losses[-1] < 0.7 * losses[0]
    after = torch.load(tmp_path / "w.pt", weights_only=True)
    head = {name for name in after if name.startswith(("fc", "head.fc", "classifier"))}
    assert head
    assert all(torch.equal(before[name], after[name]) for name in head)
    assert any(not torch.equal(before[name], after[name]) for name in after if name not in head)
    scores = (
        image_features(folder, NETWORK, tmp_path / "w.pt").features @ rows[:, :-1].T + rows[:, -1]
    )
    assert np.mean(scores.argmax(axis=1) == np.repeat(np.arange(3), 8)) > 0.5, "chance is a third"
    network.load_state_dict(before)
    assert (
        fine_tune(folder, network, fixed, tmp_path / "v.pt", epochs=1, lr=3e-3, batch=8)
        == losses[:1]
    ), "same seed, same crops"


def test_bad_images_and_networks_are_named(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="timm has no model 'resnet-5000'"):
        backbone("resnet-5000", pretrained=False)
    with pytest.raises(DataError, match=r"'resnt18'\. Did you mean 'resnet18'") as raised:
        backbone("resnt18", pretrained=False)
    assert raised.value.argument == "model"
    with pytest.raises(DataError, match=r"timm cannot give 'resnet18\.no_tag'") as raised:
        backbone("resnet18.no_tag")
    assert raised.value.argument == "checkpoint"
    (tmp_path / "w.pt").write_bytes(b"no weights")
    with pytest.raises(DataError, match=r"w.pt: .*Expected the weights of test_resnet"):
        backbone(NETWORK, tmp_path / "w.pt")
    with pytest.raises(DataError, match="holds no image"):
        image_features(folder, NETWORK, pretrained=False, classes=["n00000009"])
    with pytest.raises(DataError, match="is not a folder"):
        image_features(tmp_path / "none", NETWORK, pretrained=False)
    (tmp_path / "bad" / "n00000001").mkdir(parents=True)
    (tmp_path / "bad" / "n00000001" / "x.png").write_bytes(b"not an image")
    with pytest.raises(DataError, match=r"x\.png: not an image"):
        image_features(tmp_path / "bad", NETWORK, pretrained=False)
    rows = ClassMatrix(
        ["n00000001", "n00000002", "n00000003"], np.ones((3, 4), np.float32), {"kind": CLASSIFIERS}
    )
    with pytest.raises(ModelError, match="The classifiers have 3 weights"):
        fine_tune(folder, backbone(NETWORK, pretrained=False), rows, tmp_path / "o.pt")
    assert not (tmp_path / "o.pt").exists()


def _empty_hub() -> tuple[HTTPServer, list[str]]:
    """A hub that has nothing, and the paths that it was asked for."""
    asked: list[str] = []

    class Hub(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            asked.append(self.path)
            self.send_response(404)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Hub)
    Thread(target=server.serve_forever, daemon=True).start()
    return server, asked


def test_weights_without_a_network(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A hub that does not answer is asked no more; one that answers is asked for the weights."""
    from huggingface_hub import constants, is_offline_mode

    server, asked = _empty_hub()
    here = f"http://127.0.0.1:{server.server_port}"
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "ENDPOINT", here)
    files = constants.HUGGINGFACE_CO_URL_TEMPLATE.partition("/{repo_id}")[2]
    monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", f"{here}/{{repo_id}}{files}")
    monkeypatch.setattr(hub, "PAUSE", 0.0)
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(DataError, match=r"timm cannot give 'resnet18': .* in a checkpoint\."):
        backbone("resnet18")
    assert any("timm/resnet18.a1_in1k" in path for path in asked)
    server.shutdown()
    server.server_close()
    monkeypatch.setattr(time, "sleep", lambda seconds: seconds and pytest.fail("it waits"))
    with pytest.raises(DataError) as error:
        backbone("resnet18")
    assert str(error.value).startswith(
        "The weights of resnet18 are not in the cache of Hugging Face, and its hub does not answer."
        " Where there is a network, download model.safetensors of timm/resnet18.a1_in1k and give"
    )
    assert error.value.argument == "checkpoint"
    with pytest.raises(DataError, match="does not answer: give the folder of a copy, hfds/FOLDER"):
        open_images("hfds/no/set")
    assert not is_offline_mode(), "it may answer the next time"


def test_weights_as_the_hub_has_them(tmp_path: Path) -> None:
    """A .safetensors is a checkpoint too."""
    from safetensors.torch import save_file

    network = backbone(NETWORK, pretrained=False)
    save_file(network.state_dict(), tmp_path / "model.safetensors")
    again = backbone(NETWORK, tmp_path / "model.safetensors").state_dict()
    assert all(torch.equal(value, again[name]) for name, value in network.state_dict().items())
    (tmp_path / "cut.safetensors").write_bytes((tmp_path / "model.safetensors").read_bytes()[:-9])
    with pytest.raises(DataError, match=r"cut\.safetensors: .*Expected the weights of test_resnet"):
        backbone(NETWORK, tmp_path / "cut.safetensors")


def test_images_and_finetuning_from_the_command_line(folder: Path, tmp_path: Path) -> None:
    from click.testing import CliRunner

    from graphzsl.cli import main

    def run(*arguments: str) -> str:
        done = CliRunner().invoke(main, list(arguments))
        assert done.exit_code == 0, done.output
        return done.output

    run(
        "convert",
        "images",
        str(folder),
        "--model",
        NETWORK,
        "--random",
        "--out",
        f"{tmp_path}/f.npz",
    )
    width = load_samples(tmp_path / "f.npz").features.shape[1]
    rows = np.random.default_rng(0).normal(size=(3, width + 1)).astype(np.float32)
    ClassMatrix(["n00000001", "n00000002", "n00000003"], rows, {"kind": CLASSIFIERS}).save(
        tmp_path / "c.safetensors"
    )
    common = [
        "--classifiers",
        f"{tmp_path}/c.safetensors",
        "--model",
        NETWORK,
        "--random",
        "--epochs",
        "2",
        "--batch",
        "8",
    ]
    said = run(
        "finetune",
        str(folder),
        *common,
        "--precision",
        "bfloat16",
        "--device",
        "cpu",
        "--out",
        f"{tmp_path}/w.pt",
    )
    assert "mean loss per epoch" in said
    run(
        "convert",
        "images",
        str(folder),
        "--model",
        NETWORK,
        "--checkpoint",
        f"{tmp_path}/w.pt",
        "--out",
        f"{tmp_path}/g.npz",
    )
    assert not np.allclose(
        load_samples(tmp_path / "g.npz").features, load_samples(tmp_path / "f.npz").features
    )


@pytest.mark.thorough("several processes at work together")
def test_several_processes_learn_what_one_learns(folder: Path, tmp_path: Path) -> None:
    """A network without batch normalisation; the last batch is of one image, for two processes."""
    pytest.importorskip("accelerate", reason="the extra cluster is not installed")
    network = backbone("test_vit", pretrained=False)
    torch.save(network.state_dict(), tmp_path / "given.pt")
    names = ["n00000001", "n00000002", "n00000003"]
    rows = np.random.default_rng(0).normal(size=(3, network.num_features + 1)).astype(np.float32)
    ClassMatrix(names, rows, {"kind": CLASSIFIERS}).save(tmp_path / "c.safetensors")
    words = ["-m", "graphzsl", "finetune", str(folder), "--classifiers", "c.safetensors"]
    words += ["--model", "test_vit", "--checkpoint", "given.pt", "--device", "cpu"]
    words += ["--epochs", "2", "--batch", "23", "--lr", "0.01", "--out"]

    def train(out: str, *launcher: str) -> tuple[str, dict[str, torch.Tensor]]:
        done = subprocess.run(
            [sys.executable, *launcher, *words, out],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            env={**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)},
        )
        assert done.returncode == 0, done.stderr
        said = [line for line in done.stderr.splitlines() if line.startswith("mean loss")]
        assert len(said) == 1, done.stderr
        return said[0].split(";")[0], torch.load(tmp_path / out, weights_only=True)

    launcher = ("-m", "torch.distributed.run", "--nproc_per_node", "2", "--master_port")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    said, one = train("one.pt")
    together, two = train("two.pt", *launcher, port)
    assert together == said
    moved = max(float((one[key] - network.state_dict()[key]).abs().max()) for key in one)
    apart = max(float((one[key] - two[key]).abs().max()) for key in one)
    assert apart < 1e-5 < 1e-3 < moved
