// name: hop_split
// mode: read
// doc: Classes of a universe within $max_hops edges, either direction, of a training class.
// grain: one row per unseen class
// param: train CLASS_SET the training classes
// param: universe CLASS_SET the universe
// vary: hierarchy = HYPERNYM|INSTANCE_HYPERNYM
// vary: max_hops = 2
// returns: wnid WNID, name STRING, hops INTEGER
// order: hops, wnid
// ref: Frome et al. 2013, DeViSE, appendix A.3
// ref: Hascoet et al. 2019, appendix A (the names of the hop sets)
// try: :param {train: 'ilsvrc2012', universe: 'imagenet-fall11'}
MATCH (:ClassSet {name: $train})<-[:IN_SET]-(t:Synset)
// both directions: a hop is an edge, whichever way it points
// the smallest length per end lets the planner search breadth first, every node once
MATCH p = (t)-[:HYPERNYM|INSTANCE_HYPERNYM*1..2]-(c:Synset)
WITH c, min(length(p)) AS hops
// the universe is asked for last: a path may lead through synsets outside of it
MATCH (c)-[:IN_SET]->(:ClassSet {name: $universe})
WHERE NOT EXISTS { (c)-[:IN_SET]->(:ClassSet {name: $train}) }
RETURN c.wnid AS wnid, c.name AS name, hops
ORDER BY hops, wnid
