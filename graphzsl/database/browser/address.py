"""Where Neo4j Browser opens: the address with everything filled in but the password."""

from __future__ import annotations

from urllib.parse import urlencode

from graphzsl.database.server_state import ServerState


def browser_address(state: ServerState, statement: str = "") -> str:
    """The address of a local server's Browser: server, database and user are filled in, and a
    ``statement`` waits in the editor.

    Browser decodes the whole address before it looks for the next ``&`` or ``#``, so those of names
    in the statement become Cypher's escapes.
    """
    fields = {
        "dbms": f"neo4j://neo4j@127.0.0.1:{state.bolt_port}",
        "db": "neo4j",
        "preselectAuthMethod": "NATIVE",
    }
    if statement:
        whole = statement.replace("&", r"\u0026").replace("#", r"\u0023")
        fields |= {"cmd": "edit", "arg": whole}
    return f"{state.browser_url}?{urlencode(fields)}"
