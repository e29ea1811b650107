// name: unlabelled_synsets
// mode: read
// doc: Synsets whose word edges do not match their list of words.
// grain: one row per synset; 0 rows is healthy
// returns: wnid WNID, name STRING
// order: wnid
MATCH (s:Synset)
WHERE size(s.words) <> count { (s)-[:HAS_LABEL]->() }
RETURN s.wnid AS wnid, s.name AS name
ORDER BY wnid
