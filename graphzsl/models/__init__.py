"""Zero-shot models, one a file, in the folder of their family.

A model module has a docstring (equation, shapes, source), a frozen dataclass ``Options`` (its
hyper-parameters), ``GRID`` (what validation chooses from), ``fit(task, options) -> ZeroShotModel``,
and ``NEEDS`` where it needs more than class embeddings. A graph network has ``layers(task,
options)`` in place of ``fit``. One that is trained by mini-batches derives ``Options`` from
``Iterative`` and takes ``callback``. To add one: write the file in the folder of its family, add
its name to ``FAMILIES``, test it (docs/adding-a-model.md).
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from inspect import cleandoc
from types import ModuleType
from typing import Any

from graphzsl.errors import ModelError

#: Folder -> the models in it, in the order that lists show them. A model's family is its folder.
FAMILIES = {
    "compatibility": ("devise", "ale", "sje", "latem", "eszsl", "sae"),
    "nonlinear": ("cmt", "cmt-star"),
    "attributes": ("dap", "iap"),
    "hybrid": ("sse", "conse", "sync", "exem", "exem-ridge"),
    "structural": ("closest", "closest-eszsl", "random-embedding", "softmax"),
    "graph": ("sgcn", "gcn6", "dense-gcn", "dgp", "sgc", "graph-linear", "graph-exem"),
}
#: Name on the command line -> module.
MODELS = {
    name: f"graphzsl.models.{family}.{name.replace('-', '_')}"
    for family, names in FAMILIES.items()
    for name in names
}


def family(name: str) -> str:
    """The family of a model, which is its folder."""
    return MODELS[name].split(".")[-2]


def model_module(name: str) -> ModuleType:
    """The module of a model; ModelError names the known ones."""
    if name not in MODELS:
        raise ModelError(f"There is no model {name!r}. Known: {', '.join(MODELS)}.")
    return import_module(MODELS[name])


def needs(module: ModuleType) -> tuple[str, ...]:
    """What a model needs besides class embeddings: ``graph``, ``classifiers``; samples take the
    place of classifiers elsewhere."""
    return tuple(getattr(module, "NEEDS", ()))


@dataclass(frozen=True)
class Card:
    """What a model says of itself before it is imported."""

    name: str
    family: str
    needs: tuple[str, ...]
    text: str

    @property
    def summary(self) -> str:
        """The first paragraph of its text, on one line."""
        return " ".join(self.text.partition("\n\n")[0].split())


def card(name: str) -> Card:
    """The docstring, family and ``NEEDS`` of a model, read from its source: importing all of them
    doubles the time of a list."""
    if name not in MODELS:
        model_module(name)  # raises what to do
    spec = find_spec(MODELS[name])
    source: Any = spec.loader if spec else None
    tree = ast.parse(source.get_source(MODELS[name]))
    said = {
        target.id: ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name) and target.id == "NEEDS"
    }
    return Card(
        name, family(name), tuple(said.get("NEEDS", ())), cleandoc(ast.get_docstring(tree) or "")
    )
