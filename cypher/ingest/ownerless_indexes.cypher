// name: ownerless_indexes
// mode: read
// doc: Indexes that no constraint owns, but those that every Neo4j database has.
// grain: one row per index
// returns: name STRING
// order: name
SHOW INDEXES YIELD name, type, owningConstraint
WHERE type <> 'LOOKUP' AND owningConstraint IS NULL
RETURN name
ORDER BY name
