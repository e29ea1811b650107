// name: way_up
// mode: read
// doc: A shortest way from a synset up to a root, the first by wnids; the synset itself is step 0.
// grain: one row per node of the way
// param: wnid WNID the synset
// vary: hierarchy = HYPERNYM|INSTANCE_HYPERNYM
// returns: step INTEGER, wnid WNID, name STRING
// order: step
// try: :param {wnid: 'n02084071'}

// 40 edges: WordNet is 19 high, so nothing is cut off
MATCH p = (:Synset {wnid: $wnid})-[:HYPERNYM|INSTANCE_HYPERNYM*0..40]->(root)
WHERE NOT EXISTS { (root)-[:HYPERNYM|INSTANCE_HYPERNYM]->() }
WITH nodes(p) AS way
ORDER BY size(way), [node IN way | node.wnid]
LIMIT 1
UNWIND range(0, size(way) - 1) AS step
RETURN step, way[step].wnid AS wnid, way[step].name AS name
ORDER BY step
