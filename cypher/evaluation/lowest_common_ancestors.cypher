// name: lowest_common_ancestors
// mode: read
// doc: Lowest common ancestors of two synsets; a synset is an ancestor of itself here.
// grain: one row per lowest common ancestor (a DAG can have several)
// param: wnid WNID the synset
// param: other_wnid WNID the other synset
// vary: hierarchy = HYPERNYM|INSTANCE_HYPERNYM
// returns: wnid WNID, name STRING, hops INTEGER, other_hops INTEGER
// order: wnid
// try: :param {wnid: 'n02084071', other_wnid: 'n02121620'}
MATCH (one:Synset {wnid: $wnid})
MATCH (other:Synset {wnid: $other_wnid})
// 40 edges: WordNet is 19 high, so nothing is cut off, and with a bound the search is breadth first
MATCH p = (one)-[:HYPERNYM|INSTANCE_HYPERNYM*0..40]->(a)
WITH other, a, min(length(p)) AS hops
MATCH q = (other)-[:HYPERNYM|INSTANCE_HYPERNYM*0..40]->(a)
WITH a, hops, min(length(q)) AS other_hops
// lowest: no other common ancestor lies below it, which a DAG can have several of
WITH collect({a: a, hops: hops, other_hops: other_hops}) AS common
UNWIND common AS candidate
WITH candidate, candidate.a AS a, [each IN common WHERE each.a <> candidate.a | each.a] AS others
WHERE NOT EXISTS { MATCH (a)<-[:HYPERNYM|INSTANCE_HYPERNYM*1..40]-(lower) WHERE lower IN others }
RETURN a.wnid AS wnid, a.name AS name, candidate.hops AS hops,
       candidate.other_hops AS other_hops
ORDER BY wnid
