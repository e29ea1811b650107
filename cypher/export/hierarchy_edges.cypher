// name: hierarchy_edges
// mode: read
// doc: All edges of a hierarchy.
// grain: one row per edge
// vary: hierarchy = HYPERNYM|INSTANCE_HYPERNYM
// returns: child WNID, parent WNID
MATCH (child)-[:HYPERNYM|INSTANCE_HYPERNYM]->(parent)
RETURN child.wnid AS child, parent.wnid AS parent
