"""The Neo4j side: the local server, the client, and the library of Cypher queries."""
