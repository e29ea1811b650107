"""The three rules that keep the design livable, and what every command owes its user."""

from __future__ import annotations

import subprocess
import sys

import click
import pytest

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
