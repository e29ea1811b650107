// name: union
// mode: read
// doc: Classes in any of the given class sets.
// grain: one row per class
// param: names LIST<CLASS_SET> the class sets
// returns: wnid WNID, name STRING
// order: wnid
// try: :param {names: ['imagenet-fall11', 'ilsvrc2012']}
UNWIND $names AS name
MATCH (:ClassSet {name: name})<-[:IN_SET]-(s:Synset)
RETURN DISTINCT s.wnid AS wnid, s.name AS name
ORDER BY wnid
