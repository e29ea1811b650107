// name: noun_synsets
// mode: read
// doc: Every noun synset of WordNet: the nodes of the whole hierarchy.
// grain: one row per synset
// returns: wnid WNID, name STRING, words LIST<STRING>, gloss STRING, lexname STRING
// returns: depth INTEGER, population INTEGER
// order: wnid
// ref: Fellbaum 1998, WordNet: an electronic lexical database
MATCH (s:Synset)
RETURN s.wnid AS wnid, s.name AS name, s.words AS words, s.gloss AS gloss,
       s.lexname AS lexname, s.depth AS depth, s.population AS population
ORDER BY wnid
