"""Growth of the time of each stage with the graph: at an eighth, a quarter, half and all of it."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path

import click
import numpy as np
import psutil

from graphzsl.database import LocalServer, export_subgraph, load_class_set, members
from graphzsl.database.hierarchy import closest_training_classes, hcorrect_sets
from graphzsl.database.ingest import load_wordnet
from graphzsl.sources import WordNet
from graphzsl.sources.imagenet import read_class_list
from graphzsl.sources.published import list_path
from graphzsl.sources.wordnet import SynsetRow
from graphzsl.splits import hop_split
from tests.benchmarks.cost import Cost, alone, cost
from tests.benchmarks.database import fresh_server
from tests.benchmarks.grown import Grown, plot, say_tables
from tests.benchmarks.timing import wordnet_source

PARTS = (8, 4, 2, 1)
PLOT = Path("runs/growth.svg")


class Part(WordNet):
    """Some synsets of WordNet, with all their ancestors."""

    def __init__(self, whole: WordNet, rows: list[SynsetRow]):
        super().__init__(whole.folder)
        self.rows = rows

    @property
    def sha256(self) -> str:
        return f"part of {len(self.rows)} synsets"

    def synsets(self):  # type: ignore[no-untyped-def]
        return iter(self.rows)


def parts(whole: WordNet) -> dict[int, Part]:
    """Divisor -> the first nodes of one random order of the leaves, each after its ancestors."""
    rows = {row.wnid: row for row in whole.synsets()}
    parents = {wnid: [*row.hypernyms, *row.instance_hypernyms] for wnid, row in rows.items()}
    order: dict[str, None] = {}

    def add(wnid: str) -> None:
        for parent in parents[wnid]:
            if parent not in order:
                add(parent)
        order[wnid] = None

    shuffled = sorted(rows)
    random.Random(0).shuffle(shuffled)
    for wnid in shuffled:
        if wnid not in order:
            add(wnid)
    return {
        part: Part(whole, [rows[wnid] for wnid in list(order)[: len(order) // part]])
        for part in PARTS
    }


def bench_growth() -> None:
    """Seconds of processors, client and server together, and memory of the client, for each stage
    on parts of WordNet; the exponent of their growth, and a plot."""
    grown = Grown("synsets", [])
    edges: list[int] = []
    for part, source in parts(wordnet_source()).items():  # type: ignore[arg-type]
        grown.sizes.append(len(source.rows))
        edges.append(sum(len(row.hypernyms) + len(row.instance_hypernyms) for row in source.rows))
        click.echo(f"1/{part}: {grown.sizes[-1]:,} synsets; load {os.getloadavg()}", err=True)
        grown.add(*alone(_stages, part))
    say_tables(grown, ("edges", edges))
    plot([grown], PLOT)


def _stages(part: int) -> tuple[dict[str, Cost], dict[str, float]]:
    """(stage -> its cost, what the server holds in MB)."""
    source = parts(wordnet_source())[part]  # type: ignore[arg-type]
    wnids = {row.wnid for row in source.rows}
    found: dict[str, Cost] = {}
    with fresh_server() as (settings, database):
        database.query("RETURN 1")
        state = LocalServer(settings).state()
        assert state
        server = [psutil.Process(state.pid)]
        found["`load wordnet` by address"] = cost(partial(load_wordnet, database, source), server)
        for name in ("ilsvrc2012", "imagenet-fall11"):
            path = settings.home / f"{name}.txt"
            chosen = [wnid for _, wnid in read_class_list(list_path(name)) if wnid in wnids]
            path.write_text("".join(f"{wnid}\n" for wnid in chosen))
            load_class_set(database, name, path)
        hop_split(database, 2)
        found["hop split, at most 2 edges"] = _best(partial(hop_split, database, 2), server)
        both = "ilsvrc2012", "imagenet-fall11"
        found["closest training classes"] = _best(
            partial(closest_training_classes, database, *both), server
        )
        found["hCorrectSets, k up to 20"] = _best(
            lambda: [None for _ in hcorrect_sets(database, both[1], [1, 2, 5, 10, 20])], server
        )
        folder = settings.home / "graph"
        found["`export subgraph --whole`"] = _best(
            lambda: export_subgraph(database, list(both), folder, whole=True), server
        )
        classes, train = members(database, both[1]), members(database, both[0])
        found |= _models(folder, classes, train)
        held = {
            "server, at the end": server[0].memory_info().rss / 1e6,
        }
    return found, held


def _models(folder: Path, classes: list[str], train: list[str]) -> dict[str, Cost]:
    """Evaluation of 5,000 samples, and a step of SGCN, on random numbers."""
    from graphzsl.audit.evaluate import evaluate
    from graphzsl.audit.evaluation_options import EvaluationOptions
    from graphzsl.data import ClassMatrix, Samples, Subgraph
    from graphzsl.models import Task, model_module
    from graphzsl.models.base.zero_shot_model import ZeroShotModel
    from graphzsl.models.graph import training
    from graphzsl.models.runs.predict import predict

    graph = Subgraph.load(folder)
    draw = np.random.default_rng(0)

    def matrix(wnids: list[str], columns: int) -> ClassMatrix:
        return ClassMatrix(wnids, draw.standard_normal((len(wnids), columns), dtype=np.float32), {})

    model = ZeroShotModel(matrix(classes, 2049))
    features = draw.standard_normal((5000, 2048), dtype=np.float32)
    samples = Samples(features, draw.choice(classes, 5000).tolist(), {})
    against = EvaluationOptions(hierarchy=graph.hierarchy)
    scored = _best(lambda: evaluate(predict(model, samples), against), (), 2)
    task = Task(graph, matrix(graph.wnids, 300), matrix(train, 2049), train, train)
    trainer = training.trainer("sgcn", task, model_module("sgcn").Options())
    trainer.step()
    return {
        "evaluation of 5,000 samples, with the hierarchy": scored,
        "an SGCN step, 300-2048-2049": _best(trainer.step, (), 3),
    }


def _best(
    work: Callable[[], object], others: Iterable[psutil.Process] = (), times: int = 2
) -> Cost:
    """The cheapest of several times, and the memory of the most expensive."""
    taken = [cost(work, others) for _ in range(times)]
    best = min(taken, key=lambda each: each.cpu)
    return replace(best, memory=max(each.memory for each in taken))
