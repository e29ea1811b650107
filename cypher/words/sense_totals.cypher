// name: sense_totals
// mode: read
// doc: How often a synset was tagged in WordNet's semantic concordance, all its words together.
// grain: one row per synset that was tagged
// returns: wnid WNID, count INTEGER
// ref: Resnik 1995, Using information content to evaluate semantic similarity in a taxonomy
MATCH (s:Synset)-[label:HAS_LABEL]->(:Word)
WITH s.wnid AS wnid, sum(label.sense_count) AS count
WHERE count > 0
RETURN wnid, count
