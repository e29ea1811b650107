"""``graphzsl train``: one command a model: its own options, made from the model, and those that all
models share."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graphzsl.cli.groups import OWN, Command, Group
from graphzsl.cli.options import (
    candidates_option,
    classifiers_option,
    compute_options,
    data_option,
    features_option,
    generalized_option,
    given_options,
    graph_option,
    list_option,
    option,
    option_requires,
    out_option,
    output_options,
    seed_option,
    semantics_option,
    test_option,
    together,
    train_option,
)
from graphzsl.cli.output import emit, note
from graphzsl.cli.types import INPUT, SEED, Folder, NameOrFile, Read, Real, Whole
from graphzsl.common import ModelError, step

if TYPE_CHECKING:
    from graphzsl.models import Range

#: ``models.base.task.ROW_RULES``, whose module needs numpy.
ROW_RULES = ("class-means", "softmax")
#: ``models.base.scaling.KINDS``, likewise.
SCALINGS = ("none", "unit", "center", "standard")


_SCALING = click.Choice(SCALINGS)
#: The options that all models share.
shared_options = together(
    data_option("samples, class embeddings and splits in one"),
    graph_option(
        "for models of the hierarchy (default: the classes and their ancestors, of WordNet's"
        " own files)"
    ),
    semantics_option(
        "a file of `graphzsl semantics` (with --data: default its own); a node of the graph"
        " without one gets the mean of those of its descendants",
        kind=INPUT,
    ),
    classifiers_option(
        "what models that predict such rows learn from: the means of the training samples of a"
        " class (the default), the rows of a softmax on the samples, or rows of `graphzsl"
        " convert classifiers`, which take the place of samples too",
        kind=NameOrFile(*ROW_RULES),
        metavar=f"{'|'.join(ROW_RULES)}|FILE",
    ),
    features_option("of the training classes, to learn from without --data"),
    train_option("without --data, a class set of the graph or a file"),
    candidates_option(
        "without --data, a class set of the graph or a file (default: all others in the graph's"
        " class sets)"
    ),
    test_option("which list of --data (default: the first)", shell_complete=None),
    generalized_option(),
    click.option(
        "--calibrate",
        is_flag=True,
        help=(
            "With --generalized: take an amount off the scores of training classes (calibrated"
            " stacking), the one of the best harmonic mean on validation."
        ),
    ),
    option("--feature-scaling", _SCALING, "center", "Of samples, fitted on the training ones."),
    option(
        "--semantic-scaling",
        _SCALING,
        "center",
        "Of class embeddings, fitted on the training classes.",
    ),
    click.option(
        "--validate-with",
        type=INPUT,
        help=(
            "Samples to choose hyper-parameters with where classifier rows are learned from,"
            " e.g. images."
        ),
    ),
    click.option(
        "--validation-seed",
        type=SEED,
        help=("Seed of the validation folds (default: --seed); with --data, in place of its own."),
    ),
    option("--tune/--no-tune", None, True, "Choose hyper-parameters on held-out classes."),
    seed_option(),
    compute_options,
    out_option(Folder("model")),
)


class _Model(Command):
    """A model: --help explains its own options, and names those that all models share."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        own = [each for each in self.get_params(ctx) if (each.name or "").startswith(OWN)]
        with formatter.section(f"Options of {self.name}"):
            formatter.write_dl(_records(own, ctx))
        with formatter.section("Options of every model (explained by `graphzsl train --help`)"):
            shared = [each for each in self.get_params(ctx) if each not in own]
            formatter.write_text(", ".join(each.opts[-1] for each in shared))


def _records(parameters: list[click.Parameter], ctx: click.Context) -> list[tuple[str, str]]:
    records = (each.get_help_record(ctx) for each in parameters)
    return [record for record in records if record is not None]


