// name: class_populations
// mode: read
// doc: Depth and population of the classes of a set.
// grain: one row per class
// param: class_set CLASS_SET the class set
// returns: wnid WNID, name STRING, depth INTEGER, population INTEGER
// order: wnid
// try: :param {class_set: 'ilsvrc2012'}
MATCH (:ClassSet {name: $class_set})<-[:IN_SET]-(c:Synset)
RETURN c.wnid AS wnid, c.name AS name, c.depth AS depth, c.population AS population
ORDER BY wnid
