"""The facts of the real thing: WordNet 3.0, Fall 2011, ILSVRC 2012."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from graphzsl import splits
from graphzsl.data import Subgraph
from graphzsl.database import (
    Database,
    export_subgraph,
    library,
    load_class_set,
    members,
    query,
    read_hierarchy,
)
from graphzsl.database.hierarchy import closest_training_classes, hcorrect_sets
from graphzsl.hierarchy import hcorrect
from graphzsl.models.graph.propagation import ancestors_by_distance, random_walk
from graphzsl.sources.published import hierarchy_path, list_path


def test_sizes(full_database: Database) -> None:
    counts = {row["element"]: row["total"] for row in full_database.rows(query("graph_counts"))}
    assert counts["synsets"] == 82_115
    assert counts["hypernyms"] == 75_850
    assert counts["instance_hypernyms"] == 8_577
    assert counts["words"] == 119_034
    assert counts["labels"] == 146_347
    assert len(members(full_database, "imagenet-fall11")) == 21_841


@pytest.mark.thorough("all of WordNet, asked in two ways")
def test_rows_in_thousands_are_the_rows(full_database: Database) -> None:
    statement = query("noun_synsets")
    assert full_database.many_rows(statement) == full_database.rows(statement)


def test_class_lists_are_the_shipped_lists(full_database: Database) -> None:
    for name in ("ilsvrc2012", "imagenet-fall11"):
        assert members(full_database, name) == list_path(name).read_text().split()


def test_labels_carry_rank_sense_number_and_count(full_database: Database) -> None:
    rows = full_database.rows(query("synsets_of_word"), text="dog")
    assert [(row["sense_number"], row["sense_count"]) for row in rows] == [(1, 42)] + [
        (n, 0) for n in range(2, 8)
    ]
    words = full_database.rows(query("words_of_synset"), wnid="n02084071")
    assert [row["text"] for row in words] == ["dog", "domestic dog", "Canis familiaris"]
    for word in ("head", "queen"):
        assert (
            len(
                full_database.rows(query("classes_of_word"), text=word, class_set="imagenet-fall11")
            )
            == 9
        )


def test_hop_splits(full_database: Database) -> None:
    for hops, size in ((1, 1548), (2, 5990), (3, 9711)):
        rows = full_database.rows(
            query("hop_split", max_hops=hops), train="ilsvrc2012", universe="imagenet-fall11"
        )
        assert len(rows) == size
    assert len(members(full_database, "all")) == 20_842
    sides = {
        (r["above"], r["below"]): r["classes"]
        for r in full_database.rows(query("sides"), class_set="hops-1", train="ilsvrc2012")
    }
    assert sides == {(True, False): 556, (False, True): 992}


def test_hop_split_against_a_search_in_memory(full_database: Database) -> None:
    hops = read_hierarchy(full_database).hops_from(members(full_database, "ilsvrc2012"))
    rows = full_database.rows(
        query("hop_split", max_hops=4), train="ilsvrc2012", universe="imagenet-fall11"
    )
    universe = set(members(full_database, "imagenet-fall11"))
    expected = {w: away for w, away in hops.items() if w in universe and 0 < away <= 4}
    assert {row["wnid"]: row["hops"] for row in rows} == expected


def test_published_lists(full_database: Database) -> None:
    two = splits.diff(full_database, "2-hops", "published-2-hops")
    assert [(row["wnid"], row["only_in"]) for row in two] == [("n00015388", "published-2-hops")]
    path = list_path("published-2-hops")
    assert [row["only_in"] for row in splits.diff(full_database, "hops-1", path)] == [path.name]
    load_class_set(full_database, "published-2-hops")
    assert splits.diff(full_database, "hops-1", "published-2-hops") == two
    full_database.write((query("delete_class_set"), {"class_set": "published-2-hops"}))
    assert two[0]["hops"] == {"wordnet": 3, "release": 3}
    release = splits.hop_split(full_database, 2, hierarchy="release").store(full_database)
    assert len(release.wnids) == 7824
    three = Counter(
        row["only_in"] for row in splits.diff(full_database, release.name, "published-3-hops")
    )
    assert three == {"hops-2@release": 7, "published-3-hops": 43}
    published = set(list_path("published-3-hops").read_text().split())
    assert len(set(release.wnids) & published) == 7817
    full_database.write((query("delete_class_set"), {"class_set": release.name}))
    groups = splits.group_differences(splits.diff(full_database, "hops-2", "published-3-hops"))
    assert {(row["only_in"], row["reason"], row["classes"]) for row in groups} == {
        ("published-3-hops", "beyond 2 hops in wordnet, within 2 hops in release", 1835),
        ("published-3-hops", "beyond 2 hops in wordnet, beyond 2 hops in release", 43),
        ("hops-2", "within 2 hops in wordnet, within 2 hops in release", 7),
        ("hops-2", "within 2 hops in wordnet, beyond 2 hops in release", 1),
    }


def test_populations(full_database: Database) -> None:
    statistics = full_database.rows(query("class_set_statistics"), class_set="imagenet-fall11")[0]
    assert (statistics["with_population"], statistics["images"]) == (21_841, 14_197_114)


def test_closest_training_classes(full_database: Database) -> None:
    found = closest_training_classes(full_database, "ilsvrc2012", "imagenet-fall11")
    ties = [len(row.closest) for row in found]
    assert (len(found), round(float(np.mean(ties)), 2), max(ties)) == (20_842, 4.24, 38)
    near = [row for row in found if row.hops == 1]
    assert len(near) == 1548
    assert round(sum(len(row.closest) == 1 for row in near) / len(near), 3) == 0.856


def test_hcorrect_sets_of_the_1k(full_database: Database) -> None:
    found = list(hcorrect_sets(full_database, "ilsvrc2012", [1, 2, 5, 10, 20]))
    means = [np.mean([len(row.members) for row in found if row.k == k]) for k in (1, 2, 5, 10, 20)]
    assert [round(float(mean), 1) for mean in means] == [1.0, 4.5, 9.5, 18.0, 33.8]
    assert not any(row.exhausted for row in found)


def test_hcorrect_arrays_and_query_agree(full_database: Database) -> None:
    labels = members(full_database, "ilsvrc2012")[::50]
    valid = {"valid": "ilsvrc2012", "k": 5}
    for row in hcorrect_sets(full_database, "ilsvrc2012", [5], labels=labels):
        (found,) = full_database.rows(query("hcorrect_set"), wnid=row.wnid, **valid)
        assert (found["members"], found["names"]) == (row.members, row.member_names)
        assert (found["radius"], found["exhausted"]) == (row.radius, row.exhausted)


def test_antichain_and_dogs(full_database: Database) -> None:
    assert (
        full_database.rows(query("ancestor_pairs"), class_set="ilsvrc2012", above="ilsvrc2012")
        == []
    )
    below = {row["wnid"] for row in full_database.rows(query("descendants"), wnid="n02084071")}
    assert len(below & set(members(full_database, "ilsvrc2012"))) == 118


@pytest.mark.parametrize("name", [q.name for q in library().values() if q.folder == "checks"])
def test_the_real_graph_is_healthy(full_database: Database, name: str) -> None:
    assert full_database.rows(query(name)) == []


def test_the_graph_of_the_dense_gcn_literature(full_database: Database) -> None:
    """32,324 nodes and 32,544 hypernym edges: the release's synsets, Fall 2011, the 1K, and their
    hypernyms upward."""
    lines = hierarchy_path().read_text().splitlines()[1:]
    nodes = {name for line in lines for name in line.split("\t") if name.startswith("n")}
    nodes |= set(members(full_database, "imagenet-fall11")) | set(
        members(full_database, "ilsvrc2012")
    )
    edges = [
        (row["child"], row["parent"])
        for row in full_database.rows(query("hierarchy_edges", hierarchy="hypernym"))
    ]
    parents: dict[str, list[str]] = {}
    for child, parent in edges:
        parents.setdefault(child, []).append(parent)
    release = {name for line in lines for name in line.split("\t")}
    frontier = [wnid for wnid in nodes if wnid not in release]
    while frontier:
        frontier = [p for wnid in frontier for p in parents.get(wnid, []) if p not in nodes]
        nodes |= set(frontier)
    inside = [(child, parent) for child, parent in edges if child in nodes and parent in nodes]
    assert (len(nodes), len(inside)) == (32_324, 32_544)
    assert 2 * len(inside) + len(nodes) == 97_412
    wnids = sorted(nodes)
    index = {wnid: position for position, wnid in enumerate(wnids)}
    edge_index = np.array(
        [[index[child], index[parent]] for child, parent in inside], dtype=np.int64
    ).T
    graph = Subgraph(wnids, [], [], [], edge_index, {}, {})
    assert random_walk(graph).nnz == 97_412
    assert [group.nnz for group in ancestors_by_distance(graph, 4)] == [
        32_324,
        32_544,
        32_629,
        30_750,
        71_835,
    ]
    assert ancestors_by_distance(graph, None)[0].nnz == 200_082


@pytest.fixture(scope="module")
def exported(full_database: Database, tmp_path_factory: pytest.TempPathFactory) -> Subgraph:
    folder = tmp_path_factory.mktemp("whole") / "wordnet"
    export_subgraph(full_database, ["ilsvrc2012", "imagenet-fall11", "hops-1"], folder, whole=True)
    return Subgraph.load(folder)


def test_the_exported_hierarchy_knows_what_the_database_knows(
    full_database: Database, exported: Subgraph
) -> None:
    whole = exported.hierarchy
    assert whole.whole
    assert (len(whole.wnids), exported.edge_index.shape[1]) == (82_115, 84_427)
    classes = exported.class_sets["ilsvrc2012"]
    ks = [2, 5, 10, 20]
    found: dict[int, dict[str, list[str]]] = {k: {} for k in ks}
    for row in hcorrect.hcorrect_sets(whole, classes, classes, ks):
        found[row.k][row.wnid] = row.members
    assert [
        round(float(np.mean([len(m) for m in found[k].values()])), 1) for k in (2, 5, 10, 20)
    ] == [
        4.5,
        9.5,
        18.0,
        33.8,
    ]
    for row in hcorrect_sets(full_database, "ilsvrc2012", [5], labels=classes[:40]):
        assert row.members == found[5][row.wnid]
    assert sum("n02084071" in whole.ancestors(wnid) for wnid in classes) == 118
    hops = whole.hops_from(classes)
    assert (
        sum(
            hops[wnid] == 1
            for wnid in exported.class_sets["imagenet-fall11"]
            if wnid not in set(classes)
        )
        == 1548
    )


def test_the_trimmed_hierarchy_of_ilsvrc(exported: Subgraph) -> None:
    whole = exported.hierarchy
    classes = exported.class_sets["ilsvrc2012"]
    trimmed, full = whole.heights_among(classes), whole.heights_among()
    assert (len(trimmed), max(trimmed.values()), max(full.values())) == (1860, 18, 19)
    assert sum(full[wnid] == 0 for wnid in classes) == 641
    pairs = {
        ("n02113624", "n02113799"): (1, 1),
        ("n04285008", "n03770679"): (2, 1),
        ("n02088364", "n02113624"): (5, 5),
        ("n02088364", "n02123045"): (6, 6),
        ("n02088364", "n03095699"): (16, 15),
    }
    for (one, other), expected in pairs.items():
        assert (
            whole.lca_height(one, other, full),
            whole.lca_height(one, other, trimmed),
        ) == expected
    assert whole.lca_height(classes[0], classes[0], full) == 0
