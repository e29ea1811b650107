// name: see_release_hub
// page: 7 What does the hub of the release hierarchy break?
// mode: read
// doc: Look at: classes 2 hops apart in the release hierarchy by a hub, and their way in WordNet.
// grain: one pair of paths per training class below the same hub
// param: wnid WNID the synset, directly below a hub of the release hierarchy
// param: train CLASS_SET the training classes
// vary: pairs = 4
// returns: by_hub PATH, in_wordnet PATH
// ref: Hascoet et al. 2019, section 4.1
// try: :param {wnid: 'n08521623', train: 'ilsvrc2012'} cemetery
MATCH by_hub = (c:Synset {wnid: $wnid})-[:RELEASE_PARENT]->(:ReleaseHub)
               <-[:RELEASE_PARENT]-(t)-[:IN_SET]->(:ClassSet {name: $train})
WITH c, t, by_hub
ORDER BY t.wnid
LIMIT 4
// 40 edges: WordNet is 19 high, so nothing is cut off, and with a bound the search is breadth first
MATCH in_wordnet = shortestPath((c)-[:HYPERNYM|INSTANCE_HYPERNYM*..40]-(t))
RETURN by_hub, in_wordnet
