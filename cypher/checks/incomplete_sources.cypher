// name: incomplete_sources
// mode: read
// doc: Loads that were interrupted, or are of an earlier version of graphzsl: load them again.
// grain: one row per source; 0 rows is healthy
// returns: name STRING, status STRING
// order: name
MATCH (source:Source)
// WordNet's contents: 3 since words have a key and synsets stand among concepts, 4 since synsets
// have a word, 5 since labels have names and class sets edges to their training classes
WHERE source.status <> 'loaded' OR (source.kind = 'wordnet' AND source.contents < 5)
RETURN source.name AS name, source.status AS status
ORDER BY name
