"""Files that say what is to be done."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.fuzz.target import Target, must
from tests.fuzz.targets.common import reader, written


def _read_grid(folder: Path) -> Any:
    from graphzsl.models.runs.grid_config import read_config

    config = read_config(folder / "grid.toml")
    for section in ("models", "splits", "semantics"):
        for name in config.get(section, {}):
            path = (folder / "out" / f"{name}-0.json").resolve()
            must(path.parent == (folder / "out").resolve(), "a run that is written elsewhere")
    return config


_GRID = """out = "runs"
classifiers = "c.safetensors"
seeds = [0, 1]
setting = "standard"

[semantics]
glosses = "glosses.safetensors"

[splits.hidden]
of = "ilsvrc2012"
hide = 0.2

[models.eszsl]
ridge = 1.0
gamma = 0.5

[models.fast]
model = "conse"
"""


_CLIP = """set = "ilsvrc2012"
model = "ViT-B-32"
pretrained = "weights.safetensors"
out = "run.json"
images = "val"

[compute]
batch = 8
"""


def _make_recipe(folder: Path) -> None:
    from graphzsl.benchmark import find_recipe

    (folder / "r.toml").write_text(find_recipe("default").text)


TARGETS = (
    Target("recipe", _make_recipe, reader("benchmark.recipe", "read_recipe", "r.toml"), weight=0.5),
    Target("grid", written("grid.toml", _GRID), _read_grid, weight=2),
    Target(
        "CLIP run",
        written("c.toml", _CLIP),
        reader("clip.config", "read_config", "c.toml"),
        weight=2,
    ),
    Target(
        "settings",
        written("s.toml", 'heap = "1g"\nbolt_port = 7687\nuri = ""\n'),
        reader("common.settings", "_read_file", "s.toml"),
    ),
)
