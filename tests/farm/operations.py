"""The commands of the kill farm, on a small WordNet, so that each takes seconds."""

from __future__ import annotations

import gzip
import sys
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch
from click.testing import CliRunner
from PIL import Image

from graphzsl.cli import main
from graphzsl.data import CLASSIFIERS, ClassMatrix, save_samples
from graphzsl.embeddings import backbone
from graphzsl.models import training
from tests.clip.conftest import save_tiny, tiny_config
from tests.database.test_wordnet_load import COMMAND
from tests.mini import MiniWordNet
from tests.problems import mini_samples, sample_task, save_experiment

RECIPE = """universe = "universe"
train = "train"
hierarchy = "wordnet"
size = 5
"""
GRID = """
out = "out"
graph = "graph"
wordnet = "whole"
classifiers = "classifiers.safetensors"
seeds = [0, 1, 2]
[semantics]
made-up = "embeddings.safetensors"
[splits.hidden]
of = "chosen"
hide = 0.3
[models.eszsl]
[models.conse]
top = 3
scale = 5.0
"""
#: The classes of the images.
PICTURED = ("cat", "dog", "horse")
CLIP = """
out = "out"
simulated = true
model = "local-dir:clip-model"
set = "pictured.txt"
names = "pictured-names.txt"
images = "images"
[compute]
device = "cpu"
batch = 5
[audit]
rounds = 20
wordnet = "none"
"""


@dataclass(frozen=True)
class Operation:
    """A command, run in a folder of inputs.

    Args:
        name: of the operation, for ``--operation``.
        command: its arguments; a path in it is one of the folder.
        database: whether it changes or reads the database.
        out: what it writes in the folder; empty when it writes none.
        begins: ``loaded`` (the mini WordNet and a split) or ``empty``: the database before it.
        resumable: whether a kill may leave a part that says that it is one, which the next run
            completes.
        weight: how often it is drawn, beside the others.
    """

    name: str
    command: tuple[str, ...]
    database: bool = False
    out: str = ""
    begins: str = "loaded"
    resumable: bool = False
    weight: int = 2

    @property
    def is_python(self) -> bool:
        """Whether it is a call from Python, which gets errors as they are raised."""
        return COMMAND in self.command


#: Where the nouns of the mini WordNet are among the inputs, and the command line with them in the
#: place of WordNet's.
NOUNS = "nouns.parquet"
_ON_MINI = f"""
from pathlib import Path
try:
    from graphzsl.__main__ import start
    from graphzsl.hierarchy import wordnet
except KeyboardInterrupt:
    raise SystemExit(130)
wordnet.NOUNS = Path({NOUNS!r}).resolve()
start()
"""


def _graphzsl(arguments: str) -> tuple[str, ...]:
    return (sys.executable, "-c", _ON_MINI, *arguments.split())


def _load(way: str) -> tuple[str, ...]:
    return (sys.executable, "-c", COMMAND, way)


_SCORED = "--features scored.npz --out out/run.json"
_SPLIT = "--train train --universe universe"
_OPERATIONS = (
    Operation("load-importer", _load("importer"), True, "", "empty", True, 1),
    Operation("load-driver", _load("driver"), True, "", "empty", True),
    Operation("class-set", _graphzsl("load class-set mine --file mine.txt"), True),
    Operation("hops", _graphzsl(f"split hops --max-hops 3 {_SPLIT} --name three"), True),
    Operation("paint", _graphzsl("split paint two"), True),
    Operation("frequencies", _graphzsl("load frequencies words.csv"), True),
    Operation("recipe", _graphzsl("split build recipe.toml"), True),
    Operation("publish", _graphzsl("split publish built --out out"), True, "out"),
    Operation(
        "subgraph", _graphzsl("export subgraph --set train --set two --out out"), True, "out"
    ),
    Operation(
        "hcorrect", _graphzsl("export hcorrect --valid universe -k 5 --out out"), True, "out"
    ),
    Operation(
        "closest", _graphzsl(f"export closest {_SPLIT} --out out.parquet"), True, "out.parquet"
    ),
    Operation(
        "data-set",
        _graphzsl(
            "convert samples samples.npz --semantics embeddings.safetensors --train train.txt"
            " --test test.txt --out out"
        ),
        out="out",
    ),
    Operation(
        "train",
        _graphzsl(
            "train closest --semantics embeddings.safetensors --classifiers"
            " classifiers.safetensors --train train.txt --candidates test.txt --graph graph"
            " --out out"
        ),
        out="out",
    ),
    Operation("grid", _graphzsl("evaluate grid grid.toml"), out="out", resumable=True),
    Operation(
        "count",
        _graphzsl("study frequencies count text.txt.gz more.txt --out out.csv"),
        out="out.csv",
    ),
    Operation(
        "audit",
        _graphzsl("audit predictions.csv --wordnet whole --out out/run.json"),
        out="out",
        resumable=True,
    ),
    Operation(
        "parts",
        _graphzsl(
            "convert images images --model test_resnet --random --device cpu --batch 2 --part 4"
            " --out out"
        ),
        out="out",
        resumable=True,
    ),
    Operation("shard", _graphzsl(f"evaluate model model {_SCORED} --shard 1/2"), out="out"),
    Operation(
        "merge",
        _graphzsl(
            "evaluate merge parts/run.shard-1-of-2.npz parts/run.shard-2-of-2.npz --wordnet whole"
            " --rounds 50 --out out/run.json"
        ),
        out="out",
        resumable=True,
    ),
    Operation(
        "finetune",
        _graphzsl(
            "finetune images --classifiers of-images.safetensors --model test_resnet --checkpoint"
            " network.pt --device cpu --batch 8 --epochs 2 --out out.pt"
        ),
        out="out.pt",
    ),
    Operation("clip", _graphzsl("clip run clip.toml"), out="out", resumable=True),
)
OPERATIONS = {operation.name: operation for operation in _OPERATIONS}


