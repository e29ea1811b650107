// name: unknown_class_sets
// mode: read
// doc: Which of the given names no class set has.
// grain: one row per unknown name, in the order given
// param: names LIST<STRING> names to look up
// returns: name STRING
// try: :param {names: ['ilsvrc2012', 'nothing']}
UNWIND $names AS name
OPTIONAL MATCH (class_set:ClassSet {name: name})
WITH name, class_set
WHERE class_set IS NULL
RETURN name
