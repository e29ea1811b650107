"""Given the mini WordNet, expect these rows. The tree in tests/mini.py shows why."""

from __future__ import annotations

from typing import Any

import networkx
import pytest

from graphzsl import splits
from graphzsl.common import DatabaseError, DataError
from graphzsl.common.errors import SplitError
from graphzsl.database import (
    Database,
    delete_class_set,
    library,
    members,
    query,
    resolve_wnid,
    store_class_set,
)
from graphzsl.database.class_sets import put_class_set
from graphzsl.database.hierarchy import closest_training_classes, hcorrect_sets
from graphzsl.database.schema import create_later_indexes, create_schema
from tests.conftest import Command
from tests.mini import TRAIN, MiniWordNet


def _rows(
    database: Database, name: str, vary: dict[str, Any] | None = None, /, **parameters: Any
) -> list[dict[str, Any]]:
    return database.rows(query(name, **(vary or {})), **parameters)


@pytest.fixture
def graph(mini: MiniWordNet) -> networkx.Graph:
    return networkx.Graph(mini.edges())


def test_hop_split_is_a_breadth_first_search(
    mini_database: Database, mini: MiniWordNet, graph: networkx.Graph
) -> None:
    away = networkx.multi_source_dijkstra_path_length(graph, set(mini.named(*TRAIN)))
    for limit in (1, 2, 3):
        expected = {w: away[w] for w in mini.universe() if 0 < away[w] <= limit}
        rows = _rows(
            mini_database, "hop_split", {"max_hops": limit}, train="train", universe="universe"
        )
        assert {row["wnid"]: row["hops"] for row in rows} == expected
        assert rows == sorted(rows, key=lambda row: (row["hops"], row["wnid"]))


def test_one_hop_split_by_hand(mini_database: Database, mini: MiniWordNet) -> None:
    rows = _rows(mini_database, "hop_split", {"max_hops": 1}, train="train", universe="universe")
    by_hand = mini.named(
        "raptor", "poodle", "domestic_animal", "mammal", "pony", "machine", "tree", "car", "bee"
    )
    assert sorted(row["wnid"] for row in rows) == sorted(by_hand)


def test_instance_edges_count_only_in_their_hierarchy(
    mini_database: Database, mini: MiniWordNet
) -> None:
    koko, ape = mini.named("koko", "ape")
    assert _rows(mini_database, "ancestors", wnid=koko)[0] == {
        "wnid": ape,
        "name": "ape.n.01",
        "hops": 1,
    }
    assert _rows(mini_database, "ancestors", {"hierarchy": "hypernym"}, wnid=koko) == []


def test_ancestors_and_descendants_follow_both_parents(
    mini_database: Database, mini: MiniWordNet
) -> None:
    found = {
        row["wnid"]: row["hops"] for row in _rows(mini_database, "ancestors", wnid=mini["dog"])
    }
    expected = {
        "mammal": 1,
        "domestic_animal": 1,
        "chordate": 2,
        "animal": 2,
        "living_thing": 3,
        "object": 4,
        "entity": 5,
    }
    assert found == {mini[name]: hops for name, hops in expected.items()}
    below = {
        row["wnid"]: row["hops"] for row in _rows(mini_database, "descendants", wnid=mini["dog"])
    }
    assert below == {
        mini[name]: hops
        for name, hops in {
            "poodle": 1,
            "beagle": 1,
            "corgi": 1,
            "toy_poodle": 2,
            "standard_poodle": 2,
            "cardigan": 2,
        }.items()
    }


def test_lowest_common_ancestors_can_be_several(mini_database: Database, mini: MiniWordNet) -> None:
    rows = _rows(mini_database, "lowest_common_ancestors", wnid=mini["dog"], other_wnid=mini["cat"])
    assert {row["wnid"] for row in rows} == set(mini.named("mammal", "domestic_animal"))
    rows = _rows(
        mini_database, "lowest_common_ancestors", wnid=mini["poodle"], other_wnid=mini["dog"]
    )
    assert [(row["wnid"], row["hops"], row["other_hops"]) for row in rows] == [(mini["dog"], 1, 0)]


