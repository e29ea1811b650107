// name: synsets_of_name
// mode: read
// doc: The noun synset of a WordNet name such as dog.n.01.
// grain: one row per synset
// param: name STRING the name
// returns: wnid WNID, name STRING
// order: wnid
// try: :param {name: 'dog.n.01'}
MATCH (s:Synset {name: $name})
RETURN s.wnid AS wnid, s.name AS name
ORDER BY wnid
