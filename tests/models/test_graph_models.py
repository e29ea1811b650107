"""Graph models against the full graph and dense matrices."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch.nn import functional

from graphzsl.common import Compute, DataError, ModelError
from graphzsl.data import EMBEDDINGS, ClassMatrix, Samples, Subgraph
from graphzsl.data.class_matrix import unit_rows
from graphzsl.hierarchy.branches import hide_classes
from graphzsl.models import Task, model_module, training
from graphzsl.models.base.targets import centred_unit
from graphzsl.models.base.zero_shot_model import ZeroShotModel
from graphzsl.models.graph import dgp, gcn6, graph_exem, sgc, sgcn
from graphzsl.models.graph import training as graph_training
from graphzsl.models.graph.propagation import (
    Layer,
    Operator,
    ancestors_by_distance,
    random_walk,
    row_normalised,
    seen_rows,
    smoothed,
    symmetric,
)
from graphzsl.models.graph.training import Trainer, fit
from graphzsl.models.graph.training import trainer as trainer_of
from graphzsl.models.hybrid import exem
from graphzsl.models.training import mean_reciprocal_rank, validation_samples
from tests.mini import MiniWordNet

FAMILY = [
    pytest.param("sgcn", {"hidden": 16}, id="sgcn"),
    pytest.param("gcn6", {"widths": (10, 9, 8, 8, 6)}, id="gcn6"),
    pytest.param("dense-gcn", {"hidden": 16}, id="dense-gcn"),
    pytest.param("dgp", {"hidden": 16, "distances": 2}, id="dgp"),
]


def test_smoothing_is_powers_of_the_random_walk(task: Task) -> None:
    walk = random_walk(task.subgraph).toarray()
    assert walk.sum(axis=1) == pytest.approx(1)
    everything = task.semantics.rows(task.subgraph.wnids)
    order = [*task.candidates[::-1], *task.train[:2]]  # not in the order of the nodes
    rows = task.subgraph.positions(order)
    for powers in ([0, 1, 3], [0], [2]):
        expected = np.concatenate(
            [np.linalg.matrix_power(walk, power) @ everything for power in powers], axis=1
        )[rows]
        assert smoothed(task.subgraph, task.semantics, powers, order) == pytest.approx(
            expected, abs=1e-5
        )


def test_operators_are_those_of_the_papers(task: Task) -> None:
    import networkx

    graph = task.subgraph
    count = len(graph.wnids)
    a = np.eye(count)
    a[graph.edge_index[0], graph.edge_index[1]] = a[graph.edge_index[1], graph.edge_index[0]] = 1
    degrees = a.sum(axis=1)
    assert symmetric(graph).toarray() == pytest.approx(
        a / np.sqrt(np.outer(degrees, degrees)), abs=1e-6
    )
    assert random_walk(graph).toarray() == pytest.approx(a / degrees[:, None], abs=1e-6)
    up = networkx.DiGraph(graph.edge_index.T.tolist())
    up.add_nodes_from(range(count))
    groups = ancestors_by_distance(graph, 2)
    everything = ancestors_by_distance(graph, None)[0].toarray()
    for node in range(count):
        hops = networkx.single_source_shortest_path_length(up, node)
        assert set(np.flatnonzero(everything[node])) == set(hops)
        for distance, group in enumerate(groups):
            expected = {other for other, d in hops.items() if min(d, 2) == distance}
            assert set(np.flatnonzero(group.toarray()[node])) == expected
    sums = row_normalised(groups[2]).sum(axis=1)
    assert set(np.round(sums, 5).tolist()) == {
        0,
        1,
    }, "a node without a relative at a distance has an empty row"


def _full_graph(trainer: Trainer) -> torch.Tensor:
    """All outputs on the whole graph, with dense matrices and the published order of products,
    Â(XW)."""
    task, model = trainer.task, trainer.model
    x = torch.from_numpy(unit_rows(task.semantics.rows(task.subgraph.wnids)).astype(np.float32))
    for index, (layer, linear) in enumerate(zip(trainer.layers, model.linears, strict=True)):
        x = functional.linear(x, linear.weight, linear.bias if layer.bias == "before" else None)
        weights = torch.ones(len(layer.operators))
        if layer.attention:
            weights = torch.softmax(list(model.attention)[index], dim=0)
        dense = [torch.from_numpy(operator.toarray()) for operator in layer.operators]
        x = sum(weight * (operator @ x) for weight, operator in zip(weights, dense, strict=True))
        if layer.bias == "after":
            x = x + linear.bias
        if index < len(trainer.layers) - 1:
            x = functional.leaky_relu(x, 0.2)
    return functional.normalize(x)


@pytest.mark.parametrize(("name", "options"), FAMILY)
def test_restricted_training_is_full_graph_training(
    task: Task, name: str, options: dict[str, object]
) -> None:
    settings = model_module(name).Options(**options, epochs=20, dropout=0.0, lr=0.01)
    restricted, full = trainer_of(name, task, settings), trainer_of(name, task, settings)
    rows = torch.from_numpy(task.subgraph.positions(task.train))
    for _ in range(20):
        loss = restricted.step()
        full.optimizer.zero_grad()
        expected = ((_full_graph(full)[rows] - full.y) ** 2).sum() / (2 * len(rows))
        expected.backward()
        assert loss == pytest.approx(float(expected.detach()), abs=1e-5)
        for ours, theirs in zip(
            restricted.model.parameters(), full.model.parameters(), strict=True
        ):
            assert torch.allclose(ours.grad, theirs.grad, atol=1e-5), (
                "every gradient, attention included"
            )
        full.optimizer.step()
    model = restricted.zero_shot_model()
    outputs = _full_graph(full).detach().numpy()[task.subgraph.positions(task.candidates)]
    weights = model.classifiers.values[:, :-1]
    assert weights == pytest.approx(outputs, abs=1e-3)
    assert np.linalg.norm(weights, axis=1) == pytest.approx(1)


@pytest.mark.parametrize(("name", "options"), FAMILY)
def test_predicting_in_blocks_changes_nothing(
    task: Task, name: str, options: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = model_module(name).Options(**options, epochs=3)
    whole = fit(name, task, settings).classifiers.values
    monkeypatch.setattr(graph_training, "_PREDICT_ROWS", 7)
    assert fit(name, task, settings).classifiers.values == pytest.approx(whole, abs=1e-5)


def test_dgp_attends_to_distances(task: Task) -> None:
    trainer = trainer_of("dgp", task, dgp.Options(hidden=8, distances=2, lr=0.05))
    weights = [trainer.model.weights(index).detach().numpy() for index in (0, 1)]
    assert all(weight == pytest.approx([1 / 3] * 3) for weight in weights)
    for _ in range(20):
        trainer.step()
    after = [trainer.model.weights(index).detach().numpy() for index in (0, 1)]
    assert all(weight.sum() == pytest.approx(1) for weight in after)
    assert not np.allclose(after[0], after[1])


def test_half_precision_is_close(task: Task) -> None:
    options = sgcn.Options(hidden=32, epochs=10, dropout=0.0)
    whole = fit("sgcn", task, options).classifiers.values
    half = fit(
        "sgcn", replace(task, compute=Compute("cpu", "bfloat16")), options
    ).classifiers.values
    assert np.abs(whole - half).max() > 0, "it did compute in bfloat16"
    assert (whole * half).sum(axis=1).mean() > 0.95
    with pytest.raises(ModelError, match="precision is float32 or bfloat16"):
        Compute("cpu", "float16")
    if not torch.cuda.is_available():
        with pytest.raises(ModelError, match="Device 'cuda' cannot be used"):
            Compute("cuda")
    assert Compute("auto").torch_device in ("cpu", "cuda")


def test_a_gcn_resumed_is_the_gcn_not_interrupted(task: Task, tmp_path: Path) -> None:
    options = sgcn.Options(hidden=8, epochs=60, check_every=5)
    whole = fit("sgcn", task, options).classifiers.values
    checkpoint = tmp_path / "gcn.pt"

    class Stop(Exception):
        pass

    def stop(epoch: int, _: float) -> None:
        if epoch == 35:
            raise Stop

    with pytest.raises(Stop):
        trainer_of("sgcn", task, options, checkpoint).run(stop)
    resumed = trainer_of("sgcn", task, options, checkpoint)
    assert resumed.epoch == 35
    resumed.run()
    assert np.array_equal(resumed.zero_shot_model().classifiers.values, whole)
    with pytest.raises(ModelError, match="another value of: options"):
        trainer_of("sgcn", task, replace(options, hidden=9), checkpoint)
    checkpoint.write_bytes(b"no checkpoint")
    with pytest.raises(ModelError, match=r"gcn\.pt is not a checkpoint of graphzsl"):
        trainer_of("sgcn", task, options, checkpoint)


def _folds(task: Task, options: sgcn.Options, folder: Path | None = None) -> list[Trainer]:
    """A trainer for each of three folds, each with its own held-out classes."""
    trainers = []
    for fold in range(3):
        drawn = hide_classes(task.train, 0.3, fold)
        inner = task.with_lists(drawn.train, drawn.hidden)
        path = folder / f"{fold}.pt" if folder else None
        trainers.append(trainer_of("sgcn", inner, options, path, validation_samples(task, inner)))
    return trainers


@pytest.mark.parametrize(
    ("scores", "patience", "looks"),
    [
        (
            [0.1, 0.4, 0.3, 0.2, 0.9, 0.9],
            2,
            4,
        ),  # the best is the second look: two more are waited for
        ([0.1, 0.4, 0.4, 0.3, 0.9, 0.9], 2, 4),  # an equal score is not a better one
        ([0.1, 0.4, 0.3, 0.5, 0.2, 0.1], 2, 6),  # a better one begins the waiting anew
        ([0.5, 0.4, 0.3, 0.2, 0.1, 0.0], 0, 6),  # no patience: to the end
        ([0.5, 0.4, 0.3, 0.2, 0.1, 0.0], 1, 2),
    ],
)
def test_early_stopping_waits_as_long_as_it_says(
    task: Task, scores: list[float], patience: int, looks: int
) -> None:
    options = sgcn.Options(hidden=4, epochs=28, check_every=5, patience=patience)
    first, *_ = _folds(task, options)
    (curve,) = graph_training.validation_curves(
        [first], lambda _head, _samples: scores[(first.epoch - 1) // 5]
    )
    assert list(curve) == [5, 10, 15, 20, 25, 28][:looks], "the last look is at the last epoch"
    assert list(curve.values()) == scores[:looks]
    assert first.epoch == list(curve)[-1]


def test_folds_trained_side_by_side_are_folds_trained_alone(task: Task, tmp_path: Path) -> None:
    """Dropout is drawn by each run for itself; and a validation that is interrupted goes on to the
    same curves."""
    options = sgcn.Options(hidden=8, epochs=20, check_every=5, patience=0)
    together = graph_training.validation_curves(_folds(task, options), mean_reciprocal_rank)
    for alone, curve in zip(_folds(task, options), together, strict=True):
        assert graph_training.validation_curves([alone], mean_reciprocal_rank) == [curve]

    class Stop(Exception):
        pass

    asked = 0

    def stop(model: ZeroShotModel, samples: Samples) -> float:
        nonlocal asked
        asked += 1
        if asked == 6:  # the last fold's second look
            raise Stop
        return mean_reciprocal_rank(model, samples)

    with pytest.raises(Stop):
        graph_training.validation_curves(_folds(task, options, tmp_path), stop)
    resumed = _folds(task, options, tmp_path)
    assert [each.epoch for each in resumed] == [10, 10, 5]
    assert graph_training.validation_curves(resumed, mean_reciprocal_rank) == together


def test_graph_models_refuse_widths_that_are_none(task: Task) -> None:
    with pytest.raises(ModelError, match="widths are whole numbers, each above 0"):
        fit("gcn6", task, gcn6.Options(**{"widths": "8,x"}))


@pytest.mark.parametrize("name", ["sgcn", "dgp"])
def test_a_class_without_embedding_is_told_before_torch_is_imported(
    task: Task, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Classes to predict count too, which training does not look at."""
    seen = set(task.semantics.wnids) - set(task.candidates[:1])
    few = ClassMatrix(sorted(seen), task.semantics.rows(sorted(seen)), {"kind": EMBEDDINGS})
    monkeypatch.setitem(sys.modules, "graphzsl.models.graph.training", None)
    with pytest.raises(DataError, match=f"no class embeddings for {task.candidates[0]}"):
        training.train(name, replace(task, semantics=few))


