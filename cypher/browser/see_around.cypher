// name: see_around
// page: 12 Which training classes are around this class of a split?
// mode: read
// doc: Look at: a class of a split, and within 2 edges the training classes and the split's own.
// grain: one path per class next to it
// param: unseen WNID a class of the split
// param: split CLASS_SET the split
// vary: hierarchy = HYPERNYM|INSTANCE_HYPERNYM
// vary: max_hops = 2
// returns: p PATH
// try: :param {unseen: 'n02121808', split: 'hops-1'} domestic cat
MATCH (split:ClassSet {name: $split})-[:TRAIN]->(train)
MATCH p = (:Synset {wnid: $unseen})-[:HYPERNYM|INSTANCE_HYPERNYM*0..2]-(other)
WHERE EXISTS { (other)-[:IN_SET]->(split) } OR EXISTS { (other)-[:IN_SET]->(train) }
WITH p
ORDER BY length(p), [n IN nodes(p) | n.wnid]
LIMIT 60
RETURN p
