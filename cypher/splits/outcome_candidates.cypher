// name: outcome_candidates
// mode: read
// doc: Ancestors and descendants of a split's classes among candidates: wrong in granularity alone.
// grain: one row per class of the split that has any
// param: split CLASS_SET the split
// param: among CLASS_SET the candidates; the split itself, or training classes where generalized
// vary: hierarchy = HYPERNYM|INSTANCE_HYPERNYM
// returns: wnid WNID, name STRING, parents LIST<WNID>, parent_names LIST<STRING>
// returns: children LIST<WNID>, child_names LIST<STRING>
// order: wnid
// ref: Hascoet et al. 2019, appendix A (Cathartid, Raptor, Bird)
// try: :param {split: 'hops-1', among: 'hops-1'}
MATCH (:ClassSet {name: $split})<-[:IN_SET]-(c:Synset)
// 40 edges: WordNet is 19 high, so nothing is cut off, and with a bound the search is breadth first
WITH c,
     COLLECT {
       MATCH (c)-[:HYPERNYM|INSTANCE_HYPERNYM*1..40]->(p:Synset)
       WHERE EXISTS { (p)-[:IN_SET]->(:ClassSet {name: $among}) }
       RETURN DISTINCT p ORDER BY p.wnid
     } AS parents,
     COLLECT {
       MATCH (c)<-[:HYPERNYM|INSTANCE_HYPERNYM*1..40]-(d:Synset)
       WHERE EXISTS { (d)-[:IN_SET]->(:ClassSet {name: $among}) }
       RETURN DISTINCT d ORDER BY d.wnid
     } AS children
WHERE size(parents) + size(children) > 0
RETURN c.wnid AS wnid, c.name AS name,
       [p IN parents | p.wnid] AS parents, [p IN parents | p.name] AS parent_names,
       [d IN children | d.wnid] AS children, [d IN children | d.name] AS child_names
ORDER BY wnid
