// name: inherited_populations
// mode: read
// doc: Population of every node above a class set: the mean over the classes at or below it.
// grain: one row per node
// param: class_set CLASS_SET the class set
// vary: hierarchy = HYPERNYM|INSTANCE_HYPERNYM
// returns: wnid WNID, name STRING, population_mean FLOAT, classes INTEGER
// order: wnid
// ref: Russakovsky et al. 2015, section 6.3.4
// ref: values of coarse classes are averages of their descendants
// try: :param {class_set: 'ilsvrc2012'}
MATCH (:ClassSet {name: $class_set})<-[:IN_SET]-(c:Synset)
WHERE c.population IS NOT NULL
// 40 edges: WordNet is 19 high, so nothing is cut off, and with a bound the search is breadth first
MATCH (c)-[:HYPERNYM|INSTANCE_HYPERNYM*0..40]->(a:Synset)
// several ways may lead from a class up to the same node
WITH DISTINCT a, c
RETURN a.wnid AS wnid, a.name AS name, avg(c.population) AS population_mean, count(c) AS classes
ORDER BY wnid
