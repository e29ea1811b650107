// name: classes_of_word
// mode: read
// doc: Classes of a class set that a word names, case ignored.
// grain: one row per class
// param: text WORD the word
// param: universe CLASS_SET the class set
// returns: wnid WNID, synset STRING, gloss STRING
// order: wnid
// ref: Frome et al. 2013, DeViSE, appendix A.2 (head and queen name 9 classes each)
// try: :param {text: 'queen', universe: 'imagenet-fall11'}
MATCH (:ClassSet {name: $universe})<-[:IN_SET]-(s:Synset)-[label:HAS_LABEL]->(w:Word)
WHERE toLower(w.text) = toLower($text)
RETURN DISTINCT s.wnid AS wnid, s.name AS synset, s.gloss AS gloss
ORDER BY wnid
