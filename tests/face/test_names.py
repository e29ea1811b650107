"""Names of ``import graphzsl as gz``: what importing costs, what docstrings say, their examples."""

from __future__ import annotations

import doctest
import inspect
import re
import subprocess
import sys
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest

import graphzsl as gz
from graphzsl.models import registry
from tests.clip.conftest import save_tiny, tiny_config
from tests.embeddings.formats.test_formats import _v73, _xlsa17
from tests.problems import letters

#: Names whose examples need a server; they run in tests/face/test_face_database.py.
OF_THE_DATABASE = {
    "Database",
    "connect",
    "load_split",
}


ERRORS = {name for name in gz.__all__ if name.endswith("Error")}


#: Names that are modules, and what those offer.
MODULES = {"hierarchical", "papers"}


INSIDE = {f"{module}.{name}" for module in MODULES for name in getattr(gz, module).__all__}


OTHERS = sorted({*gz.__all__, *INSIDE} - ERRORS - MODULES - {"__version__"})


def test_importing_it_imports_nothing_heavy() -> None:
    code = """
import sys
import graphzsl as gz
heavy = ("torch", "neo4j", "pandas", "numpy", "scipy", "pyarrow", "nltk", "click")
dir(gz)
print([name for name in heavy if name in sys.modules])
gz.DataError, gz.Settings
print([name for name in heavy if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == ["[]", "[]"]


def test_every_name_is_there_once() -> None:
    assert {name for name in gz.__all__ if inspect.ismodule(getattr(gz, name))} == MODULES
    for name in MODULES:
        assert set(getattr(gz, name).__all__) <= set(dir(getattr(gz, name)))
    assert set(gz.__all__) <= set(dir(gz))
    for name in gz.__all__:
        assert getattr(gz, name) is not None, name
    with pytest.raises(AttributeError, match="attribute nothing"):
        _ = gz.nothing
    found: dict[str, Any] = {}
    exec("from graphzsl import *", found)
    assert set(gz.__all__) <= set(found)


def test_errors_have_their_public_name() -> None:
    for name in ERRORS:
        error = getattr(gz, name)
        assert issubclass(error, gz.GraphZSLError)
        assert f"{error.__module__}.{error.__qualname__}" == f"graphzsl.{name}"


@pytest.mark.parametrize("name", OTHERS)
def test_every_public_name_is_explained_with_an_example(name: str) -> None:
    found = attrgetter(name)(gz)
    assert ">>>" in found.__doc__, f"{name} has no example"
    if not isinstance(found, type):
        assert "Raises:" in found.__doc__, name


def _sections(value: Any) -> dict[str, list[str]]:
    """Section of a docstring -> its lines, without their indent."""
    sections: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in inspect.cleandoc(value.__doc__ or "").splitlines():
        if re.fullmatch(r"[A-Z][a-z]+:", line):
            lines = sections.setdefault(line[:-1], [])
        elif line.startswith("    "):
            lines.append(line[4:])
        elif line:
            lines = []
    return sections


def lacks(value: Any) -> list[str]:
    """What the docstring of a function or class lacks: a parameter's entry in Args, in their
    order; Returns where a function returns something."""
    sections = _sections(value)
    names = [name.lstrip("*") for name in inspect.signature(value).parameters]
    entries = [line.partition(":")[0] for line in sections.get("Args", []) if line[:1] != " "]
    lacking = [f"Args: {name}" for name in names if name not in entries]
    lacking += [f"no parameter {entry}" for entry in entries if entry not in names]
    if not lacking and entries != names:
        lacking.append("the order of the parameters")
    returns = None if isinstance(value, type) else inspect.signature(value).return_annotation
    if returns not in (None, "None") and not sections.get("Returns"):
        lacking.append("Returns")
    return lacking


@pytest.mark.parametrize("name", OTHERS)
def test_every_public_name_says_what_it_takes_and_returns(name: str) -> None:
    """Functions, classes and the constructors of classes."""
    value = attrgetter(name)(gz)
    constructors = [
        getattr(value, each)
        for each, member in (vars(value).items() if isinstance(value, type) else ())
        if isinstance(member, classmethod) and not each.startswith("_")
    ]
    assert {each.__qualname__: lacks(each) for each in (value, *constructors) if lacks(each)} == {}


#: What implements something of a paper.
OF_PAPERS = (
    gz.ZeroShotDataset,
    gz.Hierarchy.load,
    gz.Hierarchy.outcome,
    gz.Hierarchy.hcorrect_set,
    gz.Hierarchy.closest,
    gz.Hierarchy.heights_among,
    gz.Hierarchy.lca_height,
    gz.Hierarchy.lowest_common_ancestor,
    gz.Hierarchy.trimmed,
    gz.Hierarchy.pruned,
    gz.clip_head,
    gz.closest_classes,
    gz.evaluate,
    gz.hcorrect_sets,
    *(getattr(gz.hierarchical, name) for name in gz.hierarchical.__all__ if name.islower()),
    gz.hop_split,
    gz.papers.size_of,
    gz.read_xlsa17,
    gz.run_clip,
    gz.train,
)


@pytest.mark.parametrize("function", OF_PAPERS, ids=lambda function: function.__qualname__)
def test_what_is_of_a_paper_names_it(function: Any) -> None:
    (line, *_) = _sections(function).get("Reference", [""])
    assert re.search(r"(19|20)\d\d", line), f"{function.__qualname__}: {line!r}"


def test_a_docstring_that_lacks_something_is_noticed() -> None:
    def undocumented(one: int, *, two: int) -> int:
        """Adds.

        Args:
            one: a number.
            three: another.
        """
        return one + two

    assert lacks(undocumented) == ["Args: two", "no parameter three", "Returns"]


def run_examples(found: Any, given: dict[str, Any]) -> None:
    """Run the examples of a docstring, and of the methods of a class."""
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    tests = doctest.DocTestFinder().find(found, "example", globs=given)
    assert any(each.examples for each in tests)
    said: list[str] = []
    for each in tests:
        runner.run(each, out=said.append)
    assert not runner.summarize(verbose=False).failed, "".join(said)


@pytest.mark.parametrize("name", [name for name in OTHERS if name not in OF_THE_DATABASE])
def test_the_examples_of_docstrings(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(registry, "_registered", {})
    _xlsa17(tmp_path / "xlsa17" / "data" / "AWA2", _v73)
    if name == "clip_head":
        save_tiny(tmp_path / "tiny", tiny_config())
    model = gz.train("eszsl", letters()) if "odel" in name else None
    run_examples(attrgetter(name)(gz), {"gz": gz, "model": model, "Path": Path})
