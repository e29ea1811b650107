"""Where Neo4j Browser opens: the address with everything filled in but the password."""

from __future__ import annotations

from urllib.parse import urlencode

from graphzsl.database.server_state import ServerState


def browser_address(state: ServerState, statement: str = "") -> str:
    """The address of a local server's Browser: server, database and user are filled in, and a
    ``statement`` waits in the editor."""
    fields = {
        "dbms": f"neo4j://neo4j@127.0.0.1:{state.bolt_port}",
        "db": "neo4j",
        "preselectAuthMethod": "NATIVE",
    }
    if statement:
        fields |= {"cmd": "edit", "arg": statement}
    return f"{state.browser_url}?{urlencode(fields)}"
