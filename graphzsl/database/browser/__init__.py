"""Neo4j Browser of the local server: what it serves, its guide, roles painted as labels."""
