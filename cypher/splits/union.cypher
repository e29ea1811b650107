// name: union
// mode: read
// doc: Classes in any of the given class sets.
// grain: one row per class
// param: class_sets LIST<CLASS_SET> the class sets
// returns: wnid WNID, name STRING
// order: wnid
// try: :param {class_sets: ['imagenet-fall11', 'ilsvrc2012']}
UNWIND $class_sets AS name
MATCH (:ClassSet {name: name})<-[:IN_SET]-(s:Synset)
RETURN DISTINCT s.wnid AS wnid, s.name AS name
ORDER BY wnid
