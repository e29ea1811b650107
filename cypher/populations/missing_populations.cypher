// name: missing_populations
// mode: read
// doc: Class sets some of whose classes have no population, and how many.
// grain: one row per class set
// returns: class_set STRING, classes INTEGER
// order: class_set
MATCH (class_set:ClassSet)<-[:IN_SET]-(s:Synset)
WHERE s.population IS NULL
RETURN class_set.name AS class_set, count(s) AS classes
ORDER BY class_set
