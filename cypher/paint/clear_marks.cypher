// name: clear_marks
// mode: write
// doc: Remove the rings of the last picture: its centre, its ends, the shells of an hCorrectSet.

// others may have nodes of these labels, and an address of Browser has no ampersand
MATCH (n:Centre|End|Shell1|Shell2|Shell3|Shell4|Shell5)
WHERE n:Concept
REMOVE n:Centre:End:Shell1:Shell2:Shell3:Shell4:Shell5
