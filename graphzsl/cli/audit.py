"""``graphzsl audit``: evaluate predictions of other programs, and print the page that a person
reads first."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graphzsl import audit
from graphzsl.cli.audited_answers import audit_answers, counted_from, text_options
from graphzsl.cli.benchmark_folders import own_training, test_classes
from graphzsl.cli.classes import list_entries
from graphzsl.cli.completion import PREDICTIONS, SAMPLE
from graphzsl.cli.evaluate.options import check_valid_set, evaluation_options, simulated_option
from graphzsl.cli.evaluate.part import evaluated_when_merged, save_shard, shard_option
from graphzsl.cli.evaluation_page import show_evaluation
from graphzsl.cli.groups import Command
from graphzsl.cli.options import (
    LISTED,
    candidates_option,
    given_hierarchy,
    labels_option,
    missing_option,
    name_option,
    names_option,
    option_requires,
    train_option,
)
from graphzsl.cli.output import note, save_rows
from graphzsl.cli.types import NONE, WORDNET, NameOrFile, Read, Written
from graphzsl.common import DataError, counted, did_you_mean, near, step

if TYPE_CHECKING:
    from graphzsl.audit import Part, Prepared

#: Files of arrays, which have no columns.
ARRAYS = (".npz", ".npy", ".pt", ".pth")
#: Options that the library takes as they are.
_READ = (
    *("names", "labels", "truth", "label_column", "pred_column", "score_column"),
    *("missing", "hcorrect", "name", "simulated"),
)


class _Numbers(click.Choice[str]):
    """The order that numbers count in; a file behind the option is named as what it is."""

    def convert(
        self, value: Any, parameter: click.Parameter | None, context: click.Context | None
    ) -> str:
        if Path(value).is_file():
            self.fail(f"{value!r} is a file. Write it before the option.", parameter, context)
        return super().convert(value, parameter, context)


def _nodes(text: str) -> list[str]:
    found = [each.strip() for each in text.split(",")]
    if "" in found:
        raise ValueError(f"{text!r} has an empty node.")
    return found


#: Nodes of the hierarchy, separated by commas.
NODES = Read("NODE,NODE,…", _nodes)


class _Predictions(click.Path):
    """A file to read, or the word sample where there is no such file."""

    def __init__(self) -> None:
        super().__init__(exists=True, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if str(value) == SAMPLE and not Path(SAMPLE).exists():
            return audit.SAMPLE_PREDICTIONS
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            path = Path(str(value))
            if path.exists():
                raise
            beside = path.parent.iterdir() if path.parent.is_dir() else ()
            known = [SAMPLE, *(str(path.parent / each.name) for each in beside if each.is_file())]
            offer = did_you_mean(near(str(path), known, 1))
            self.fail(f"There is no file {str(value)!r}.{offer}", param, ctx)


@click.command(cls=Command)
@click.argument("predictions", type=_Predictions(), shell_complete=PREDICTIONS)
@candidates_option(
    "a file of classes, a list by name, e.g. ilsvrc2012, or the folder of a benchmark (default:"
    " the names in a table)"
)
@click.option(
    "--numbered",
    is_flag=False,
    flag_value="candidates",
    type=_Numbers(["candidates", "devkit"]),
    help=(
        "Classes in a table are positions from 0 in the candidates, as networks number them. With"
        " devkit the true ones are numbers of ILSVRC's ground truth, from 1 in its own order."
    ),
)
@train_option(
    f"{LISTED}, for groups by hops, and the generalized setting (default: those of the benchmark"
    " whose test classes are the candidates)",
    None,
)
@names_option(
    "those that the classifier knew, where they are no words of WordNet's, or of several classes:"
    " a file of wnids and names (of those alone), or of names in the order of the candidates; or a"
    " data set whose names are shipped: cifar10, cifar100, oxford-pets, food101, caltech101"
)
@labels_option(
    "one class per line, a table with the columns file and class, .npy, or JSON lists where several"
    " are true; real: those of ImageNet-ReaL",
    kind=NameOrFile("real"),
)
@click.option(
    "--truth",
    type=click.Choice(["column", "folder"]),
    help=(
        "Where the true class of a table is: in a column, or the folder of each file (default: the"
        " column, or the folder where all of them are wnids)."
    ),
)
@name_option("the classifier (default: the file's name)")
@click.option(
    "--names-out",
    type=Written(".csv"),
    help=(
        "Also write what names were read as: a table of wnids and names, which --names takes and"
        " which is a list of classes for all commands."
    ),
)
@click.option(
    "--strict",
    is_flag=True,
    help=(
        "Fail where a class has no place in WordNet's hierarchy, with its line and near names, in"
        " place of hit@k alone."
    ),
)
@click.option("--label-column", help="The column of true classes, where no name says it.")
@click.option(
    "--pred-column",
    multiple=True,
    help="The column of predictions, or, given several times, the columns, best first.",
)
@click.option("--score-column", help="The column of the scores of predictions.")
@click.option(
    "--below",
    type=NODES,
    help="Only samples whose true class is one of these nodes, or below one: animal.n.01.",
)
@click.option(
    "--at",
    type=NODES,
    help=(
        "Also accuracy at the level of these superclasses: dog.n.01,cat.n.01,bird.n.01; or of a"
        " number of steps below the root: 8."
    ),
)
@click.option(
    "--decode",
    type=click.Choice(["hf1", "information", "lca"]),
    help=(
        "Also the answers with the best expected metric in place of the most probable classes: hF,"
        " bits of right answers, or height of the lowest common ancestor; for scores of all"
        " candidates."
    ),
)
@text_options
@simulated_option
@missing_option("samples whose class is not a candidate are an error, or misses")
@shard_option
@evaluation_options(required=False)
def command(
    text: bool,
    names_out: Path | None,
    shard: Part | None,
    below: list[str] | None,
    at: list[str] | None,
    out: Path | None,
    classes_table: Path | None,
    output_format: str,
    **given: Any,
) -> None:
    """Evaluate any classifier by its PREDICTIONS: a CLIP model, a softmax network, anything.

    On one screen: hit@k and hierarchical precision, how far wrong predictions are from the truth,
    and the ten classes that are most often taken for another. --out keeps all of it; other formats
    have one row per metric.

    \b
    a table   the true class, then the predicted ones, best first; with a
              header, columns such as label, top1, top2, … and score; or one
              row per prediction; CSV, Parquet, JSON, JSON lines
    .npz, .pt scores [N, C] or topk [N, K], classes [C], labels [N]
    .npy      one of them, with --labels
    confusion matrix: a table, or a square .npy; rows are true classes
    timm, pybioclip: what their programs write
    answers in words, with --text: a true class and an answer per row

    Classes are wnids, names that are words of their synsets, or numbers of candidates.
    docs/predictions.md has an example of every form; sample is a file that comes with the package.

    \b
    graphzsl audit sample
    graphzsl audit clip.csv
    graphzsl audit top5.csv --candidates ilsvrc2012 --numbered
    graphzsl audit clip.csv -k 1,3,10
    graphzsl audit clip.csv --train ilsvrc2012 --out clip.json
    graphzsl audit clip.csv --at dog.n.01,cat.n.01 --below mammal.n.01
    graphzsl audit logits.npz --candidates ilsvrc2012 --decode hf1
    graphzsl audit clip.csv --out clip.json --shard 1/4
    graphzsl audit answers.csv --text --mapped-out named.csv
    """
    options = click.get_current_context().params
    if text:
        audit_answers(options)
        return
    _check_options(options)
    prepared = _prepared(options)
    if names_out is not None:
        write_names(names_out, prepared)
    if shard is not None:
        assert out is not None
        as_named = prepared.wordnet is None and not given["names"]
        missing = given["missing"]
        _save_part(prepared, shard, out, output_format, as_named=as_named, missing=missing)
        return
    if below:
        prepared = prepared.below(below)
    check_valid_set({**options, "wordnet": prepared.hierarchy or NONE}, prepared.train)
    option_requires(
        "train",
        when=prepared.hierarchy is not None or prepared.predictions.seen,
        needs="a hierarchy, for groups by hops, or training classes among the candidates",
    )
    drawn = {"rounds": given["rounds"], "confidence": given["level"], "seed": given["seed"]}
    run = prepared.evaluate(**drawn, k=given["k"], decode=given["decode"])
    run.manifest.update({"at": run.at(at)} if at else {})
    if out is not None:
        run.save(out, classes_table)
    show_evaluation(run, output_format, out, given["k"])
    if prepared.candidates is None and not run.predictions.complete:
        note("The candidates are the classes that the table names. Others by --candidates.")
    if prepared.warning:
        note(prepared.warning)


def _prepared(options: Mapping[str, Any]) -> Prepared:
    """Read the predictions as the options say."""
    path, candidates, valid = (options[name] for name in ("predictions", "candidates", "valid"))
    lists = {
        "candidates": candidates and test_classes(candidates),
        "train": own_training(candidates, options["train"]),
        "valid": None if valid == audit.DEVISE else valid,
    }
    with step(f"reading {path.name}"):
        listed: dict[str, Any] = {
            name: list_entries(text, name) if text else None for name, text in lists.items()
        }
        return audit.prepare(
            path,
            **{name: options[name] for name in _READ},
            **listed | ({"valid": valid} if valid == audit.DEVISE else {}),
            wordnet=given_hierarchy(WORDNET if options["strict"] else options["wordnet"]),
            numbered=counted_from(options["numbered"]),
            keep_scores=options["decode"] is not None,
        )


def _check_options(given: Mapping[str, Any]) -> None:
    """Raise UsageError for an option that has no effect beside the others."""
    option_requires("mapped_out", "answer_column", when=given["text"], needs="--text")
    columns = ("numbered", "truth", "label_column", "pred_column", "score_column")
    is_table_file = given["predictions"].suffix.lower() not in ARRAYS
    option_requires(*columns, when=is_table_file, needs="a table of predictions")
    if given["numbered"] == "candidates" and not given["candidates"]:
        raise click.UsageError("--numbered needs --candidates: what the numbers count.")
    option_requires("classes_table", "shard", when=given["out"], needs="--out")
    wordnet, shard = given["wordnet"], given["shard"]
    option_requires("strict", when=wordnet is None, needs="no --wordnet, which is strict, or none")
    whole_run = "the whole run, without --shard"
    option_requires("below", "at", "strict", "decode", when=shard is None, needs=whole_run)
    check_valid_set(dict(given))
    evaluated_when_merged(shard, *(["wordnet"] if wordnet == NONE else []))


def _save_part(
    prepared: Prepared, part: Part, out: Path, output_format: str, **options: Any
) -> None:
    whole = prepared.predictions
    options = {"predictions": True, **options}
    shard = audit.shard_of(whole, part, whole.source, prepared.train, options)
    save_shard(shard, out, output_format)


def write_names(path: Path, prepared: Prepared) -> None:
    """Write how all names were read: a table of wnids and names, which --names takes and which is a
    list of classes; DataError where there were none."""
    names = prepared.names
    if not names:
        raise DataError(
            "No name of a class was read: the classes are wnids, or numbers of candidates, or no"
            " words of ImageNet's classes. Leave the table of names out.",
            argument="names_out",
        )
    save_rows(path, [{"wnid": wnid, "name": name} for name, wnid in names.items()])
    left = prepared.unclear
    are = "is" if len(left) == 1 else "are"
    without = f"; {counted(len(left), 'name')} left out that {are} not clear: " if left else ""
    shown = ", ".join(left[:5]) + " …" * (len(left) > 5)
    note(f"{counted(len(names), 'name')} with their wnids in {path}{without}{shown}.")
