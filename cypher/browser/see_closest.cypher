// name: see_closest
// page: 5 Which training classes are closest, with all ties?
// mode: read
// doc: Look at: the training classes closest to a synset, all ties, by all shortest paths.
// grain: one path per shortest way
// param: wnid WNID the synset
// param: train CLASS_SET the training classes
// vary: hierarchy = HYPERNYM|INSTANCE_HYPERNYM
// vary: max_hops = 20
// returns: p PATH
// ref: Hascoet et al. 2019, section 4.1 and appendix E
// try: :param {wnid: 'n02120997', train: 'ilsvrc2012'} feline: 6 at 2 hops
// try: :param {wnid: 'n02084071', train: 'ilsvrc2012'} dog: 7 at 1 hop
MATCH (c:Synset {wnid: $wnid})
// the smallest length per end lets the planner search breadth first, every node once
MATCH q = (c)-[:HYPERNYM|INSTANCE_HYPERNYM*1..20]-(t)
WITH c, t, min(length(q)) AS hops
WHERE t <> c AND EXISTS { (t)-[:IN_SET]->(:ClassSet {name: $train}) }
WITH c, hops, collect(t) AS closest
ORDER BY hops
LIMIT 1
UNWIND closest AS t
MATCH p = allShortestPaths((c)-[:HYPERNYM|INSTANCE_HYPERNYM*..20]-(t))
RETURN p
