"""The database's part of ``import graphzsl as gz``, on the mini WordNet and on all of WordNet."""

from __future__ import annotations

from pathlib import Path

import pytest

import graphzsl as gz
from graphzsl.database import export_subgraph, query
from tests.audit.kinds import ranked
from tests.face.test_names import OF_THE_DATABASE, run_examples
from tests.mini import TRAIN, MiniWordNet


def test_a_split_is_read_then_stored(mini_database: gz.Database, mini: MiniWordNet) -> None:
    def stored() -> set[str]:
        rows = mini_database.query("MATCH (c:ClassSet) RETURN c.name AS name")
        return {row["name"] for row in rows}

    split = gz.hop_split(mini_database, max_hops=1, train="train", universe="universe")
    assert stored() == {"train", "universe"}, "hop_split only reads"
    assert repr(split) == "<Split hops-1:train:universe: 9 unseen classes, training classes train>"
    assert (len(split), mini["poodle"] in split, list(split)) == (9, True, split.wnids)
    kept = split.store(mini_database, "mine")
    assert stored() == {"train", "universe", "mine"}
    assert kept == gz.load_split(mini_database, "mine")
    assert kept.name == "mine"
    (row,) = mini_database.query(
        "MATCH (c:ClassSet {name: $name}) RETURN properties(c) AS facts", name="mine"
    )
    assert (row["facts"]["query"], row["facts"]["max_hops"]) == ("hop_split", 1)
    with pytest.raises(gz.SplitError, match="list"):
        split.store(mini_database, "train")


def test_a_split_of_other_lists_than_the_databases_is_not_stored(
    mini_database: gz.Database, mini: MiniWordNet
) -> None:
    """Its distances are to classes that the database does not know it by."""
    nodes = gz.Hierarchy.from_edges(mini.edges())
    train, universe = mini.named(*TRAIN), mini.universe()
    gz.hop_split(nodes, 1, train=train[::-1], universe=universe).store(mini_database, "mine")
    for lists, said in (
        ((train[:1], universe), "training classes .* are not those of the class set 'train'"),
        ((train, universe[1:]), "universe .* are not those of the class set 'universe'"),
    ):
        split = gz.hop_split(nodes, 1, train=lists[0], universe=lists[1])
        with pytest.raises(gz.SplitError, match=said):
            split.store(mini_database, "mine")
    mini_database.write((query("delete_class_set"), {"class_set": "train"}))
    split = gz.hop_split(nodes, 1, train=train, universe=universe)
    with pytest.raises(gz.SplitError, match=r"given as classes, .* no class set 'train'. Load"):
        split.store(mini_database, "other")


def test_a_frame_of_a_split_names_its_classes(
    mini_database: gz.Database, mini: MiniWordNet
) -> None:
    names = {row.wnid: row.name for row in mini.rows}
    nodes = mini.hierarchy()
    made = gz.hop_split(mini_database, max_hops=1, train="train", universe="universe")
    made.store(mini_database, "mine")
    lists = {"train": mini.named(*TRAIN), "universe": mini.universe()}
    for split in (
        made,
        gz.load_split(mini_database, "mine"),
        gz.hop_split(mini_database, max_hops=None, train="train", universe="universe"),
        gz.hop_split(nodes, max_hops=1, **lists),
    ):
        frame = split.to_frame()
        assert list(frame.columns) == ["wnid", "name"]
        assert dict(frame.itertuples(index=False)) == {wnid: names[wnid] for wnid in split}
        assert (mini["raptor"], "raptor.n.01") in set(frame.itertuples(index=False))


def test_a_query_of_your_own(mini_database: gz.Database, mini: MiniWordNet) -> None:
    rows = mini_database.query(
        "MATCH (s:Synset {name: $n})-[:HYPERNYM]->(p) RETURN p.name AS name ORDER BY name",
        n="dog.n.01",
    )
    assert rows == [{"name": "domestic_animal.n.01"}, {"name": "mammal.n.01"}]
    (row,) = mini_database.query("MATCH (s:Synset {wnid: $text}) RETURN s", text=mini["dog"])
    assert (row["s"]["labels"], row["s"]["wnid"]) == (["Concept", "Synset"], mini["dog"])
    assert repr(mini_database).startswith("<Database neo4j at ")


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE (n:Mine) RETURN n",
        "MATCH (s:Synset) SET s.mine = 1",
        "MATCH (s:Synset) DETACH DELETE s",
        "CREATE INDEX mine FOR (s:Synset) ON (s.mine)",
        "MERGE (n:Mine {name: 'x'}) RETURN n",
    ],
)
def test_a_query_never_writes(mini_database: gz.Database, statement: str) -> None:
    count = "MATCH (n) RETURN count(n) AS nodes"
    before = mini_database.query(count)
    with pytest.raises(gz.DatabaseError, match="A query only reads, and this statement does more"):
        mini_database.query(statement)
    assert mini_database.query(count) == before


def test_a_query_that_is_not_cypher(mini_database: gz.Database) -> None:
    with pytest.raises(gz.DatabaseError, match="Neo4j refused a statement"):
        mini_database.query("MATCH (n RETURN n")


@pytest.mark.thorough("all of WordNet, asked in two ways")
def test_the_hierarchy_of_the_files_is_that_of_the_database(
    full_database: gz.Database, tmp_path: Path
) -> None:
    """All nodes, names and edges; populations are ImageNet's and not in WordNet's files."""
    export_subgraph(full_database, ["ilsvrc2012"], tmp_path / "graph", whole=True)
    exported = gz.Subgraph.load(tmp_path / "graph").hierarchy
    loaded = gz.Hierarchy.load()
    assert loaded.wnids == exported.wnids
    assert (loaded.up != exported.up).nnz == 0
    assert loaded.names == exported.names
    for key in ("hierarchy", "whole"):
        assert loaded.provenance[key] == exported.provenance[key]
    checksums = loaded.provenance["sources"], exported.provenance["sources"]
    assert checksums[0]["wordnet"] == checksums[1]["wordnet"]


@pytest.mark.parametrize("name", sorted(OF_THE_DATABASE))
def test_the_examples_of_docstrings(
    name: str, full_database: gz.Database, full_settings: gz.Settings
) -> None:
    run_examples(getattr(gz, name), {"gz": gz, "db": full_database, "settings": full_settings})


def test_the_whole_face(full_database: gz.Database, full_settings: gz.Settings) -> None:
    """From a split to an evaluation in one piece, as a notebook would have it."""
    with gz.connect(full_settings) as db:
        split = gz.hop_split(db, max_hops=2)
        closest = gz.closest_classes(db, split)
        sets = gz.hcorrect_sets(db, "ilsvrc2012", k=[5])
        rows = db.query(
            "MATCH (s:Synset {name: $n})-[:HYPERNYM]->(p) RETURN p.name AS parent", n="dog.n.01"
        )
    assert {row["parent"] for row in rows} == {"canine.n.02", "domestic_animal.n.01"}
    assert [row.wnid for row in closest] == split.wnids
    assert {row.hops for row in closest} == {1, 2}
    assert len(sets) == 1000
    wordnet = gz.Hierarchy.load()
    training = [row.wnid for row in sets]
    # the first prediction is the closest training class, the second the class itself
    first = closest[:100]
    predictions = ranked([[row.closest[0], row.wnid] for row in first], [row.wnid for row in first])
    result = gz.evaluate(predictions, train=training, wordnet=wordnet)
    assert result["hit@1"].per_class == 0
    assert result["hit@2"].interval == (1.0, 1.0)
    assert result["parent"].per_class + result["child"].per_class > 0.5