def test_homonyms(mini_database: Database, mini: MiniWordNet) -> None:
    rows = _rows(mini_database, "synsets_of_word", text="queen")
    names = ("queen", "queen_bee", "queen_regnant", "chess_queen")
    assert [(row["wnid"], row["sense_number"], row["sense_count"]) for row in rows] == [
        (mini[name], number, 10 - number) for number, name in enumerate(names, 1)
    ]
    assert [row["text"] for row in _rows(mini_database, "words_of_synset", wnid=mini["lorry"])] == [
        "lorry",
        "truck",
    ]
    assert len(_rows(mini_database, "classes_of_word", text="QUEEN", class_set="universe")) == 4


def test_unknown_population_is_absent_and_zero_is_zero(
    mini_database: Database, mini: MiniWordNet
) -> None:
    rows = {
        row["wnid"]: row["population"]
        for row in _rows(mini_database, "members", class_set="universe")
    }
    assert rows[mini["animal"]] == 0
    assert rows[mini["mammal"]] is None
    statistics = _rows(mini_database, "class_set_statistics", class_set="universe")[0]
    assert statistics["classes"] == len(mini.universe())
    assert statistics["with_population"] == len(set(mini.populations) & set(mini.universe()))


def test_a_class_that_is_not_there_is_no_member(mini_database: Database, mini: MiniWordNet) -> None:
    put_class_set(mini_database, "kept", mini.named("dog"), {"kind": "selection"})
    with pytest.raises(DataError, match=r"'kept' is not stored: .*n99999999"):
        store_class_set(mini_database, "kept", [mini["cat"], "n99999999"], {})
    assert members(mini_database, "kept") == [mini["dog"]], "what was there stays"


def test_class_set_algebra(mini_database: Database, mini: MiniWordNet) -> None:
    train, universe = set(mini.named(*TRAIN)), set(mini.universe())
    put_class_set(mini_database, "other", mini.named("dog", "entity"), {"kind": "list"})
    assert [
        r["wnid"] for r in _rows(mini_database, "difference", class_set="universe", without="train")
    ] == sorted(universe - train)
    assert [
        r["wnid"]
        for r in _rows(mini_database, "intersection", class_set="universe", other_class_set="other")
    ] == [mini["dog"]]
    assert {
        r["wnid"] for r in _rows(mini_database, "union", class_sets=["train", "other"])
    } == train | set(mini.named("dog", "entity"))
    assert members(mini_database, "train") == mini.named(*TRAIN), "the order of the list is kept"


def test_closest_training_classes_keep_all_ties(
    mini_database: Database, mini: MiniWordNet, graph: networkx.Graph
) -> None:
    train = mini.named(*TRAIN)
    away = {t: networkx.single_source_shortest_path_length(graph, t) for t in train}
    found = closest_training_classes(mini_database, "train", "universe")
    assert [row.wnid for row in found] == sorted(set(mini.universe()) - set(train))
    for row in found:
        distances = {t: away[t][row.wnid] for t in train}
        assert row.hops == min(distances.values())
        assert row.closest == sorted(t for t in train if distances[t] == row.hops)
    assert max(len(row.closest) for row in found) > 1


def test_hcorrect_sets_stop_when_the_shells_run_out(
    mini_database: Database, mini: MiniWordNet
) -> None:
    put_class_set(mini_database, "two", mini.named("dog", "koko"), {"kind": "list"})
    rows = list(hcorrect_sets(mini_database, "two", [1, 3]))
    assert [(len(row.members), row.exhausted) for row in rows] == [(1, False), (2, True)] * 2
    alone = list(hcorrect_sets(mini_database, "two", [2], hierarchy="hypernym"))
    assert [(row.members, row.exhausted) for row in alone] == [
        ([wnid], True) for wnid in mini.named("dog", "koko")
    ]
    with pytest.raises(SplitError, match="not a valid label"):
        list(hcorrect_sets(mini_database, "two", [1], labels=mini.named("cat")))
    with pytest.raises(SplitError, match="at least 1"):
        list(hcorrect_sets(mini_database, "two", [0]))


