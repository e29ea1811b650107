// name: clear_paint
// mode: write
// doc: Remove the labels that painting a split sets.

// the root is locked first, so that of two who paint one waits for the other
OPTIONAL MATCH (root:Synset {wnid: 'n00001740'})
REMOVE root:Painted
WITH count(*) AS locked
OPTIONAL MATCH (split:ClassSet&Painted)
REMOVE split:Painted
WITH count(*) AS removed
// others may have nodes of these labels in the same database
MATCH (n:Concept&(Unseen|Training|Candidate|Ancestor|Centre|End|Images1|Images300|Images1000
                  |Sense|Shell1|Shell2|Shell3|Shell4|Shell5))
REMOVE n:Unseen:Training:Candidate:Ancestor:Centre:Images1:Images300:Images1000
REMOVE n:End:Sense:Shell1:Shell2:Shell3:Shell4:Shell5
