// name: synsets_of_names
// mode: read
// doc: Noun synsets that class names may mean; case, punctuation and possessives are ignored.
// grain: one row per word label and synset
// param: keys LIST<STRING> the class names in lower case, without spaces, hyphens, full stops, 's
// returns: key STRING, text STRING, wnid WNID, name STRING, sense_number INTEGER
// returns: sense_count INTEGER
// order: key, sense_number, text, wnid
// ref: Xian et al. 2017, section 4.2 (test classes among the classes of ImageNet-1K)
// try: :param {keys: ['persiancat', 'diningtable']}
MATCH (w:Word)
WITH w, replace(replace(replace(replace(w.key, "'s", ''), ' ', ''), '-', ''), '.', '') AS key
WHERE key IN $keys
MATCH (w)<-[label:HAS_LABEL]-(s:Synset)
RETURN key, w.text AS text, s.wnid AS wnid, s.name AS name,
       label.sense_number AS sense_number, label.sense_count AS sense_count
ORDER BY key, sense_number, text, wnid
