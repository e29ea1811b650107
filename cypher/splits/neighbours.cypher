// name: neighbours
// mode: read
// doc: Hierarchy neighbours of a frontier, either direction: one round of a breadth-first search.
// grain: one row per frontier node with a neighbour
// param: wnids LIST<STRING> the synsets; hubs, too, in the release hierarchy
// vary: hierarchy = HYPERNYM|INSTANCE_HYPERNYM
// returns: wnid WNID, neighbours LIST<WNID>
// try: :param {wnids: ['n02084071', 'n02121620']}
UNWIND $wnids AS wnid
MATCH (s:Concept {wnid: wnid})-[:HYPERNYM|INSTANCE_HYPERNYM]-(n)
RETURN wnid, collect(DISTINCT n.wnid) AS neighbours
