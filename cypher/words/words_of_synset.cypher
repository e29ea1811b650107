// name: words_of_synset
// mode: read
// doc: Word labels of a synset in WordNet's order.
// grain: one row per word label
// param: wnid WNID the synset
// returns: text STRING, rank INTEGER, sense_number INTEGER, sense_count INTEGER, frequency INTEGER
// order: rank
// try: :param {wnid: 'n02084071'}
MATCH (:Synset {wnid: $wnid})-[label:HAS_LABEL]->(w:Word)
RETURN w.text AS text, label.rank AS rank, label.sense_number AS sense_number,
       label.sense_count AS sense_count, w.frequency AS frequency
ORDER BY rank
