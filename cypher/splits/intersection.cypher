// name: intersection
// mode: read
// doc: Classes that two class sets share.
// grain: one row per class
// param: name CLASS_SET the first class set
// param: other CLASS_SET the second
// returns: wnid WNID, name STRING
// order: wnid
// try: :param {name: 'imagenet-fall11', other: 'ilsvrc2012'}
MATCH (:ClassSet {name: $name})<-[:IN_SET]-(s:Synset)
WHERE EXISTS { (s)-[:IN_SET]->(:ClassSet {name: $other}) }
RETURN s.wnid AS wnid, s.name AS name
ORDER BY wnid
