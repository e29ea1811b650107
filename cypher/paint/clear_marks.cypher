// name: clear_marks
// mode: write
// doc: Remove the marks of the last picture: centre, ends, senses, shells of an hCorrectSet.

// others may have nodes of these labels, and an address of Browser has no ampersand
MATCH (n:Centre|End|Sense|Shell1|Shell2|Shell3|Shell4|Shell5)
WHERE n:Concept
REMOVE n:Centre:End:Sense:Shell1:Shell2:Shell3:Shell4:Shell5
