// name: index_names
// mode: read
// doc: All indexes but those that every Neo4j database has: state, and constraint that owns one.
// grain: one row per index
// returns: name STRING, state STRING, constraint STRING
// order: name
SHOW INDEXES YIELD name, type, state, owningConstraint
WHERE type <> 'LOOKUP'
RETURN name, state, owningConstraint AS constraint
ORDER BY name
