// name: class_labels
// mode: read
// doc: The word labels of the classes of a set, with sense number, tagged count and frequency.
// grain: one row per class and word label
// param: class_set CLASS_SET the class set
// returns: wnid WNID, text STRING, rank INTEGER, sense_number INTEGER, sense_count INTEGER
// returns: frequency INTEGER, other_senses INTEGER
// order: wnid, rank
// try: :param {class_set: 'ilsvrc2012'}
MATCH (:ClassSet {name: $class_set})<-[:IN_SET]-(s:Synset)-[label:HAS_LABEL]->(w:Word)
RETURN s.wnid AS wnid, w.text AS text, label.rank AS rank, label.sense_number AS sense_number,
       label.sense_count AS sense_count,
       w.frequency AS frequency, coalesce(w.other_senses, 0) AS other_senses
ORDER BY wnid, rank
