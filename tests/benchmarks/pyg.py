"""Graph networks, smoothing, receptive fields and normalisation, beside torch-geometric's own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import click
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch_geometric.nn import GCNConv, SGConv
from torch_geometric.nn.conv.gcn_conv import gcn_norm
from torch_geometric.utils import from_scipy_sparse_matrix, k_hop_subgraph, to_undirected

from graphzsl.data import ClassMatrix
from graphzsl.models import Task, model_module
from graphzsl.models.graph.network import csr_tensor, predict
from graphzsl.models.graph.propagation import Layer, seen_rows, smoothed, symmetric
from graphzsl.models.graph.training import Trainer, trainer
from graphzsl.sources.imagenet import read_class_list
from graphzsl.sources.published import list_path
from tests.benchmarks.models import literature_graph
from tests.benchmarks.timing import line, seconds

#: What is compared takes turns, this many times; the shortest time of each counts.
ROUNDS = 3
SHORT_ROUNDS = 20  #: of what takes milliseconds


def bench_pyg() -> None:
    """Steps and predictions of SGCN and GCN-6 and what they are made of, against torch-geometric's
    GCNConv, SGConv, k_hop_subgraph and gcn_norm on the same graph."""
    graph = literature_graph()
    random = np.random.default_rng(0)
    embeddings = ClassMatrix(
        graph.wnids, random.normal(size=(len(graph.wnids), 300)).astype(np.float32), {}
    )
    train = graph.classes("ilsvrc2012")
    candidates = [wnid for _, wnid in read_class_list(list_path("imagenet-fall11"))]
    rows = ClassMatrix(train, random.normal(size=(len(train), 2049)).astype(np.float32), {})
    task = Task(graph, embeddings, rows, train, candidates)
    click.echo(
        f"{len(graph.wnids):,} nodes, {len(train):,} training classes, {len(candidates):,}"
        " candidates, random inputs, no dropout"
    )
    bench_parts(task)
    for name in ("sgcn", "gcn6"):
        bench_network(trainer(name, task, model_module(name).Options(dropout=0.0)))


def compare(
    what: str,
    ours: Callable[[], object],
    peers: dict[str, Callable[[], object]],
    rounds: int = ROUNDS,
) -> None:
    """One line for each peer."""
    works = [ours, *peers.values()]
    times = np.min([[seconds(work) for work in works] for _ in range(rounds)], axis=0)
    for peer, theirs in zip(peers, times[1:], strict=True):
        line(what, times[0], peer, theirs)


def bench_parts(task: Task) -> None:
    """Normalisation, receptive fields, smoothing and what is imported for it."""
    graph = task.subgraph
    edges = torch.from_numpy(graph.edge_index)
    both, count = to_undirected(edges), len(graph.wnids)
    compare(
        "D^-½ (A + I) D^-½ of the graph",
        lambda: symmetric(graph),
        {"gcn_norm": lambda: gcn_norm(to_undirected(edges), num_nodes=count)},
        SHORT_ROUNDS,
    )
    seeds = graph.positions(task.train)
    operator = symmetric(graph)
    layers = [Layer((operator,), 0, 0.0)] * 6

    def hop_by_hop() -> None:
        rows = torch.from_numpy(seeds)
        for _ in layers:
            rows = k_hop_subgraph(rows, 1, both, num_nodes=count)[0]

    compare(
        "rows that each of 6 layers sees",
        lambda: seen_rows(layers, seeds),
        {
            "k_hop_subgraph, hop by hop": hop_by_hop,
            "k_hop_subgraph, the inputs alone": lambda: k_hop_subgraph(
                torch.from_numpy(seeds), len(layers), both, num_nodes=count
            ),
        },
        SHORT_ROUNDS,
    )
    convolution = SGConv(task.semantics.values.shape[1], 1, K=2, bias=False)
    convolution.lin = nn.Identity()
    wnids = [*task.train, *task.candidates]

    @torch.no_grad()
    def convolved() -> Tensor:
        x = torch.from_numpy(task.semantics.rows(graph.wnids))
        return convolution(x, to_undirected(edges))[graph.positions(wnids)]  # type: ignore[no-any-return]

    compare(
        "Â² E of all classes, from the graph",
        lambda: smoothed(graph, task.semantics, (2,), wnids),
        {"SGConv": convolved},
        SHORT_ROUNDS,
    )
    compare(
        "import of scipy.sparse, in a process of its own",
        lambda: run("import scipy.sparse"),
        {"import of SGConv": lambda: run("from torch_geometric.nn import SGConv")},
    )


def run(text: str) -> None:
    """Run a line of Python."""
    subprocess.run([sys.executable, "-W", "ignore", "-c", text], check=True)


def bench_network(run: Trainer) -> None:
    """A step and a prediction against GCNConv with the same normalised weights, of edges and in a
    CSR matrix: on the whole graph, and on the k-hop subgraph of the training classes."""
    graph = run.task.subgraph
    operator = run.layers[0].operators[0]
    edges, weights = from_scipy_sparse_matrix(operator.T)
    seeds = torch.from_numpy(graph.positions(run.task.train))
    nodes, inner, where, kept = k_hop_subgraph(
        seeds, len(run.layers), edges, relabel_nodes=True, num_nodes=len(graph.wnids)
    )
    everything = run._embeddings(np.arange(len(graph.wnids)))
    near, cut = everything[nodes], csr_tensor(operator[nodes.numpy()][:, nodes.numpy()])
    levels = ", ".join(f"{len(level):,}" for level in run.field.rows)
    click.echo(
        f"{run.name}: the loss sees {levels} rows, inputs first; the subgraph has {len(nodes):,}"
    )
    compare(
        f"{run.name} step",
        run.step,
        {
            "GCNConv, k_hop_subgraph as CSR": GCN(run, near, where, cut).step,
            "GCNConv, k_hop_subgraph": GCN(run, near, where, inner, weights[kept]).step,
            "GCNConv, whole graph": GCN(run, everything, seeds, edges, weights).step,
        },
    )
    rows = graph.positions(run.task.candidates)
    fused = GCN(run, everything, torch.from_numpy(rows), csr_tensor(operator))
    whole = GCN(run, everything, torch.from_numpy(rows), edges, weights)
    compare(
        f"{run.name}, {len(rows):,} rows predicted",
        lambda: predict(run.model, lambda positions: everything[positions], rows, 4096, "cpu"),
        {
            "GCNConv, whole graph as CSR": torch.no_grad()(fused.outputs),
            "GCNConv, whole graph": torch.no_grad()(whole.outputs),
        },
    )


class GCN:
    """Layers of GCNConv with a trainer's weights, loss and optimiser; ``edges`` and ``weights`` are
    normalised, or ``edges`` is a CSR matrix."""

    def __init__(
        self, run: Trainer, x: Tensor, rows: Tensor, edges: Tensor, weights: Tensor | None = None
    ) -> None:
        self.x, self.rows, self.y, self.edges, self.weights = x, rows, run.y, edges, weights
        self.layers = nn.ModuleList()
        widths = [x.shape[1], *(layer.width for layer in run.layers)]
        for inputs, layer, linear in zip(widths, run.layers, run.model.linears, strict=False):
            bias = layer.bias != "none"
            convolution = GCNConv(inputs, layer.width, bias=bias, normalize=False)
            state = {"lin.weight": linear.weight} | ({"bias": linear.bias} if bias else {})
            convolution.load_state_dict(state)
            self.layers.append(convolution)
        self.optimizer = torch.optim.Adam(self.layers.parameters(), run.options.lr)

    def outputs(self) -> Tensor:
        """Unit rows of the rows that are asked for."""
        x = self.x
        for layer in self.layers:
            x = layer(x, self.edges, self.weights)
            x = x if layer is self.layers[-1] else functional.leaky_relu(x, 0.2)
        return functional.normalize(x[self.rows])

    def step(self) -> float:
        """One step of training; its loss."""
        self.optimizer.zero_grad()
        loss = ((self.outputs() - self.y) ** 2).sum() / (2 * len(self.y))
        loss.backward()  # type: ignore[no-untyped-call]
        self.optimizer.step()
        return float(loss.detach())
