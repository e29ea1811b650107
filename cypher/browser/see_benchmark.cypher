// name: see_benchmark
// page: 8 Where do the classes of a benchmark lie?
// mode: read
// doc: Look at: the upper hierarchy above the classes of a set; which branches it reaches.
// grain: one edge of the hierarchy
// param: class_set CLASS_SET the class set
// param: depth INTEGER 1..19 the greatest depth
// vary: hierarchy = HYPERNYM|INSTANCE_HYPERNYM
// returns: p PATH
// try: :param {class_set: 'hops-1', depth: 3} hops-1, down to depth 3
// try: :param {class_set: 'hops-1', depth: 4} hops-1, down to depth 4
MATCH (:ClassSet {name: $class_set})<-[:IN_SET]-(c)
// 40 edges: WordNet is 19 high, so nothing is cut off, and with a bound the search is breadth first
MATCH (c)-[:HYPERNYM|INSTANCE_HYPERNYM*0..40]->(above:Synset)
WHERE above.depth <= $depth
WITH collect(DISTINCT above) AS upper
UNWIND upper AS child
MATCH p = (child)-[:HYPERNYM|INSTANCE_HYPERNYM]->(parent)
WHERE parent IN upper
RETURN p