def test_a_split_that_replaces_another_says_so(run: Command) -> None:
    hops = ("split", "hops", "--train", "train", "--universe", "universe", "--name", "mine")
    for _ in range(2):
        assert "replaced" not in run(*hops, "--max-hops", "1").stderr, "the same split again"
    beyond = ("--train", "mine", "--universe", "universe", "--name", "beyond")
    run("split", "hops", *beyond, "--max-hops", "all")
    said = " ".join(run(*hops, "--max-hops", "2").stderr.split())
    assert "Another split of that name is replaced: split mine: " in said
    assert "max_hops 1" in said
    assert "Derived from it, and unchanged: beyond." in said


def test_splits_are_stored_checked_and_explained(
    mini_database: Database, mini: MiniWordNet
) -> None:
    split = splits.hop_split(
        mini_database, 2, train="train", universe="universe", name="mine"
    ).store(mini_database)
    stored = splits.load_split(mini_database, "mine")
    assert stored == split
    assert splits.check_split(mini_database, "mine") == []
    shells = {
        n: splits.hop_split(mini_database, n, train="train", universe="universe", exact=True).store(
            mini_database
        )
        for n in (1, 2)
    }
    assert sorted(shells[1].wnids + shells[2].wnids) == sorted(split.wnids), (
        "cumulative = union of exact shells"
    )
    away = splits.explain(mini_database, "mine", mini["pony"])
    assert away["in"]
    assert away["path"] == mini.named("pony", "horse")
    assert "training class" in splits.explain(mini_database, "mine", mini["horse"])["reason"]
    assert (
        "not in the universe" in splits.explain(mini_database, "mine", mini["chordate"])["reason"]
    )
    far = splits.explain(mini_database, "mine", mini["rose"])
    assert not far["in"]
    assert far["hops"] > 2


def test_an_unsound_split_is_found_out(mini_database: Database, mini: MiniWordNet) -> None:
    manifest = {
        "kind": "split",
        "train": "train",
        "universe": "universe",
        "hierarchy": "wordnet",
        "max_hops": 1,
    }
    put_class_set(mini_database, "bad", mini.named("horse", "chordate", "rose", "pony"), manifest)
    found = {(row["problem"], row["wnid"]) for row in splits.check_split(mini_database, "bad")}
    assert ("training class", mini["horse"]) in found
    assert ("outside the universe", mini["chordate"]) in found
    assert ("wrong distance", mini["rose"]) in found
    assert not {row for row in found if row[1] == mini["pony"]}
    assert [row["split"] for row in _rows(mini_database, "split_overlap")] == ["bad"]


def test_names_of_the_literature_are_aliases_and_no_names(mini_database: Database) -> None:
    built = splits.hop_split(
        mini_database, 1, train="train", universe="universe", name="hops-1"
    ).store(mini_database)
    assert splits.load_split(mini_database, "2-hops").wnids == built.wnids
    with pytest.raises(SplitError, match="one hop too many"):
        splits.hop_split(mini_database, 2, train="train", universe="universe", name="2-hops").store(
            mini_database
        )
    with pytest.raises(SplitError, match="one hop too many"):
        put_class_set(mini_database, "3-hops", built.wnids, {"kind": "list"})
    with pytest.raises(SplitError, match="no class set 'nothing'"):
        splits.hop_split(mini_database, 2, train="nothing", universe="universe").store(
            mini_database
        )