def test_sgc_is_ridge_on_smoothed_embeddings(task: Task) -> None:
    walk = np.linalg.matrix_power(random_walk(task.subgraph).toarray(), 3)
    everything = walk @ task.semantics.rows(task.subgraph.wnids)
    train, candidates = (
        everything[task.subgraph.positions(part)].astype(np.float32)
        for part in (task.train, task.candidates)
    )
    x, x_candidates = centred_unit(train, train).astype(np.float64), centred_unit(candidates, train)
    centred = task.rows.rows(task.train)[:, :-1]
    targets = unit_rows(centred - centred.mean(axis=0))
    map_ = np.linalg.inv(x.T @ x + 0.5 * np.eye(x.shape[1])) @ x.T @ targets
    found = sgc.fit(task, sgc.Options(ridge=0.5, steps=3)).classifiers.values[:, :-1]
    assert found == pytest.approx(unit_rows(x_candidates @ map_), abs=1e-4)


def test_a_subgraph_is_torch_geometrics_data(task: Task) -> None:
    data = task.subgraph.to_data()
    assert data.num_nodes == len(task.subgraph.wnids)
    assert data.wnid == task.subgraph.wnids
    named = {(data.wnid[child], data.wnid[parent]) for child, parent in data.edge_index.T.tolist()}
    assert named == {edge[:2] for edge in MiniWordNet().edges()}
    assert not data.has_self_loops()
    assert data.validate()


