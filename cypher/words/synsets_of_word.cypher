// name: synsets_of_word
// mode: read
// doc: Noun synsets that a word names, most usual sense first; case is ignored, as in WordNet.
// grain: one row per synset and spelling
// param: text WORD the word, spaces between its parts
// returns: wnid WNID, name STRING, sense_number INTEGER, sense_count INTEGER, gloss STRING
// returns: text STRING
// order: sense_number, wnid
// ref: Frome et al. 2013, DeViSE, appendix A.2
// try: :param {text: 'crane'}
MATCH (w:Word {key: toLower($text)})<-[label:HAS_LABEL]-(s:Synset)
RETURN s.wnid AS wnid, s.name AS name, label.sense_number AS sense_number,
       label.sense_count AS sense_count, s.gloss AS gloss, w.text AS text
ORDER BY sense_number, wnid
