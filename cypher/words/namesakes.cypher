// name: namesakes
// mode: read
// doc: The words that name several noun synsets, upper and lower case being one word.
// grain: one row per word in lower case
// returns: label STRING, wnids LIST<WNID>
MATCH (w:Word)<-[:HAS_LABEL]-(s:Synset)
WITH w.key AS label, collect(DISTINCT s.wnid) AS wnids
WHERE size(wnids) > 1
RETURN label, wnids