def test_gcn6_is_a_network_of_gcn_convolutions(task: Task) -> None:
    """torch-geometric's own GCNConv with the same weights: the same outputs, the same gradients."""
    from torch_geometric.nn import GCNConv
    from torch_geometric.utils import to_undirected

    run = trainer_of("gcn6", task, gcn6.Options(widths=(6, 5), dropout=0.0))
    sizes = [run.x.shape[1], 6, 5, run.y.shape[1]]
    convolutions = [GCNConv(a, b, bias=False) for a, b in itertools.pairwise(sizes)]
    for ours, theirs in zip(run.model.linears, convolutions, strict=True):
        theirs.lin.weight.data.copy_(ours.weight.data)
    data = task.subgraph.to_data()
    edges = to_undirected(data.edge_index)
    x = torch.from_numpy(unit_rows(task.semantics.rows(data.wnid)))
    for number, convolution in enumerate(convolutions):
        x = convolution(x, edges)
        x = functional.leaky_relu(x, 0.2) if number < 2 else functional.normalize(x)
    loss = ((x[task.subgraph.positions(task.train)] - run.y) ** 2).sum() / (2 * len(task.train))
    loss.backward()
    candidates = x.detach().numpy()[task.subgraph.positions(task.candidates)]
    assert predicted(run, task.candidates) == pytest.approx(candidates, abs=1e-5)
    assert run.step() == pytest.approx(float(loss.detach()), abs=1e-6)
    for ours, theirs in zip(run.model.linears, convolutions, strict=True):
        assert torch.allclose(ours.weight.grad, theirs.lin.weight.grad, atol=1e-6)