class _Models(Group):
    """The models; a model's module is imported when its command is used."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Refuse options of a model that stand before its name, with the line as it should be."""
        given = [*args]
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            flags = {each.opts[-1] for each in _train.params if not getattr(each, "is_flag", 0)}
            values = {at for at, each in enumerate(given, 1) if each in flags}
            known = self.list_commands(ctx)
            models = [at for at, each in enumerate(given) if each in known and at not in values]
            if not models and error.possibilities:
                raise  # an option of the group, misspelt
            model = given.pop(models[0]) if models else "MODEL"
            line = f"graphzsl train {model} {shlex.join(given)}"
            message = f"Write the model before {error.option_name}: `{line}`."
            raise click.UsageError(message, ctx) from None

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

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self.format_commands(ctx, formatter)
        with formatter.section("Options of every model"):
            formatter.write_dl(_records(list(_train.params), ctx))
        click.Command.format_options(self, ctx, formatter)


@click.group(
    cls=_Models,
    invoke_without_command=True,
    options_metavar="[--list]",
    subcommand_metavar="MODEL [OPTIONS]",
)
@list_option("the models with their family, and what each needs beside class embeddings")
@output_options
@click.pass_context
def command(ctx: click.Context, is_listed: bool, output_format: str) -> None:
    """Train a zero-shot model and predict classifiers.

    Begin with eszsl (linear, in a second), exem (from class means, no samples needed) or sgcn (a
    graph network on WordNet). `graphzsl train MODEL --help` has the equation, its source and the
    options of a model.

    Hyper-parameters that you do not give are chosen on classes held out from the training classes;
    test classes are never looked at. The folder written holds the arrays as safetensors and a
    manifest.

    \b
    graphzsl train eszsl --data awa2 --out eszsl
    graphzsl evaluate model eszsl --data awa2 --out runs/eszsl.json
    graphzsl train --list
    """
    if not is_listed and given_options():
        raise click.UsageError("--format and --save stand beside --list alone.")
    if is_listed and ctx.invoked_subcommand is not None:
        raise click.UsageError(f"--list has no effect on {ctx.invoked_subcommand}.")
    if is_listed:
        emit(_listed(), output_format, ("model", "family", "needs", "what"))
        ctx.exit()
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def _listed() -> list[dict[str, Any]]:
    from graphzsl.models import card, known_models

    rows = []
    for each in map(card, known_models()):
        needs = ["graph"] if "graph" in each.needs else []
        needs.append("classifiers" if "classifiers" in each.needs else "samples or classifiers")
        rows.append(
            {"model": each.name, "family": each.family, "needs": needs, "what": each.summary}
        )
    return rows


def _model_command(name: str, module: Any) -> click.Command:
    """The command of a model: the shared options and its own."""
    from graphzsl.models import text_of

    own: list[click.Parameter] = []
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
        own.append(
            click.Option(
                [*declared, f"{OWN}{field.name}"],
                type=click.Choice(choices) if choices else _number(kind, field.metadata),
                default=None,
                help=text,
            )
        )
    text = (module.__doc__ or "").strip()
    return _Model(
        name,
        params=[*own, *_train.params],
        callback=_train.callback,
        help=f"{text}\n\n\b\ngraphzsl train {name} --data awa2 --out {name}",
        short_help=text.partition("\n")[0],
    )


def _whole_numbers(text: str, allowed: Range, distinct: bool) -> tuple[int, ...]:
    from graphzsl.models import whole_numbers

    try:
        return whole_numbers(text, allowed, distinct=distinct)
    except ModelError as error:
        raise ValueError(f"expected {error}") from None


def _number(kind: Any, metadata: Mapping[str, Any]) -> Any:
    """The click type of an option: --help shows the range, and a value outside it is a usage
    error."""
    allowed: Range = metadata["range"]
    if kind is tuple:
        read = partial(_whole_numbers, allowed=allowed, distinct=metadata["distinct"])
        return Read("N,N,…", read)
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


