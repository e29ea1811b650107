"""Zero-shot models, one family a file.

A model module has a frozen dataclass ``Options`` (its hyper-parameters), ``GRID`` (what validation chooses
from) and ``fit(task, options, progress) -> Head``. To add one: write the file, add its name here, test it.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from graphzsl.errors import ModelError

#: name on the command line -> module
MODELS = {
    "gcn": "graphzsl.models.gcn",
    "graph-linear": "graphzsl.models.graph_linear",
    "eszsl": "graphzsl.models.eszsl",
    "conse": "graphzsl.models.conse",
    "closest": "graphzsl.models.closest",
}


def model_module(name: str) -> ModuleType:
    """The module of a model; ModelError names the known ones."""
    if name not in MODELS:
        raise ModelError(f"There is no model {name!r}. Known: {', '.join(MODELS)}.")
    return import_module(MODELS[name])
