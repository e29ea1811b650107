// name: subgraph_edges
// mode: read
// doc: The hierarchy edges among the given nodes, or below them where both ends are given.
// grain: one row per edge that starts at a given node
// param: wnids LIST<WNID> the nodes
// vary: hierarchy = HYPERNYM|INSTANCE_HYPERNYM
// returns: child WNID, parent WNID, type STRING
// try: :param {wnids: ['n02084071']}
UNWIND $wnids AS wnid
MATCH (child:Synset {wnid: wnid})-[edge:HYPERNYM|INSTANCE_HYPERNYM]->(parent:Synset)
RETURN wnid AS child, parent.wnid AS parent, type(edge) AS type
