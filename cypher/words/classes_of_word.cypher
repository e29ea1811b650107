// name: classes_of_word
// mode: read
// doc: Classes of a class set that a word names, case ignored.
// grain: one row per class
// param: text WORD the word
// param: class_set CLASS_SET the class set
// returns: wnid WNID, name STRING, gloss STRING
// order: wnid
// ref: Frome et al. 2013, DeViSE, appendix A.2 (head and queen name 9 classes each)
// try: :param {text: 'queen', class_set: 'imagenet-fall11'}
MATCH (:Word {key: toLower($text)})<-[:HAS_LABEL]-(s:Synset)
      -[:IN_SET]->(:ClassSet {name: $class_set})
RETURN DISTINCT s.wnid AS wnid, s.name AS name, s.gloss AS gloss
ORDER BY wnid
