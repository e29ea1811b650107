// name: delete_class_set
// mode: write
// doc: Remove a class set and its memberships; the synsets stay.
// param: class_set STRING the class set
// try: :param {class_set: 'mine'}
MATCH (class_set:ClassSet {name: $class_set})
DETACH DELETE class_set
