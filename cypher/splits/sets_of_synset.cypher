// name: sets_of_synset
// mode: read
// doc: The class sets that a synset is in.
// grain: one row per class set
// param: wnid WNID the synset
// returns: name STRING, kind STRING, size INTEGER
// order: name
// try: :param {wnid: 'n02084071'}
MATCH (:Synset {wnid: $wnid})-[:IN_SET]->(class_set:ClassSet)
RETURN class_set.name AS name, class_set.kind AS kind, class_set.size AS size
ORDER BY name
