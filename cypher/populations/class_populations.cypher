// name: class_populations
// mode: read
// doc: Depth and population of the classes of a set.
// grain: one row per class
// param: universe CLASS_SET the class set
// returns: wnid WNID, name STRING, depth INTEGER, population INTEGER
// order: wnid
// try: :param {universe: 'ilsvrc2012'}
MATCH (:ClassSet {name: $universe})<-[:IN_SET]-(c:Synset)
RETURN c.wnid AS wnid, c.name AS name, c.depth AS depth, c.population AS population
ORDER BY wnid
