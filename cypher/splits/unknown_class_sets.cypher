// name: unknown_class_sets
// mode: read
// doc: Which of the given names no class set has.
// grain: one row per unknown name, in the order given
// param: class_sets LIST<STRING> the class sets, to be looked up
// returns: name STRING
// try: :param {class_sets: ['ilsvrc2012', 'nothing']}
UNWIND $class_sets AS name
OPTIONAL MATCH (class_set:ClassSet {name: name})
WITH name, class_set
WHERE class_set IS NULL
RETURN name
