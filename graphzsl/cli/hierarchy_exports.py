"""``graphzsl export distances``: what the hierarchy says of classes as files, without a
database."""

from __future__ import annotations

from pathlib import Path

import click

from graphzsl.analysis.structure import ALL_DISTANCES, OFFLINE_COUNTS
from graphzsl.cli.classes import (
    hierarchy_folder_option,
    read_classes,
    read_hierarchy,
    set_option,
)
from graphzsl.cli.common import effective, note
from graphzsl.cli.groups import Command
from graphzsl.cli.paths import Written
from graphzsl.progress import step


@click.command(cls=Command)
@set_option
@click.option(
    "--distance",
    type=click.Choice(ALL_DISTANCES),
    default="path",
    show_default=True,
    help=(
        "Hops through any node, hops over a common ancestor (as NLTK counts them), height of the"
        " lowest common ancestor (hierarchy trimmed to the classes), Jiang–Conrath, Lin."
    ),
)
@click.option(
    "--counts",
    type=click.Choice(OFFLINE_COUNTS),
    default="senses",
    show_default=True,
    help=(
        "What information content is counted in (jcn, lin): tagged senses, images of Fall 2011, or"
        " every synset once."
    ),
)
@hierarchy_folder_option
@click.option(
    "--out",
    type=Written(".npy", ".parquet"),
    required=True,
    help=(
        "File to write: .npy, the square of distances, or .parquet, rows one, other, distance,"
        " each pair once."
    ),
)
def distances(class_set: str, distance: str, counts: str, wordnet: Path | str, out: Path) -> None:
    """Distances between all classes of a list.

    All are symmetric and 0 between a class and itself: float32 for jcn and lin, whole numbers of a
    byte for the others. The manifest beside the file (OUT.manifest.json) has the classes in the
    order of rows and columns, and the definition. No database is needed.

    \b
    graphzsl export distances --distance lca --out distances.npy
    graphzsl export distances --set classes.txt --distance lin --out lin.parquet
    """
    from graphzsl.analysis.structure.counts import offline_counts
    from graphzsl.cli.connection import settings
    from graphzsl.hierarchy.class_distances import write_distances
    from graphzsl.hierarchy.distances import INFORMED

    informed = distance in INFORMED
    effective("counts", when=informed, needs="--distance jcn or lin")
    with step(f"distances of {class_set}"):
        hierarchy = read_hierarchy(wordnet)
        classes = read_classes(class_set, hierarchy)
        seen = offline_counts(hierarchy, counts, settings()) if informed else None
        facts = {"set": class_set, **({"information": counts} if informed else {})}
        pairs = write_distances(hierarchy, classes, out, distance, seen, **facts)
    note(f"{len(classes):,} classes, {pairs:,} pairs in {out}.")
