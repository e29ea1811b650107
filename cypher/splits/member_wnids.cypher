// name: member_wnids
// mode: read
// doc: The wnids of a class set in the order of its list, and nothing else of them.
// grain: one row per class
// param: class_set CLASS_SET the class set
// returns: wnid WNID
// order: member.position
// try: :param {class_set: 'ilsvrc2012'}
MATCH (:ClassSet {name: $class_set})<-[member:IN_SET]-(s:Synset)
RETURN s.wnid AS wnid
ORDER BY member.position
