// name: populated_above
// mode: read
// doc: The classes of a set with more than so many images (strictly; unknown is not more).
// grain: one row per class
// param: class_set CLASS_SET the class set
// param: images INTEGER 0.. the population that is exceeded
// returns: wnid WNID, name STRING, population INTEGER
// order: wnid
// ref: Hascoet et al. 2019, appendix F, Table 4 (n > 300)
// try: :param {class_set: 'imagenet-fall11', images: 300}
MATCH (:ClassSet {name: $class_set})<-[:IN_SET]-(c:Synset)
WHERE c.population > $images
RETURN c.wnid AS wnid, c.name AS name, c.population AS population
ORDER BY wnid
