"""What a database holds, to compare two states of it."""

from __future__ import annotations

from collections import Counter

from graphzsl.database import Database, ingest, query
from graphzsl.database.class_sets import put_class_set
from graphzsl.database.schema import create_schema
from graphzsl.sources import WordNet
from tests.mini import TRAIN, MiniWordNet


def state(database: Database) -> list[str]:
    """Every node and edge with its properties, in a fixed order; sources and class sets without
    their times. A database gives labels in the order in which it saw them first, which says
    nothing."""
    nodes = database._driver.execute_query(
        "MATCH (n) RETURN labels(n) AS l,"
        " CASE WHEN n:Source THEN {name: n.name, status: n.status, sha256: n.sha256,"
        " contents: n.contents} WHEN n:ClassSet THEN n {.*, created_at: null}"
        " ELSE properties(n) END AS p",
        database_="neo4j",
    ).records
    edges = database._driver.execute_query(
        "MATCH (a)-[e]->(b) RETURN coalesce(a.wnid, a.name) AS a, type(e) AS t,"
        " properties(e) AS p, coalesce(b.wnid, b.name, b.text) AS b",
        database_="neo4j",
    ).records
    rows = [record.data() for record in [*nodes, *edges]]
    for row in rows:
        row["p"] = dict(sorted(row["p"].items()))
        if "l" in row:
            row["l"].sort()
    return sorted(map(repr, rows))


def load_mini(database: Database, mini: MiniWordNet) -> None:
    """The mini WordNet, its populations, and two class sets."""
    create_schema(database)
    ingest.load_wordnet(database, mini)  # type: ignore[arg-type]
    put_class_set(database, "train", mini.named(*TRAIN), {"kind": "list"})
    put_class_set(database, "universe", mini.universe(), {"kind": "list"})
    rows = [{"wnid": wnid, "images": images} for wnid, images in mini.populations.items()]
    database.write((query("set_populations"), {"rows": rows}))


def clear(database: Database) -> None:
    """Remove every node and edge; the schema stays."""
    database._driver.execute_query("MATCH (n) DETACH DELETE n", database_="neo4j")


def counts(database: Database) -> dict[str, int]:
    """Sizes of the graph by element."""
    return {row["element"]: row["total"] for row in database.rows(query("graph_counts"))}


def exact(database: Database, wordnet: WordNet | MiniWordNet) -> None:
    """Assert that the database holds the rows of WordNet, each once and no more of their kind."""
    rows = {label: list(each) for label, _, _, each in ingest.wordnet_steps(wordnet)}  # type: ignore[arg-type]
    depth = {row["wnid"]: (row["depth"], row["max_depth"]) for row in rows["depths"]}
    others = {row["text"]: row["other_senses"] for row in rows["other senses"]}

    def read(pattern: str, *values: str) -> Counter[tuple[object, ...]]:
        (found,) = database.query(f"MATCH {pattern} RETURN collect([{', '.join(values)}]) AS rows")
        return Counter(map(tuple, found["rows"]))

    names = ("wnid", "name", "gloss", "lexname")
    assert read(
        "(s:Synset)",
        *(f"s.{name}" for name in names),
        "reduce(all = '', word IN s.words | all + word + '|')",
        "s.depth",
        "s.max_depth",
        "s:Concept AND size(labels(s)) = 2",
    ) == Counter(
        (
            *(row[name] for name in names),
            "".join(f"{word}|" for word in row["words"]),
            *depth[row["wnid"]],
            True,
        )
        for row in rows["synsets"]
    )
    assert read("(w:Word)", "w.text", "w.key", "w.other_senses", "size(labels(w))") == Counter(
        (text, text.lower(), others.get(text), 1) for text in rows["words"]
    )
    for kind, label in (("HYPERNYM", "hypernyms"), ("INSTANCE_HYPERNYM", "instance hypernyms")):
        assert read(f"(a)-[:{kind}]->(b)", "a.wnid", "b.wnid") == Counter(
            (row["child"], row["parent"]) for row in rows[label]
        )
    names = ("rank", "sense_number", "sense_count", "name")
    assert read(
        "(s)-[e:HAS_LABEL]->(w)", "s.wnid", "w.text", *(f"e.{n}" for n in names), "size(keys(e))"
    ) == Counter((*row.values(), 4) for row in rows["labels"])
