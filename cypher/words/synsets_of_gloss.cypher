// name: synsets_of_gloss
// mode: read
// doc: Noun synsets by words of their glosses, best first; English endings and case are ignored.
// grain: one row per synset
// param: search STRING words of the gloss: Lucene's syntax, "a phrase", AND, OR, NOT, ending with *
// param: size INTEGER 1.. the largest number of rows
// returns: wnid WNID, name STRING, gloss STRING, score FLOAT
// order: score DESC, wnid
// try: :param {search: 'climbing animal', size: 10}
CALL db.index.fulltext.queryNodes('index_synset_gloss', $search) YIELD node, score
// the limit stands behind the order: the index itself breaks ties by the order of loading
RETURN node.wnid AS wnid, node.name AS name, node.gloss AS gloss, score
ORDER BY score DESC, wnid
LIMIT toInteger($size)
