"""One statement answers for one class: its hCorrectSets, its closest training classes. Searches by
networkx decide."""

from __future__ import annotations

import networkx
import pytest

from graphzsl.database import Database, members, query, read_hierarchy
from graphzsl.database.class_sets import put_class_set
from graphzsl.database.hierarchy import closest_training_classes, hcorrect_sets
from graphzsl.database.paths import path_to_training
from graphzsl.hierarchy.search import hop_distances
from tests.mini import TRAIN, MiniWordNet


def _graph(mini: MiniWordNet, hierarchy: str) -> networkx.Graph:
    """The mini WordNet without directions, its instance edges only where the hierarchy has them."""
    graph = networkx.Graph()
    graph.add_nodes_from(row.wnid for row in mini.rows)
    for row in mini.rows:
        parents = row.hypernyms + (row.instance_hypernyms if hierarchy == "wordnet" else [])
        graph.add_edges_from((row.wnid, parent) for parent in parents)
    return graph


def _devise(
    graph: networkx.Graph, wnid: str, valid: set[str], k: int
) -> tuple[list[str], int, bool]:
    """(members in the order of their shells, last shell, short of k): DeViSE's appendix A.3, word
    by word."""
    away = networkx.single_source_shortest_path_length(graph, wnid)
    found: list[str] = []
    radius = 0
    while len(found) < k and radius <= max(away.values()):
        found += sorted(other for other, hops in away.items() if hops == radius and other in valid)
        radius += 1
    return found, radius - 1, len(found) < k


@pytest.mark.parametrize("hierarchy", ["wordnet", "hypernym"])
def test_hcorrect_set_is_the_definition(
    mini_database: Database, mini: MiniWordNet, hierarchy: str
) -> None:
    graph, valid, ks = _graph(mini, hierarchy), set(mini.universe()), [1, 2, 5, 10, 20, 60]
    name_of = {row.wnid: row.name for row in mini.rows}
    statement = query("hcorrect_set", hierarchy=hierarchy)
    searched = {
        (found.wnid, found.k): (found.members, found.radius, found.exhausted)
        for found in hcorrect_sets(mini_database, "universe", ks, hierarchy)
    }
    for wnid in sorted(valid):
        for k in ks:
            (row,) = mini_database.rows(statement, wnid=wnid, valid="universe", k=k)
            expected, radius, exhausted = _devise(graph, wnid, valid, k)
            assert (row["members"], row["radius"], row["exhausted"]) == (
                expected,
                radius,
                exhausted,
            )
            assert searched[wnid, k] == (expected, radius, exhausted), "in memory"
            assert row["names"] == [name_of[member] for member in expected]
            assert (row["size"], row["cut"]) == (len(expected), False)


def test_hcorrect_set_by_hand(mini_database: Database, mini: MiniWordNet) -> None:
    """poodle: itself; dog and its two kinds of poodle 1 edge away; beagle, corgi, mammal and
    domestic animal 2 edges."""
    poodle = {"wnid": mini["poodle"], "valid": "universe"}
    (two,), (five,) = (mini_database.rows(query("hcorrect_set"), **poodle, k=k) for k in (2, 5))
    shells = [
        ["poodle"],
        ["dog", "toy_poodle", "standard_poodle"],
        ["beagle", "corgi", "mammal", "domestic_animal"],
    ]
    whole = [wnid for shell in shells for wnid in sorted(mini.named(*shell))]
    assert (two["members"], two["radius"]) == (whole[:4], 1)
    assert (five["members"], five["radius"]) == (whole, 2)


def test_hcorrect_set_says_why_it_is_short(mini_database: Database, mini: MiniWordNet) -> None:
    put_class_set(mini_database, "two", mini.named("dog", "koko"), {"kind": "list"})
    dog = {"wnid": mini["dog"], "valid": "two", "k": 2}
    # dog – mammal – ape – koko, the last edge an instance's: 3 edges, and no way at all by
    # hypernyms alone
    found = {
        (hierarchy, max_hops): mini_database.rows(
            query("hcorrect_set", hierarchy=hierarchy, max_hops=max_hops), **dog
        )
        for hierarchy, max_hops in (("wordnet", 2), ("wordnet", 3), ("hypernym", 40))
    }
    assert [(key, row["size"], row["exhausted"], row["cut"]) for key, (row,) in found.items()] == [
        (("wordnet", 2), 1, False, True),
        (("wordnet", 3), 2, False, False),
        (("hypernym", 40), 1, True, False),
    ]
    assert mini_database.rows(query("hcorrect_set"), wnid=mini["cat"], valid="two", k=1) == [], (
        "not a valid label"
    )


