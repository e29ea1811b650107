"""Class embeddings of the hierarchy alone, against Lin's similarity computed otherwise."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from graphzsl.cli import main
from graphzsl.common import DataError, manifest
from graphzsl.data import EMBEDDINGS, ClassMatrix, Subgraph, save_subgraph
from graphzsl.data.subgraph import KIND
from graphzsl.embeddings import embed_hierarchy
from graphzsl.embeddings.hierarchy import ancestor_vectors
from graphzsl.hierarchy.distances import information_content
from tests.problems import mini_subgraph
from tests.schemas import fits


def _tree() -> Subgraph:
    """0 over 1 and 2; 1 over 3 and 4; 2 over 5, 6 and 7."""
    child, parent = np.arange(1, 8), np.array([0, 0, 1, 1, 2, 2, 2])
    wnids = [f"n{number:08d}" for number in range(8)]
    blank: list[list[str]] = [[] for _ in wnids]
    return Subgraph(wnids, wnids, blank, [""] * 8, np.stack([child, parent]), {}, {})


def test_in_a_tree_the_product_is_the_information_of_the_common_ancestor() -> None:
    """IC by hand: node 1 has 3 of 8 nodes at or below it, node 2 has 4, a leaf 1, the root all."""
    content = -np.log(np.array([8, 3, 4, 1, 1, 1, 1, 1]) / 8)
    hierarchy = _tree().hierarchy
    assert information_content(hierarchy, {}) == pytest.approx(content)
    vectors = ancestor_vectors(hierarchy)
    products = (vectors @ vectors.T).toarray()
    above = {3: (3, 1, 0), 4: (4, 1, 0), 5: (5, 2, 0), 6: (6, 2, 0), 7: (7, 2, 0)}
    above |= {0: (0,), 1: (1, 0), 2: (2, 0)}
    for one, ones in above.items():
        for other, others in above.items():
            lowest = next(node for node in ones if node in others)
            expected = (1 + content[lowest]) / np.sqrt((1 + content[one]) * (1 + content[other]))
            assert products[one, other] == pytest.approx(expected), (one, other)


def test_all_dimensions_but_one_keep_the_products() -> None:
    graph = _tree()
    matrix, missing = embed_hierarchy(graph, 7)
    vectors = ancestor_vectors(graph.hierarchy)
    exact = (vectors @ vectors.T).toarray()
    assert (matrix.wnids, missing) == (graph.wnids, [])
    assert np.linalg.norm(matrix.values, axis=1) == pytest.approx(1, abs=1e-6)
    # what is lost is the smallest of the squares of the singular values, which sum to the nodes
    squares = np.linalg.eigvalsh(exact)
    assert matrix.metadata["kept"] == pytest.approx(1 - squares[0] / 8)
    fits(matrix.metadata, "class embeddings")
    near = matrix.values @ matrix.values.T
    assert np.abs(near - exact).max() < 2 * squares[0]
    with pytest.raises(DataError, match="must have fewer dimensions, not 8"):
        embed_hierarchy(graph, 8)


def test_like_is_beside_like_on_the_mini_wordnet() -> None:
    graph = mini_subgraph()
    one, _ = embed_hierarchy(graph, 20, seed=1)
    two, _ = embed_hierarchy(graph, 20, seed=1)
    other, _ = embed_hierarchy(graph, 20, seed=2)
    assert np.array_equal(one.values, two.values)
    products, others = (each.values @ each.values.T for each in (one, other))
    assert products == pytest.approx(others, abs=1e-3), "where it starts changes nothing"
    assert one.wnids == graph.wnids
    row = {
        graph.names[graph.index[wnid]].partition(".")[0]: one.rows([wnid])[0] for wnid in one.wnids
    }

    def near(a: str, b: str) -> float:
        return float(row[a] @ row[b])

    assert near("poodle", "beagle") > near("poodle", "tabby") > near("poodle", "laptop")
    # horse has both parents of dog, zebra one of them
    assert near("dog", "horse") > near("dog", "zebra")


def test_nodes_are_in_the_order_of_the_graph() -> None:
    graph = mini_subgraph()
    order = np.random.default_rng(0).permutation(len(graph.wnids))
    place = np.argsort(order)
    shuffled = replace(
        graph,
        wnids=[graph.wnids[at] for at in order],
        names=[graph.names[at] for at in order],
        words=[graph.words[at] for at in order],
        glosses=[graph.glosses[at] for at in order],
        edge_index=place[graph.edge_index],
    )
    matrix, _ = embed_hierarchy(shuffled, 20)
    assert matrix.wnids == shuffled.wnids
    assert np.array_equal(matrix.rows(graph.wnids), embed_hierarchy(graph, 20)[0].values)


def test_the_command_says_what_it_kept(tmp_path: Path) -> None:
    graph = mini_subgraph()
    save_subgraph(replace(graph, manifest=manifest(KIND)), tmp_path / "graph")
    command = ["semantics", "hierarchy", "--graph", str(tmp_path / "graph"), "--dimensions", "20"]
    done = CliRunner().invoke(main, [*command, "--out", str(tmp_path / "h.safetensors")])
    assert done.exit_code == 0, done.output
    expected, _ = embed_hierarchy(graph, 20)
    assert f"20 dimensions keep {expected.metadata['kept']:.1%}" in done.output
    read = ClassMatrix.load(tmp_path / "h.safetensors", EMBEDDINGS)
    assert np.array_equal(read.values, expected.values)
