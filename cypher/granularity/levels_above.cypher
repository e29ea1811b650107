// name: levels_above
// mode: read
// doc: What a class can be called: synsets above it, edges to each, how common its words are.
// grain: one row per node above the class, or itself
// param: wnid WNID the synset
// vary: hierarchy = HYPERNYM|INSTANCE_HYPERNYM
// returns: wnid WNID, name STRING, edges INTEGER, senses INTEGER, frequencies INTEGER
// order: edges, wnid
// ref: Wang, Yan, Aker, Gaizauskas 2014, A poodle or a dog?, equation 1
// try: :param {wnid: 'n02113335'}

// 40 edges: WordNet is 19 high, so nothing is cut off, and with a bound the search is breadth first
MATCH p = (:Synset {wnid: $wnid})-[:HYPERNYM|INSTANCE_HYPERNYM*0..40]->(a:Synset)
WITH a, min(length(p)) AS edges
MATCH (a)-[label:HAS_LABEL]->(w:Word)
RETURN a.wnid AS wnid, a.name AS name, edges, max(label.sense_count) AS senses,
       max(w.frequency) AS frequencies
ORDER BY edges, wnid
