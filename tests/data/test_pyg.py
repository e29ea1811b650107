"""A subgraph as torch-geometric's objects: what is in them, and what its transforms leave."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch_geometric.data import Batch
from torch_geometric.transforms import LargestConnectedComponents, ToUndirected

import graphzsl as gz
from graphzsl.common import DataError, manifest
from graphzsl.data import save_subgraph
from graphzsl.data.subgraph import KIND
from graphzsl.database import Database, export_subgraph
from tests.mini import TRAIN, MiniWordNet

#: Fewest edges up to the entity, counted in the tree of tests/mini.py.
DEPTHS = {"entity": 0, "dog": 5, "cat": 5, "horse": 5, "zebra": 6, "koko": 7, "machine": 3}


@pytest.fixture
def exported(mini_database: Database, tmp_path: Path) -> gz.Subgraph:
    """All of the mini WordNet with two class sets."""
    export_subgraph(mini_database, ["train", "universe"], tmp_path / "graph", whole=True)
    return gz.Subgraph.load(tmp_path / "graph")


@pytest.fixture
def diamond() -> gz.Subgraph:
    """d below b and c, both below a: as many edges as nodes; and e alone."""
    return gz.Subgraph(
        list("abcde"),
        list("ABCDE"),
        [["x", "y"], ["y"], [], ["z"], ["x"]],
        [""] * 5,
        np.array([[1, 2, 3, 3], [0, 0, 1, 2]]),
        {"one-two": ["d", "a", "elsewhere"], "one.three": ["e"]},
        manifest(KIND),
        [10, None, 0, 40, 50],
        [0, 1, 1, 2, 0],
        ["noun.Tops", "noun.act", "noun.act", "noun.time", "noun.food"],
        ["HYPERNYM", "INSTANCE_HYPERNYM", "HYPERNYM", "HYPERNYM"],
    )


def test_an_export_as_data(exported: gz.Subgraph, mini: MiniWordNet) -> None:
    random = np.random.default_rng(0)
    rows = {wnid: random.normal(size=3) for wnid in reversed(exported.wnids)}
    data = exported.to_data(gz.ClassMatrix.from_rows(rows))
    assert data.validate()
    assert data.x.dtype == torch.float32
    for wnid, row in zip(data.wnid, data.x, strict=True):
        assert row.tolist() == pytest.approx(rows[wnid], abs=1e-6)
    depths = dict(zip(data.wnid, data.depth.tolist(), strict=True))
    assert {name: depths[mini[name]] for name in DEPTHS} == DEPTHS
    images = dict(zip(data.wnid, data.population.tolist(), strict=True))
    assert {wnid: count for wnid, count in images.items() if count == count} == mini.populations
    assert images[mini["animal"]] == 0
    assert {exported.LEXNAMES[code] for code in data.lexname} == {"noun.Tops"}
    instances = {
        (data.wnid[child], data.wnid[parent])
        for child, parent in data.edge_index[:, data.edge_type == 1].T.tolist()
    }
    assert exported.EDGE_TYPES[1] == "INSTANCE_HYPERNYM"
    assert instances == {
        (mini["koko"], mini["ape"]),
        (mini["king_arthur"], mini["king"]),
    }
    for mask, members in (
        (data.mask_train, mini.named(*TRAIN)),
        (data.mask_universe, mini.universe()),
    ):
        inside = [wnid for wnid, each in zip(data.wnid, mask.tolist(), strict=True) if each]
        assert inside == sorted(members)


def test_an_export_as_hetero_data(exported: gz.Subgraph, mini: MiniWordNet) -> None:
    data = exported.to_hetero()
    assert data.validate()
    synsets, words = data["synset"].wnid.tolist(), data["word"].text.tolist()
    found = {}
    for name in ("hypernym", "instance_hypernym"):
        edges = data["synset", name, "synset"].edge_index.T.tolist()
        found[name] = {(synsets[child], synsets[parent]) for child, parent in edges}
    assert found == {
        "hypernym": {(row.wnid, above) for row in mini.rows for above in row.hypernyms},
        "instance_hypernym": {
            (row.wnid, above) for row in mini.rows for above in row.instance_hypernyms
        },
    }
    assert words == sorted({word for row in mini.rows for word in row.words})
    labels = data["has_label"]
    assert {
        (synsets[node], words[word], rank)
        for (node, word), rank in zip(
            labels.edge_index.T.tolist(), labels.rank.tolist(), strict=True
        )
    } == {(row.wnid, word, rank) for row in mini.rows for rank, word in enumerate(row.words, 1)}
    names = data["class_set"].name.tolist()
    members = {(synsets[node], names[number]) for node, number in data["in_set"].edge_index.T}
    assert members == {
        *((wnid, "train") for wnid in mini.named(*TRAIN)),
        *((wnid, "universe") for wnid in mini.universe()),
    }


def test_transforms_keep_attributes_with_their_nodes(diamond: gz.Subgraph) -> None:
    rows = {wnid: [number, 1] for number, wnid in enumerate(diamond.wnids)}
    data = diamond.to_data(gz.ClassMatrix.from_rows(rows))
    largest = LargestConnectedComponents()(data)
    assert (largest.num_nodes, largest.num_edges) == (4, 4)
    for part in (
        data.subgraph(torch.tensor([True, False, True, True, False])),
        largest,
        largest.subgraph(torch.tensor([0, 3])),
        ToUndirected()(data),
    ):
        assert part.validate()
        at = [diamond.wnids.index(wnid) for wnid in part.wnid]
        assert part.x[:, 0].tolist() == at
        assert part.depth.tolist() == [diamond.depths[node] for node in at]
        assert [diamond.LEXNAMES[code] for code in part.lexname] == [
            diamond.lexnames[node] for node in at
        ]
        images = [[10, math.nan, 0, 40, 50][node] for node in at]
        assert part.population.tolist() == pytest.approx(images, nan_ok=True)
        assert part.mask_one_two.tolist() == [node in (0, 3) for node in at]
        assert part.mask_one_three.tolist() == [node == 4 for node in at]
        # the one edge of instances is c -> a
        instances = part.edge_index[:, part.edge_type == 1].T.tolist()
        assert {part.wnid[node] for edge in instances for node in edge} <= {"a", "c"}
    batch = Batch.from_data_list([data, largest])
    assert batch.validate()
    assert batch.mask_one_two.tolist() == [
        True,
        False,
        False,
        True,
        False,
        True,
        False,
        False,
        True,
    ]
    assert [node for wnids in batch.wnid for node in wnids] == list("abcdeabcd")


def test_parts_of_hetero_data(diamond: gz.Subgraph) -> None:
    data = diamond.to_hetero()
    part = data.subgraph({"synset": data["synset"].mask_one_two, "word": torch.tensor([0, 2])})
    assert part.validate()
    assert (part["synset"].wnid.tolist(), part["word"].text.tolist()) == (["a", "d"], ["x", "z"])
    assert part["has_label"].edge_index.tolist() == [[0, 1], [0, 1]]
    assert ToUndirected()(data).validate()
    assert Batch.from_data_list([data, data])["word"].num_nodes == 6


def test_what_a_graph_does_not_know_is_left_out(diamond: gz.Subgraph, tmp_path: Path) -> None:
    blank = gz.Subgraph(diamond.wnids, [], [], [], diamond.edge_index, {}, {})
    assert set(blank.to_data().keys()) == {"edge_index", "num_nodes", "wnid"}
    data = blank.to_hetero()
    assert data.validate()
    assert data["synset", "edge", "synset"].edge_index.tolist() == diamond.edge_index.tolist()
    assert (data["word"].num_nodes, data["class_set"].num_nodes) == (0, 0)
    for graph in (diamond, replace(diamond, populations=[], depths=[], lexnames=[], edge_types=[])):
        folder = tmp_path / str(len(graph.depths))
        save_subgraph(graph, folder)
        loaded = gz.Subgraph.load(folder)
        for name in ("populations", "depths", "lexnames", "edge_types"):
            assert getattr(loaded, name) == getattr(graph, name)


def test_embeddings_are_those_of_every_node(diamond: gz.Subgraph, tmp_path: Path) -> None:
    some = gz.ClassMatrix.from_rows({"a": [1, 2], "c": [3, 4], "d": [5, 6]})
    with pytest.raises(DataError, match=r"no class embeddings for b and 1 more"):
        diamond.to_data(some)
    rows = np.arange(10, dtype=np.float64).reshape(5, 2)
    gz.ClassMatrix(list("abcde"), rows, {"kind": "class embeddings"}).save(
        tmp_path / "x.safetensors"
    )
    for data in (
        diamond.to_data(tmp_path / "x.safetensors"),
        diamond.to_hetero(str(tmp_path / "x.safetensors"))["synset"],
    ):
        assert data.x.tolist() == rows.tolist()
    gz.ClassMatrix(list("abcde"), rows, {"kind": "classifiers"}).save(tmp_path / "x.safetensors")
    with pytest.raises(DataError, match=r"x\.safetensors holds classifiers"):
        diamond.to_hetero(tmp_path / "x.safetensors")


def test_a_class_set_that_makes_no_mask_is_named(diamond: gz.Subgraph) -> None:
    with pytest.raises(DataError, match=r"'a\.b': another one has the mask 'mask_a_b', too"):
        replace(diamond, class_sets={"a-b": ["a"], "a.b": ["b"]}).to_data()
    for name in ("batch-2", "my index"):
        with pytest.raises(DataError, match=f"{name}.*for positions"):
            replace(diamond, class_sets={name: ["a"]}).to_hetero()


@pytest.mark.parametrize(
    ("column", "values", "message"),
    [
        ("edge_types", ["HYPERNYM"], "edge_types has 1 entries for 4 edges"),
        ("edge_types", ["HYPERNYM"] * 3 + ["EDGE"], "'EDGE' is not HYPERNYM or INSTANCE_HYPERNYM"),
        ("lexnames", ["noun.Tops"] * 4 + ["verb.body"], "lexnames: that of e is 'verb.body'"),
        ("depths", [0, 1, 1, None, 0], "depths: that of d is None"),
    ],
)
def test_columns_that_are_none(
    diamond: gz.Subgraph, column: str, values: list[object], message: str
) -> None:
    with pytest.raises(DataError, match=message):
        replace(diamond, **{column: values})  # type: ignore[arg-type]
