"""Options of every command that evaluates, and the output of its result."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graphzsl.cli.classes import list_entries
from graphzsl.cli.common import INPUT, Numbers, emit, note, output_options
from graphzsl.cli.completion import NAMED_CLASSES
from graphzsl.cli.intervals import bootstrap_options, note_thin_tails
from graphzsl.cli.paths import NONE, Written, given_hierarchy, wordnet_where_wnids_option
from graphzsl.common import counted, unsigned

if TYPE_CHECKING:
    from graphzsl.audit import Predictions


_lengths = click.option(
    "-k",
    "--ks",
    "ks",
    type=Numbers(),
    help=(
        "List lengths of hit@k and hp@k, at most 20 and less than the candidates (default:"
        " 1,2,5,10,20, and the length of lists)."
    ),
)


def evaluation_options(required: bool = True) -> Callable[..., Any]:
    """Options that every evaluation takes; ``required`` says whether it must write a file."""
    return partial(_with_options, required=required)


def _with_options(function: Callable[..., None], required: bool) -> Callable[..., None]:
    for option in reversed(
        [
            wordnet_where_wnids_option(
                "The hierarchy, for parents and children, lowest common ancestors, hp@k, groups by"
                " hops and population"
            ),
            click.option(
                "--hcorrect",
                type=INPUT,
                help="Folder of `graphzsl export hcorrect`: its hCorrectSets for hp@k.",
            ),
            click.option(
                "--valid",
                shell_complete=NAMED_CLASSES,
                help=(
                    "Valid set of hp@k: a file of classes, a list by name, or devise: candidates"
                    " and training classes (default: the candidates)."
                ),
            ),
            _lengths,
            bootstrap_options(2000),
            click.option(
                "--out",
                type=Written(".json", kind="evaluation"),
                required=required,
                help=(
                    "The JSON file to write; RUN.samples.parquet and RUN.classes.parquet go"
                    " beside it."
                ),
            ),
            click.option(
                "--classes-table",
                type=Written(".parquet", ".csv"),
                help=(
                    "Where the table of classes goes instead of RUN.classes.parquet (.parquet or"
                    " .csv)."
                ),
            ),
            output_options,
        ]
    ):
        function = option(function)
    return function


def sample_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Options that say which samples a model scores."""
    for option in reversed(
        [
            click.option(
                "--features",
                type=INPUT,
                help="Samples: .npz or .parquet with features [N, D] and wnids [N].",
            ),
            click.option(
                "--center-features",
                is_flag=True,
                help="Subtract the mean of the training classes' samples in that file.",
            ),
            click.option(
                "--classifiers",
                type=INPUT,
                help="Instead: score each class's true classifier row in this file as its sample.",
            ),
        ]
    ):
        function = option(function)
    return function


simulated_option = click.option(
    "--simulated", is_flag=True, help="Say in the result that the predictions are simulated."
)

missing_option = click.option(
    "--missing",
    type=click.Choice(["error", "miss"]),
    default="error",
    show_default=True,
    help="How to treat samples whose class is not a candidate. `evaluate model` leaves those of a"
    " --features file out, and says how many, unless they are misses.",
)


def check_valid_set(against: dict[str, Any], train: list[str] | None = None) -> None:
    """The library's check of the valid set, with the name of the option."""
    from graphzsl.audit import check_valid_set as check
    from graphzsl.common import DataError

    hierarchy = given_hierarchy(against["wordnet"])
    try:
        check(against["valid"], hierarchy, against["hcorrect"], train)
    except DataError as error:
        raise click.UsageError(f"--valid: {error}") from None


def evaluated(
    predictions: Predictions,
    manifest: dict[str, Any],
    train: list[str],
    out: Path,
    output_format: str,
    *,
    wordnet: Path | str | None,
    classes_table: Path | None = None,
    hcorrect: Path | None,
    valid: str | None,
    rounds: int,
    level: float,
    seed: int,
    ks: list[int] | None = None,
) -> None:
    """Evaluate predictions, write RUN.json with its tables, and print the metrics."""
    from dataclasses import replace

    from graphzsl.audit import DEVISE, prepare

    prepared = prepare(
        replace(predictions, source={**manifest, "train": train}),
        wordnet=given_hierarchy(wordnet),
        hcorrect=hcorrect,
        valid=list_entries(valid, "valid") if valid and valid != DEVISE else valid,
    )
    given = {"valid": valid, "wordnet": prepared.hierarchy or NONE, "hcorrect": hcorrect}
    check_valid_set(given, train)
    run = prepared.evaluate(rounds=rounds, confidence=level, seed=seed, ks=ks)
    run.save(out, classes_table)
    show_metrics(run.manifest, output_format)
    note_run(run.manifest, out)


