// name: synsets_of_name
// mode: read
// doc: Noun synsets by their senses' names: polar_bear.n.01 is ice_bear.n.01. Unknown: no row.
// grain: one row per name
// param: names LIST<STRING> the names of synsets
// returns: name STRING, wnid WNID, synset_name STRING
// order: name
// try: :param {names: ['dog.n.01', 'polar_bear.n.01']}
UNWIND $names AS name
MATCH (s:Synset)-[:HAS_LABEL {name: name}]->(:Word)
// two spellings of a word in one synset have one name
RETURN DISTINCT name, s.wnid AS wnid, s.name AS synset_name
ORDER BY name
