// name: incomplete_sources
// mode: read
// doc: Loads that were interrupted: load them again.
// grain: one row per source; 0 rows is healthy
// returns: name STRING, status STRING
// order: name
MATCH (source:Source)
WHERE source.status <> 'loaded'
RETURN source.name AS name, source.status AS status
ORDER BY name
