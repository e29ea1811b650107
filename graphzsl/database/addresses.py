"""Addresses of Neo4j servers: which there are, and why a server at one does not answer."""

from __future__ import annotations

import socket
import ssl
from urllib.parse import urlsplit

from graphzsl.common.errors import DatabaseError

#: The end of a message about what is no address.
EXPECTED = "Expected bolt://host:7687, or neo4j://host:7687 for a cluster."
#: Addresses that the driver knows; it would take http:// too, as a preview with less than Bolt has.
SCHEMES = ("neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc")
_PORT = 7687
_PROBE_SECONDS = 3.0


def check_address(uri: str) -> None:
    """Check that a text is the address of a Neo4j server; raises DatabaseError if it is not."""
    if "@" in uri:
        # it may be a password, so it is not repeated
        raise DatabaseError(
            "NEO4J_URI must be an address without a user name or password, such as"
            " bolt://host:7687; they go into NEO4J_USERNAME and NEO4J_PASSWORD."
        )
    try:
        (urlsplit(uri).hostname or "").encode("idna")  # as the system looks a host up
        is_address = uri.partition("://")[0] in SCHEMES
    except ValueError:
        is_address = False
    if not is_address:
        raise DatabaseError(f"NEO4J_URI {uri!r} is not a Neo4j address. {EXPECTED}")


def encryption_problem(uri: str) -> str:
    """A sentence for a server that answers, but not with the encryption (TLS) that its address asks
    for; else empty.

    The driver's own error for a router hides that: "Unable to retrieve routing information".
    """
    scheme, _, rest = uri.partition("://")
    plain, plus, trust = scheme.partition("+")
    try:
        parts = urlsplit(f"//{rest}")
        host, port = parts.hostname or "", parts.port or _PORT
        with socket.create_connection((host, port), _PROBE_SECONDS) as connection:
            said = _handshake(connection, host, verified=trust != "ssc")
    except (OSError, ValueError):  # nobody is there, or not at such an address
        return ""
    if not plus:
        if said is not None and not isinstance(said, ssl.SSLCertVerificationError):
            return ""
        return f"It asks for encryption (TLS): write {plain}+s://{rest}."
    if isinstance(said, ssl.SSLCertVerificationError):
        return (
            f"TLS is the problem: its certificate is not trusted ({said.verify_message})."
            f" {plain}+ssc:// takes a certificate that the server signed itself."
        )
    if said is not None:
        return (
            f"TLS is the problem: something answers there, but without encryption. Write"
            f" {plain}://{rest} for a server without it."
        )
    return ""


def _handshake(connection: socket.socket, host: str, verified: bool) -> OSError | None:
    """Try a TLS handshake; return its error, or None if it succeeds."""
    context = ssl.create_default_context()
    if not verified:
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    try:
        with context.wrap_socket(connection, server_hostname=host):
            return None
    except OSError as error:  # SSLError is one, and so is a connection that is closed
        return error
