// name: population_by_depth
// mode: read
// doc: Mean population of the classes of a set at every distance to the root.
// grain: one row per depth
// param: universe CLASS_SET the class set
// returns: depth INTEGER, classes INTEGER, with_population INTEGER, population_mean FLOAT
// order: depth
// ref: Hascoet et al. 2019, appendix C, figure 15
// ref: 490 images within 6 edges of the root, 700 within 10
// try: :param {universe: 'imagenet-fall11'}
MATCH (:ClassSet {name: $universe})<-[:IN_SET]-(c:Synset)
RETURN c.depth AS depth, count(c) AS classes, count(c.population) AS with_population,
       avg(c.population) AS population_mean
ORDER BY depth