@pytest.mark.parametrize("hierarchy", ["wordnet", "hypernym"])
def test_closest_training_classes_are_all_ties(
    mini_database: Database, mini: MiniWordNet, hierarchy: str
) -> None:
    graph, train = _graph(mini, hierarchy), mini.named(*TRAIN)
    name_of = {row.wnid: row.name for row in mini.rows}
    statement, ties = query("closest_training_classes", hierarchy=hierarchy), 0
    for row in mini.rows:
        away = networkx.single_source_shortest_path_length(graph, row.wnid)
        hops = min((away[wnid] for wnid in train if wnid in away), default=None)
        closest = (
            sorted(wnid for wnid in train if away.get(wnid) == hops) if hops is not None else []
        )
        expected = [
            {"wnid": wnid, "name": name_of[wnid], "hops": hops, "ties": len(closest)}
            for wnid in closest
        ]
        assert mini_database.rows(statement, wnid=row.wnid, train="train") == expected
        ties = max(ties, len(closest))
    assert ties > 1


def test_closest_training_classes_within_a_bound(
    mini_database: Database, mini: MiniWordNet
) -> None:
    """bird is 2 edges above vulture; no training class is nearer."""
    near, far = (query("closest_training_classes", max_hops=hops) for hops in (1, 2))
    assert mini_database.rows(near, wnid=mini["bird"], train="train") == []
    assert [row["wnid"] for row in mini_database.rows(far, wnid=mini["bird"], train="train")] == [
        mini["vulture"]
    ]


@pytest.mark.parametrize("hierarchy", ["wordnet", "release"])
@pytest.mark.thorough("all of WordNet, asked in two ways")
def test_one_class_at_a_time_is_the_whole_map(full_database: Database, hierarchy: str) -> None:
    """A sample of the real classes, the one with the most ties and the furthest with it, against
    the search in memory."""
    whole = closest_training_classes(full_database, "ilsvrc2012", "imagenet-fall11", hierarchy)
    by_distance = {row.hops: row for row in whole}
    most_ties = max(whole, key=lambda row: len(row.closest))
    assert len(most_ties.closest) > 30
    assert hierarchy == "release" or max(by_distance) == 13
    closest = query("closest_training_classes", hierarchy=hierarchy)
    for expected in [most_ties, *list(by_distance.values())[::3]]:
        rows = full_database.rows(closest, wnid=expected.wnid, train="ilsvrc2012")
        assert ([row["wnid"] for row in rows], {row["hops"] for row in rows}) == (
            expected.closest,
            {expected.hops},
        )
    ks = [1, 2, 10, 50]
    labels = [
        by_distance[max(by_distance)].wnid,
        most_ties.wnid,
        *members(full_database, "imagenet-fall11")[::8000],
    ]
    sets = hcorrect_sets(full_database, "imagenet-fall11", ks, hierarchy, labels)
    statement = query("hcorrect_set", hierarchy=hierarchy)
    for wnid in labels:
        for k in ks:
            (row,) = full_database.rows(statement, wnid=wnid, valid="imagenet-fall11", k=k)
            one = next(sets)
            assert (one.wnid, one.k, one.members, one.radius) == (
                wnid,
                k,
                row["members"],
                row["radius"],
            )
            assert not row["exhausted"]
            assert not row["cut"]


def test_the_default_bound_reaches_every_node(full_database: Database) -> None:
    """20 edges reach a training class from every class of Fall 2011 that the hierarchy holds: 13 is
    the longest way in either."""
    for hierarchy in ("wordnet", "release"):
        nodes = read_hierarchy(full_database, hierarchy)
        train, classes = (
            nodes.positions(wnid for wnid in members(full_database, name) if wnid in nodes.index)
            for name in ("ilsvrc2012", "imagenet-fall11")
        )
        assert len(classes) > 21_000
        hops = hop_distances(nodes.adjacency, train)
        assert hops[classes].min() >= 0
        assert hops[classes].max() <= 13


@pytest.mark.parametrize("hierarchy", ["wordnet", "hypernym"])
def test_paths_to_training_classes_are_the_shortest(
    mini_database: Database, mini: MiniWordNet, hierarchy: str
) -> None:
    """Of every synset: to all closest training classes by the query, to the first by the search;
    of several ways the first by wnids, by the query from the synset on."""
    graph, training = _graph(mini, hierarchy), set(mini.named(*TRAIN))
    name_of = {row.wnid: row.name for row in mini.rows}
    statement = query("hop_path", hierarchy=hierarchy, max_hops=12)
    several = 0
    for row in mini.rows:
        away = networkx.single_source_shortest_path_length(graph, row.wnid)
        hops = {t: away[t] for t in training - {row.wnid} if t in away}
        closest = sorted(t for t in hops if hops[t] == min(hops.values()))
        rows = mini_database.rows(statement, wnid=row.wnid, train="train")
        assert [(r["training_class"], r["training_name"], r["hops"]) for r in rows] == [
            (t, name_of[t], hops[t]) for t in closest
        ]
        for found in rows:
            ways = list(networkx.all_shortest_paths(graph, row.wnid, found["training_class"]))
            several += len(ways) > 1
            assert found["wnids"] == min(ways)
            assert found["names"] == [name_of[wnid] for wnid in found["wnids"]]
        path, as_close = path_to_training(mini_database, row.wnid, "train", hierarchy)
        ways = list(networkx.all_shortest_paths(graph, row.wnid, closest[0])) if closest else [[]]
        assert path == min(ways, key=lambda way: way[::-1])
        assert as_close == len(closest)
    assert several, "a choice between ways is among the cases"
