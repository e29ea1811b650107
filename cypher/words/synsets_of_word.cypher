// name: synsets_of_word
// mode: read
// doc: Noun synsets that a word names, most usual sense first.
// grain: one row per synset
// param: text STRING the word, spaces between its parts
// returns: wnid STRING, synset STRING, sense_number INTEGER, sense_count INTEGER, gloss STRING
// order: sense_number, wnid
// ref: Frome et al. 2013, DeViSE, appendix A.2
// try: :param {text: 'crane'}
MATCH (:Word {text: $text})<-[label:HAS_LABEL]-(s:Synset)
RETURN s.wnid AS wnid, s.name AS synset, label.sense_number AS sense_number, label.sense_count AS sense_count, s.gloss AS gloss
ORDER BY sense_number, wnid
