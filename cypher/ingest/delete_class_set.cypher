// name: delete_class_set
// mode: write
// doc: Remove a class set and its memberships; the synsets stay.
// param: name STRING the class set
// try: :param {name: 'mine'}
MATCH (class_set:ClassSet {name: $name})
DETACH DELETE class_set
