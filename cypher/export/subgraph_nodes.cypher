// name: subgraph_nodes
// mode: read
// doc: The classes of the given sets and all their ancestors: the nodes that a graph model sees.
// grain: one row per node
// param: class_sets LIST<CLASS_SET> the class sets
// vary: hierarchy = HYPERNYM|INSTANCE_HYPERNYM
// returns: wnid WNID, name STRING, words LIST<STRING>, gloss STRING, lexname STRING
// returns: depth INTEGER, population INTEGER
// order: wnid
// ref: Wang et al. 2018, Zero-shot recognition via semantic embeddings and knowledge graphs
// ref: Kampffmeyer et al. 2019
// try: :param {class_sets: ['ilsvrc2012']}
UNWIND $class_sets AS name
MATCH (:ClassSet {name: name})<-[:IN_SET]-(c:Synset)
// a class may be in several of the sets
WITH DISTINCT c
// 40 edges: WordNet is 19 high, so nothing is cut off, and with a bound the search is breadth first
MATCH (c)-[:HYPERNYM|INSTANCE_HYPERNYM*0..40]->(s:Synset)
// and a node above several classes
WITH DISTINCT s
RETURN s.wnid AS wnid, s.name AS name, s.words AS words, s.gloss AS gloss,
       s.lexname AS lexname, s.depth AS depth, s.population AS population
ORDER BY wnid
