// name: class_set_statistics
// mode: read
// doc: Depths, populations and word labels of a class set.
// grain: one row
// param: class_set CLASS_SET the class set
// returns: classes INTEGER, depth_min INTEGER, depth_mean FLOAT, depth_max INTEGER
// returns: with_population INTEGER, population_mean FLOAT, images INTEGER, words_mean FLOAT
// try: :param {class_set: 'ilsvrc2012'}
MATCH (:ClassSet {name: $class_set})<-[:IN_SET]-(s:Synset)
RETURN count(s) AS classes, min(s.depth) AS depth_min, avg(s.depth) AS depth_mean,
       max(s.depth) AS depth_max, count(s.population) AS with_population,
       avg(s.population) AS population_mean, sum(s.population) AS images,
       avg(size(s.words)) AS words_mean
