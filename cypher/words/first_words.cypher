// name: first_words
// mode: read
// doc: The first word of every noun synset: what the neighbourhood of a class is called.
// grain: one row per synset
// returns: wnid WNID, text STRING
MATCH (s:Synset)
RETURN s.wnid AS wnid, s.words[0] AS text
