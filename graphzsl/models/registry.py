"""Zero-shot models, one per file, in the folder of their family.

A model module has a docstring (equation, shapes, source), a frozen dataclass ``Options`` (its
hyper-parameters), ``GRID`` (what validation chooses from), ``fit(task, options) -> ZeroShotModel``,
and ``NEEDS`` where it needs more than class embeddings. A graph network has ``layers(task,
options)`` in place of ``fit``. One that is trained by mini-batches derives ``Options`` from
``Iterative`` and takes ``callback``. To add one: write the file in the folder of its family, add
its name to ``FAMILIES``, test it (docs/adding-a-model.md). One of your own needs no change here:
``register_model``, or an entry point of a package.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, is_dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from inspect import cleandoc
from types import ModuleType
from typing import Any

from graphzsl.common.checked_names import check_name
from graphzsl.common.errors import ModelError
from graphzsl.common.wording import did_you_mean, near

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


#: Group of entry points in which an installed package names its models: ``name = "module"``.
ENTRY_POINTS = "graphzsl.models"
#: The family of models from outside.
OWN = "own"
_registered: dict[str, Any] = {}


def register_model(name: str, module: ModuleType | type | str) -> None:
    """Make a model of your own known by name, to ``train`` and to everything that trains.

    A package that is installed registers its models for the command line too, without a call, by
    entry points of the group ``graphzsl.models``.

    Args:
        name: what to call it; one of your own names may be given again.
        module: a module, its dotted name, or a class that holds the same: ``Options`` (a frozen
            dataclass derived from ``Hyperparameters``), ``GRID`` (a list of options to choose
            from) and ``fit(task, options)`` or, for a graph network, ``layers(task, options)``.

    Raises:
        ModelError: the name is that of a model of graphzsl, or one that people cannot tell from
            others, or the module lacks one of these.

    >>> from graphzsl.models.compatibility import eszsl
    >>> gz.register_model("my-eszsl", eszsl)
    """
    check_name(name, "a model", kind=ModelError, argument="name")
    if name in MODELS:
        raise ModelError(f"{name!r} is a model of graphzsl. Choose another name for yours.")
    _registered[name] = _checked(name, module)


def known_models() -> list[str]:
    """The names of all models: graphzsl's, then those of installed packages, then registered
    ones."""
    return list(dict.fromkeys([*MODELS, *_installed(), *_registered]))


@cache
def _installed() -> dict[str, EntryPoint]:
    return {each.name: each for each in entry_points(group=ENTRY_POINTS) if each.name not in MODELS}


def _checked(name: str, module: Any) -> Any:
    """Import and check a model's module; raises ModelError with the part that it lacks."""
    from graphzsl.models.base.options import Hyperparameters

    if isinstance(module, str):
        try:
            module = import_module(module)
        except ImportError as error:
            raise ModelError(f"The model {name!r} cannot be imported: {error}.") from error
    options = getattr(module, "Options", None)
    if not (is_dataclass(options) and issubclass(options, Hyperparameters)):  # type: ignore[arg-type]
        raise ModelError(
            f"The model {name!r} needs a frozen dataclass Options that derives from"
            " graphzsl.models.base.options.Hyperparameters."
        )
    grid = getattr(module, "GRID", None)
    if not (isinstance(grid, list) and grid and all(isinstance(point, dict) for point in grid)):
        raise ModelError(
            f"The model {name!r} needs GRID, a list of options to choose from; [{{}}] for none."
        )
    if not any(callable(getattr(module, function, None)) for function in ("fit", "layers")):
        raise ModelError(f"The model {name!r} needs a function fit(task, options).")
    return module


def family(name: str) -> str:
    """The family of a model, which is its folder; ``own`` for a model from outside."""
    return MODELS[name].split(".")[-2] if name in MODELS else OWN


def model_module(name: str) -> Any:
    """The module of a model; ModelError names the known ones."""
    if name in MODELS:
        return import_module(MODELS[name])
    if name in _registered:
        return _registered[name]
    if name in _installed():
        return _checked(name, _installed()[name].value)
    close = near(name, known_models(), 1, 0.6)
    offer = did_you_mean([repr(each) for each in close])
    raise ModelError(f"There is no model {name!r}.{offer} Known: {', '.join(known_models())}.")


def needs(module: Any) -> tuple[str, ...]:
    """Inputs that a model needs besides class embeddings: ``graph``, ``classifiers``; other models
    take samples in place of classifiers."""
    return tuple(getattr(module, "NEEDS", ()))


@dataclass(frozen=True)
class Card:
    """Description of a model that is read without importing it."""

    name: str
    family: str
    needs: tuple[str, ...]
    text: str

    @property
    def summary(self) -> str:
        """The first paragraph of its text, on one line."""
        return " ".join(self.text.partition("\n\n")[0].split())


def card(name: str) -> Card:
    """Docstring, family and ``NEEDS`` of a model. Those of graphzsl are read from the source:
    importing all of them doubles the time of a list."""
    if name not in MODELS:
        module = model_module(name)
        return Card(name, OWN, needs(module), cleandoc(module.__doc__ or ""))
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
