// name: see_hop_path
// page: 3 Why does a split have this class?
// mode: read
// doc: Look at: a class of a split, its shortest paths to its closest training classes, both sets.
// grain: one path per shortest way
// param: unseen WNID a class of the split
// param: split CLASS_SET the split
// vary: hierarchy = HYPERNYM|INSTANCE_HYPERNYM
// vary: max_hops = 20
// returns: member PATH, p PATH, seen PATH
// ref: Hascoet et al. 2019, section 4.1 and appendix A
// try: :param {unseen: 'n02121808', split: 'hops-1'} domestic cat
// try: :param {unseen: 'n02118333', split: 'hops-1'} fox
MATCH (c:Synset {wnid: $unseen})
// the smallest length per end lets the planner search breadth first, every node once
MATCH q = (c)-[:HYPERNYM|INSTANCE_HYPERNYM*1..20]-(t)
WITH c, t, min(length(q)) AS hops
MATCH (split:ClassSet {name: $split})-[:TRAIN]->(train)
WHERE t <> c AND EXISTS { (t)-[:IN_SET]->(train) }
WITH c, split, train, hops, collect(t) AS closest
ORDER BY hops
LIMIT 1
MATCH member = (c)-[:IN_SET]->(split)
UNWIND closest AS t
MATCH p = allShortestPaths((c)-[:HYPERNYM|INSTANCE_HYPERNYM*..20]-(t))
MATCH seen = (t)-[:IN_SET]->(train)
RETURN member, p, seen