def test_diff_names_the_reason_of_every_difference(
    mini_database: Database, mini: MiniWordNet
) -> None:
    split = splits.hop_split(
        mini_database, 1, train="train", universe="universe", name="mine"
    ).store(mini_database)
    other = [*split.wnids[1:], *mini.named("horse", "rose", "chordate")]
    put_class_set(mini_database, "theirs", other, {"kind": "list"})
    rows = {row["wnid"]: row for row in splits.diff(mini_database, "mine", "theirs")}
    assert rows[split.wnids[0]]["reason"] == "within 1 hop in wordnet"
    assert rows[mini["horse"]]["reason"] == "training class of train"
    assert rows[mini["rose"]]["reason"] == "beyond 1 hop in wordnet"
    assert rows[mini["chordate"]]["reason"] == "not in the universe universe"
    assert len(rows) == 4
    assert sum(group["classes"] for group in splits.group_differences(rows.values())) == 4


def test_the_checks_find_what_is_broken(mini_database: Database, mini: MiniWordNet) -> None:
    checks = [statement for statement in library().values() if statement.folder == "checks"]
    assert all(mini_database.rows(statement) == [] for statement in checks)
    broken = """
        MATCH (dog:Synset {wnid: $dog}), (poodle:Synset {wnid: $poodle}), (w:Word {text: 'dog'}),
              (train:ClassSet {name: 'train'})
        CREATE (dog)-[:HYPERNYM]->(poodle), (dog)-[:HAS_LABEL {rank: 7}]->(w),
               (:Synset {wnid: 'n99999999', words: []}),
               (:Source {name: 'x', status: 'loading', kind: 'populations', rows: 5})
        SET train.size = 3, train.universe = 'gone'
    """
    mini_database._driver.execute_query(
        broken, dog=mini["dog"], poodle=mini["poodle"], database_="neo4j"
    )
    found = {statement.name: len(mini_database.rows(statement)) for statement in checks}
    assert {name for name, count in found.items() if count} == {
        "cycles",
        "orphans",
        "other_roots",
        "duplicate_labels",
        "unlabelled_synsets",
        "incomplete_sources",
        "class_set_sizes",
        "foreign_nodes",
        "source_rows",
        "missing_class_sets",
    }


@pytest.mark.parametrize(
    ("node", "labels"),
    [
        ("(:Word {text: 'foreign'})", ["Word"]),
        ("(:Word {text: 'foreign', key: 'foreign'})", ["Word"]),
        ("(:Synset {wnid: 'x', name: 'x'})", ["Synset"]),
        ("(:Synset:Concept {wnid: 'x', name: 'x'})", ["Concept", "Synset"]),
        ("(:ReleaseHub {wnid: 'x'})", ["ReleaseHub"]),
        ("(:ClassSet {name: 'x', size: 0})", ["ClassSet"]),
        ("(:Source {name: 'x'})", ["Source"]),
        ("(:Concept {wnid: 'x'})", ["Concept"]),
        ("(:Person {name: 'x'})-[:KNOWS]->(:Person {name: 'y'})", ["Person"]),
        ("()", []),
    ],
)
def test_a_foreign_node_is_seen(mini_database: Database, node: str, labels: list[str]) -> None:
    before = mini_database.rows(query("foreign_nodes"))
    mini_database._driver.execute_query(f"CREATE {node}", database_="neo4j")
    (found,) = mini_database.rows(query("foreign_nodes"))
    assert (before, sorted(found["labels"])) == ([], labels)
    assert found["nodes"] == node.count("(")


def test_an_edge_that_is_gone_is_seen(mini_database: Database, mini: MiniWordNet) -> None:
    total = sum(
        row["total"]
        for row in mini_database.rows(query("graph_counts"))
        if row["element"] not in ("class_sets", "release_parents")
    )
    gone = "MATCH (:Synset {wnid: $wnid})-[edge:HYPERNYM]->() DELETE edge"
    mini_database._driver.execute_query(gone, wnid=mini["toy_poodle"], database_="neo4j")
    assert mini_database.rows(query("source_rows")) == [
        {"name": "wordnet", "loaded": total, "found": total - 1}
    ]


