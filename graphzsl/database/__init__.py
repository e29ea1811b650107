"""The Neo4j side: the local server, the client, and the library of Cypher queries."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
