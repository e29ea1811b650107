// name: synset_properties
// mode: read
// doc: Name, words, depth and population of the given synsets.
// grain: one row per synset
// param: wnids LIST<WNID> the synsets
// returns: wnid WNID, name STRING, words LIST<STRING>, depth INTEGER, population INTEGER
// try: :param {wnids: ['n02084071']}
UNWIND $wnids AS wnid
MATCH (s:Synset {wnid: wnid})
RETURN s.wnid AS wnid, s.name AS name, s.words AS words, s.depth AS depth,
       s.population AS population
