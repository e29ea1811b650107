"""``graphzsl study granularity groups | sweep | rerank``: semantic groups, re-ranking by them."""

from __future__ import annotations

from pathlib import Path

import click

from graphzsl import analysis
from graphzsl.cli.connection import database
from graphzsl.cli.granularity.group import command
from graphzsl.cli.options import (
    STORED,
    counts_option,
    hierarchy_option,
    length_option,
    option,
    option_requires,
    out_option,
    output_options,
    seed_option,
    set_option,
    store_option,
)
from graphzsl.cli.output import emit, note, store_classes
from graphzsl.cli.types import INPUT, Real, Whole, Written
from graphzsl.common import step, write_json_lines

SET = set_option(STORED, "imagenet-fall11")
COUNTS = counts_option(
    "tagged senses in WordNet, or word frequencies that were loaded, which make a word natural",
    kind=click.Choice(["senses", "frequencies"]),
)
LAMBDA = option(
    "--lambda weight", Real(0, 1), 0.5, "0: every class alone; 1: the most natural word above it."
)
LEAVES = click.option(
    "--leaves",
    is_flag=True,
    help="Group only classes without another class below them; the others give up their scores.",
)
AGGREGATE = option(
    "--aggregate",
    click.Choice(["max", "sum"]),
    "max",
    "Score of a group: the largest of its classes', or their sum, of probabilities.",
)


@command.command()
@SET
@LAMBDA
@COUNTS
@LEAVES
@click.option("--no-merge", is_flag=True, help="Keep groups with the same label apart.")
@click.option("--top", type=Whole(1), help="Only so many groups, the largest.")
@store_option("the heads of the groups")
@hierarchy_option
@output_options
def groups(
    class_set: str,
    weight: float,
    counts: str,
    leaves: bool,
    no_merge: bool,
    top: int | None,
    store: str | None,
    hierarchy: str,
    output_format: str,
) -> None:
    """The semantic groups of a class set at one lambda, largest first.

    A table names the first members of a large group and how many it has; the other formats have all
    of them.

    \b
    graphzsl study granularity groups --lambda 0.5 --top 20
    graphzsl study granularity groups --lambda 0.8 --leaves
    """
    db = database()
    with step(f"groups of {class_set}"):
        grouping = analysis.Grouping(db, class_set, counts, hierarchy, leaves=leaves)
        made = grouping.at(weight, merge=not no_merge)
    emit(made.rows()[:top], output_format, ("label", "classes", "heads", "members"))
    note(f"{len(made.classes):,} classes in {len(made.labels):,} groups at lambda {weight:g}.")
    if store:
        heads = sorted({head for heads in made.heads for head in heads})
        store_classes(
            store,
            heads,
            universe=class_set,
            hierarchy=hierarchy,
            query="adjacency",
            parameters={"lambda": weight, "counts": counts, "leaves": leaves},
        )


@command.command()
@SET
@COUNTS
@LEAVES
@option("--steps", Whole(1), 10, "Steps of lambda from 0 to 1.")
@click.option(
    "--scores",
    type=INPUT,
    help=(
        "Scores of a classifier (.npz: scores [N, C], classes [C], labels [N]): NDCG of the groups."
    ),
)
@click.option(
    "--relevance",
    type=INPUT,
    help="JSON lines, one object of word: relevance per sample, instead of the labels.",
)
@AGGREGATE
@length_option("that of NDCG (default: the number of groups)")
@seed_option()
@hierarchy_option
@output_options
def sweep(
    class_set: str,
    counts: str,
    leaves: bool,
    steps: int,
    scores: Path | None,
    relevance: Path | None,
    aggregate: str,
    k: int | None,
    seed: int,
    hierarchy: str,
    output_format: str,
) -> None:
    """Groups at every lambda: how many, how large, how deep; with --scores, their NDCG beside
    random groups of the same sizes.

    \b
    graphzsl study granularity sweep --steps 10
    graphzsl study granularity sweep --scores scores.npz -k 5
    graphzsl study granularity sweep --scores scores.npz --leaves --aggregate sum
    """
    option_requires("relevance", "aggregate", "k", "seed", when=scores, needs="--scores")
    option_requires("class_set", when=not scores, needs="no --scores, whose classes are grouped")
    scored = analysis.read_scores(scores) if scores else None
    described = analysis.read_relevance(relevance, len(scored[0])) if relevance and scored else None
    classes = scored[1] if scored else None
    grouping = analysis.Grouping(database(), class_set, counts, hierarchy, classes, leaves)
    emit(grouping.sweep(steps, scored, described, k, seed, aggregate), output_format)


@command.command()
@click.argument("scores", type=INPUT)
@LAMBDA
@COUNTS
@LEAVES
@AGGREGATE
@length_option("labels of each sample", 5)
@out_option(
    Written(".jsonl"),
    "JSON lines to write (.jsonl): the best group labels of each sample with their scores.",
)
@hierarchy_option
def rerank(
    scores: Path,
    weight: float,
    counts: str,
    leaves: bool,
    aggregate: str,
    k: int,
    out: Path,
    hierarchy: str,
) -> None:
    """Give the output of any classifier the words that people would use: SCORES is .npz with scores
    [N, C] and classes [C].

    \b
    graphzsl study granularity rerank scores.npz --lambda 0.7 --out labels.jsonl
    graphzsl study granularity rerank scores.npz --leaves --aggregate sum \\
      --out labels.jsonl
    """
    values, classes, _ = analysis.read_scores(scores)
    grouping = analysis.Grouping(database(), "", counts, hierarchy, classes, leaves)
    made = grouping.at(weight)
    write_json_lines(out, made.best(values[:, grouping.columns], k, aggregate))
    note(
        f"{len(values):,} samples, {len(made.classes):,} classes in {len(made.labels):,} groups at"
        f" lambda {weight:g}: {out}."
    )
