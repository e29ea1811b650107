"""Loading and searching, against the bare driver and against Cypher alone."""

from __future__ import annotations

import resource
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import neo4j

from graphzsl.common import Settings, load_settings
from graphzsl.database import Database, LocalServer, connect, query
from graphzsl.database.client import BATCH_ROWS, batches
from graphzsl.database.library import Query
from tests.benchmarks.timing import line, seconds, wordnet_source


@contextmanager
def fresh_server(heap: str = "2g") -> Iterator[tuple[Settings, Database]]:
    """An empty local server of the benchmark's own."""
    with tempfile.TemporaryDirectory() as home:
        base = load_settings()
        settings = replace(
            base,
            uri="",
            home=Path(home),
            bolt_port=19687,
            http_port=19787,
            heap=heap,
            java_home=None,
        )
        with connect(settings) as database:
            yield settings, database
        LocalServer(settings).stop()


def bench_load() -> None:
    """`load wordnet`, by the importer and through the driver, against the bare driver sending the
    same rows in the same batches, each into an empty server."""
    from graphzsl.database import bulk_import
    from graphzsl.database.ingest import load_wordnet, wordnet_steps
    from graphzsl.database.schema import create_schema

    steps = [
        (statement.text, parameter, list(rows))
        for _, statement, parameter, rows in wordnet_steps(wordnet_source())
    ]  # type: ignore[arg-type]

    def bare(settings: Settings, database: Database) -> None:
        server = LocalServer(settings)
        state = server.state()
        assert state
        with neo4j.GraphDatabase.driver(
            state.bolt_uri, auth=("neo4j", server.password())
        ) as driver:
            for text, parameter, rows in steps:
                for batch in batches(rows, BATCH_ROWS):
                    driver.execute_query(text, {parameter: batch}, database_="neo4j")

    def ours(settings: Settings, database: Database) -> None:
        load_wordnet(database, wordnet_source())  # type: ignore[arg-type]

    def imported(settings: Settings, database: Database) -> None:
        bulk_import.load_wordnet(settings, wordnet_source())  # type: ignore[arg-type]

    times: dict[str, list[float]] = {"imported": [], "ours": [], "bare": []}
    for _ in range(2):  # in turn, so that a slow minute of the machine hits all
        for name, work in (("bare", bare), ("ours", ours), ("imported", imported)):
            with fresh_server() as (settings, database):
                if name == "bare":
                    create_schema(database)
                times[name].append(seconds(partial(work, settings, database)))
    for name, how in (("imported", "an empty server of ours"), ("ours", "a server by its address")):
        line(
            f"load wordnet into {how}, parsing included (best of 2)",
            min(times[name]),
            "bare driver, parsed rows",
            min(times["bare"]),
        )


def _bench_subgraph(database: Database) -> None:
    """`export subgraph` against the same rows as the driver gives them, one in a record."""
    from graphzsl.database import export_subgraph

    names = ["ilsvrc2012", "imagenet-fall11"]
    for whole, nodes in (
        (False, query("subgraph_nodes")),
        (True, query("noun_synsets")),
    ):
        given = {} if whole else {"class_sets": names}

        def bare(nodes: Query = nodes, given: dict[str, list[str]] = given) -> None:
            database.rows(nodes, **given)
            database.rows(query("hierarchy_edges"))

        with tempfile.TemporaryDirectory() as folder:
            export = partial(export_subgraph, database, names, Path(folder) / "graph", whole=whole)
            times = [(seconds(export), seconds(bare)) for _ in range(3)]
        line(
            f"export subgraph{' --whole' if whole else ''}, files and checksums included",
            min(ours for ours, _ in times),
            "its rows alone, one in a record",
            min(other for _, other in times),
        )


def bench_searches() -> None:
    """Splits, closest training classes and hCorrectSets on the full graph, against the same answer
    asked another way."""
    from graphzsl.database import load_class_set, members, read_hierarchy
    from graphzsl.database.hierarchy import closest_training_classes, hcorrect_sets
    from graphzsl.database.ingest import load_wordnet
    from graphzsl.database.searches import hcorrect_by_queries
    from graphzsl.hierarchy.search import hop_distances

    with fresh_server() as (_, database):
        load_wordnet(database, wordnet_source())  # type: ignore[arg-type]
        for name in ("ilsvrc2012", "imagenet-fall11"):
            load_class_set(database, name)
        _bench_subgraph(database)
        both = {"train": "ilsvrc2012", "universe": "imagenet-fall11"}
        for hops in (1, 2, 3):
            statement = query("hop_split", max_hops=hops)
            database.rows(statement, **both)
            cypher = seconds(partial(database.rows, statement, **both))
            nodes = read_hierarchy(database)
            adjacency, sources = nodes.adjacency, nodes.positions(members(database, "ilsvrc2012"))
            memory = seconds(partial(hop_distances, adjacency, sources))
            line(
                f"hop split, at most {hops}", cypher, "search on arrays, edges already read", memory
            )

        def by_level() -> None:
            reached, frontier = (
                set(members(database, "ilsvrc2012")),
                members(database, "ilsvrc2012"),
            )
            while frontier:
                rows = database.rows_in_batches(query("neighbours"), frontier)
                found = {n for row in rows for n in row["neighbours"]} - reached
                reached |= found
                frontier = sorted(found)

        closest = seconds(
            lambda: closest_training_classes(database, "ilsvrc2012", "imagenet-fall11")
        )
        line(
            "closest training classes of 20,842 classes, all ties",
            closest,
            "level by level in Cypher, distances alone",
            seconds(by_level),
        )

        ks = [1, 2, 5, 10, 20]
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        ours = seconds(lambda: [None for _ in hcorrect_sets(database, "imagenet-fall11", ks)])
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20

        theirs = seconds(
            lambda: [None for _ in hcorrect_by_queries(database, "imagenet-fall11", ks)]
        )
        note = f" (client's peak {peak:.2f} GiB, {before / 2**20:.2f} before)"
        line(
            "hCorrectSets of 21,841 labels, k = 1, 2, 5, 10, 20",
            ours,
            "neighbours in Cypher, level by level",
            theirs,
            note,
        )
