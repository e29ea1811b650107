"""``graphzsl audit``: evaluate predictions of other programs, and print the page that a person
reads first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import click

from graphzsl.cli.audited_answers import audit_answers, text_options
from graphzsl.cli.audited_classes import (
    check_names_are_clear,
    note_no_hierarchy,
    unplaced_classes,
    with_lines,
    write_names,
)
from graphzsl.cli.benchmark_folders import own_training, test_classes
from graphzsl.cli.classes import list_entries
from graphzsl.cli.common import INPUT, is_table, keep, note, option_requires
from graphzsl.cli.completion import NAMED_CLASSES, PREDICTIONS, SAMPLE
from graphzsl.cli.evaluate.part import evaluated_when_merged, save_shard, shard_option
from graphzsl.cli.evaluate.result import (
    WITHOUT_WNIDS,
    check_valid_set,
    evaluation_options,
    metric_rows,
    missing_option,
    note_run,
    run_of,
    show_metrics,
    simulated_option,
)
from graphzsl.cli.groups import Command
from graphzsl.cli.paths import NONE, WORDNET, Written
from graphzsl.cli.tables import table_lines, terminal_width
from graphzsl.common import DataError, check_name, counted, did_you_mean, near, noted, step

if TYPE_CHECKING:
    from graphzsl.audit import EvaluatedRun, Mistakes, Part

#: What a person reads first of the generalized setting.
GENERALIZED = ("generalized ts", "generalized tr", "generalized h", "generalized ausuc")
#: List length of the headlines, where none is given.
HEADLINE_K = 5
#: Heights from which on mistakes are counted together.
BORDERS = (1, 2, 4, 7)
#: Confusions that are shown where each is of one sample, and what is said above them.
FEW = 5
SINGLE_MISTAKES = "No class is taken twice for the same other; single mistakes:"
#: No line of the page is wider.
WIDEST = 120


class _Numbers(click.Choice[str]):
    """The order that numbers count in; a file behind the option is named as what it is."""

    def convert(
        self, value: Any, parameter: click.Parameter | None, context: click.Context | None
    ) -> str:
        if Path(value).is_file():
            self.fail(f"{value!r} is a file. Write it before the option.", parameter, context)
        return super().convert(value, parameter, context)


class _Predictions(click.Path):
    """A file to read, or the word sample where there is no such file."""

    def __init__(self) -> None:
        super().__init__(exists=True, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if str(value) == SAMPLE and not Path(SAMPLE).exists():
            from graphzsl.audit import SAMPLE_PREDICTIONS

            return SAMPLE_PREDICTIONS
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
@click.option(
    "--candidates",
    shell_complete=NAMED_CLASSES,
    help=(
        "What the classifier chooses from: a file of classes, a list by name, e.g. ilsvrc2012, or"
        " the folder of a benchmark (default: the names in a table)."
    ),
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
@click.option(
    "--train",
    shell_complete=NAMED_CLASSES,
    help=(
        "Training classes, a file or a list by name: for groups by hops, and the generalized"
        " setting (default: those of the benchmark whose test classes are the candidates)."
    ),
)
@click.option(
    "--names",
    help=(
        "The names that the classifier knew its classes by, where they are no words of WordNet's,"
        " or of several classes: a file of wnids and names (of those alone), or of names in the"
        " order of the candidates; or a data set whose names are shipped: cifar10, cifar100,"
        " oxford-pets, food101, caltech101."
    ),
)
@click.option(
    "--labels",
    type=INPUT,
    help=(
        "The true classes, where the predictions do not hold them: one class per line, or a table"
        " with the columns file and class."
    ),
)
@click.option(
    "--truth",
    type=click.Choice(["column", "folder"]),
    help=(
        "Where the true class of a table is: in a column, or the folder of each file (default: the"
        " column, or the folder where all of them are wnids)."
    ),
)
@click.option("--name", help="What to call the classifier (default: the file's name).")
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
@text_options
@simulated_option
@missing_option
@shard_option
@evaluation_options(required=False)
def command(
    predictions: Path,
    candidates: str | None,
    numbered: str | None,
    train: str | None,
    names: str | None,
    labels: Path | None,
    truth: Any,
    name: str | None,
    names_out: Path | None,
    strict: bool,
    simulated: bool,
    missing: str,
    shard: Part | None,
    text: bool,
    mapped_out: Path | None,
    label_column: str | None,
    answer_column: str | None,
    wordnet: Path | str | None,
    out: Path | None,
    classes_table: Path | None,
    output_format: str | None,
    **against: Any,
) -> None:
    """Evaluate any classifier by its PREDICTIONS: a CLIP model, a softmax network, anything.

    On one screen: hit@k and hierarchical precision, how far wrong predictions are from the truth,
    and the ten classes that are most often taken for another. --out keeps all of it; other formats
    have one row per metric.

    \b
    a table   the true class, then the predicted ones, best first; with a
              header, columns such as label, top1, top2, … and score; or one
              row per prediction; CSV, Parquet, JSON, JSON lines
    .npz      scores [N, C] or topk [N, K], classes [C], labels [N]
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
    graphzsl audit clip.csv --out clip.json --shard 1/4
    graphzsl audit answers.csv --text --mapped-out named.csv
    """
    from dataclasses import replace

    from graphzsl.audit import (
        AUTO,
        check_true_classes,
        check_use_of_names,
        hierarchy_of,
        note_other_order,
        read_predictions,
        said_of_names,
        shard_of,
    )
    from graphzsl.names import (
        AsWnids,
        Training,
        UnclearNames,
        candidates_of,
        training_classes,
    )
    from graphzsl.sources import WNID

    if text:
        reading = {"names": names, "label_column": label_column, "answer_column": answer_column}
        drawn = {key: against[key] for key in ("rounds", "seed")}
        reading |= {"candidates": candidates and test_classes(candidates)}
        audit_answers(predictions, wordnet, mapped_out, output_format, {**reading, **drawn})
        return
    option_requires("mapped_out", "label_column", "answer_column", when=text, needs="--text")
    notes = click.get_current_context().with_resource(noted())
    if name is not None:
        check_name(name, "a run", argument="name")
    if numbered == "candidates" and not candidates:
        raise click.UsageError("--numbered needs --candidates: what the numbers count.")
    option_requires("numbered", when=predictions.suffix != ".npz", needs="a table of predictions")
    option_requires("classes_table", when=out, needs="--out")
    option_requires("shard", when=out, needs="--out")
    option_requires("strict", when=wordnet is None, needs="no --wordnet, which is strict, or none")
    option_requires("strict", when=shard is None, needs="the whole run, without --shard")
    evaluated_when_merged(shard, *(["wordnet"] if wordnet == NONE else []))
    train = own_training(candidates, train)
    candidates = candidates and test_classes(candidates)
    as_named = wordnet == NONE and not names
    candidate_list = None
    if candidates:
        candidate_list = candidates_of(list_entries(candidates, "candidates"), names, as_named)
    classes = candidate_list.classes if candidate_list else None
    training = Training([], [])
    if train:
        training = training_classes(
            list_entries(train, "train"), as_named=wordnet == NONE, candidates=classes or ()
        )
    check_valid_set({**against, "wordnet": wordnet}, training.texts if train else None)
    with step(f"reading {predictions.name}"):
        rename = None if as_named else AsWnids(classes, names, later=True)
        loaded = read_predictions(
            predictions,
            classes,
            training.names,
            "devkit" if numbered == "devkit" else bool(numbered),
            missing,
            labels,
            truth=truth,
            rename=rename,
        )
        check_use_of_names(names, rename, candidate_list)
        try:
            check_true_classes(loaded, rename)
        except UnclearNames as error:
            raise with_lines(error, error.names, predictions) from None
    read = [each for each in (candidate_list, rename) if each is not None]
    if names_out is not None:
        write_names(names_out, read)
    loaded = replace(loaded, metadata={**loaded.metadata, "simulated": simulated})
    seen = training.among({*loaded.candidates, *loaded.labels})
    if shard is not None:
        assert out is not None
        options = {"predictions": True, "as_named": as_named, "missing": missing}
        whole = {"model": name or predictions.stem}
        save_shard(shard_of(loaded, shard, whole, seen, options), out, output_format)
        return
    note_other_order(loaded)
    fallback = WORDNET if strict else AUTO
    unplaced: list[str] = []
    try:
        if strict:
            check_names_are_clear(read)
        hierarchy = None
        if wordnet != NONE:
            hierarchy = hierarchy_of(loaded, wordnet or fallback, candidate_list, rename)
    except DataError as error:
        raise with_lines(error, unplaced_classes(loaded, read), predictions) from None
    if hierarchy is None and wordnet is None:
        unplaced = unplaced_classes(loaded, read)
    training.check(hierarchy)
    wnids = any(map(WNID.match, (*loaded.candidates, *loaded.labels)))
    explained = any(each.open for each in read)
    if hierarchy is None and wordnet is None and not wnids and not explained:
        names_alone = (
            candidate_list.no_words if candidate_list else rename.no_words if rename else []
        )
        flags = None if candidate_list else " --numbered" * (predictions.suffix != ".npz")
        said = said_of_names(names_alone, flags)
        note(f"{WITHOUT_WNIDS} {said}")
    check_valid_set({**against, "wordnet": hierarchy or NONE}, seen)
    option_requires(
        "train",
        when=hierarchy is not None or loaded.seen,
        needs="a hierarchy, for groups by hops, or training classes among the candidates",
    )
    with step("evaluating"):
        run = run_of(loaded, {"model": name or predictions.stem}, seen, hierarchy, **against)
    run.result.update({"notes": notes} if notes else {})
    if out is not None:
        run.write(out, classes_table)
    if is_table(output_format):
        keep(metric_rows(run.result))
        click.echo("\n".join(page(run, against["ks"])))
    else:
        show_metrics(run.result, output_format)
    note_run(run.result, out)
    note_no_hierarchy(unplaced, predictions)


def page(run: EvaluatedRun, ks: Iterable[int] | None = None) -> Iterator[str]:
    """Lines that a person reads first: headlines with the lengths ``ks`` of lists (default: 5, and
    the length of the given lists), mistakes, confusions."""
    width = min(terminal_width(), WIDEST)
    lengths = {HEADLINE_K}
    if not run.predictions.complete:
        lengths.add(run.predictions.top.shape[1])
    headlines = {f"{kind}@{k}" for kind in ("hit", "hp") for k in (1, *(ks or lengths))}
    headlines = {*GENERALIZED, *headlines}
    rows = [
        row
        for row in metric_rows(run.result)
        if row["metric"] in headlines or row["metric"].startswith("hit@1, ")
    ]
    yield from table_lines(rows, _columns(rows), width)
    if run.mistakes is not None and run.mistakes.count:
        yield ""
        yield from _mistakes(run.mistakes, width)
    found = [
        {
            "true": row.get("true_name") or row["true"],
            "taken for": row.get("predicted_name") or row["predicted"],
            "samples": row["samples"],
            "share": row["share"],
            **(
                {"both are": row["common_name"], "height": row["height"]} if "height" in row else {}
            ),
        }
        for row in run.confusions()
    ]
    if found:
        often = [row for row in found if row["samples"] > 1]
        yield ""
        yield "Most often taken for another:" if often else SINGLE_MISTAKES
        yield from _confusions(often or found[:FEW], width)


def _confusions(rows: list[dict[str, Any]], width: int) -> list[str]:
    """The table of confusions. Where it is too narrow for whole names, columns are left out, which
    a line below it says."""
    lines: list[str] = []
    without: tuple[str, ...] = ()
    for without in ((), ("both are",), ("both are", "height"), ("both are", "height", "samples")):
        columns = [name for name in rows[0] if name not in without]
        lines = table_lines(rows, columns, width)
        text = "\n".join(lines)
        names = [name for name in ("true", "taken for", "both are") if name in columns]
        if all((row[name] or "") in text for row in rows for name in names):
            break
    left = [name for name in without if name in rows[0]]
    if left:
        lines.append(f"A wider terminal also shows: {', '.join(left)}.")
    return lines


def _columns(rows: Iterable[dict[str, Any]]) -> list[str]:
    return list(dict.fromkeys(column for row in rows for column in row))


def _mistakes(mistakes: Mistakes, width: int) -> Iterator[str]:
    wrong, related = mistakes.count / mistakes.samples, mistakes.related or 0
    random = mistakes.random_height
    text = (
        f"{counted(mistakes.count, 'mistake')} ({100 * wrong:.1f} % of samples),"
        f" {100 * related:.1f} % of them a class above or below the true one. Height of the lowest"
        f" common ancestor with the truth: {mistakes.mean_height:.1f} on average"
        f"{'' if random is None else f' (a random class: {random:.1f})'}."
    )
    yield from wrap(text, width)
    groups = []
    for low, high in zip(BORDERS, [*BORDERS[1:], None], strict=True):
        share = sum(
            part
            for height, part in mistakes.heights.items()
            if low <= height and (high is None or height < high)
        )
        last = "or more" if high is None else f"to {high - 1}"
        groups.append({"height": str(low) if high == low + 1 else f"{low} {last}", "share": share})
    yield from table_lines(groups, _columns(groups), width)
