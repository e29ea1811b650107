// name: class_set_properties
// mode: read
// doc: What class sets say of themselves, for a load that brings them up to date; times as texts.
// grain: one row per class set
// returns: name STRING, properties MAP
// order: name
MATCH (class_set:ClassSet)
RETURN class_set.name AS name,
       class_set {.*, created_at: toString(class_set.created_at)} AS properties
ORDER BY name
