// name: duplicate_labels
// mode: read
// doc: Synsets that carry the same word twice, or two words at the same rank.
// grain: one row per synset; 0 rows is healthy
// returns: wnid WNID, name STRING, labels INTEGER, words INTEGER, ranks INTEGER
// order: wnid
MATCH (s:Synset)-[label:HAS_LABEL]->(w:Word)
WITH s, count(label) AS labels, count(DISTINCT w) AS words, count(DISTINCT label.rank) AS ranks
WHERE labels <> words OR labels <> ranks
RETURN s.wnid AS wnid, s.name AS name, labels, words, ranks
ORDER BY wnid
