// name: index_names
// mode: read
// doc: Names of all indexes but those that every Neo4j database has, and whether they are filled.
// grain: one row per index
// returns: name STRING, state STRING
// order: name
SHOW INDEXES YIELD name, type, state
WHERE type <> 'LOOKUP'
RETURN name, state
ORDER BY name
