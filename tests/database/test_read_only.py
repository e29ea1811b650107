"""Statements of one's own read the graph and do nothing else, as the server understands them."""

from __future__ import annotations

import pytest

from graphzsl.common import DatabaseError
from graphzsl.database import Database, library
from tests.conftest import Command

ENDING = (
    "TERMINATE TRANSACTIONS '{id}'",
    "/* a */ terminate // b\n transaction /* c */ '{id}' YIELD message RETURN message",
    "SHOW TRANSACTIONS YIELD transactionId AS id WHERE id = '{id}'"
    " TERMINATE TRANSACTIONS id YIELD message RETURN message",
    "USE neo4j TERMINATE TRANSACTION '{id}'",
    "CYPHER runtime=slotted TERMINATE TRANSACTION '{id}'",
    "PROFILE TERMINATE TRANSACTION '{id}'",
)


@pytest.mark.parametrize("ending", ENDING)
def test_a_statement_does_not_end_the_transaction_of_another(
    run: Command, mini_database: Database, ending: str
) -> None:
    driver = mini_database._driver
    with (
        driver.session(database="neo4j") as session,
        session.begin_transaction(metadata={"app": "another"}) as other,
    ):
        other.run("RETURN 1").consume()
        (row,) = driver.execute_query(
            "SHOW TRANSACTIONS YIELD transactionId AS id, metaData WHERE metaData.app = 'another'"
            " RETURN id"
        ).records
        refused = run("query", "run", ending.format(id=row["id"]), code=1).stderr
        assert len(refused.splitlines()) == 1
        assert other.run("RETURN 1 AS one").single(strict=True)["one"] == 1


@pytest.mark.parametrize(
    ("statement", "named"),
    [
        ("SHOW TRANSACTIONS", "ShowTransactions"),
        ("EXPLAIN SHOW TRANSACTIONS", "ShowTransactions"),
        ("show /**/ settings", "ShowSettings"),
        ("SHOW USERS", "AdministrationCommand"),
        ("SHOW CURRENT USER", "AdministrationCommand"),
        ("SHOW DATABASES", "(AdministrationCommand|ShowDatabases)"),
        ("USE system SHOW TRANSACTIONS", "(AdministrationCommand|ShowTransactions)"),
        ("ALTER CURRENT USER SET PASSWORD FROM 'a' TO 'b'", "AdministrationCommand"),
        ("CALL dbms.listConnections()", "dbms.listConnections"),
        ("CALL `dbms`.`killConnection`('bolt-1')", "dbms.killConnection"),
        ("CALL { CALL dbms.listConfig() YIELD value RETURN value } RETURN value", "listConfig"),
        ("MATCH (n) CALL db.stats.collect('QUERIES') YIELD success RETURN n", "db.stats.collect"),
        ("CALL tx.setMetaData({query: 'hop_split'})", "tx.setMetaData"),
        ("CALL db.prepareForReplanning()", "db.prepareForReplanning"),
    ],
)
def test_a_statement_that_administers_is_refused(
    mini_database: Database, statement: str, named: str
) -> None:
    with pytest.raises(DatabaseError, match=rf"only reads, and .* more \(.*{named}\)"):
        mini_database.query(statement)


@pytest.mark.parametrize(
    "statement",
    [
        "EXPLAIN MATCH (s:Synset) RETURN s.name",
        "CYPHER runtime=slotted MATCH (s:Synset) RETURN s.name LIMIT 1",
        "USE neo4j MATCH (s:Synset) RETURN s.name LIMIT 1",
        " PROFILE MATCH (s:Synset) RETURN s.name LIMIT 1",
        "UNWIND ['TERMINATE TRANSACTION', 'SHOW USERS'] AS text RETURN text",
        "RETURN EXISTS { MATCH (s:Synset) } AS found",
        "SHOW INDEXES",
        "SHOW CONSTRAINTS YIELD name",
        "SHOW PROCEDURES",
        "SHOW FUNCTIONS",
        "CALL db.labels()",
        "CALL { CALL db.schema.visualization() YIELD nodes RETURN nodes } RETURN nodes",
        "CALL db.index.fulltext.queryNodes('index_synset_gloss', 'ape') YIELD node RETURN node",
    ],
)
def test_a_statement_that_reads_is_run(mini_database: Database, statement: str) -> None:
    mini_database.query(statement)


def test_the_modes_of_the_library_are_those_of_the_server(mini_database: Database) -> None:
    """An EXPLAIN is held to what its statement would do."""
    for statement in library().values():
        example = {name: statement.example.get(name) for name in statement.params}
        if statement.mode == "read":
            mini_database.query(f"EXPLAIN {statement.text}", **example)
        else:
            with pytest.raises(DatabaseError, match="does more"):
                mini_database.query(f"EXPLAIN {statement.text}", **example)
