// name: class_set_sizes
// mode: read
// doc: Class sets whose members are not as many as they say.
// grain: one row per class set; 0 rows is healthy
// returns: name STRING, size INTEGER, members INTEGER
// order: name
MATCH (class_set:ClassSet)
WITH class_set, count { (class_set)<-[:IN_SET]-() } AS members
WHERE members <> class_set.size
RETURN class_set.name AS name, class_set.size AS size, members
ORDER BY name
