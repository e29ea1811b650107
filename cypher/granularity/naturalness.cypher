// name: naturalness
// mode: read
// doc: How common the words of every synset are: their largest tagged count and frequency.
// grain: one row per synset
// returns: wnid WNID, senses INTEGER, frequencies INTEGER
// ref: Wang, Yan, Aker, Gaizauskas 2014, A poodle or a dog?, section 3.1
MATCH (s:Synset)-[label:HAS_LABEL]->(w:Word)
RETURN s.wnid AS wnid, max(label.sense_count) AS senses, max(w.frequency) AS frequencies
