// name: sides
// mode: read
// doc: Classes of a set that are above (ancestors of) a training class, below one, both or neither.
// grain: one row per side
// param: class_set CLASS_SET the class set
// param: train CLASS_SET the training classes
// vary: hierarchy = HYPERNYM|INSTANCE_HYPERNYM
// returns: above BOOLEAN, below BOOLEAN, classes INTEGER
// order: above, below
// ref: Hascoet et al. 2019, section 4.1
// try: :param {class_set: 'hops-1', train: 'ilsvrc2012'}
MATCH (:ClassSet {name: $class_set})<-[:IN_SET]-(c:Synset)
// 40 edges: WordNet is 19 high, so nothing is cut off, and with a bound the search is breadth first
WITH c,
     EXISTS {
       (c)<-[:HYPERNYM|INSTANCE_HYPERNYM*1..40]-(:Synset)-[:IN_SET]->(:ClassSet {name: $train})
     } AS above,
     EXISTS {
       (c)-[:HYPERNYM|INSTANCE_HYPERNYM*1..40]->(:Synset)-[:IN_SET]->(:ClassSet {name: $train})
     } AS below
RETURN above, below, count(c) AS classes
ORDER BY above, below
