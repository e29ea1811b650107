// name: members
// mode: read
// doc: Members of a class set in the order of its list.
// grain: one row per class
// param: class_set CLASS_SET the class set
// returns: wnid WNID, name STRING, words LIST<STRING>, position INTEGER
// returns: depth INTEGER, population INTEGER
// order: position
// try: :param {class_set: 'ilsvrc2012'}
MATCH (:ClassSet {name: $class_set})<-[member:IN_SET]-(s:Synset)
RETURN s.wnid AS wnid, s.name AS name, s.words AS words, member.position AS position,
       s.depth AS depth, s.population AS population
ORDER BY position
