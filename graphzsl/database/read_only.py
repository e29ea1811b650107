"""Statements of one's own only read the graph: the server says what one would do before it runs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import neo4j
from neo4j.exceptions import CypherSyntaxError

from graphzsl.common.errors import DatabaseError
from graphzsl.database.failures import refusal

_EXPLAIN = "EXPLAIN "
#: A statement that is run and profiled does what it does without that word.
_PROFILE = re.compile(r"\A\s*PROFILE\b", re.IGNORECASE)
#: Commands and procedures that tell about the graph alone, and not about who else works on it.
_READING = (
    "ShowConstraints",
    "ShowFunctions",
    "ShowIndexes",
    "ShowProcedures",
    "db.awaitIndexes",
    "db.info",
    "db.labels",
    "db.ping",
    "db.propertyKeys",
    "db.relationshipTypes",
)
_READING_FOLDERS = ("db.index.", "db.schema.")


def run_reading(
    transaction: neo4j.ManagedTransaction, text: str, values: dict[str, Any]
) -> neo4j.Result:
    """Run a statement, where it does nothing but read the graph.

    READ access mode alone lets one end the transactions of others, and show their texts.

    Raises:
        DatabaseError: it writes, changes the schema, administers the server, or calls a procedure
            that is none of Neo4j's own for reading; or it is not valid Cypher.
    """
    try:
        explained = _EXPLAIN + _PROFILE.sub(lambda word: " " * len(word[0]), text, count=1)
        summary = transaction.run(explained, values).consume()  # type: ignore[arg-type]
    except CypherSyntaxError as error:
        raise refusal(error, len(_EXPLAIN)) from error
    assert summary.plan is not None
    steps = [step for step in _steps(summary.plan) if step not in _READING]
    beyond = [step for step in steps if not step.startswith(_READING_FOLDERS)]
    if summary.query_type != "r" or beyond:
        more = ", ".join(beyond) or "it writes"
        raise DatabaseError(
            f"A query only reads, and this statement does more ({more})."
            " Class sets are written by Split.store, data by `graphzsl load`; a server is"
            " administered in its Neo4j Browser."
        )
    return transaction.run(text, values)  # type: ignore[arg-type]


def _steps(plan: dict[str, Any]) -> Iterator[str]:
    """Names of a plan's procedures, and of its operators that are commands."""
    operator = plan["operatorType"].partition("@")[0]
    if operator == "ProcedureCall":
        yield plan["args"]["Details"].partition("(")[0]
    elif operator.startswith(("Show", "Terminate", "Administration")):
        yield operator
    for child in plan.get("children", ()):
        yield from _steps(child)
