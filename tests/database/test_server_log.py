"""What is read of the server's logs, in the words of both Neo4j's that are supported."""

from __future__ import annotations

from graphzsl.database.server_log import last_lines


def test_errors_are_said_before_other_lines() -> None:
    text = 'a 1\n{"time":"x","level":"ERROR","message":"bad"}\nb 2\n'
    assert last_lines(text, 1) == '{"time":"x","level":"ERROR","message":"bad"}'
    assert last_lines("x ERROR  worse\nb 2\n", 1) == "x ERROR  worse"
