// name: renew_class_set
// mode: write
// doc: Properties in place of those that an earlier version stored of a class set; its time stays.
// param: class_set STRING the class set
// param: properties MAP the properties: kind, size, source or query, …
// try: :param {class_set: 'mine', properties: {kind: 'list'}}
MATCH (class_set:ClassSet {name: $class_set})
WITH class_set, datetime(toString(class_set.created_at)) AS created_at
SET class_set = $properties, class_set.name = $class_set, class_set.created_at = created_at
