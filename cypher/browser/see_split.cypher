// name: see_split
// page: 10 How does a split touch its training classes?
// mode: read
// doc: Look at: the first unseen classes of a split, each with the training classes next to it.
// grain: one path per pair of neighbours
// param: split CLASS_SET the split
// param: train CLASS_SET the training classes
// vary: hierarchy = HYPERNYM|INSTANCE_HYPERNYM
// returns: p PATH
// try: :param {split: 'hops-1', train: 'ilsvrc2012'} hops-1
MATCH (:ClassSet {name: $split})<-[:IN_SET]-(c:Synset)
MATCH p = (c)-[:HYPERNYM|INSTANCE_HYPERNYM]-(t:Synset)
WHERE EXISTS { (t)-[:IN_SET]->(:ClassSet {name: $train}) }
WITH p, c, t
ORDER BY c.wnid, t.wnid
LIMIT 10
RETURN p
