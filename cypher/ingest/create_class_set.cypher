// name: create_class_set
// mode: write
// doc: A class set without members yet; its properties are its provenance, with the time of it.
// param: class_set STRING the class set
// param: properties MAP the properties: kind, size, source or query, …
// try: :param {class_set: 'mine', properties: {kind: 'list'}}
CREATE (class_set:ClassSet)
// = and not +=: properties of an earlier set of that name must not stay
SET class_set = $properties, class_set.name = $class_set, class_set.created_at = datetime()
