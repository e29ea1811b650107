"""``graphzsl model``: which models there are, and what each does."""

from __future__ import annotations

import click

from graphzsl.cli.common import emit, is_table, output_options
from graphzsl.cli.completion import MODELS
from graphzsl.cli.groups import Group
from graphzsl.models import FAMILIES


@click.group(cls=Group)
def command() -> None:
    """Look at the zero-shot models: equations, options, sources.

    \b
    graphzsl model list --family graph
    graphzsl model show dgp
    """


@command.command("list")
@click.option(
    "--family",
    type=click.Choice([*FAMILIES, "own"]),
    help="Only one family; own: models that you registered.",
)
@output_options
def list_models(family: str | None, output_format: str | None) -> None:
    """Every model with its family, what it needs beside class embeddings, and one line.

    \b
    graphzsl model list --family graph
    """
    from graphzsl.models import card, known_models

    rows = []
    for each in map(card, known_models()):
        if family in (None, each.family):
            wants = ["graph"] if "graph" in each.needs else []
            wants.append("classifiers" if "classifiers" in each.needs else "samples or classifiers")
            rows.append(
                {"model": each.name, "family": each.family, "needs": wants, "what": each.summary}
            )
    emit(rows, output_format, ["model", "family", "needs", "what"])


@command.command()
@click.argument("name", shell_complete=MODELS)
@output_options
def show(name: str, output_format: str | None) -> None:
    """The equation, shapes and source of a model, and its options with defaults.

    \b
    graphzsl model show eszsl
    """
    from dataclasses import fields

    from graphzsl.cli.tables import flowed, terminal_width
    from graphzsl.models import model_module, text_of

    module = model_module(name)
    rows = [
        {
            "option": each.name,
            "default": text_of(each.default),
            "choices": list(each.metadata["choices"]),
            "range": str(each.metadata["range"]),
            "validation tries": sorted(
                {str(point[each.name]) for point in module.GRID if each.name in point}
            ),
            "help": each.metadata["help"],
        }
        for each in fields(module.Options)
    ]
    if is_table(output_format):
        for line in [*flowed(module.__doc__ or "", min(terminal_width(), 100)), ""]:
            click.echo(line)
    emit(rows, output_format)
