// name: see_neighbourhood
// page: 11 What lies around this synset?
// mode: read
// doc: Look at: all synsets within 2 edges of a synset, in any direction.
// grain: one path per neighbour
// param: wnid WNID the synset
// vary: hierarchy = HYPERNYM|INSTANCE_HYPERNYM
// vary: max_hops = 2
// returns: p PATH
// try: :param {wnid: 'n02114100'} wolf
MATCH p = (:Synset {wnid: $wnid})-[:HYPERNYM|INSTANCE_HYPERNYM*1..2]-(:Synset)
WITH p
ORDER BY length(p), [n IN nodes(p) | n.wnid]
LIMIT 300
RETURN p