def test_sgcn_is_a_network_of_mean_convolutions(task: Task) -> None:
    """GCNConv with weights 1 / degree in place of its own normalisation: Â = D⁻¹(A + I)."""
    from torch_geometric.nn import GCNConv
    from torch_geometric.utils import add_self_loops, degree, to_undirected

    run = trainer_of("sgcn", task, sgcn.Options(hidden=6, dropout=0.0))
    sizes = [run.x.shape[1], 6, run.y.shape[1]]
    convolutions = [GCNConv(a, b, normalize=False) for a, b in itertools.pairwise(sizes)]
    random = torch.Generator().manual_seed(4)
    for ours, theirs in zip(run.model.linears, convolutions, strict=True):
        ours.bias.data.copy_(torch.randn(ours.bias.shape, generator=random))
        theirs.lin.weight.data.copy_(ours.weight.data)
        theirs.bias.data.copy_(ours.bias.data)
    data = task.subgraph.to_data()
    edges, _ = add_self_loops(to_undirected(data.edge_index), num_nodes=data.num_nodes)
    weights = 1 / degree(edges[1], data.num_nodes)[edges[1]]
    x = torch.from_numpy(unit_rows(task.semantics.rows(data.wnid)))
    x = functional.leaky_relu(convolutions[0](x, edges, weights), 0.2)
    x = functional.normalize(convolutions[1](x, edges, weights))
    ((x[task.subgraph.positions(task.train)] - run.y) ** 2).sum().div(
        2 * len(task.train)
    ).backward()
    candidates = x.detach().numpy()[task.subgraph.positions(task.candidates)]
    assert predicted(run, task.candidates) == pytest.approx(candidates, abs=1e-5)
    run.step()
    for ours, theirs in zip(run.model.linears, convolutions, strict=True):
        assert torch.allclose(ours.weight.grad, theirs.lin.weight.grad, atol=1e-6)
        assert torch.allclose(ours.bias.grad, theirs.bias.grad, atol=1e-6)


