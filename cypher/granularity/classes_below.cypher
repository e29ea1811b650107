// name: classes_below
// mode: read
// doc: Which classes of a set lie at or below which synsets: natural bins, superclasses.
// grain: one row per class and synset above it
// param: class_set CLASS_SET the class set
// param: wnids LIST<WNID> the synsets
// vary: hierarchy = HYPERNYM|INSTANCE_HYPERNYM
// returns: root WNID, root_name STRING, wnid WNID, name STRING
// order: root, wnid
// ref: Russakovsky et al. 2015, section 6.3.4
// try: :param {class_set: 'ilsvrc2012', wnids: ['n00021939', 'n00004258']}
UNWIND $wnids AS root
// 40 edges: WordNet is 19 high, so nothing is cut off, and with a bound the search is breadth first
MATCH (r:Synset {wnid: root})<-[:HYPERNYM|INSTANCE_HYPERNYM*0..40]-(c:Synset)
WHERE EXISTS { (c)-[:IN_SET]->(:ClassSet {name: $class_set}) }
RETURN DISTINCT root, r.name AS root_name, c.wnid AS wnid, c.name AS name
ORDER BY root, wnid
