// name: lowest_common_ancestors
// mode: read
// doc: Lowest common ancestors of two synsets; a synset is an ancestor of itself here.
// grain: one row per lowest common ancestor (a DAG can have several)
// param: one WNID per wnid
// param: other WNID another wnid
// vary: hierarchy = HYPERNYM|INSTANCE_HYPERNYM
// returns: wnid WNID, name STRING, hops_one INTEGER, hops_other INTEGER
// order: wnid
// try: :param {one: 'n02084071', other: 'n02121620'}
MATCH (one:Synset {wnid: $one}), (other:Synset {wnid: $other})
// 40 edges: WordNet is 19 high, so nothing is cut off, and with a bound the search is breadth first
MATCH p = (one)-[:HYPERNYM|INSTANCE_HYPERNYM*0..40]->(a)
WITH other, a, min(length(p)) AS hops_one
MATCH q = (other)-[:HYPERNYM|INSTANCE_HYPERNYM*0..40]->(a)
WITH a, hops_one, min(length(q)) AS hops_other
// lowest: no other common ancestor lies below it, which a DAG can have several of
WITH collect({a: a, hops_one: hops_one, hops_other: hops_other}) AS common
UNWIND common AS candidate
WITH candidate, candidate.a AS a, [each IN common WHERE each.a <> candidate.a | each.a] AS others
WHERE NOT EXISTS { MATCH (a)<-[:HYPERNYM|INSTANCE_HYPERNYM*1..40]-(lower) WHERE lower IN others }
RETURN a.wnid AS wnid, a.name AS name, candidate.hops_one AS hops_one,
       candidate.hops_other AS hops_other
ORDER BY wnid
