"""Training steps, epochs and scoring, against full graphs, loops and the bare matrix product."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click
import numpy as np

from graphzsl.data import Subgraph
from graphzsl.models.graph.training import Trainer
from tests.benchmarks.timing import line, seconds, wordnet_source


def literature_graph() -> Subgraph:
    """A graph of the dense GCN literature's size, from WordNet alone: Fall 2011, the 1K, and one
    ring of hyponyms."""
    from graphzsl.sources.imagenet import read_class_list
    from graphzsl.sources.published import list_path

    synsets = {row.wnid: row for row in wordnet_source().synsets()}  # type: ignore[attr-defined]
    chosen = {
        wnid
        for name in ("ilsvrc2012", "imagenet-fall11")
        for _, wnid in read_class_list(list_path(name))
    }
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


def bench_graph() -> None:
    """Every graph model's step on what its loss can see, against its full-graph step in the
    published order of products, Â(XW)."""
    import torch

    from graphzsl.data import ClassMatrix
    from graphzsl.models import Task, model_module
    from graphzsl.models.graph import training as graph_training

    graph = literature_graph()
    random = np.random.default_rng(0)
    embeddings = ClassMatrix(
        graph.wnids, random.normal(size=(len(graph.wnids), 300)).astype(np.float32), {}
    )
    train = graph.classes("ilsvrc2012")
    rows = ClassMatrix(train, random.normal(size=(len(train), 2049)).astype(np.float32), {})
    task = Task(graph, embeddings, rows, train, train)
    for name in ("sgcn", "dgp", "dense-gcn", "gcn6"):
        torch.manual_seed(0)
        trainer = graph_training.trainer(name, task, model_module(name).Options())
        seen = ", ".join(f"{len(level):,}" for level in trainer.field.rows)
        click.echo(
            f"{name}: the loss of 1,000 classes sees {seen} rows of {len(graph.wnids):,}, inputs"
            " first (random inputs)"
        )
        trainer.step()
        ours = min(seconds(trainer.step) for _ in range(4))
        full = full_graph_step(trainer)
        full()
        line(f"{name} step, restricted", ours, "full-graph step", seconds(full))


def full_graph_step(trainer: Trainer) -> Callable[[], None]:
    """A step of the same model, optimiser and loss on all nodes, with torch's own dropout."""
    import torch
    from torch.nn import functional

    from graphzsl.models.graph.network import csr_tensor

    graph, model = trainer.task.subgraph, trainer.model
    x = trainer._embeddings(np.arange(len(graph.wnids)))
    operators = [[csr_tensor(operator) for operator in layer.operators] for layer in trainer.layers]
    positions = torch.from_numpy(graph.positions(trainer.task.train))

    def step() -> None:
        trainer.optimizer.zero_grad()
        h = x
        for index, (layer, linear) in enumerate(zip(trainer.layers, model.linears, strict=True)):
            h = functional.dropout(h, layer.dropout) if layer.dropout else h
            h = functional.linear(h, linear.weight, linear.bias if layer.bias == "before" else None)
            weights = model.weights(index)
            parts = [operator @ h for operator in operators[index]]
            h = (
                parts[0]
                if weights is None
                else sum(weight * part for weight, part in zip(weights, parts, strict=True))
            )
            h = h + linear.bias if layer.bias == "after" else h
            h = functional.leaky_relu(h, 0.2) if index < len(trainer.layers) - 1 else h
        loss = ((functional.normalize(h)[positions] - trainer.y) ** 2).sum() / (2 * len(positions))
        loss.backward()
        trainer.optimizer.step()

    return step


def bench_ranking() -> None:
    """An epoch of DeViSE, ALE and SJE against the same loss sample by sample: our code in batches
    of one, and plain numpy loops."""
    from graphzsl.data import ClassMatrix, Samples
    from graphzsl.models import Task
    from graphzsl.models.compatibility import ale, devise, sje

    random = np.random.default_rng(0)
    classes, samples, dimensions, semantic = 800, 8_000, 2_048, 300
    names = [f"c{number}" for number in range(classes)]
    semantics = ClassMatrix(names, random.normal(size=(classes, semantic)).astype(np.float32), {})
    features = random.normal(size=(samples, dimensions)).astype(np.float32)
    data = Samples(features, [names[row] for row in np.arange(samples) % classes], {})
    few = Samples(features[:classes], names, {})
    click.echo(
        f"{samples:,} samples x {dimensions:,} dimensions, {classes} classes x {semantic} (random);"
        f" loops on {classes} samples, scaled"
    )
    for module in (devise, ale, sje):
        name = module.__name__.rpartition(".")[2]

        def epoch(data: Samples, batch: int, module: Any = module) -> float:
            task = Task(None, semantics, None, names, names[:1], samples=data)
            _ = task.examples
            return seconds(lambda: module.fit(task, module.Options(epochs=1, batch=batch)))

        epoch(few, 512)
        ours = epoch(data, 512)
        line(
            f"{name} epoch, batches of 512",
            ours,
            "the same code, one sample per step",
            epoch(few, 1) * samples / classes,
        )
        for kind in ("classes at once", "class by class"):
            loop = loop_epoch(few.features[:40], np.arange(40), semantics.values, name, kind)
            line(
                f"{name} epoch, batches of 512",
                ours,
                f"numpy, sample by sample, {kind}",
                loop * samples / 40,
            )


