// name: hop_path
// mode: read
// doc: A shortest path from a synset to each closest training class, at most $max_hops away.
// grain: one row per closest training class
// param: wnid WNID the synset
// param: train CLASS_SET the training classes
// vary: hierarchy = HYPERNYM|INSTANCE_HYPERNYM
// vary: max_hops = 4
// returns: training_class WNID, training_name STRING, hops INTEGER
// returns: wnids LIST<WNID>, names LIST<STRING>
// order: training_class
// try: :param {wnid: 'n02110958', train: 'ilsvrc2012'}
MATCH (c:Synset {wnid: $wnid})
MATCH p = (c)-[:HYPERNYM|INSTANCE_HYPERNYM*1..4]-(t:Synset)
// a way that comes back to where it began is not a path, and few ways end in a training class
WHERE t <> c AND EXISTS { (t)-[:IN_SET]->(:ClassSet {name: $train}) }
// of several shortest paths the first by wnids, so that the answer is the same every time
WITH t, p ORDER BY length(p), [node IN nodes(p) | node.wnid]
WITH t, collect(p)[0] AS p
WITH collect({t: t, p: p}) AS paths, min(length(p)) AS hops
UNWIND paths AS one
WITH one.t AS t, nodes(one.p) AS nodes, hops
WHERE size(nodes) = hops + 1
RETURN t.wnid AS training_class, t.name AS training_name, hops,
       [node IN nodes | node.wnid] AS wnids,
       [node IN nodes | node.name] AS names
ORDER BY training_class
