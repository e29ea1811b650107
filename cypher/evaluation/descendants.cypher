// name: descendants
// mode: read
// doc: Descendants of a synset (transitive hyponyms) with their distance.
// grain: one row per descendant
// param: wnid WNID the synset
// vary: hierarchy = HYPERNYM|INSTANCE_HYPERNYM
// returns: wnid WNID, name STRING, hops INTEGER
// order: hops, wnid
// try: :param {wnid: 'n02084071'}
MATCH (s:Synset {wnid: $wnid})
// 40 edges: WordNet is 19 high, so nothing is cut off, and with a bound the search is breadth first
MATCH p = (s)<-[:HYPERNYM|INSTANCE_HYPERNYM*1..40]-(a)
WITH a, min(length(p)) AS hops
RETURN a.wnid AS wnid, a.name AS name, hops
ORDER BY hops, wnid
