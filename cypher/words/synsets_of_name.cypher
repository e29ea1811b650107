// name: synsets_of_name
// mode: read
// doc: The noun synsets of WordNet names such as dog.n.01. Unknown names have no row.
// grain: one row per synset
// param: names LIST<STRING> the names of synsets
// returns: wnid WNID, name STRING
// order: wnid
// try: :param {names: ['dog.n.01', 'cat.n.01']}
MATCH (s:Synset)
WHERE s.name IN $names
RETURN s.wnid AS wnid, s.name AS name
ORDER BY wnid
