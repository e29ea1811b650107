// name: other_roots
// mode: read
// doc: Synsets without a hypernym, other than entity.
// grain: one row per root; 0 rows is healthy
// vary: hierarchy = HYPERNYM|INSTANCE_HYPERNYM
// returns: wnid WNID, name STRING
// order: wnid
MATCH (s:Synset)
WHERE s.wnid <> 'n00001740' AND NOT EXISTS { (s)-[:HYPERNYM|INSTANCE_HYPERNYM]->() }
RETURN s.wnid AS wnid, s.name AS name
ORDER BY wnid
