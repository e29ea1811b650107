// name: mark_centre
// mode: write
// doc: Label one synset Centre, and no other; the shells of an hCorrectSet lose their labels.
// param: wnid WNID the synset
// try: :param {wnid: 'n02084071'}

// others may have nodes of these labels
OPTIONAL MATCH (before:Centre|Shell1|Shell2|Shell3|Shell4|Shell5)
WHERE before:Concept
REMOVE before:Centre:Shell1:Shell2:Shell3:Shell4:Shell5
WITH count(*) AS removed
MATCH (s:Synset {wnid: $wnid})
SET s:Centre
