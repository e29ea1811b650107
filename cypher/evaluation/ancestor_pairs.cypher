// name: ancestor_pairs
// mode: read
// doc: Pairs of classes of one set of which one is an ancestor of the other (0 rows: disjoint).
// grain: one row per pair
// param: class_set CLASS_SET the class set; that of the lower classes
// param: above CLASS_SET the class set of the upper classes; the same one for pairs within a set
// vary: hierarchy = HYPERNYM|INSTANCE_HYPERNYM
// returns: ancestor WNID, ancestor_name STRING, descendant WNID, descendant_name STRING
// returns: hops INTEGER
// order: ancestor, descendant
// ref: Russakovsky et al. 2015, section 3.1.1 (disjoint synsets)
// try: :param {class_set: 'ilsvrc2012', above: 'ilsvrc2012'}
MATCH (:ClassSet {name: $class_set})<-[:IN_SET]-(c:Synset)
// 40 edges: WordNet is 19 high, so nothing is cut off, and with a bound the search is breadth first
MATCH p = (c)-[:HYPERNYM|INSTANCE_HYPERNYM*1..40]->(a:Synset)
WITH c, a, min(length(p)) AS hops
WHERE EXISTS { (a)-[:IN_SET]->(:ClassSet {name: $above}) }
RETURN a.wnid AS ancestor, a.name AS ancestor_name, c.wnid AS descendant, c.name AS descendant_name,
       hops
ORDER BY ancestor, descendant