def test_operators_are_torch_geometrics_normalisations(task: Task) -> None:
    """gcn_norm, and the mean over a node and its neighbours."""
    from torch_geometric.nn import SimpleConv
    from torch_geometric.nn.conv.gcn_conv import gcn_norm
    from torch_geometric.utils import to_dense_adj, to_undirected

    data = task.subgraph.to_data()
    edges = to_undirected(data.edge_index)
    normalised, weights = gcn_norm(edges, num_nodes=data.num_nodes)
    expected = to_dense_adj(normalised, edge_attr=weights)[0]
    assert symmetric(task.subgraph).toarray() == pytest.approx(expected.numpy(), abs=1e-6)
    mean = SimpleConv("mean", combine_root="self_loop")(torch.eye(data.num_nodes), edges)
    assert random_walk(task.subgraph).toarray() == pytest.approx(mean.numpy(), abs=1e-6)


@pytest.mark.parametrize("operator", [random_walk, symmetric])
def test_seen_rows_are_torch_geometrics_k_hop_subgraphs(
    task: Task, operator: Callable[[Subgraph], Operator]
) -> None:
    from torch_geometric.utils import k_hop_subgraph, to_undirected

    graph = task.subgraph
    outputs = np.sort(graph.positions(task.train[:2]))
    levels = seen_rows([Layer((operator(graph),), 1, 0.0)] * 6, outputs)
    assert len(levels[3]) < len(levels[0]) < len(graph.wnids)
    for hops, rows in enumerate(reversed(levels)):
        expected, *_ = k_hop_subgraph(
            torch.from_numpy(outputs),
            hops,
            to_undirected(torch.from_numpy(graph.edge_index)),
            num_nodes=len(graph.wnids),
        )
        assert rows.tolist() == expected.tolist()


@pytest.mark.parametrize(
    ("name", "options", "operator"),
    [
        ("gcn6", {"widths": (6, 5)}, symmetric),
        ("sgcn", {"hidden": 6}, random_walk),
    ],
    ids=["gcn6", "sgcn"],
)
def test_a_step_is_that_of_gcn_convolutions_on_the_k_hop_subgraph(
    task: Task, name: str, options: dict[str, object], operator: Callable[[Subgraph], Operator]
) -> None:
    """Weights are those of the whole graph: nodes at the border have fewer neighbours in the
    part."""
    from torch_geometric.nn import GCNConv
    from torch_geometric.utils import from_scipy_sparse_matrix, k_hop_subgraph

    few = task.with_lists(task.train[:3], task.candidates)
    run = trainer_of(name, few, model_module(name).Options(**options, dropout=0.0))
    graph = task.subgraph
    edges, weights = from_scipy_sparse_matrix(operator(graph).T)
    nodes, edges, rows, kept = k_hop_subgraph(
        torch.from_numpy(graph.positions(few.train)),
        len(run.layers),
        edges,
        relabel_nodes=True,
        num_nodes=len(graph.wnids),
    )
    assert len(nodes) < len(graph.wnids)
    x = torch.from_numpy(unit_rows(task.semantics.rows([graph.wnids[node] for node in nodes])))
    convolutions = []
    for linear in run.model.linears:
        outputs, inputs = linear.weight.shape
        convolutions.append(GCNConv(inputs, outputs, bias=False, normalize=False))
        convolutions[-1].lin.weight.data.copy_(linear.weight.data)
        x = convolutions[-1](x, edges, weights[kept])
        last = len(convolutions) == len(run.layers)
        x = functional.normalize(x) if last else functional.leaky_relu(x, 0.2)
    loss = ((x[rows] - run.y) ** 2).sum() / (2 * len(rows))
    loss.backward()
    assert predicted(run, few.train) == pytest.approx(x[rows].detach().numpy(), abs=1e-5)
    assert run.step() == pytest.approx(float(loss.detach()), abs=1e-6)
    for ours, theirs in zip(run.model.linears, convolutions, strict=True):
        assert torch.allclose(ours.weight.grad, theirs.lin.weight.grad, atol=1e-5)


