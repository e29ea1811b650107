// name: paint_ancestors
// mode: write
// doc: Label what is above an Unseen or Training class, and has no role of its own, Ancestor.
// vary: hierarchy = HYPERNYM|INSTANCE_HYPERNYM

// 40 edges: WordNet is 19 high, so nothing is cut off, and with a bound the search is breadth first
MATCH (c:Concept&(Unseen|Training))-[:HYPERNYM|INSTANCE_HYPERNYM*1..40]->(above)
WITH DISTINCT above
WHERE NOT above:Unseen AND NOT above:Training AND NOT above:Candidate
SET above:Ancestor
