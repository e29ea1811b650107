// name: closest_training_classes
// mode: read
// doc: The training classes closest to a synset, all ties, at most $max_hops away.
// grain: one row per closest training class; no row when none is within the bound
// param: wnid WNID the synset; a training class is its own closest, 0 hops away
// param: train CLASS_SET the training classes
// vary: hierarchy = HYPERNYM|INSTANCE_HYPERNYM
// vary: max_hops = 20
// returns: wnid WNID, name STRING, hops INTEGER, ties INTEGER
// order: wnid
// ref: Hascoet et al. 2019, section 4.1 and appendix E
// try: :param {wnid: 'n01323355', train: 'ilsvrc2012'}
MATCH (c:Synset {wnid: $wnid})
// the smallest length per end lets the planner search breadth first, every node once
MATCH p = (c)-[:HYPERNYM|INSTANCE_HYPERNYM*0..20]-(t)
WITH t, min(length(p)) AS hops
WHERE EXISTS { (t)-[:IN_SET]->(:ClassSet {name: $train}) }
WITH hops, collect(t) AS closest
ORDER BY hops
LIMIT 1
UNWIND closest AS t
RETURN t.wnid AS wnid, t.name AS name, hops, size(closest) AS ties
ORDER BY wnid
