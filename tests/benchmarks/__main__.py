"""``make bench``: ratios against a named peer in the same run, on the full WordNet 3.0. No test asserts a time.

python -m tests.benchmarks [load] [searches] [gcn] [evaluation]
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import click
import neo4j
import numpy as np

from graphzsl.database.client import BATCH_ROWS, Database, batches, connect
from graphzsl.database.queries import query
from graphzsl.database.server import LocalServer
from graphzsl.settings import Settings, load_settings


@contextmanager
def fresh_server(heap: str = "2g") -> Iterator[tuple[Settings, Database]]:
    """An empty local server of the benchmark's own."""
    with tempfile.TemporaryDirectory() as home:
        base = load_settings()
        settings = replace(base, uri="", home=Path(home), bolt_port=19687, http_port=19787, heap=heap, java_home=None)
        with connect(settings) as database:
            yield settings, database
        LocalServer(settings).stop()


def seconds(work: Callable[[], object]) -> float:
    """Wall time of one call."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def line(what: str, ours: float, peer: str, theirs: float, note: str = "") -> None:
    """One result: our time, the peer's, and the ratio."""
    ratio = ours / theirs if ours > theirs else theirs / ours
    word = "times the peer's time" if ours > theirs else "times faster"
    click.echo(f"{what}: {ours:.3g} s; {peer}: {theirs:.3g} s; {ratio:.2f} {word}{note}")


def wordnet_source() -> object:
    from graphzsl.sources.wordnet import WordNet
    from graphzsl.sources.wordnet_files import wordnet_folder

    return WordNet(wordnet_folder(load_settings()))


def bench_load() -> None:
    """`load wordnet` against the bare driver sending the same rows in the same batches, each into an empty server."""
    from graphzsl.ingest import create_schema, load_wordnet, wordnet_steps

    steps = [
        (statement.text, parameter, list(rows)) for _, statement, parameter, rows in wordnet_steps(wordnet_source())
    ]  # type: ignore[arg-type]

    def bare(settings: Settings, database: Database) -> None:
        server = LocalServer(settings)
        state = server.state()
        assert state
        with neo4j.GraphDatabase.driver(state.bolt_uri, auth=("neo4j", server.password())) as driver:
            for text, parameter, rows in steps:
                for batch in batches(rows, BATCH_ROWS):
                    driver.execute_query(text, {parameter: batch}, database_="neo4j")

    def ours(settings: Settings, database: Database) -> None:
        load_wordnet(database, wordnet_source())  # type: ignore[arg-type]

    times: dict[str, list[float]] = {"ours": [], "bare": []}
    for _ in range(2):  # in turn, so that a slow minute of the machine hits both
        for name, work in (("bare", bare), ("ours", ours)):
            with fresh_server() as (settings, database):
                create_schema(database)
                times[name].append(seconds(lambda: work(settings, database)))  # noqa: B023
    line(
        "load wordnet, NLTK's parsing included (best of 2)",
        min(times["ours"]),
        "bare driver, parsed rows",
        min(times["bare"]),
    )


def bench_searches() -> None:
    """Splits, closest training classes and hCorrectSets on the full graph, against the same answer asked another way."""
    from graphzsl.hierarchy import closest_training_classes, hcorrect_sets, members, read_adjacency
    from graphzsl.hops import hop_distances
    from graphzsl.ingest import load_class_set, load_wordnet

    with fresh_server() as (_, database):
        load_wordnet(database, wordnet_source())  # type: ignore[arg-type]
        for name in ("ilsvrc2012", "imagenet-fall11"):
            load_class_set(database, name)
        both = {"train": "ilsvrc2012", "universe": "imagenet-fall11"}
        for hops in (1, 2, 3):
            statement = query("hop_split", max_hops=hops)
            database.rows(statement, **both)
            cypher = seconds(lambda: database.rows(statement, **both))  # noqa: B023
            adjacency = read_adjacency(database)
            sources = adjacency.positions(members(database, "ilsvrc2012"))
            memory = seconds(lambda: hop_distances(adjacency, sources))  # noqa: B023
            line(f"hop split, at most {hops}", cypher, "search on arrays, edges already read", memory)

        def by_level() -> None:
            reached, frontier = set(members(database, "ilsvrc2012")), members(database, "ilsvrc2012")
            while frontier:
                rows = database.rows_in_batches(query("neighbours"), frontier)
                found = {n for row in rows for n in row["neighbours"]} - reached
                reached |= found
                frontier = sorted(found)

        closest = seconds(lambda: closest_training_classes(database, "ilsvrc2012", "imagenet-fall11"))
        line(
            "closest training classes of 20,842 classes, all ties",
            closest,
            "level by level in Cypher, distances alone",
            seconds(by_level),
        )

        labels, ks = members(database, "imagenet-fall11"), [1, 2, 5, 10, 20]
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        ours = seconds(lambda: [None for _ in hcorrect_sets(database, "imagenet-fall11", ks)])
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20

        def rounds() -> None:
            for chunk in batches(labels[:1000], 500):
                sizes, short, radius = dict.fromkeys(chunk, 1), chunk, 0
                while short and radius < 12:
                    radius += 1
                    statement = query("hcorrect_round", max_hops=radius)
                    for row in database.rows(statement, wnids=short, valid="imagenet-fall11", radius=radius):
                        sizes[row["wnid"]] += len(row["members"])
                    short = [wnid for wnid in short if sizes[wnid] < 20]

        theirs = seconds(rounds) * len(labels) / 1000
        note = f" (client's peak {peak:.2f} GiB, {before / 2**20:.2f} before)"
        line(
            "hCorrectSets of 21,841 labels, k = 1, 2, 5, 10, 20",
            ours,
            "hcorrect_round on 1,000 labels, scaled",
            theirs,
            note,
        )