def write_inputs(folder: Path) -> None:
    """Everything that the commands read."""
    mini = MiniWordNet()
    save_experiment(folder)
    (folder / "grid.toml").write_text(GRID)
    for name in ("recipe", "built"):
        (folder / f"{name}.toml").write_text(f'name = "{name}"\n{RECIPE}')
    (folder / "mine.txt").write_text("\n".join(mini.universe()[::2]) + "\n")
    words = sorted({word for row in mini.rows for word in row.words})
    lines = [f"{word},{7 * place + 1}" for place, word in enumerate(words)]
    (folder / "words.csv").write_text("\n".join(["word,frequency", *lines]) + "\n")
    text = "\n".join(f"The {word} saw a dog and {word}s." for word in words)
    with gzip.open(folder / "text.txt.gz", "wt") as file:
        file.write((text + "\n") * 100)
    (folder / "more.txt").write_text((text + "\n") * 50)
    classes = mini.universe()
    lines = [f"{one},{one},{other}" for one, other in pairwise(classes)]
    (folder / "predictions.csv").write_text("\n".join(["label,top1,top2", *lines]) + "\n")
    _write_images(folder / "images")
    _write_model(folder)
    _write_networks(folder)


def _write_model(folder: Path) -> None:
    """A trained model, and an evaluation of it in two parts."""
    task = sample_task()
    training.save(folder / "model", *training.train("eszsl", task))
    save_samples(mini_samples(each=30).select(task.candidates), folder / "scored.npz")
    for number in (1, 2):
        words = _SCORED.replace("out/run.json", "parts/run.json").split()
        paths = [str(folder / word) if "." in word else word for word in words]
        shard = ["--shard", f"{number}/2"]
        done = CliRunner().invoke(
            main, ["evaluate", "model", str(folder / "model"), *paths, *shard]
        )
        assert done.exit_code == 0, done.output


def _write_networks(folder: Path) -> None:
    """A backbone with classifiers for the images, and a CLIP model with its configuration."""
    torch.manual_seed(0)
    network: Any = backbone("test_resnet", pretrained=False)
    torch.save(network.state_dict(), folder / "network.pt")
    rows = np.random.default_rng(0).normal(size=(3, network.num_features + 1)).astype(np.float32)
    ClassMatrix(list(PICTURED), rows, {"kind": CLASSIFIERS}).save(folder / "of-images.safetensors")
    save_tiny(folder / "clip-model", tiny_config())
    (folder / "pictured.txt").write_text("\n".join(PICTURED))
    (folder / "pictured-names.txt").write_text("\n".join(PICTURED))
    (folder / "clip.toml").write_text(CLIP)


def _write_images(folder: Path) -> None:
    pixels = np.random.default_rng(0).integers(0, 255, (24, 40, 40, 3), np.uint8)
    for number, each in enumerate(pixels):
        place = folder / PICTURED[number % 3]
        place.mkdir(parents=True, exist_ok=True)
        Image.fromarray(each).save(place / f"{number}.png")
