"""``graphzsl train``: one command a model, its options made from the model's own."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import click

from graphzsl.cli.common import INPUT, OUTPUT, note
from graphzsl.errors import DataError


class _Models(click.Group):
    """The models; a model's module is imported when its command is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        from graphzsl.models import MODELS

        return list(MODELS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        from graphzsl.models import MODELS, model_module

        return _model_command(cmd_name, model_module(cmd_name)) if cmd_name in MODELS else None


@click.group(cls=_Models)
def command() -> None:
    """Train a zero-shot model and predict classifiers.

    Hyper-parameters that you do not give are chosen on classes held out from the training classes; test classes are
    never looked at. The folder written holds the arrays as safetensors and a manifest.
    """


def _model_command(name: str, module: Any) -> click.Command:
    params: list[click.Parameter] = [
        click.Option(["--graph"], type=INPUT, required=True, help="Folder of `graphzsl export subgraph`."),
        click.Option(["--semantics"], type=INPUT, required=True, help="Class embeddings of `graphzsl semantics`."),
        click.Option(["--classifiers"], type=INPUT, required=True, help="Classifier rows of `graphzsl classifiers`."),
        click.Option(["--out"], type=OUTPUT, required=True, help="Folder to write."),
        click.Option(
            ["--train"],
            default="ilsvrc2012",
            show_default=True,
            help="Class set in the graph, or a file of wnids: the training classes.",
        ),
        click.Option(
            ["--candidates"],
            help="The same for the classes to predict (default: all others in the graph's class sets).",
        ),
        click.Option(["--seed"], default=0, show_default=True),
        click.Option(
            ["--choose/--no-choose"],
            default=True,
            show_default=True,
            help="Choose hyper-parameters on held-out classes.",
        ),
    ]
    for field in fields(module.Options):
        kind = type(field.default)
        flag = f"--{field.name.replace('_', '-')}"
        declared = [f"{flag}/--no-{field.name.replace('_', '-')}"] if kind is bool else [flag]
        text = f"{field.metadata['help']} (default {field.default})"
        params.append(click.Option([*declared, f"option_{field.name}"], type=kind, default=None, help=text))
    return click.Command(name, params=params, callback=lambda **given: _train(name, **given), help=_help(module))


def _help(module: Any) -> str:
    return "\n\n".join(
        ["\b\n" + part if part.count("\n") else part for part in (module.__doc__ or "").strip().split("\n\n")]
    )


def _train(
    name: str, graph: Path, semantics: Path, classifiers: Path, out: Path, train: str, candidates: str | None, seed: int,
    choose: bool, **options: Any,
) -> None:  # fmt: skip
    from graphzsl.class_matrix import CLASSIFIERS, EMBEDDINGS, ClassMatrix
    from graphzsl.models import training
    from graphzsl.models.task import Task
    from graphzsl.subgraph import Subgraph

    subgraph = Subgraph.load(graph)
    seen = class_list(subgraph, train)
    everything = sorted({wnid for wnids in subgraph.class_sets.values() for wnid in wnids})
    wanted = class_list(subgraph, candidates) if candidates else [wnid for wnid in everything if wnid not in set(seen)]
    embeddings, rows = ClassMatrix.load(semantics, EMBEDDINGS), ClassMatrix.load(classifiers, CLASSIFIERS)
    task = Task(subgraph, embeddings, rows, seen, wanted, seed=seed)
    given = {key.removeprefix("option_"): value for key, value in options.items() if value is not None}
    checkpoint = out.with_name(f".{out.name}.checkpoint.pt")
    head, facts = training.train(name, task, given, choose=choose, checkpoint=checkpoint)
    training.save(out, head, facts)
    for leftover in out.parent.glob(f".{out.name}.checkpoint-*.pt"):
        leftover.unlink()
    note(f"{name}: {len(seen):,} training classes, {len(wanted):,} candidates, options {facts['options']}; in {out}.")


def class_list(graph: Any, name: str) -> list[str]:
    """A class set of the graph, or the wnids of a file."""
    from graphzsl.sources.imagenet import read_class_list

    if name in graph.class_sets:
        return list(graph.class_sets[name])
    if Path(name).is_file():
        return [wnid for _, wnid in read_class_list(Path(name))]
    raise DataError(
        f"{name!r} is neither a class set of the graph ({', '.join(graph.class_sets)}) nor a file of wnids."
    )
