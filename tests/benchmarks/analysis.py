"""Analyses of splits and words on the full graph: times, and ratios against a named peer where
there is one."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import click

from graphzsl.analysis import SUPERCLASS_SHAPES, draw_superclasses, read_words
from graphzsl.analysis.granularity.groups import group, naturalness, translate
from graphzsl.analysis.populations import from_database as populations
from graphzsl.analysis.structure.leakage import leakage
from graphzsl.analysis.words.counting import count_labels
from graphzsl.analysis.words.meaning import sense_count_meanings
from graphzsl.benchmark import find_recipe
from graphzsl.benchmark.build import build
from graphzsl.database import load_class_set, load_populations, members, query, read_hierarchy
from graphzsl.database.ingest import load_wordnet
from graphzsl.hierarchy import Hierarchy, structural_ratios
from graphzsl.hierarchy.distances import Path as PathDistance
from graphzsl.hierarchy.distances import information_content, jiang_conrath, lca_height, lin
from graphzsl.hierarchy.search import hop_distances, label_shells
from graphzsl.ilsvrc import annotation_cost, browser_order, inherited
from graphzsl.splits import hop_split
from graphzsl.splits.populations import most_or_least_populated
from tests.benchmarks.database import fresh_server
from tests.benchmarks.timing import line, seconds, wordnet_source


def bench_analysis() -> None:
    """Every analysis on 82,115 synsets, 20,842 unseen classes."""
    with fresh_server() as (_, database):
        load_wordnet(database, wordnet_source())  # type: ignore[arg-type]
        for name in ("ilsvrc2012", "imagenet-fall11"):
            load_class_set(database, name)
        for hops in (1, None):
            hop_split(database, hops).store(database)
        load_populations(database)
        _time("read the hierarchy", lambda: read_hierarchy(database))
        hierarchy = read_hierarchy(database)
        train, everything = members(database, "ilsvrc2012"), members(database, "all")
        _time("ancestors of all synsets", lambda: hierarchy.ancestor_matrix)
        _structure(hierarchy, train, everything)
        _time(
            "polysemy, in Cypher",
            lambda: database.rows(query("polysemy"), class_set="imagenet-fall11"),
        )
        _time(
            "outcome candidates of 20,842 classes, in Cypher",
            lambda: database.rows(query("outcome_candidates"), split="all", among="all"),
        )
        _time(
            "labels and primary meanings by sense counts",
            lambda: sense_count_meanings(read_words(database, "imagenet-fall11")),
        )
        _granularity(hierarchy, train, members(database, "imagenet-fall11"))
        _time(
            "5,000 most populated classes, in Cypher",
            lambda: most_or_least_populated(database, 5000, True),
        )
        _time("population and depth", lambda: populations.population_depth_correlations(database))
        for name in ("max-ratio", "default"):
            kept: list[object] = []
            took = seconds(
                lambda name=name, kept=kept: kept.append(build(database, find_recipe(name)))
            )  # type: ignore[misc]
            values = kept[0].statistics  # type: ignore[attr-defined]
            click.echo(
                f"recipe {name}: {took:.1f} s; R {values['structural_ratio']:.4f}, bound"
                f" {values['bound']:.4f}, half the mean training distance"
                f" {values['simple_bound']:.4f}; {values['effective_branches']:.1f} effective"
                " branches"
            )
        recipe = find_recipe("max-ratio")
        steps = build(database, type(recipe)(**{**vars(recipe), "size": None}))
        ratio = structural_ratios(
            hierarchy,
            PathDistance(hierarchy),
            train,
            greedy_pairs(hierarchy, train, steps.wnids, 500),
        ).structural_ratio
        click.echo(f"peer, greedy over pairs of siblings: R {ratio:.4f}")


def _structure(hierarchy: Hierarchy, train: list[str], everything: list[str]) -> None:
    path = PathDistance(hierarchy)
    positions = hierarchy.positions(everything)
    line(
        "structural ratios of 20,842 classes",
        seconds(lambda: structural_ratios(hierarchy, path, train, everything)),
        "a search from every class",
        seconds(lambda: list(label_shells(hierarchy.adjacency, positions, positions, 2))),
    )
    _time(
        "the same on the pruned hierarchy",
        lambda: structural_ratios(
            p := hierarchy.pruned({*train, *everything}), PathDistance(p), train, everything
        ),
    )
    content = information_content(hierarchy, {})
    for name, distance in (
        ("LCA height", lca_height(hierarchy)),
        ("Jiang–Conrath", jiang_conrath(hierarchy, content)),
        ("Lin", lin(hierarchy, content)),
    ):
        _time(
            f"the same by {name}",
            lambda distance=distance: structural_ratios(hierarchy, distance, train, everything),
        )  # type: ignore[misc]
    _time("leakage of 20,842 classes", lambda: leakage(hierarchy, train, everything))


def _granularity(hierarchy: Hierarchy, train: list[str], universe: list[str]) -> None:
    natural = naturalness(
        {wnid: place for place, wnid in enumerate(hierarchy.wnids)}, hierarchy.wnids
    )
    names = {wnid: wnid for wnid in hierarchy.wnids}
    _time(
        "semantic groups of 21,841 classes at 11 lambdas",
        lambda: [
            group(universe, translate(hierarchy, universe, natural, w / 10), names)
            for w in range(11)
        ],
    )
    _time(
        "superclasses of the four BREEDS shapes",
        lambda: [
            draw_superclasses(hierarchy, train, shape) for shape in SUPERCLASS_SHAPES.values()
        ],
    )
    _time(
        "values of 21,841 classes inherited",
        lambda: inherited(hierarchy, dict.fromkeys(universe, 1.0)),
    )
    _time("label browser order of 21,841 classes", lambda: browser_order(hierarchy, universe))
    questions = hierarchy.pruned(train)
    _time(
        "annotation of 100 images with 1,000 labels",
        lambda: annotation_cost(questions, train, 3, 100),
    )


def bench_counting() -> None:
    """All 119,034 labels counted in WordNet's own glosses, repeated, against reading the file."""
    wordnet = wordnet_source()
    labels = wordnet.labels()  # type: ignore[attr-defined]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "glosses.txt"
        path.write_text("\n".join(row.gloss for row in wordnet.synsets()) * 20)  # type: ignore[attr-defined]
        size = path.stat().st_size / 1e6

        def read() -> None:
            with path.open("rb") as file:
                while file.read(1 << 20):
                    pass

        plain = seconds(read)
        speeds = {}
        for workers in (1, 2):
            found = count_labels(path, labels, wordnet, workers=workers)  # type: ignore[arg-type]
            speeds[workers] = size / found.seconds
        click.echo(
            f"counting {len(labels):,} labels in {size:.0f} MB: {speeds[1]:.1f} MB/s with one"
            f" process, {speeds[2]:.1f} MB/s with two ({speeds[2] / speeds[1]:.2f} times); a plain"
            f" read of the file (cached): {size / plain:,.0f} MB/s"
        )


