"""The demo: the whole way on real data, every step printed with its time."""

from __future__ import annotations

import time
from pathlib import Path

import click

from graphzsl import sources, splits
from graphzsl.cli.demo import zeroshot
from graphzsl.cli.demo.steps import Scale, step
from graphzsl.common import Settings
from graphzsl.database import Database, connect


def run_demo(
    settings: Settings, out: Path, scale: Scale, image_features: Path | None = None
) -> None:
    """Load, split, train, evaluate, predict, report; everything is written under ``out``."""
    started = time.perf_counter()
    out.mkdir(parents=True, exist_ok=True)
    _load_wordnet(settings)
    with step("Neo4j: the local server" if settings.local else f"Neo4j: connect to {settings.uri}"):
        database = connect(settings)
    with database:
        _load_classes(database)
        _splits(database)
        with step("Subgraph: write the graph that models see"):
            graph = zeroshot.export_graph(database, out)
    click.echo(
        f"    {len(graph.wnids):,} nodes (the classes and all their ancestors),"
        f" {graph.edge_index.shape[1]:,} edges"
    )
    zeroshot.run(graph, out, scale, image_features)
    click.echo(
        f"\nDone in {time.perf_counter() - started:.0f} s. Look at {out / 'report.html'}; `graphzsl"
        " db browser` shows the graph."
    )


def _load_wordnet(settings: Settings) -> None:
    from graphzsl.database import load_wordnet

    with step("WordNet 3.0: find or fetch it"):
        folder = sources.wordnet_folder(settings)
    with step("Load: 82,115 synsets, their hypernyms, words and labels"):
        fresh = load_wordnet(settings, sources.WordNet(folder))
    if not fresh:
        click.echo("    already there from an earlier run")


def _load_classes(database: Database) -> None:
    from graphzsl.database import load_class_set

    with step("Load: the classes of ILSVRC 2012 and of ImageNet Fall 2011"):
        sizes = [load_class_set(database, name) for name in ("ilsvrc2012", "imagenet-fall11")]
    click.echo(f"    {sizes[0]:,} training classes, {sizes[1]:,} classes in the universe")


def _splits(database: Database) -> None:
    with step("Splits: unseen classes by hierarchy distance from the training classes"):
        sizes = {
            hops: len(splits.hop_split(database, hops).store(database).wnids)
            for hops in (1, 2, None)
        }
    click.echo(
        f'    hops-1 {sizes[1]:,}   published as "2-hops" with 1,549: a name one hop too far, and'
        " n00015388 (animal) beside them"
    )
    click.echo(
        f'    hops-2 {sizes[2]:,}   published as "3-hops" with 7,860: it follows ImageNet\'s'
        " release hierarchy, whose hub"
    )
    click.echo(
        "                   fa11misc makes unrelated classes neighbours. To see it: `graphzsl load"
        " hierarchy`, then"
    )
    click.echo("                   `graphzsl split diff hops-2 published-3-hops`")
    click.echo(
        f"    all   {sizes[None]:,}   21,841 less 999: n04399382 (teddy) is a training class"
        " outside Fall 2011"
    )
