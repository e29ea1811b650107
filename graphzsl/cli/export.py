"""``graphzsl export``: answers of the database as files, and of the hierarchy alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from graphzsl.cli.connection import database
from graphzsl.cli.groups import Group
from graphzsl.cli.hierarchy_exports import distances, superclasses, tree
from graphzsl.cli.options import (
    STORED,
    hierarchy_option,
    lengths_option,
    option,
    out_option,
    set_option,
    stored_universe_option,
    train_option,
    valid_option,
)
from graphzsl.cli.output import note
from graphzsl.cli.types import Folder, Written
from graphzsl.common import ROW_SUFFIXES, step

_engine_option = option(
    "--engine",
    click.Choice(["auto", "cypher", "memory"]),
    "auto",
    "Where this process searches: cypher asks the server for neighbours, level by level, by the"
    " query neighbours; memory reads the hierarchy once, and is faster; auto: cypher up to 2,000"
    " classes. Same bytes.",
)


@click.group(cls=Group)
def command() -> None:
    """Write closest classes, hCorrectSets, distances, superclasses and graphs to files.

    Every file has a manifest beside it: queries with their hashes, parameters, hierarchy, source
    checksums, versions.

    \b
    graphzsl export subgraph --set ilsvrc2012 --set hops-1 --out graph
    graphzsl export subgraph --whole --out wordnet
    graphzsl export distances --distance lca --out distances.npy
    """


for each in (distances, superclasses, tree):
    command.add_command(each)


@command.command()
@train_option(STORED)
@stored_universe_option
@hierarchy_option
@out_option(
    Written(*ROW_SUFFIXES),
    "File to write, .jsonl, .csv or .parquet: each class with all ties, wnids and names.",
)
@_engine_option
def closest(train: str, universe: str, hierarchy: str, out: Path, engine: Any) -> None:
    """Closest training classes of every unseen class, all ties kept.

    \b
    graphzsl export closest --universe hops-1 --out closest.jsonl
    """
    from graphzsl.database import export_closest

    db = database()
    with step(f"closest classes of {train}"):
        count = export_closest(db, train, universe, out, hierarchy, engine)
    note(f"{count:,} classes in {out}.")


@command.command()
@valid_option(STORED, "ilsvrc2012")
@lengths_option()
@hierarchy_option
@out_option(Folder("hcorrect"))
@click.option(
    "--kind",
    type=click.Choice(["parquet", "jsonl"]),
    default="parquet",
    show_default=True,
    help="Format of the file in the folder.",
)
@_engine_option
def hcorrect(valid: str, k: list[int], hierarchy: str, out: Path, kind: str, engine: Any) -> None:
    """hCorrectSets (DeViSE, appendix A.3) of every valid label.

    \b
    graphzsl export hcorrect --valid ilsvrc2012 -k 2,5,10,20 --out hcorrect
    """
    from graphzsl.database import export_hcorrect

    db = database()
    with step(f"reading hierarchy {hierarchy}"):
        count = export_hcorrect(db, valid, k, out, hierarchy, kind, engine)
    note(f"{count:,} sets in {out}.")


@command.command()
@set_option(STORED, "imagenet-fall11")
@hierarchy_option
@out_option(Written(*ROW_SUFFIXES), "File to write: .jsonl, .csv or .parquet.")
def ancestors(class_set: str, hierarchy: str, out: Path) -> None:
    """All ancestors of every class of a set, with their distance.

    \b
    graphzsl export ancestors --set ilsvrc2012 --out ancestors.parquet
    """
    from graphzsl.database import export_ancestors

    db = database()
    with step(f"reading {class_set}"):
        count = export_ancestors(db, class_set, out, hierarchy)
    note(f"{count:,} rows in {out}.")


@command.command()
@set_option(
    "class sets, whose classes and ancestors become nodes (with --whole: the class sets that the"
    " folder names); repeat it",
    ("ilsvrc2012", "imagenet-fall11"),
    multiple=True,
)
@hierarchy_option
@click.option(
    "--whole",
    is_flag=True,
    help=(
        "All 82,115 noun synsets: what evaluation needs for hp@k, hops and heights in full WordNet."
    ),
)
@out_option(Folder("subgraph"))
def subgraph(class_set: tuple[str, ...], hierarchy: str, whole: bool, out: Path) -> None:
    """The graph that models and evaluation see: nodes, edges, class sets and a manifest.

    \b
    graphzsl export subgraph --set ilsvrc2012 --set hops-1 --out graph
    graphzsl export subgraph --whole --out wordnet
    """
    from graphzsl.database import export_subgraph

    db = database()
    with step(
        "reading all of WordNet" if whole else f"reading the classes of {', '.join(class_set)}"
    ):
        manifest = export_subgraph(db, list(class_set), out, hierarchy, whole)
    note(f"{manifest['nodes']:,} nodes and {manifest['edges']:,} edges in {out}.")
