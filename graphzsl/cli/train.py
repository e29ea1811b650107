"""``graphzsl train``: one command a model, its options made from the model's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graphzsl.cli.common import INPUT, SEED, Real, Whole, effective, note
from graphzsl.cli.completion import NAMED_CLASSES
from graphzsl.cli.computing import compute_options
from graphzsl.cli.groups import Command, Group
from graphzsl.cli.paths import Folder
from graphzsl.errors import ModelError
from graphzsl.progress import step

if TYPE_CHECKING:
    from graphzsl.models.base.options import Range


class _Models(Group):
    """The models; a model's module is imported when its command is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        from graphzsl.models import known_models

        return known_models()

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        from graphzsl.models import known_models, model_module

        known = cmd_name in known_models()
        return _model_command(cmd_name, model_module(cmd_name)) if known else None

    def summaries(self, ctx: click.Context) -> list[tuple[str, str]]:
        from graphzsl.models import card, known_models

        return [(name, card(name).summary) for name in known_models()]


@click.group(cls=_Models)
def command() -> None:
    """Train a zero-shot model and predict classifiers.

    Hyper-parameters that you do not give are chosen on classes held out from the training classes;
    test classes are never looked at. The folder written holds the arrays as safetensors and a
    manifest.

    \b
    graphzsl train eszsl --data awa2 --out eszsl
    graphzsl evaluate model eszsl --data awa2 --out runs/eszsl.json
    """


def _model_command(name: str, module: Any) -> click.Command:
    from graphzsl.models import needs
    from graphzsl.models.base.options import text_of
    from graphzsl.models.base.scaling import KINDS

    wants = needs(module)
    rows = "Classifier rows of `graphzsl classifiers`" + (
        " (required)." if "classifiers" in wants else ", to learn from where there are no samples."
    )
    params: list[click.Parameter] = [
        click.Option(
            ["--data"],
            type=INPUT,
            help="Data set of `graphzsl convert`: samples, class embeddings and splits in one.",
        ),
        click.Option(
            ["--graph"],
            type=INPUT,
            help=(
                "Folder of `graphzsl export"
                f" subgraph`{' (required).' if 'graph' in wants else ', for its class sets.'}"
            ),
        ),
        click.Option(
            ["--semantics"],
            type=INPUT,
            help="Class embeddings of `graphzsl semantics` (with --data: default its own).",
        ),
        click.Option(["--classifiers"], type=INPUT, help=rows),
        click.Option(
            ["--features"],
            type=INPUT,
            help="Samples of the training classes (.npz or .parquet), to learn from.",
        ),
        click.Option(
            ["--validate-with"],
            type=INPUT,
            help=(
                "Samples to choose hyper-parameters with where classifier rows are learned from,"
                " e.g. images."
            ),
        ),
        click.Option(["--out"], type=Folder("model"), required=True, help="Folder to write."),
        click.Option(
            ["--train"],
            shell_complete=NAMED_CLASSES,
            default="ilsvrc2012",
            show_default=True,
            help="Class set in the graph, or a file of classes: the training classes.",
        ),
        click.Option(
            ["--candidates"],
            shell_complete=NAMED_CLASSES,
            help=(
                "The same for the classes to predict (default: all others in the graph's class"
                " sets)."
            ),
        ),
        click.Option(
            ["--test"], help="With --data: which of its test classes (default: the first list)."
        ),
        click.Option(
            ["--generalized"],
            is_flag=True,
            help="Training classes are candidates too.",
        ),
        click.Option(
            ["--feature-scaling"],
            type=click.Choice(list(KINDS)),
            default="center",
            show_default=True,
            help="Of samples, fitted on the training ones.",
        ),
        click.Option(
            ["--semantic-scaling"],
            type=click.Choice(list(KINDS)),
            default="center",
            show_default=True,
            help="Of class embeddings, fitted on the training classes.",
        ),
        click.Option(
            ["--seed"], type=SEED, default=0, show_default=True, help="Seed of every random step."
        ),
        click.Option(
            ["--validation-seed"],
            type=SEED,
            help=(
                "Seed of the validation folds (default: --seed); with --data, in place of its own."
            ),
        ),
        click.Option(
            ["--tune/--no-tune"],
            default=True,
            show_default=True,
            help="Choose hyper-parameters on held-out classes.",
        ),
        *_computing(),
    ]
    for field in fields(module.Options):
        kind: Any = type(field.default)
        flag = f"--{field.name.replace('_', '-')}"
        declared = [f"{flag}/--no-{field.name.replace('_', '-')}"] if kind is bool else [flag]
        tried = sorted({point[field.name] for point in module.GRID if field.name in point})
        text = (
            f"{field.metadata['help']} (default"
            f" {text_of(field.default)}{f'; validation tries {tried}' if tried else ''})"
        )
        choices = field.metadata["choices"]
        params.append(
            click.Option(
                [*declared, f"option_{field.name}"],
                type=click.Choice(choices) if choices else _number(kind, field.metadata),
                default=None,
                help=text,
            )
        )
    return Command(
        name,
        params=params,
        callback=lambda **given: _train(name, **given),
        help=f"{(module.__doc__ or '').strip()}\n\n\b\n{_example(name, module)}",
        short_help=_short(module),
    )


