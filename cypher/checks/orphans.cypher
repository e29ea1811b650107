// name: orphans
// mode: read
// doc: Synsets without any hierarchy edge.
// grain: one row per orphan; 0 rows is healthy
// vary: hierarchy = HYPERNYM|INSTANCE_HYPERNYM
// returns: wnid WNID, name STRING
// order: wnid
MATCH (s:Synset)
WHERE NOT EXISTS { (s)-[:HYPERNYM|INSTANCE_HYPERNYM]-() }
RETURN s.wnid AS wnid, s.name AS name
ORDER BY wnid
