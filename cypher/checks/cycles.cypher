// name: cycles
// mode: read
// doc: Synsets that are their own ancestor.
// grain: one row per synset on a cycle; 0 rows is healthy
// vary: hierarchy = HYPERNYM|INSTANCE_HYPERNYM
// returns: wnid WNID, name STRING
// order: wnid

// 40 edges: WordNet is 19 high, so nothing is cut off, and with a bound the search is breadth first
MATCH (s:Synset)-[:HYPERNYM|INSTANCE_HYPERNYM*1..40]->(s)
RETURN DISTINCT s.wnid AS wnid, s.name AS name
ORDER BY wnid
