"""``graphzsl study granularity tiers``: superclasses of a size, split for few-shot learning."""

from __future__ import annotations

import click

from graphzsl import analysis, sources
from graphzsl.analysis import LEAST_IN_TIER, MOST_IN_TIER, TIER_PARTS
from graphzsl.cli.granularity.group import command
from graphzsl.cli.granularity.superclasses import (
    COMPARE,
    SET,
    emit_short,
    inputs_of,
    print_compared,
    store_parts,
)
from graphzsl.cli.options import (
    hierarchy_option,
    option,
    option_requires,
    output_options,
    seed_option,
    store_option,
)
from graphzsl.cli.output import note
from graphzsl.cli.types import NUMBERS, Whole
from graphzsl.common import counted


@command.command("tiers")
@SET
@option("--least", Whole(1), LEAST_IN_TIER, "Fewest classes of a superclass.")
@option("--most", Whole(1), MOST_IN_TIER, "Most classes of a superclass.")
@option(
    "--parts",
    NUMBERS,
    ",".join(map(str, TIER_PARTS.values())),
    "Superclasses for training, validation and testing; shares of all, where there are more"
    " or fewer.",
)
@COMPARE
@seed_option()
@store_option("class sets NAME-train, NAME-val and NAME-test")
@hierarchy_option
@output_options
def tiers_(
    class_set: str,
    least: int,
    most: int,
    parts: list[int],
    compare: bool,
    seed: int,
    store: str | None,
    hierarchy: str,
    output_format: str,
) -> None:
    """Superclasses of neither too few nor too many classes, split for few-shot learning so that
    training and test classes have no superclass in common (tieredImageNet).

    Superclasses are the highest nodes with so many classes below them, and a class below two of
    them is in none. With the defaults they are the published ones, with the published classes; the
    published split of them is in the lists tiered-imagenet-train, -val and -test, and here it is
    drawn.

    \b
    graphzsl study granularity tiers --compare
    graphzsl study granularity tiers --set imagenet-fall11 --least 50 --most 150
    """
    option_requires(
        *("seed", "parts"),
        when=store or not compare,
        needs="--store, or the command without --compare, which shows nothing of the draw",
    )
    if len(parts) != len(TIER_PARTS):
        raise click.UsageError(f"--parts takes {len(TIER_PARTS)} numbers: {', '.join(TIER_PARTS)}.")
    nodes, classes = inputs_of(class_set, hierarchy, store)
    found = analysis.tiers(nodes, classes, least, most)
    part_of = analysis.split_superclasses(
        list(found), dict(zip(TIER_PARTS, parts, strict=True)), seed
    )
    if compare:
        published = analysis.Published.of(sources.tiered_imagenet())
        root = nodes.wnids[int(nodes.order[0])]
        rows = analysis.compare_superclasses(nodes, classes, found, published, root, least, most)
        print_compared(rows, output_format, analysis.COMPARED_COLUMNS)
    else:
        rows = [
            {"superclass": wnid, "part": part_of[wnid], "classes": len(own), "members": own}
            for wnid, own in found.items()
        ]
        columns = ("superclass", "part", "classes", "members")
        is_short = emit_short(rows, output_format, columns, ("members",))
        where = " --format jsonl or csv lists the members." if is_short else ""
        note(
            f"{sum(map(len, found.values())):,} of {len(classes):,} classes in"
            f" {counted(len(found), 'superclass', 'superclasses')}.{where}"
        )
    if store:
        sets = {
            part: sorted(w for wnid in found if part_of[wnid] == part for w in found[wnid])
            for part in TIER_PARTS
        }
        parameters = {"least": least, "most": most, "parts": parts, "seed": seed}
        store_parts(store, sets, class_set, hierarchy, parameters)