def test_class_sets_are_edges_of_each_other(mini_database: Database, mini: MiniWordNet) -> None:
    """Also of a list that is loaded again, or deleted and loaded later; the texts stay."""

    def edges() -> set[tuple[str, str, str]]:
        text = "MATCH (a)-[e:TRAIN|UNIVERSE]->(b) RETURN a.name AS a, type(e) AS e, b.name AS b"
        rows = mini_database.query(text)
        found = {(row["a"], row["e"], row["b"]) for row in rows}
        assert len(found) == len(rows)
        return found

    splits.hop_split(mini_database, 1, train="train", universe="universe", name="mine").store(
        mini_database
    )
    put_class_set(mini_database, "part", mini.named("pony"), {"kind": "l", "universe": "mine"})
    expected = {
        ("mine", "TRAIN", "train"),
        ("mine", "UNIVERSE", "universe"),
        ("part", "UNIVERSE", "mine"),
    }
    assert edges() == expected
    put_class_set(mini_database, "train", mini.named("oak"), {"kind": "list"})
    assert edges() == expected
    assert mini_database.rows(query("missing_class_sets")) == []
    delete_class_set(mini_database, "mine", force=True)
    assert edges() == set()
    assert mini_database.rows(query("missing_class_sets")) == [
        {"class_set": "part", "role": "universe", "missing": "mine"}
    ]
    splits.hop_split(mini_database, 1, train="train", universe="universe", name="mine").store(
        mini_database
    )
    assert edges() == expected


def test_times_are_times_and_provenance_is_flat(mini_database: Database, mini: MiniWordNet) -> None:
    put_class_set(
        mini_database,
        "flat",
        mini.named("oak"),
        {
            "kind": "list",
            "parameters": {"images": 300, "vectors": None},
            "statistics": {"structural_ratio": 0.5, "train_hops_mean": None, "classes": 1},
            "steps": [{"step": "unseen", "rule": "r", "kept": 3, "dropped": 1, "keep_ratio": 0.75}],
            "sources": {"release-hierarchy": "ab", "wordnet": "cd"},
        },
    )
    (found,) = mini_database.query(
        "MATCH (c:ClassSet {name: 'flat'}) WHERE c.created_at > datetime() - duration('PT1M')"
        " AND c.structural_ratio < 1 AND c.parameter_images = 300 AND 3 IN c.step_kept"
        " RETURN c.release_hierarchy_sha256 AS release, c.wordnet_sha256 AS wordnet,"
        " c.statistics AS names, c.parameter_vectors AS none"
    )
    assert found == {
        "release": "ab",
        "wordnet": "cd",
        "names": ["structural_ratio", "train_hops_mean", "classes"],
        "none": None,
    }
    loaded = "MATCH (s:Source) RETURN DISTINCT valueType(s.loaded_at) AS type"
    assert mini_database.query(loaded) == [{"type": "ZONED DATETIME NOT NULL"}]


def test_a_synset_has_the_names_of_all_its_senses(
    mini_database: Database, mini: MiniWordNet
) -> None:
    """The mini queen bee is queen.n.02 too, and in Cypher."""
    names = ["queen.n.02", "queen_bee.n.01", "queen.n.09"]
    rows = mini_database.rows(query("synsets_of_name"), names=names)
    queen_bee = {"wnid": mini["queen_bee"], "synset_name": "queen_bee.n.01"}
    assert rows == [{"name": "queen.n.02", **queen_bee}, {"name": "queen_bee.n.01", **queen_bee}]
    assert resolve_wnid(mini_database, "Queen.n.2") == mini["queen_bee"]
    (found,) = mini_database.query(
        "MATCH (s:Synset)-[:HAS_LABEL {name: 'queen.n.02'}]->(w) RETURN s.name AS s, w.text AS w"
    )
    assert found == {"s": "queen_bee.n.01", "w": "queen"}


