// name: see_synset
// page: 1 What is this synset?
// mode: read
// doc: Look at: a synset with its words, hypernyms and hyponyms, and the class sets that hold it.
// grain: one path per neighbour
// param: wnid WNID the synset
// vary: hierarchy = HYPERNYM|INSTANCE_HYPERNYM
// returns: p PATH
// try: :param {wnid: 'n02129604'} tiger
// try: :param {wnid: 'n02012849'} the bird crane
MATCH (s:Synset {wnid: $wnid})
CALL (s) {
  MATCH p = (s)-[:HYPERNYM|INSTANCE_HYPERNYM]-()
  RETURN p
  UNION
  MATCH p = (s)-[:HAS_LABEL|IN_SET]->()
  RETURN p
}
RETURN p
