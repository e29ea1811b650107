// name: class_ancestors
// mode: read
// doc: All ancestors of every class of a set, with distances.
// grain: one row per class and ancestor
// param: wnids LIST<WNID> the synsets
// vary: hierarchy = HYPERNYM|INSTANCE_HYPERNYM
// returns: wnid WNID, name STRING, ancestor WNID, ancestor_name STRING, hops INTEGER
// try: :param {wnids: ['n02084071']}
UNWIND $wnids AS wnid
MATCH (c:Synset {wnid: wnid})
// 40 edges: WordNet is 19 high, so nothing is cut off, and with a bound the search is breadth first
MATCH p = (c)-[:HYPERNYM|INSTANCE_HYPERNYM*1..40]->(a)
RETURN wnid, c.name AS name, a.wnid AS ancestor, a.name AS ancestor_name, min(length(p)) AS hops
