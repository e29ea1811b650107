// name: split_overlap
// mode: read
// doc: Classes of a split that are also training classes of that split.
// grain: one row per split and shared class; 0 rows is healthy
// returns: split STRING, wnid WNID, name STRING
// order: split, wnid
MATCH (split:ClassSet {kind: 'split'})<-[:IN_SET]-(s:Synset)
WHERE EXISTS { (s)-[:IN_SET]->(:ClassSet)<-[:TRAIN]-(split) }
RETURN split.name AS split, s.wnid AS wnid, s.name AS name
ORDER BY split, wnid
