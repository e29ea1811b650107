// name: difference
// mode: read
// doc: Classes of one class set that are not in another: 'all' is universe minus training classes.
// grain: one row per class
// param: class_set CLASS_SET the class set
// param: without CLASS_SET the class set that is taken away
// returns: wnid WNID, name STRING
// order: wnid
// try: :param {class_set: 'imagenet-fall11', without: 'ilsvrc2012'}
MATCH (:ClassSet {name: $class_set})<-[member:IN_SET]-(s:Synset)
WHERE NOT EXISTS { (s)-[:IN_SET]->(:ClassSet {name: $without}) }
RETURN s.wnid AS wnid, s.name AS name
ORDER BY wnid
