// name: unknown_wnids
// mode: read
// doc: Which of the given wnids are not noun synsets of the database.
// grain: one row per unknown wnid, in the order given
// param: wnids LIST<STRING> the synsets, to be looked up
// returns: wnid WNID
// try: :param {wnids: ['n02084071', 'n99999999']}
UNWIND $wnids AS wnid
OPTIONAL MATCH (s:Synset {wnid: wnid})
WITH wnid, s
WHERE s IS NULL
RETURN wnid
