// name: population_below
// mode: read
// doc: Known populations of the classes of a set at or below a synset: number, mean and sum.
// grain: one row
// param: wnid WNID the synset
// param: class_set CLASS_SET the class set
// vary: hierarchy = HYPERNYM|INSTANCE_HYPERNYM
// returns: classes INTEGER, population_mean FLOAT, images INTEGER
// ref: Russakovsky et al. 2015, section 6.3.4
// ref: values of coarse classes are averages of their descendants
// try: :param {wnid: 'n02084071', class_set: 'imagenet-fall11'}
MATCH (:Synset {wnid: $wnid})<-[:HYPERNYM|INSTANCE_HYPERNYM*0..40]-(c:Synset)
// 40 edges: WordNet is 19 high, so nothing is cut off, and with a bound the search is breadth first
WHERE c.population IS NOT NULL AND EXISTS { (c)-[:IN_SET]->(:ClassSet {name: $class_set}) }
WITH DISTINCT c
RETURN count(c) AS classes, avg(c.population) AS population_mean, sum(c.population) AS images
