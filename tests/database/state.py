"""What a database holds, to compare two states of it."""

from __future__ import annotations

from graphzsl.database.client import Database


def state(database: Database) -> list[str]:
    """Every node and edge with its properties, in a fixed order; sources without the times of
    loading."""
    nodes = database._driver.execute_query(
        "MATCH (n) RETURN labels(n) AS l,"
        " CASE WHEN n:Source THEN {name: n.name, status: n.status, sha256: n.sha256,"
        " contents: n.contents} ELSE properties(n) END AS p",
        database_="neo4j",
    ).records
    edges = database._driver.execute_query(
        "MATCH (a)-[e]->(b) RETURN coalesce(a.wnid, a.name) AS a, type(e) AS t,"
        " properties(e) AS p, coalesce(b.wnid, b.name, b.text) AS b",
        database_="neo4j",
    ).records
    return sorted(repr(record.data()) for record in [*nodes, *edges])


def clear(database: Database) -> None:
    """Remove every node and edge; the schema stays."""
    database._driver.execute_query("MATCH (n) DETACH DELETE n", database_="neo4j")
