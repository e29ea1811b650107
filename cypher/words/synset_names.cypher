// name: synset_names
// mode: read
// doc: Names of the given synsets: what stands beside wnids in tables. Unknown wnids have no row.
// grain: one row per synset
// param: wnids LIST<STRING> the synsets
// returns: wnid WNID, name STRING
// try: :param {wnids: ['n02084071', 'n02121620']}
UNWIND $wnids AS wnid
MATCH (s:Synset {wnid: wnid})
RETURN wnid, s.name AS name
