// name: class_sets
// mode: read
// doc: All class sets with their sizes and provenance.
// grain: one row per class set
// returns: name STRING, kind STRING, size INTEGER, properties MAP
// order: name
MATCH (class_set:ClassSet)
RETURN class_set.name AS name, class_set.kind AS kind, count { (class_set)<-[:IN_SET]-() } AS size,
       properties(class_set) AS properties
ORDER BY name
