// name: index_names
// mode: read
// doc: Names of all indexes but those that every Neo4j database has.
// grain: one row per index
// returns: name STRING
// order: name
SHOW INDEXES YIELD name, type
WHERE type <> 'LOOKUP'
RETURN name
ORDER BY name