def test_smoothing_is_torch_geometrics_sgconv(task: Task) -> None:
    """SGConv smooths with S = D^-½ (A + I) D^-½, and the random walk is D^-½ S D^½: Âᴷ E = D^-½ Sᴷ
    (D^½ E)."""
    from torch_geometric.nn import SGConv
    from torch_geometric.utils import degree, to_undirected

    data = task.subgraph.to_data()
    edges = to_undirected(data.edge_index)
    root = (degree(edges[1], data.num_nodes) + 1).sqrt()[:, None]
    e = torch.from_numpy(task.semantics.rows(data.wnid))
    for power in (1, 2, 3):
        convolution = SGConv(e.shape[1], e.shape[1], K=power, bias=False)
        convolution.lin.weight.data.copy_(torch.eye(e.shape[1]))
        expected = (
            (convolution(root * e, edges) / root)
            .detach()
            .numpy()[task.subgraph.positions(task.candidates)]
        )
        found = smoothed(task.subgraph, task.semantics, [power], task.candidates)
        assert found == pytest.approx(expected, abs=1e-5)


def predicted(run: Trainer, wnids: list[str]) -> np.ndarray:
    """[len(wnids), outputs] what the network of a run says of nodes, before a head is made of
    it."""
    positions = run.task.subgraph.positions(wnids)
    return graph_training.predict(run.model, run._embeddings, positions, 7, "cpu").numpy()


def test_layers_are_those_of_the_papers(task: Task) -> None:
    """(width, dropout of the inputs, has a bias) of every layer, from the papers' descriptions; 0
    for the outputs' width."""

    def said(name: str) -> list[tuple[int, float, bool]]:
        run = trainer_of(name, task, model_module(name).Options())
        has_bias = [linear.bias is not None for linear in run.model.linears]
        return [
            *[
                (each.width, each.dropout, bias)
                for each, bias in zip(run.layers, has_bias, strict=True)
            ][:-1],
            (0, run.layers[-1].dropout, has_bias[-1]),
        ]

    assert said("sgcn") == [(2048, 0.5, True), (0, 0.5, True)]
    assert said("dgp") == said("dense-gcn") == said("sgcn")
    # Dropout on the inputs of the last two layers: the one of 512 units and the output.
    hidden = [(width, 0.0, False) for width in (2048, 2048, 1024, 1024)]
    assert said("gcn6") == [*hidden, (512, 0.5, False), (0, 0.5, False)]


def test_graph_exem_with_other_powers_is_another_answer(task: Task) -> None:
    """What one task keeps for the points of a grid is not taken for other inputs."""
    found = [
        graph_exem.fit(task, graph_exem.Options(powers=powers)).classifiers.values
        for powers in ((0, 1), (0, 1, 2))
    ]
    alone = graph_exem.fit(replace(task), graph_exem.Options(powers=(0, 1, 2))).classifiers.values
    assert found[1] == pytest.approx(alone, abs=1e-6)
    assert np.abs(found[0] - found[1]).max() > 1e-3


def test_graph_exem_is_exem_on_smoothed_embeddings(task: Task) -> None:
    walk = random_walk(task.subgraph).toarray()
    e = task.semantics.rows(task.subgraph.wnids)
    joined = np.concatenate([e, walk @ e, walk @ walk @ e], axis=1).astype(np.float32)
    other = replace(task, semantics=ClassMatrix(task.subgraph.wnids, joined, {}))
    options = graph_exem.Options()
    expected = exem.exemplar_model(
        other, options, other.examples.s, other.candidate_semantics, "by hand"
    )
    found = graph_exem.fit(task, options)
    kept = [column for column in range(found.classifiers.values.shape[1]) if column != 7]
    assert found.classifiers.values[:, kept] == pytest.approx(
        expected.classifiers.values[:, kept], abs=1e-4
    ), "but for the images' bias, which comes from a class's own embedding"


def test_a_network_leaves_nothing_in_the_temporary_folder(tmp_path: Path) -> None:
    text = (
        "from tests.problems import mini_task\n"
        "from graphzsl.models.graph import sgcn\n"
        "from graphzsl.models.graph.training import fit\n"
        "fit('sgcn', mini_task(), sgcn.Options(hidden=4, epochs=1))\n"
    )
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", text], env=environment, check=True)
    assert list(tmp_path.rglob("*.py")) == []
