// name: see_hop_path
// mode: read
// doc: Look at: shortest paths between an unseen class and its closest training classes.
// grain: one path per shortest way
// param: wnid WNID the unseen class
// param: train CLASS_SET the training classes
// vary: hierarchy = HYPERNYM|INSTANCE_HYPERNYM
// vary: max_hops = 4
// returns: p PATH
// try: :param {wnid: 'n01323355', train: 'ilsvrc2012'}
MATCH (c:Synset {wnid: $wnid})
MATCH p = (c)-[:HYPERNYM|INSTANCE_HYPERNYM*1..4]-(t:Synset)
WHERE t <> c AND EXISTS { (t)-[:IN_SET]->(:ClassSet {name: $train}) }
WITH collect(p) AS paths, min(length(p)) AS hops
UNWIND [path IN paths WHERE length(path) = hops] AS p
RETURN p
