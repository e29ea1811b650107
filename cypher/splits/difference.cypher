// name: difference
// mode: read
// doc: Classes of one class set that are not in another: 'all' is universe minus training classes.
// grain: one row per class
// param: name CLASS_SET the class set
// param: without CLASS_SET the class set to take away
// returns: wnid WNID, name STRING
// order: wnid
// try: :param {name: 'imagenet-fall11', without: 'ilsvrc2012'}
MATCH (:ClassSet {name: $name})<-[member:IN_SET]-(s:Synset)
WHERE NOT EXISTS { (s)-[:IN_SET]->(:ClassSet {name: $without}) }
RETURN s.wnid AS wnid, s.name AS name
ORDER BY wnid
