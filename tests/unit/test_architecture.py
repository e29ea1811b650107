"""The three rules that keep the design livable, and what every command owes its user."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator

import click
import pytest

from graphzsl.cli.paths import Folder, Written
from graphzsl.models import MODELS

ABOVE = (
    "database.client",
    "database.server",
    "database.queries",
    "sources.wordnet",
    "ingest",
    "splits",
    "hierarchy",
    "exports",
    "populations",
    "words.labels",
    "words.meaning",
    "structure.measure",
    "structure.outside",
    "benchmark.build",
    "benchmark.folder",
    "granularity.inputs",
    "ilsvrc.sources",
    "class_table",
    "windows",
    "cli",
)
BELOW = (
    "dag", "structure.distances", "structure.ratio", "structure.leakage", "structure.overlap", "structure.branches", "words.names", "benchmark.selection", "benchmark.samples",
    "benchmark.attribution", "granularity.groups", "granularity.superclasses", "ilsvrc.annotation", "ilsvrc.properties", "ilsvrc.accuracy",
    "outcomes", "class_table", "windows", "relative", "runs", "report.curves", "words.counting",
    "subgraph", "class_matrix", "hops", "metrics", "evaluation", "predictions", "relations", "significance", "experiments", "experiment_tables", "run_identity", "report",
    "semantics.text", "semantics.glosses", "semantics.vectors", "features.classifiers", "features.samples", "features.dataset",
    "features.images", "formats.hdf5", "formats.matlab", "formats.xlsa17", "formats.gbu_imagenet", "formats.goz", "formats.dgp", "formats.gcnz", "formats.class_heads",
    "models.training", *(module.removeprefix("graphzsl.") for module in MODELS.values()),
)  # fmt: skip


@pytest.mark.parametrize(("modules", "forbidden"), [(ABOVE, "torch"), (BELOW, "neo4j")])
def test_nothing_crosses_the_line(modules: tuple[str, ...], forbidden: str) -> None:
    code = (
        "import sys\n"
        + "".join(f"import graphzsl.{module}\n" for module in modules)
        + f"print({forbidden!r} in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_help_imports_nothing_heavy() -> None:
    code = """
import sys
from graphzsl.cli import main
main(["--help"], standalone_mode=False)
print([name for name in ("torch", "neo4j", "gensim", "nltk", "numpy", "timm") if name in sys.modules], file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"


def test_help_of_every_command_and_the_model_pages_import_nothing_heavy() -> None:
    """``--help`` of each, ``model list`` and ``model show`` in one process: the first that imports a heavy library is named."""
    code = """
import sys

import click
from click.testing import CliRunner

from graphzsl.cli import main
from graphzsl.models import MODELS

heavy = (
    "torch", "torch_geometric", "neo4j", "scipy", "sklearn", "gensim", "matplotlib", "nltk", "timm", "pyarrow", "h5py"
)
asked = 0


def ask(*arguments):
    global asked
    answer = CliRunner().invoke(main, arguments)
    said = " ".join(("graphzsl", *arguments))
    imported = [name for name in heavy if name in sys.modules]
    if answer.exit_code or not answer.stdout:
        sys.exit(f"{said} failed: {answer.output}{answer.exception!r}")
    if imported:
        sys.exit(f"{said} imported {', '.join(imported)}")
    asked += 1


def walk(command, path):
    ask(*path, "--help")
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            walk(command.get_command(context, name), [*path, name])


walk(main, [])
ask("model", "list")
for name in MODELS:
    ask("model", "show", name)
print(asked)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert not done.returncode, done.stderr
    assert int(done.stdout) > 130 + len(MODELS)  # commands and groups, the models' own ``train`` among them


def _commands(command: click.Command, path: str = "graphzsl") -> list[tuple[str, click.Command]]:
    found = [(path, command)]
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            child = command.get_command(context, name)
            assert child is not None
            found += _commands(child, f"{path} {name}")
    return found


def test_every_command_and_option_is_documented() -> None:
    from graphzsl.cli import main

    commands = _commands(main)
    assert len(commands) > 80
    for path, command in commands:
        assert (command.help or "").strip(), path
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                assert parameter.help or parameter.show_default, f"{path} {parameter.name}"


def _parameters() -> Iterator[tuple[str, click.Parameter, click.ParamType]]:
    """Where it is, the parameter and its type, for every parameter of every command; a tuple's types one by one."""
    from graphzsl.cli import main

    for path, command in _commands(main):
        for parameter in command.params:
            several = isinstance(parameter.type, click.Tuple)
            for kind in parameter.type.types if several else [parameter.type]:  # type: ignore[attr-defined]
                yield f"{path}: {parameter.opts[0]}", parameter, kind


def test_every_number_has_a_range_and_is_finite() -> None:
    numbers = [
        (where, kind) for where, _, kind in _parameters() if isinstance(kind, type(click.INT) | type(click.FLOAT))
    ]
    assert len(numbers) > 150
    for where, kind in numbers:
        assert isinstance(kind, click.IntRange | click.FloatRange), f"{where} has no range"
        assert (kind.min, kind.max) != (None, None), f"{where} has a range without a bound"
        for text in ("nan", "inf", "-inf"):
            assert not _takes(kind, text), f"{where} takes {text}"


def _takes(kind: click.ParamType, text: str) -> bool:
    try:
        kind.convert(text, None, None)
    except click.BadParameter:
        return False
    return True


def test_every_seed_is_one_type() -> None:
    seeds = {where: kind for where, parameter, kind in _parameters() if (parameter.name or "").split("_")[-1] == "seed"}
    assert len(seeds) > 60
    assert len({id(kind) for kind in seeds.values()}) == 1, seeds


def test_every_path_is_read_or_says_what_is_written() -> None:
    """A path that need not exist is a file, whose suffix is checked, or a folder; so is whatever is named or described as written."""
    written = re.compile(r"\bto write\b|\b[Ww]rite (the|whether|its)\b")
    outputs = 0
    for where, parameter, kind in _parameters():
        named = parameter.name in ("out", "save", "figure", "flags", "configurations", "classes_table")
        said = written.search(getattr(parameter, "help", None) or "")
        new = isinstance(kind, click.File) or (isinstance(kind, click.Path) and not kind.exists)
        if named or said or new:
            outputs += 1
            assert isinstance(kind, Written | Folder), f"{where} is written; its type is neither Written nor Folder"
            assert isinstance(kind, Folder) or kind.suffixes, f"{where} has no suffix"
    assert outputs > 90
