"""``graphzsl export distances | superclasses | tree``: what the hierarchy alone says of classes, as
files; no database is needed."""

from __future__ import annotations

from pathlib import Path

import click

from graphzsl import analysis
from graphzsl.analysis import CLASS_DISTANCES, OFFLINE_COUNTS
from graphzsl.cli.classes import read_classes, read_hierarchy
from graphzsl.cli.groups import Command
from graphzsl.cli.options import (
    counts_option,
    distance_option,
    hierarchy_folder_option,
    listed_set_option,
    missing_option,
    number_option,
    option,
    option_requires,
    out_option,
)
from graphzsl.cli.output import note
from graphzsl.cli.types import INPUT, Whole, Written
from graphzsl.common import called, counted, step

#: Those of ``graphzsl.hierarchy.trees``, which is imported late.
TREE_RULES = ("shortest", "longest", "first", "populous")


@click.command(cls=Command)
@listed_set_option
@distance_option(
    "hops through any node; hops over a common ancestor (as NLTK counts them); height of the"
    " lowest common ancestor in the hierarchy trimmed to the classes; its depth, counted from"
    " below (as released with Bertinetto et al. 2020); Jiang–Conrath; Lin",
    kind=click.Choice(CLASS_DISTANCES),
)
@counts_option(
    "for information content (jcn, lin): tagged senses, images of Fall 2011, or every node once",
    kind=click.Choice(OFFLINE_COUNTS),
)
@hierarchy_folder_option
@out_option(
    Written(".npy", ".parquet"),
    "File to write: .npy, the square of distances, or .parquet, rows one, other, distance,"
    " each pair once.",
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
    from graphzsl.cli.connection import settings
    from graphzsl.hierarchy import INFORMED_DISTANCES, write_distances

    informed = distance in INFORMED_DISTANCES
    option_requires("counts", when=informed, needs="--distance jcn or lin")
    with step(f"distances of {class_set}"):
        hierarchy = read_hierarchy(wordnet)
        classes = read_classes(class_set, hierarchy)
        seen = analysis.offline_counts(hierarchy, counts, settings()) if informed else None
        facts = {"set": class_set, **({"information": counts} if informed else {})}
        pairs = write_distances(hierarchy, classes, out, distance, seen, **facts)
    counts = f"{counted(len(classes), 'class', 'classes')}, {counted(pairs, 'pair')}"
    note(f"{counts} in {out}.")


@click.command(cls=Command)
@listed_set_option
@click.option(
    "--cut",
    type=INPUT,
    help="The superclasses: a file with a wnid, a name such as dog.n.01 or a word per line.",
)
@click.option(
    "--depth",
    type=Whole(0),
    help="The superclasses are the nodes whose shortest way to the root has so many edges.",
)
@number_option(
    "superclasses at most: from the root on, the node with the most classes is replaced by its"
    " children while they are not too many"
)
@missing_option(
    "a class with no superclass at or above it is its own, or an error",
    "self",
    kind=click.Choice(["self", "error"]),
)
@hierarchy_folder_option
@out_option(
    Written(".csv"),
    "Table to write (.csv): wnid, index, superclass, superclass_name, superclass_index, name.",
)
def superclasses(
    class_set: str,
    cut: Path | None,
    depth: int | None,
    number: int | None,
    missing: str,
    wordnet: Path | str,
    out: Path,
) -> None:
    """The superclass of every class of a list, for a cut through the hierarchy.

    It is the node of the cut with the fewest edges to the class, which may be the class itself; of
    several the one with the most classes below it, then the smallest wnid. One of --cut, --depth
    and --number says what the cut is. No database is needed.

    \b
    graphzsl export superclasses --number 20 --out superclasses.csv
    graphzsl export superclasses --cut mine.txt --out superclasses.csv
    """
    from graphzsl.hierarchy import write_superclasses

    if sum(given is not None for given in (cut, depth, number)) != 1:
        raise click.UsageError("Give one of --cut, --depth and --number.")
    hierarchy = read_hierarchy(wordnet)
    classes = read_classes(class_set, hierarchy)
    assigned = write_superclasses(
        hierarchy,
        classes,
        out,
        cut=read_classes(str(cut), hierarchy, "cut") if cut else None,
        depth=depth,
        number=number,
        alone=missing == "self",
        set=class_set,
    )
    used = len(set(assigned.superclasses))
    note(f"{len(classes):,} classes in {counted(used, 'superclass', 'superclasses')}: {out}.")
    if assigned.alone:
        note(
            f"{counted(len(assigned.alone), 'class', 'classes')} with no superclass at or above,"
            f" each its own: {called(assigned.alone[0], hierarchy.names)}"
            f"{', …' if len(assigned.alone) > 1 else ''}."
        )


@click.command(cls=Command)
@listed_set_option
@option(
    "--rule",
    click.Choice(TREE_RULES),
    "shortest",
    "The parent that is kept: of the shortest or the longest way to the root, the first by"
    " wnid, or the one with the most classes; ties by wnid.",
)
@click.option(
    "--contract", is_flag=True, help="Leave out nodes that are no classes and have a single child."
)
@click.option(
    "--dropped",
    type=Written(".csv"),
    help="Table to write (.csv) of the edges that are left out: child, parent, kept, names.",
)
@hierarchy_folder_option
@out_option(
    Written(".csv", ".json"),
    "File to write: .csv, rows child, parent and names; .json, nested objects.",
)
def tree(
    class_set: str,
    rule: str,
    contract: bool,
    dropped: Path | None,
    wordnet: Path | str,
    out: Path,
) -> None:
    """A tree from the hierarchy of a list of classes: one parent per node, by a rule.

    Its nodes are the classes and their ancestors. How many edges are left out is said, and
    --dropped names them: the child, the parent that it loses, and the one that it keeps (none where
    the child itself is left out, because nothing is below it any more). No database is needed.

    \b
    graphzsl export tree --out tree.csv --dropped dropped.csv
    graphzsl export tree --rule longest --contract --out tree.json
    """
    from graphzsl.hierarchy import write_tree

    hierarchy = read_hierarchy(wordnet)
    classes = read_classes(class_set, hierarchy)
    made, left_out = write_tree(
        hierarchy, classes, out, rule, contract=contract, dropped=dropped, set=class_set
    )
    note(
        f"{len(made.wnids):,} nodes and {made.up.nnz:,} edges in {out}; {len(classes):,} of the"
        " nodes are classes."
    )
    lost = {edge.child for edge in left_out}
    note(
        f"{counted(len(left_out), 'edge')} of {counted(len(lost), 'node')} left out"
        + (f", in {dropped}." if dropped else "; --dropped FILE names them." if lost else ".")
    )
