"""A hierarchy in memory, against networkx and by hand."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import networkx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import graphzsl as gz
from graphzsl.analysis.structure.branches import branches_of, spread_of
from graphzsl.analysis.structure.leakage import leakage
from graphzsl.common import DataError
from graphzsl.common.errors import SplitError
from graphzsl.hierarchy import Hierarchy, structural_ratios
from graphzsl.hierarchy.distances import (
    Path,
    information_content,
    jiang_conrath,
    lca_height,
    lin,
    nearest_others,
)
from graphzsl.hierarchy.ratio import Ratios
from graphzsl.sources.imagenet import listed_classes
from tests.antichains import is_antichain
from tests.audit.kinds import evaluated
from tests.mini import MiniWordNet

#: {horse, monitor} → {zebra, laptop}: 2 edges to the training class, 4 to the other test class
#: (Hascoet et al. 2019, figure 7).
TOY = [
    ("equid", "thing"),
    ("screen", "thing"),
    ("horse", "equid"),
    ("zebra", "equid"),
    ("monitor", "screen"),
    ("laptop", "screen"),
]


@pytest.fixture(scope="module")
def hierarchy() -> Hierarchy:
    return Hierarchy.from_edges(MiniWordNet().edges())


@pytest.fixture(scope="module")
def graph() -> networkx.DiGraph:
    return networkx.DiGraph(MiniWordNet().edges())


def test_ancestors_levels_and_heights_are_networkx(
    hierarchy: Hierarchy, graph: networkx.DiGraph
) -> None:
    up = networkx.DiGraph(graph.reverse())
    for wnid in hierarchy.wnids:
        assert hierarchy.ancestors(wnid) == networkx.descendants(graph, wnid)
        assert hierarchy.descendants(wnid) == networkx.ancestors(graph, wnid)
    root = "n00001740"
    for wnid, position in hierarchy.index.items():
        ways = list(networkx.all_simple_paths(up, root, wnid)) if wnid != root else [[root]]
        assert hierarchy.max_depth[position] == max(map(len, ways)) - 1
        assert hierarchy.min_depth[position] == min(map(len, ways)) - 1
    leaves = [wnid for wnid in hierarchy.wnids if not hierarchy.descendants(wnid)]
    assert {hierarchy.heights[hierarchy.index[leaf]] for leaf in leaves} == {0}
    assert hierarchy.heights[hierarchy.index[root]] == hierarchy.max_depth.max()


@pytest.mark.parametrize(
    ("edges", "said"),
    [
        ([("a", "a")], r"edge 0: a is its own parent"),
        ([("a", "b"), ("b", "a"), ("a", "c")], r"edge 1: the edge closes a cycle \(\w > \w > \w\)"),
        ([("a", "b"), ("b", "c"), ("x", "y"), ("c", "a")], r"edge 3: .* a cycle \((\w > ){3}\w\)"),
    ],
)
def test_a_cycle_is_named(edges: list[tuple[str, str]], said: str) -> None:
    with pytest.raises(DataError, match=rf"^{said}.*\. Take .* out\.$") as error:
        Hierarchy.from_edges(edges)
    assert error.value.argument == "edges"


@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=14))
@settings(max_examples=300, deadline=None)
def test_cycles_are_those_of_networkx(numbers: list[tuple[int, int]]) -> None:
    """Loops, cycles of two and longer ones are refused, and nothing else; what is named is a cycle
    of these edges."""
    edges = [(f"n{child:08d}", f"n{parent:08d}") for child, parent in numbers]
    try:
        networkx.find_cycle(networkx.DiGraph(edges))
    except networkx.NetworkXNoCycle:
        assert Hierarchy.from_edges(edges).up.nnz == len({*edges})
        return
    with pytest.raises(DataError) as error:
        Hierarchy.from_edges(edges)
    said = str(error.value)
    last = edges[int(re.findall(r"^edge (\d+): ", said)[0])]
    way = re.findall(r"n\d{8}", said)
    if "its own parent" in said:
        assert last == (way[0], way[0])
        return
    steps = {(child, parent) for parent, child in pairwise(way)}
    assert steps <= {*edges}
    # of longer ones the first five are shown
    assert "…" in said or (way[0] == way[-1] and last in steps)


def test_the_ratio_of_a_split_is_the_mean_over_the_classes_that_have_one() -> None:
    """1/2, 2/2 and 6/2 have the mean 1.5; no ratio for a class at distance 0 to another, nor for
    one that nothing reaches."""
    train, test = np.array([1.0, 2, 6, 3, np.inf]), np.array([2.0, 2, 2, 0, 1])
    found = Ratios(["a", "b", "c", "d", "e"], train, test)
    assert found.ratio[:3].tolist() == [0.5, 1, 3]
    assert np.isnan(found.ratio[3:]).all()
    assert found.structural_ratio == pytest.approx(1.5)
    assert Ratios(["a"], np.array([1.0]), np.array([np.inf])).structural_ratio is None


def test_the_toy_example_has_a_ratio_of_one_half() -> None:
    toy = Hierarchy.from_edges(TOY)
    found = structural_ratios(toy, Path(toy), ["horse", "monitor"], ["zebra", "laptop"])
    assert found.train_distance.tolist() == [2, 2]
    assert found.test_distance.tolist() == [4, 4]
    assert found.structural_ratio == 0.5
    alone = structural_ratios(toy, Path(toy), ["horse"], ["zebra"])
    assert alone.structural_ratio is None


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_nearest_distances_are_those_of_all_pairs(data: st.DataObject) -> None:
    mini = MiniWordNet()
    hierarchy = Hierarchy.from_edges(mini.edges())
    wnids = data.draw(
        st.lists(st.sampled_from(hierarchy.wnids), min_size=2, max_size=9, unique=True)
    )
    targets, sources = hierarchy.positions(wnids), np.arange(len(hierarchy.wnids))
    graph = networkx.Graph(mini.edges())
    hops = dict(networkx.all_pairs_shortest_path_length(graph))
    own = [min((hops[a][b] for b in wnids if b != a), default=np.inf) for a in hierarchy.wnids]
    assert Path(hierarchy).nearest(sources, targets).tolist() == own
    assert nearest_others(hierarchy.adjacency, targets).tolist() == [
        own[p] for p in np.sort(targets)
    ]
    content = information_content(
        hierarchy, {wnid: number for number, wnid in enumerate(hierarchy.wnids)}
    )

    def through(a: str, b: str, value: object) -> float:
        common = (hierarchy.ancestors(a) | {a}) & (hierarchy.ancestors(b) | {b})
        return min(
            value(hierarchy.index[x], hierarchy.index[a], hierarchy.index[b]) for x in common
        )  # type: ignore[operator]

    for distance, value in (
        (lca_height(hierarchy), lambda x, a, b: float(hierarchy.heights[x])),
        (
            jiang_conrath(hierarchy, content),
            lambda x, a, b: max(content[a] + content[b] - 2 * content[x], 0.0),
        ),
        (
            lin(hierarchy, content),
            lambda x, a, b: (
                1 - 2 * content[x] / (content[a] + content[b]) if content[a] + content[b] else 0.0
            ),
        ),
    ):
        slow = [
            min((through(a, b, value) for b in wnids if b != a), default=np.inf)
            for a in hierarchy.wnids
        ]
        assert distance.nearest(sources, targets) == pytest.approx(slow)


def test_information_falls_towards_the_root(hierarchy: Hierarchy) -> None:
    content = information_content(hierarchy, {})
    rows, columns = hierarchy.up.nonzero()
    assert (content[rows] >= content[columns]).all()
    with pytest.raises(DataError, match="negative"):
        information_content(hierarchy, {hierarchy.wnids[3]: -5})


def test_pruning_keeps_classes_and_contracts_single_children() -> None:
    edges = [("b", "a"), ("c", "b"), ("d", "c"), ("e", "c"), ("f", "a"), ("x", "f"), ("y", "x")]
    hierarchy = Hierarchy.from_edges(edges, names={"b": "bird", "d": "dog", "y": "yak"})
    trimmed = hierarchy.trimmed({"d", "e", "x"})
    assert trimmed.wnids == ["a", "b", "c", "d", "e", "f", "x"]
    assert trimmed.names == {"b": "bird", "d": "dog"}
    pruned = hierarchy.pruned({"d", "e", "x"})
    # b and f had one child each; the root holds c and x together
    assert pruned.wnids == [
        "a",
        "c",
        "d",
        "e",
        "x",
    ]
    assert pruned.names == {"d": "dog"}
    assert pruned.ancestors("d") == {"a", "c"}
    assert hierarchy.pruned({"d", "e"}).wnids == ["c", "d", "e"]  # a root with one child goes too


def test_antichains(hierarchy: Hierarchy) -> None:
    mini = MiniWordNet()
    assert is_antichain(hierarchy, mini.named("poodle", "beagle", "cat"))
    assert not is_antichain(hierarchy, mini.named("dog", "beagle"))


def test_leakage_by_hand(hierarchy: Hierarchy) -> None:
    mini = MiniWordNet()
    found = leakage(
        hierarchy,
        mini.named("vulture", "horse"),
        mini.named("raptor", "pony", "zebra", "cat", "bird"),
    )
    assert (
        found.above_training,
        found.below_training,
        found.with_ancestor_inside,
        found.ancestor_pairs,
    ) == (
        2,
        1,
        1,
        1,
    )
    assert found.outcome_candidates == 2 / 5
    # raptor and bird share vulture; pony, zebra and cat share horse: two groups, so two right
    # guesses of five
    assert (found.one_closest, found.shared_closest, found.solvable) == (5, 5, 2 / 5)


def test_spread_counts_branches(hierarchy: Hierarchy) -> None:
    mini = MiniWordNet()
    leaves = [wnid for wnid in hierarchy.wnids if not hierarchy.descendants(wnid)]
    branches = branches_of(hierarchy, leaves, 0.2)
    assert all(
        len(hierarchy.descendants(branch) & set(leaves)) <= 0.2 * len(leaves)
        for found in branches.values()
        for branch in found
    )
    one, two = (
        spread_of(hierarchy, leaves, mini.named("tabby")),
        spread_of(hierarchy, leaves, mini.named("tabby", "laptop")),
    )
    assert one["effective_branches"] == pytest.approx(1)
    assert two["effective_branches"] == pytest.approx(2)
    assert spread_of(hierarchy, leaves, [])["branches"] == 0


@pytest.mark.parametrize("k", ["5", [5], 2.5, True, None, 0, -1])
def test_a_k_that_is_none(k: Any) -> None:
    with pytest.raises(SplitError, match="k must be a whole number of at least 1, not"):
        Hierarchy.load().hcorrect_set("dog.n.01", k=k)


@pytest.mark.parametrize(
    ("edges", "nodes", "said"),
    [
        ([("b", "a"), ("b",)], (), r"edge 1: an edge is .*, not \('b',\)"),
        ([("b", "a", "c")], (), "edge 0: an edge is a child and a parent, two texts"),
        ([("b", None)], (), "edge 0: an edge"),
        ([(1, 2)], (), "edge 0: an edge"),
        (["ab"], (), "edge 0: an edge is a child and a parent, two texts, not 'ab'"),
        ([("b",)] * 12, (), "And 2 more are wrong, of 12 edges"),
        ("ab", (), r"edges must be several \(child, parent\) pairs, not 'ab'"),
        (5, (), "edges must be several"),
        ([("b", "a")], [None], "node 0: a node is a text, not None"),
        ([("b", "a")], "xyz", "nodes must be several texts, not 'xyz'"),
        ([("b", "a")], 5, "nodes must be several texts, not 5"),
    ],
)
def test_what_is_no_edge(edges: Any, nodes: Any, said: str) -> None:
    with pytest.raises(DataError, match=said):
        Hierarchy.from_edges(edges, nodes)


@pytest.mark.parametrize("method", ["subtree", "trimmed", "pruned", "hops_from", "heights_among"])
def test_lists_of_classes_are_refused_with_all_that_is_wrong(method: str) -> None:
    wordnet = Hierarchy.load()
    given = ["dog.n.01", "dogg.n.01", "n02084071", "n02084017", *["n99999999"] * 10]
    with pytest.raises(DataError) as error:
        getattr(wordnet, method)(given)
    said = str(error.value)
    assert ", class 1: 'dogg.n.01' is not a node" in said
    assert ", class 3: n02084017 is not a node of the hierarchy. Did you mean n02084071" in said
    assert "And 2 more are wrong, of 14 classes." in said
    with pytest.raises(DataError, match=r"'dog\.n\.01' is neither a file nor an ImageNet list"):
        getattr(wordnet, method)("dog.n.01")


def test_lists_of_classes_may_repeat_one_and_have_names() -> None:
    wordnet = Hierarchy.load()
    assert wordnet.subtree(["dog.n.01", "n02084071"]) == wordnet.subtree(["n02084071"])
    assert len(wordnet.trimmed("ilsvrc2012").wnids) == len(
        wordnet.trimmed(listed_classes("ilsvrc2012")).wnids
    )
    assert wordnet.subtree([]) == set()


def test_frames_have_the_names_of_wordnet_beside_its_wnids() -> None:
    wordnet = Hierarchy.load()
    dog, toy_dog, canine = "n02084071", "n02085374", "n02083346"
    assert wordnet.closest("dog.n.01", train=[toy_dog, canine]).to_frame().to_dict("records") == [
        {
            **{"wnid": dog, "name": "dog.n.01", "hops": 1},
            **{"closest": closest, "closest_name": name},
        }
        for closest, name in ((canine, "canine.n.02"), (toy_dog, "toy_dog.n.01"))
    ]
    near = wordnet.hcorrect_set("dog.n.01", k=2, valid=[dog, toy_dog])
    assert near.to_frame().to_dict("records") == [
        {**{"wnid": dog, "name": "dog.n.01", "k": 2}, **{"member": member, "member_name": name}}
        for member, name in ((dog, "dog.n.01"), (toy_dog, "toy_dog.n.01"))
    ]
    split = gz.hop_split(wordnet, 1, train=[toy_dog], universe=[dog, canine])
    assert split.to_frame().to_dict("records") == [{"wnid": dog, "name": "dog.n.01"}]


def test_no_training_class_and_no_valid_label() -> None:
    wordnet = Hierarchy.load()
    with pytest.raises(DataError, match="train is empty; expected one class or more"):
        wordnet.closest("dog.n.01", train=[])
    with pytest.raises(DataError, match="valid is empty; expected one class or more"):
        wordnet.hcorrect_set("dog.n.01", k=1, valid=[])
    for argument in ("train", "valid", "candidates"):
        with pytest.raises(DataError, match=f"{argument} is empty"):
            evaluated(["dog"], ["dog"], **{argument: []})


def test_a_cycle_of_a_subgraph_is_named_when_it_becomes_a_hierarchy() -> None:
    ends = np.array([[0, 1], [1, 0]])
    graph = gz.Subgraph(["a", "b"], [], [], [], ends, {}, {})
    with pytest.raises(DataError, match=r"edge 1: the edge closes a cycle"):
        _ = graph.hierarchy