@click.command(cls=_Model)
@shared_options
@click.pass_context
def _train(
    ctx: click.Context,
    /,
    data: Path | None,
    graph: Path | None,
    semantics: Path | None,
    classifiers: Path | str | None,
    features: Path | None,
    train: str,
    candidates: str | None,
    test: str | None,
    generalized: bool,
    calibrate: bool,
    feature_scaling: str,
    semantic_scaling: str,
    validate_with: Path | None,
    validation_seed: int | None,
    tune: bool,
    seed: int,
    device: str,
    precision: str,
    out: Path,
    **own: Any,
) -> None:
    """Train the model that the command is called by, with its ``own`` options."""
    name = ctx.command.name or ""
    options = {key.removeprefix(OWN): value for key, value in own.items() if value is not None}
    _check_used(name, options, tune=tune, calibrate=calibrate, data=data, samples=data or features)
    with step(f"{name}: loading libraries and data"):
        from graphzsl.cli.task import data_set_task, listed_task
        from graphzsl.common import Compute
        from graphzsl.models import model_module, training

        shared: dict[str, Any] = {
            **{"graph": graph, "semantics": semantics, "classifiers": classifiers},
            **{"feature_scaling": feature_scaling, "semantic_scaling": semantic_scaling},
            **{"generalized": generalized, "seed": seed, "compute": Compute(device, precision)},
        }
        folds = None
        if data is not None:
            task, folds = data_set_task(data, test, **shared)
        else:
            alone = getattr(model_module(name), "TRAINING_ALONE", False)
            task = listed_task(train, candidates, features, validate_with, alone, **shared)
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
            calibrate=calibrate,
        )
        training.save(out, trained, manifest)
    for leftover in out.parent.glob(f".{out.name}.checkpoint-*.pt"):
        leftover.unlink()
    note(
        f"{name}: {len(task.train):,} training classes, {len(trained.wnids):,} candidates; in"
        f" {out}."
    )
    note(_choice(manifest) + _calibration(manifest["calibration"]))


def _check_used(
    name: str,
    options: dict[str, Any],
    *,
    tune: bool,
    calibrate: bool,
    data: object,
    samples: object,
) -> None:
    """Raise UsageError for an option that has no effect beside the others."""
    from graphzsl.models import chooses, model_module, needs

    module = model_module(name)
    option_requires("test", when=data, needs="--data")
    lists = "a task without --data, which has classes and samples of its own"
    option_requires("train", "candidates", "features", "validate_with", when=not data, needs=lists)
    option_requires(
        "validation_seed", "validate_with", when=tune or calibrate, needs="--tune or --calibrate"
    )
    free = calibrate or chooses(name, options)
    what = f"an option to choose, and {name} has none that is free"
    if "graph" in needs(module) and "check_every" in module.Options.__dataclass_fields__:
        what += ": epochs are chosen with --check-every below --epochs"
    option_requires("validate_with", when=free, needs=what)
    option_requires("validation_seed", when=free or hasattr(module, "tune_detector"), needs=what)
    option_requires("feature_scaling", when=samples, needs="--features or --data: samples to scale")
    learns = f"a model that predicts classifier rows, and {name} learns from the samples"
    option_requires("classifiers", when=not samples or "classifiers" in needs(module), needs=learns)
    looks = f"a model that looks at the hierarchy, which {name} does not"
    option_requires("graph", when=not data or "graph" in needs(module), needs=looks)
    if getattr(module, "TRAINING_ALONE", False):
        option_requires(
            "candidates",
            "generalized",
            when=False,
            needs=f"another model; {name} predicts training classes alone",
        )


def _calibration(found: dict[str, Any] | None) -> str:
    if found is None:
        return ""
    return (
        f" Calibrated: {found['amount']:.4g} is taken off the scores of training classes, chosen on"
        f" {found['splits']} validation folds (H {found['h']:.3f})."
    )


def _choice(manifest: dict[str, Any]) -> str:
    """Describe the choice made by validation: the options chosen, their score, and the options that
    were not chosen."""
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
