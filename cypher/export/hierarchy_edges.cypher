// name: hierarchy_edges
// mode: read
// doc: All edges of a hierarchy, with their types.
// grain: one row per edge
// vary: hierarchy = HYPERNYM|INSTANCE_HYPERNYM
// returns: child WNID, parent WNID, type STRING

// without labels, so that the hubs of the release hierarchy are in
MATCH (child)-[edge:HYPERNYM|INSTANCE_HYPERNYM]->(parent)
RETURN child.wnid AS child, parent.wnid AS parent, type(edge) AS type
