// name: query_expansion
// mode: read
// doc: Searches for images of a synset: its words, each also with an ancestor's that the gloss has.
// grain: one row per word of the synset, and per such word and mentioned word of an ancestor
// param: wnid WNID the synset
// vary: hierarchy = HYPERNYM|INSTANCE_HYPERNYM
// returns: text STRING, word STRING, mentioned STRING, ancestor WNID, ancestor_name STRING
// returns: edges INTEGER
// order: edges, ancestor, word, mentioned
// ref: Russakovsky et al. 2015, ILSVRC, section 3.1.2
// ref: "whippet" gives "whippet dog" and "whippet greyhound"
// try: :param {wnid: 'n02091134'}
MATCH (s:Synset {wnid: $wnid})-[:HAS_LABEL]->(own:Word)
// 40 edges: WordNet is 19 high, so nothing is cut off, and with a bound the search is breadth first
CALL (s, own) {
  RETURN own.text AS text, null AS mentioned, null AS ancestor, null AS ancestor_name, 0 AS edges
  UNION
  MATCH p = (s)-[:HYPERNYM|INSTANCE_HYPERNYM*1..40]->(a:Synset)
  WITH s, own, a, min(length(p)) AS edges
  MATCH (a)-[:HAS_LABEL]->(w:Word)
  // \\Q and \\E: the word as it stands, whatever signs it has, and only as a whole word
  WHERE s.gloss =~ ('(?is).*\\b\\Q' + w.text + '\\E\\b.*')
  RETURN own.text + ' ' + w.text AS text, w.text AS mentioned, a.wnid AS ancestor,
         a.name AS ancestor_name, edges
}
RETURN text, own.text AS word, mentioned, ancestor, ancestor_name, edges
ORDER BY edges, ancestor, word, mentioned
