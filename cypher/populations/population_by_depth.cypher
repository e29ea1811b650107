// name: population_by_depth
// mode: read
// doc: Mean population of the classes of a set at every distance to the root.
// grain: one row per depth
// param: class_set CLASS_SET the class set
// returns: depth INTEGER, classes INTEGER, with_population INTEGER, population_mean FLOAT
// order: depth
// ref: Hascoet et al. 2019, appendix C, figure 15
// ref: 490 images 6 hops from the root, 700 at 10; at depths 5 and 9 here 489 and 705
// try: :param {class_set: 'imagenet-fall11'}
MATCH (:ClassSet {name: $class_set})<-[:IN_SET]-(c:Synset)
RETURN c.depth AS depth, count(c) AS classes, count(c.population) AS with_population,
       avg(c.population) AS population_mean
ORDER BY depth