def show_metrics(result: dict[str, Any], output_format: str) -> None:
    """Print one row per metric, with the facts that a reader needs."""
    rows = metric_rows(result)
    tied = any("expected" in row for row in rows)
    ties = ["expected", "tied"] if tied else []
    emit(rows, output_format, ["metric", "per_class", "per_sample", "interval", *ties])
    if tied:
        note(
            f"{result['ties'].capitalize()}. `expected` is the per-class mean under random order,"
            " `tied` the share of samples it changes."
        )


def note_run(result: dict[str, Any], out: Path | None) -> None:
    """Note the remaining facts of a run, and its folder."""
    bootstrap = result["bootstrap"]
    if result["classes"] > 1:
        note_thin_tails(bootstrap["rounds"], bootstrap["level"])
    else:
        note("No intervals: of one class there is nothing to resample.")
    if certain := certain_metrics(result):
        note(
            f"Not shown: {', '.join(certain)}. A list of that length holds all"
            f" {counted(result['candidates'], 'candidate')}, whatever is predicted."
        )
    if "decoded" in result:
        found = result["decoded"]
        note(
            f"Decoded: {found['changed']:.1%} of the answers differ from the most probable class,"
            f" {found['above']:.1%} are above some classes. Where probabilities are not calibrated,"
            " they can be worse."
        )
    if result.get("generalized"):
        note("Samples of seen classes enter generalized tr, h and ausuc alone.")
    note(
        f"{counted(result['samples'], 'sample')} of"
        f" {counted(result['classes'], 'class', 'classes')},"
        f" {counted(result['candidates'], 'candidate')}{f'; in {out}' if out else ''}."
    )


def certain_metrics(result: dict[str, Any]) -> list[str]:
    """hit@k, hp@k and heights of lists that hold every candidate, whatever is predicted."""
    from graphzsl.metrics import is_certain

    return [name for name in result["metrics"] if is_certain(name, result["candidates"])]


def metric_rows(result: dict[str, Any]) -> list[dict[str, Any]]:
    """One row per metric that says something, see ``certain_metrics``."""
    from graphzsl.metrics import EXPECTED

    certain = {*certain_metrics(result)}
    rows = [_row(name, value) for name, value in result["metrics"].items() if name not in certain]
    if "semantic_interval" in result:
        ends = {"from": 0, "to": 1}
        rows += [
            _row(f"semantic accuracy {end}", result["semantic_interval"], at)
            for end, at in ends.items()
        ]
    generalized = result.get("generalized", {})
    if "hit@1" in generalized:
        rows += [
            _row(f"generalized {name}", generalized["hit@1"], name) for name in ("ts", "tr", "h")
        ]
    if "ausuc" in generalized:
        row = {"metric": "generalized ausuc", "per_class": generalized["ausuc"]}
        rows.append(
            row | ({"expected": generalized[EXPECTED]["ausuc"]} if EXPECTED in generalized else {})
        )
    for level in result.get("at", ()):
        rows.append({"metric": f"accuracy at {level['name']}", "per_sample": level["accuracy"]})
    if "decoded" in result:
        found = result["decoded"]
        parts = {"before": "most probable class", "after": "decoded", "difference": "difference"}
        rows += [_row(f"{found['title']}, {called}", found[key]) for key, called in parts.items()]
    for kind, groups in result.get("groups", {}).items():
        for group in groups:
            name = str(group["group"])
            if kind == "hops" and (hops := unsigned(name)) is not None:
                name = counted(hops, "hop")
            row = {"metric": f"hit@1, {name}", "per_class": group["hit@1"]}
            expected = group.get(EXPECTED, {})
            rows.append(row | ({"expected": expected["hit@1"]} if "hit@1" in expected else {}))
    return rows


def _row(name: str, value: dict[str, Any], part: int | str | None = None) -> dict[str, Any]:
    """A metric, or a ``part`` of its values; `expected` and `tied` where ties decide it."""
    from graphzsl.metrics import EXPECTED

    def picked(each: dict[str, Any], kind: str) -> Any:
        return each[kind] if part is None else each[kind][part]

    row = {"metric": name} | {kind: picked(value, kind) for kind in ("per_class", "per_sample")}
    if value.get("per_class_interval") is not None:
        row["interval"] = value["per_class_interval"]
    if EXPECTED in value:
        row["expected"] = picked(value[EXPECTED], "per_class")
    if "tied_samples" in value.get(EXPECTED, {}):
        row["tied"] = value[EXPECTED]["tied_samples"]
    return row