def loop_epoch(x: np.ndarray, y: np.ndarray, s: np.ndarray, name: str, kind: str) -> float:
    """Seconds of plain gradient descent on the loss, one sample per step."""
    weight = np.zeros((x.shape[1], s.shape[1]), np.float32)

    def run() -> None:
        for sample, true in zip(x, y, strict=True):
            projected = sample @ weight
            if kind == "classes at once":
                terms = 0.3 + s @ projected - s[true] @ projected
            else:
                terms = np.array([0.3 + each @ projected - s[true] @ projected for each in s])
            terms[true] = 0
            found = np.flatnonzero(terms > 0)
            if not len(found):
                continue
            if name == "sje":
                found = found[[np.argmax(terms[found])]]
            share = (
                float((1 / np.arange(1, len(found) + 1)).sum() / len(found))
                if name == "ale"
                else 1.0
            )
            if kind == "classes at once":
                weight[:] -= (
                    0.001 * share * np.outer(sample, s[found].sum(axis=0) - len(found) * s[true])
                )
            else:
                for each in found:
                    weight[:] -= 0.001 * share * np.outer(sample, s[each] - s[true])

    return seconds(run)


def bench_ridge() -> None:
    """A whole grid from one decomposition for each side (kernel ridge: for each gamma), against a
    solution at every point."""
    from graphzsl.data import ClassMatrix, Samples
    from graphzsl.models import Task
    from graphzsl.models.base.ridge import Ridge
    from graphzsl.models.compatibility import eszsl
    from graphzsl.models.graph import graph_linear
    from graphzsl.models.hybrid import exem, exem_ridge

    random = np.random.default_rng(0)
    classes, samples, dimensions, semantic = 200, 4_000, 1_024, 300
    names = [f"c{number}" for number in range(classes + 50)]
    semantics = ClassMatrix(
        names, random.normal(size=(len(names), semantic)).astype(np.float32), {}
    )
    features = random.normal(size=(samples, dimensions)).astype(np.float32)
    data = Samples(features, [names[row] for row in np.arange(samples) % classes], {})
    task = Task(None, semantics, None, names[:classes], names[classes:], samples=data)
    x, s = task.examples.x.astype(np.float64), task.examples.s.astype(np.float64)
    y, candidates = task.examples.y, task.candidate_semantics

    def at_once() -> None:
        for point in eszsl.GRID:
            eszsl.fit(task, eszsl.Options(**point))

    def one_by_one() -> None:
        for point in eszsl.GRID:
            left = np.linalg.solve(x.T @ x + point["gamma"] * np.eye(dimensions), x.T @ s[y])
            candidates @ np.linalg.solve(s.T @ s + point["ridge"] * np.eye(semantic), left.T)

    ours = seconds(at_once)
    what = f"ESZSL, {len(eszsl.GRID)} points on {samples:,} x {dimensions:,} samples"
    line(what, ours, "np.linalg.solve at each point", seconds(one_by_one))

    inputs, targets = random.normal(size=(800, 1_152)), random.normal(size=(800, 1_280))

    def ridge_at_once() -> None:
        regression = Ridge(inputs, targets)
        for ridge in graph_linear.RIDGES:
            regression.predict(inputs[:200], ridge)

    def ridge_one_by_one() -> None:
        for ridge in graph_linear.RIDGES:
            inputs[:200] @ inputs.T @ np.linalg.solve(
                inputs @ inputs.T + ridge * np.eye(len(inputs)), targets
            )

    what = f"ridge, {len(graph_linear.RIDGES)} penalties on 800 x 1,152 inputs, 1,280 outputs"
    line(what, seconds(ridge_at_once), "np.linalg.solve for each", seconds(ridge_one_by_one))

    classes, candidates, components = 800, 200, 500
    names = [f"c{number}" for number in range(classes + candidates)]
    semantics = ClassMatrix(
        names, random.normal(size=(len(names), semantic)).astype(np.float32), {}
    )
    rows = ClassMatrix(names[:classes], random.normal(size=(classes, 1_281)).astype(np.float32), {})
    kernel_task = Task(None, semantics, rows, names[:classes], names[classes:])
    points = sorted({(point["gamma"], point["penalty"]) for point in exem_ridge.GRID})
    examples = kernel_task.examples
    means = (examples.class_means @ examples.principal_axes[:, :components]).astype(np.float64)
    means -= means.mean(axis=0)

    def kernel_at_once() -> None:
        for gamma, penalty in points:
            options = exem_ridge.Options(gamma=gamma, penalty=penalty)
            exem._predicted(
                kernel_task, means, examples.s, kernel_task.candidate_semantics, options
            )

    def kernel_one_by_one() -> None:
        squared = exem.relative_distances(examples.s, kernel_task.candidate_semantics)
        for gamma, penalty in points:
            kernel, across = (np.exp(-gamma * each) for each in squared)
            across @ np.linalg.solve(kernel + np.eye(classes) / penalty, means)

    gammas = len({gamma for gamma, _ in points})
    what = (
        f"kernel ridge, {gammas} gammas x {len(points) // gammas} penalties on {classes} classes,"
        f" {components} outputs"
    )
    line(what, seconds(kernel_at_once), "np.linalg.solve for each", seconds(kernel_one_by_one))


