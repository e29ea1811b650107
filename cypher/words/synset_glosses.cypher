// name: synset_glosses
// mode: read
// doc: Names and glosses of the given synsets, in the order given.
// grain: one row per synset
// param: wnids LIST<WNID> the synsets
// returns: wnid WNID, name STRING, gloss STRING
// try: :param {wnids: ['n02084071', 'n02121620']}
UNWIND $wnids AS wnid
MATCH (s:Synset {wnid: wnid})
RETURN wnid, s.name AS name, s.gloss AS gloss
