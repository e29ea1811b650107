// name: class_sets
// mode: read
// doc: All class sets with their sizes and provenance; times as texts.
// grain: one row per class set
// returns: name STRING, kind STRING, size INTEGER, properties MAP
// order: name
MATCH (class_set:ClassSet)
RETURN class_set.name AS name, class_set.kind AS kind, count { (class_set)<-[:IN_SET]-() } AS size,
       class_set {.*, created_at: toString(class_set.created_at)} AS properties
ORDER BY name