def greedy_pairs(
    hierarchy: Hierarchy, train: list[str], candidates: list[str], size: int
) -> list[str]:
    """The plain way to a large structural ratio: pairs of unrelated siblings, furthest from the
    training classes first."""
    positions = hierarchy.positions(candidates)
    hops = dict(
        zip(
            candidates,
            hop_distances(hierarchy.adjacency, hierarchy.positions(train))[positions].tolist(),
            strict=True,
        )
    )
    pairs = set()
    own = set(candidates)
    for parent in {
        p
        for wnid in candidates
        for p in hierarchy.up.indices[
            hierarchy.up.indptr[hierarchy.index[wnid]] : hierarchy.up.indptr[
                hierarchy.index[wnid] + 1
            ]
        ]
    }:
        children = [
            hierarchy.wnids[c]
            for c in hierarchy.down.indices[
                hierarchy.down.indptr[parent] : hierarchy.down.indptr[parent + 1]
            ]
        ]
        pairs |= set(combinations(sorted(own.intersection(children)), 2))
    chosen: set[str] = set()
    blocked: set[str] = set()
    for pair in sorted(pairs, key=lambda pair: (-hops[pair[0]] - hops[pair[1]], pair)):
        new = set(pair) - chosen
        related = pair[1] in hierarchy.ancestors(pair[0]) | hierarchy.descendants(pair[0])
        if new and not related and not new & blocked and len(chosen) + len(new) <= size:
            chosen |= new
            blocked |= {
                wnid
                for member in new
                for wnid in hierarchy.ancestors(member) | hierarchy.descendants(member)
            }
    return sorted(chosen)


def _time(what: str, work: Callable[[], object]) -> None:
    click.echo(f"{what}: {seconds(work):.2f} s")