def literature_graph() -> object:
    """A graph of the dense GCN literature's size, from WordNet alone: Fall 2011, the 1K, and one ring of hyponyms."""
    from graphzsl.sources.imagenet import list_path, read_class_list
    from graphzsl.subgraph import Subgraph

    synsets = {row.wnid: row for row in wordnet_source().synsets()}  # type: ignore[attr-defined]
    chosen = {wnid for name in ("ilsvrc2012", "imagenet-fall11") for _, wnid in read_class_list(list_path(name))}
    frontier = set(chosen)
    while frontier:
        frontier = {p for wnid in frontier for p in synsets[wnid].hypernyms} - chosen
        chosen |= frontier
    for wnid, row in sorted(synsets.items()):
        if len(chosen) >= 32_324:
            break
        if wnid not in chosen and any(parent in chosen for parent in row.hypernyms):
            chosen.add(wnid)
    wnids = sorted(chosen)
    index = {wnid: position for position, wnid in enumerate(wnids)}
    edges = [(index[w], index[p]) for w in wnids for p in synsets[w].hypernyms if p in index]
    train = [wnid for _, wnid in read_class_list(list_path("ilsvrc2012"))]
    return Subgraph(wnids, [], [], [], np.array(edges, dtype=np.int64).T, {"ilsvrc2012": train}, {})


def bench_gcn() -> None:
    """A training step on what the loss can see, against the full-graph step of the same model (Â(XW), as published)."""
    import torch
    from torch.nn import functional

    from graphzsl.class_matrix import ClassMatrix, unit_rows
    from graphzsl.models import gcn
    from graphzsl.models.task import Task

    graph = literature_graph()
    random = np.random.default_rng(0)
    embeddings = ClassMatrix(graph.wnids, random.normal(size=(len(graph.wnids), 300)).astype(np.float32), {})  # type: ignore[attr-defined]
    train = graph.classes("ilsvrc2012")  # type: ignore[attr-defined]
    rows = ClassMatrix(train, random.normal(size=(len(train), 2049)).astype(np.float32), {})
    trainer = gcn.Trainer(Task(graph, embeddings, rows, train, train), gcn.Options())  # type: ignore[arg-type]
    part = trainer.field
    click.echo(
        f"GCN 300-2048-2049 on {len(graph.wnids):,} nodes (random inputs): the loss of 1,000 classes sees "  # type: ignore[attr-defined]
        f"{part.first.shape[0]:,} hidden and {len(part.inputs):,} input rows"
    )
    walk = gcn._csr(trainer.walk)
    x = torch.from_numpy(unit_rows(embeddings.rows(graph.wnids)).astype(np.float32))  # type: ignore[attr-defined]
    positions = torch.from_numpy(trainer.train_rows)
    first, second = trainer.model.first, trainer.model.second

    def full() -> None:
        trainer.optimizer.zero_grad()
        hidden = walk @ (functional.dropout(x, 0.5) @ first.weight.T) + first.bias
        hidden = functional.dropout(functional.leaky_relu(hidden, 0.2), 0.5)
        outputs = functional.normalize(walk @ (hidden @ second.weight.T) + second.bias)
        loss = ((outputs[positions] - trainer.y) ** 2).sum() / (2 * len(positions))
        loss.backward()
        trainer.optimizer.step()

    trainer.step()
    ours = min(seconds(trainer.step) for _ in range(5))
    line("GCN step, restricted", ours, "full-graph step", min(seconds(full) for _ in range(2)))


def bench_evaluation() -> None:
    """Scoring against the bare matrix product of the same blocks."""
    from graphzsl.class_matrix import ClassMatrix
    from graphzsl.evaluation import evaluate
    from graphzsl.features.samples import Samples
    from graphzsl.models.head import Head

    random = np.random.default_rng(0)
    samples, classes, dimensions = 5_000, 21_841, 2_048
    features = random.normal(size=(samples, dimensions)).astype(np.float32)
    rows = random.normal(size=(classes, dimensions + 1)).astype(np.float32)
    wnids = [f"n{number:08d}" for number in range(classes)]
    head = Head(ClassMatrix(wnids, rows, {}))
    data = Samples(features, [wnids[row] for row in random.integers(0, classes, samples)], {})

    def product() -> None:
        for start in range(0, samples, 1000):
            features[start : start + 1000] @ rows[:, :-1].T

    product()
    ours = seconds(lambda: evaluate(head, data))
    line(
        f"evaluation of {samples:,} samples x {classes:,} classes x {dimensions:,} dimensions",
        ours,
        "the matrix product",
        seconds(product),
    )


BENCHES = {"load": bench_load, "searches": bench_searches, "gcn": bench_gcn, "evaluation": bench_evaluation}

if __name__ == "__main__":
    for name in sys.argv[1:] or list(BENCHES):
        BENCHES[name]()
