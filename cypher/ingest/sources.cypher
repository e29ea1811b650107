// name: sources
// mode: read
// doc: What was loaded, and whether it is complete; times as texts.
// grain: one row per source
// returns: name STRING, kind STRING, status STRING, properties MAP
// order: name
MATCH (source:Source)
RETURN source.name AS name, source.kind AS kind, source.status AS status,
       source {.*, loaded_at: toString(source.loaded_at)} AS properties
ORDER BY name
