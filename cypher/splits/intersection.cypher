// name: intersection
// mode: read
// doc: Classes that two class sets share.
// grain: one row per class
// param: class_set CLASS_SET the class set
// param: other_class_set CLASS_SET the other class set
// returns: wnid WNID, name STRING
// order: wnid
// try: :param {class_set: 'imagenet-fall11', other_class_set: 'ilsvrc2012'}
MATCH (:ClassSet {name: $class_set})<-[:IN_SET]-(s:Synset)
WHERE EXISTS { (s)-[:IN_SET]->(:ClassSet {name: $other_class_set}) }
RETURN s.wnid AS wnid, s.name AS name
ORDER BY wnid
