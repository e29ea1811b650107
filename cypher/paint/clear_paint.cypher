// name: clear_paint
// mode: write
// doc: Remove the labels that painting a split sets; nothing else carries them.
MATCH (n:Unseen|Training|Candidate|Ancestor|Centre|Images1|Images300|Images1000|Painted)
REMOVE n:Unseen:Training:Candidate:Ancestor:Centre:Images1:Images300:Images1000:Painted