def _computing() -> list[click.Parameter]:
    """--device and --precision, as other commands have them."""
    holder = click.command()(compute_options(lambda **_: None))
    return list(holder.params)


class _WholeNumbers(click.ParamType):
    """Several whole numbers, separated by commas, as a tuple."""

    name = "N,N,…"

    def __init__(self, allowed: Range, distinct: bool) -> None:
        self.allowed, self.distinct = allowed, distinct

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        from graphzsl.models.base.options import whole_numbers

        try:
            return whole_numbers(value, self.allowed, distinct=self.distinct)
        except ModelError as error:
            self.fail(f"expected {error}", param, ctx)


def _number(kind: Any, metadata: Mapping[str, Any]) -> Any:
    """The click type of an option: --help shows the range, and a value outside it is a usage
    error."""
    allowed: Range = metadata["range"]
    if kind is tuple:
        return _WholeNumbers(allowed, metadata["distinct"])
    if kind not in (int, float):
        return kind
    ranges: Any = Whole if kind is int else Real
    least, most = allowed.least, allowed.most
    return ranges(
        min=allowed.above if least is None else least,
        min_open=least is None and allowed.above is not None,
        max=allowed.below if most is None else most,
        max_open=most is None and allowed.below is not None,
    )


def _example(name: str, module: Any) -> str:
    """A command that trains the model."""
    from graphzsl.models import needs

    graph = " --graph graph" if "graph" in needs(module) else ""
    alone = getattr(module, "TRAINING_ALONE", False)
    candidates = "" if alone else " --candidates hidden.txt"
    return (
        f"graphzsl train {name}{graph} --semantics glosses.safetensors \\\n"
        "  --classifiers classifiers.safetensors --train seen.txt \\\n"
        f" {candidates} --out {name}"
    )


def _short(module: Any) -> str:
    return str((module.__doc__ or "").splitlines()[0])


def _train(name: str, out: Path, tune: bool, validation_seed: int | None, **given: Any) -> None:
    options = {
        key.removeprefix("option_"): value
        for key, value in given.items()
        if key.startswith("option_") and value is not None
    }
    _check_used(name, tune, given, options)
    shared = {key: value for key, value in given.items() if not key.startswith("option_")}
    with step(f"{name}: loading libraries and data"):
        from graphzsl.cli.task import task_of
        from graphzsl.models import model_module, training

        alone = getattr(model_module(name), "TRAINING_ALONE", False)
        task, folds = task_of(alone=alone, **shared)
    checkpoint = out.with_name(f".{out.name}.checkpoint.pt")
    with step(f"training {name}"):
        trained, manifest = training.train(
            name,
            task,
            options,
            tune=tune,
            checkpoint=checkpoint,
            folds=folds,
            validation_seed=validation_seed,
        )
        training.save(out, trained, manifest)
    for leftover in out.parent.glob(f".{out.name}.checkpoint-*.pt"):
        leftover.unlink()
    note(
        f"{name}: {len(task.train):,} training classes, {len(trained.wnids):,} candidates; in"
        f" {out}."
    )
    note(_choice(manifest))


def _check_used(name: str, tune: bool, given: dict[str, Any], options: dict[str, Any]) -> None:
    """UsageError for an option that has no effect beside the others."""
    from graphzsl.models import model_module
    from graphzsl.models.training import chooses

    data, samples = given["data"], given["data"] or given["features"]
    effective("test", when=data, needs="--data")
    lists = "a task without --data, which has classes and samples of its own"
    effective("train", "candidates", "features", "validate_with", when=not data, needs=lists)
    effective("validation_seed", "validate_with", when=tune, needs="--tune")
    module = model_module(name)
    free, what = chooses(name, options), f"an option to choose, and {name} has none that is free"
    effective("validate_with", when=free, needs=what)
    effective("validation_seed", when=free or hasattr(module, "tune_detector"), needs=what)
    effective("feature_scaling", when=samples, needs="--features or --data: samples to scale")
    if getattr(module, "TRAINING_ALONE", False):
        effective(
            "candidates",
            "generalized",
            when=False,
            needs=f"another model; {name} predicts training classes alone",
        )


def _choice(manifest: dict[str, Any]) -> str:
    """What was chosen, how well it did, and the options that were not chosen, in words."""
    said, options = manifest["validation"], manifest["options"]
    rest = ", ".join(
        f"{name} {value}" for name, value in options.items() if name not in said["chosen"]
    )
    others = f" Not chosen: {rest}." if rest else ""
    if not said["chosen"]:
        return f"{said['why'][0].upper()}{said['why'][1:]}.{others}"
    chosen = ", ".join(f"{name} {options[name]}" for name in said["chosen"])
    ends = "".join(
        f" {name} {options[name]} is the {end} that was tried."
        for name, end in said.get("at_end_of_grid", {}).items()
    )
    return (
        f"Chosen on {said['splits']} validation folds: {chosen} ({said['score']}"
        f" {said['best']:.3f}).{ends}{others}"
    )
