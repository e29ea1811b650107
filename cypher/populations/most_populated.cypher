// name: most_populated
// mode: read
// doc: The classes with the most images among those of a universe that are not training classes.
// grain: one row per class
// param: universe CLASS_SET the universe
// param: train CLASS_SET the training classes
// param: size INTEGER 1.. the largest number of rows
// returns: wnid WNID, name STRING, population INTEGER
// order: population DESC, wnid
// ref: Xian et al. 2017, section 4.2 (500, 1K and 5K most populated)
// try: :param {universe: 'imagenet-fall11', train: 'ilsvrc2012', size: 500}
MATCH (:ClassSet {name: $universe})<-[:IN_SET]-(c:Synset)
WHERE c.population >= 1 AND NOT EXISTS { (c)-[:IN_SET]->(:ClassSet {name: $train}) }
RETURN c.wnid AS wnid, c.name AS name, c.population AS population
ORDER BY population DESC, wnid
LIMIT toInteger($size)
