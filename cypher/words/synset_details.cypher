// name: synset_details
// mode: read
// doc: One synset: words, gloss, depth, population, hypernyms, hyponyms, number of descendants.
// grain: one row
// param: wnid WNID the synset
// vary: hierarchy = HYPERNYM|INSTANCE_HYPERNYM
// returns: wnid WNID, name STRING, words LIST<STRING>, gloss STRING, lexname STRING, depth INTEGER
// returns: population INTEGER, parents LIST<WNID>, parent_names LIST<STRING>, children LIST<WNID>
// returns: child_names LIST<STRING>, descendants INTEGER
// ref: Fellbaum 1998, WordNet: an electronic lexical database
// try: :param {wnid: 'n02084071'}
MATCH (s:Synset {wnid: $wnid})
// 40 edges: WordNet is 19 high, so nothing is cut off, and with a bound the search is breadth first
WITH s,
     COLLECT {
       MATCH (s)-[:HYPERNYM|INSTANCE_HYPERNYM]->(p:Synset) RETURN p ORDER BY p.wnid
     } AS parents,
     COLLECT {
       MATCH (s)<-[:HYPERNYM|INSTANCE_HYPERNYM]-(c:Synset) RETURN c ORDER BY c.wnid
     } AS children,
     COUNT {
       MATCH (s)<-[:HYPERNYM|INSTANCE_HYPERNYM*1..40]-(d:Synset) RETURN DISTINCT d
     } AS descendants
RETURN s.wnid AS wnid, s.name AS name, s.words AS words, s.gloss AS gloss, s.lexname AS lexname,
       s.depth AS depth, s.population AS population,
       [p IN parents | p.wnid] AS parents, [p IN parents | p.name] AS parent_names,
       [c IN children | c.wnid] AS children, [c IN children | c.name] AS child_names, descendants