def bench_sse() -> None:
    """π of SSE with its gradients, as a weighted city-block distance, against min(x, v) written
    out."""
    import torch

    from graphzsl.models.hybrid import sse

    generator = torch.Generator().manual_seed(0)
    x = torch.rand(160, 1_280, generator=generator)
    v = torch.rand(800, 1_280, generator=generator).requires_grad_()
    w = torch.randn(1_280, generator=generator).requires_grad_()

    def written_out() -> torch.Tensor:
        return torch.cat([torch.minimum(block[:, None], v[None]) @ w for block in x.split(32)])

    def gradients(function: Callable[[], torch.Tensor]) -> tuple[torch.Tensor, ...]:
        return torch.autograd.grad((function() ** 2).sum(), (v, w))

    def ours() -> torch.Tensor:
        return sse.proportions(x, v, w, "intersection")

    gradients(ours)
    found, theirs = seconds(lambda: gradients(ours)), seconds(lambda: gradients(written_out))
    line(
        "SSE, 160 samples x 800 prototypes x 1,280 dimensions, with gradients",
        found,
        "min(x, v) written out",
        theirs,
    )


def bench_encoding() -> None:
    """Sentence embeddings of every twelfth synset, against the encoder called on all texts."""
    from sentence_transformers import SentenceTransformer

    from graphzsl.embeddings import embed_text
    from graphzsl.embeddings.text import MAXIMUM_TOKENS, node_text, packaged_encoder

    rows = list(wordnet_source().synsets())[::12]  # type: ignore[attr-defined]
    wnids, words = [row.wnid for row in rows], [list(row.words) for row in rows]
    graph = Subgraph(
        wnids, [], words, [row.gloss for row in rows], np.zeros((2, 0), np.int64), {}, {}
    )
    texts = [node_text(graph, position) for position in range(len(wnids))]
    encoder = SentenceTransformer(str(packaged_encoder()), device="cpu")
    encoder.max_seq_length = MAXIMUM_TOKENS

    def plain() -> None:
        encoder.encode(texts, batch_size=32, show_progress_bar=False)

    embed_text(graph, wnids[:64])
    times = [(seconds(lambda: embed_text(graph)), seconds(plain)) for _ in range(2)]
    line(
        f"sentence embeddings of {len(wnids):,} synsets, the encoder's loading included",
        min(ours for ours, _ in times),
        "its encode on all texts",
        min(other for _, other in times),
    )


def bench_evaluation() -> None:
    """Scoring with all metrics of scores and lists, and with those of the hierarchy, against the
    bare matrix product of the same blocks."""
    from graphzsl.audit.evaluate import evaluate
    from graphzsl.audit.evaluation_options import EvaluationOptions as Options
    from graphzsl.data import ClassMatrix, Samples
    from graphzsl.hierarchy import Hierarchy
    from graphzsl.models.base.zero_shot_model import ZeroShotModel
    from graphzsl.models.runs.predict import predict
    from graphzsl.sources.imagenet import read_class_list
    from graphzsl.sources.published import list_path

    random = np.random.default_rng(0)
    wnids = [wnid for _, wnid in read_class_list(list_path("imagenet-fall11"))]
    samples, classes, dimensions = 50_000, len(wnids), 2_048
    features = random.standard_normal((samples, dimensions), dtype=np.float32)
    rows = random.standard_normal((classes, dimensions + 1), dtype=np.float32)
    model = ZeroShotModel(ClassMatrix(wnids, rows, {}))
    data = Samples(features, [wnids[row] for row in random.integers(0, classes, samples)], {})
    hierarchy = Hierarchy.load()

    def product() -> None:
        for start in range(0, samples, 1000):
            features[start : start + 1000] @ rows[:, :-1].T

    features[:1000] @ rows[:, :-1].T
    theirs = [seconds(product)]
    scored: list[Any] = []
    scoring = seconds(lambda: scored.append(predict(model, data)))
    plain = seconds(lambda: evaluate(scored[0], Options()))
    whole = seconds(lambda: evaluate(scored[0], Options(hierarchy=hierarchy)))
    theirs.append(seconds(product))
    what = f"evaluation of {samples:,} samples x {classes:,} classes x {dimensions:,} dimensions"
    peer = sum(theirs) / 2
    line(what, scoring + plain, "the matrix product", peer)
    line(f"{what}, with the hierarchy", scoring + whole, "the matrix product", peer)