def test_reads_cannot_write(mini_database: Database) -> None:
    from dataclasses import replace

    sneaky = replace(query("class_sets"), text="MATCH (n) DETACH DELETE n")
    with pytest.raises(DatabaseError, match="read"):
        mini_database.rows(sneaky)


def test_a_write_is_whole_or_not_at_all(mini_database: Database) -> None:
    before = _rows(mini_database, "graph_counts")
    with pytest.raises(DatabaseError, match="already exists"):
        mini_database.write(
            (query("merge_words"), {"texts": ["brand new"]}),
            (query("create_class_set"), {"class_set": "train", "properties": {}}),
        )
    assert _rows(mini_database, "graph_counts") == before


def _operators(plan: dict[str, Any]) -> set[str]:
    found = {plan["operatorType"].partition("@")[0]}
    for child in plan.get("children", []):
        found |= _operators(child)
    return found


#: Queries that look at every node or edge of a kind on purpose.
WHOLE_GRAPH = {
    "any_node",
    "adjacency",
    "noun_synsets",
    "hierarchy_edges",
    "graph_counts",
    "sources",
    "release_hubs",
    "class_sets",
    "clear_populations",
    "clear_frequencies",
    "delete_release",
    "delete_release_hubs",
    "cycles",
    "orphans",
    "other_roots",
    "split_overlap",
    "duplicate_labels",
    "namesakes",
    "first_words",
    "word_labels",
    "sense_totals",
    "synsets_of_names",
    "naturalness",
    "polysemy",
    "missing_populations",
    "unlabelled_synsets",
    "incomplete_sources",
    "class_set_sizes",
    "clear_paint",
    "clear_marks",
    "paint_ancestors",
    "paint_populations",
    "foreign_nodes",
    "source_rows",
    "missing_class_sets",
    "link_class_set",
    "class_set_properties",
    "renew_sources",
    "painted",
    "own_values",
}


@pytest.mark.parametrize(
    "name", [name for name, found in library().items() if found.mode != "schema"]
)
def test_the_server_can_plan_every_query_and_uses_the_indexes(
    mini_server: Database, name: str
) -> None:
    create_schema(mini_server)
    create_later_indexes(mini_server)
    found = library()[name]
    parameters = {key: value for key, value in found.example.items() if key in found.params}
    for hierarchy in ("wordnet", "hypernym", "release") if "hierarchy" in found.vary else ("",):
        chosen = found.with_choices(hierarchy=hierarchy) if hierarchy else found
        operators = _operators(mini_server.explain(chosen, **parameters))
        scans = {
            operator for operator in operators if operator in {"NodeByLabelScan", "AllNodesScan"}
        }
        assert name in WHOLE_GRAPH or not scans, f"{name} scans: {scans}"


@pytest.mark.parametrize(
    ("name", "given"),
    [
        *((name, {}) for name in ("noun_synsets", "hierarchy_edges", "adjacency", "first_words")),
        ("namesakes", {}),
        ("word_labels", {}),
        ("hop_split", {"train": "train", "universe": "universe"}),
        ("difference", {"class_set": "universe", "without": "train"}),
        *((name, {"class_set": "universe"}) for name in ("class_labels", "polysemy")),
        *((name, {"class_set": "universe"}) for name in ("members", "member_wnids")),
        ("synset_properties", {"wnids": []}),
        ("neighbours", {"wnids": ["n00001740"]}),
    ],
)
def test_rows_in_thousands_are_the_rows(
    mini_database: Database, name: str, given: dict[str, Any]
) -> None:
    """In their order too, where the query gives one."""
    rows = mini_database.rows(query(name), **given)
    many = mini_database.many_rows(query(name), **given)
    assert (sorted(many, key=str), bool(many)) == (sorted(rows, key=str), given != {"wnids": []})
    assert not query(name).order or many == rows
