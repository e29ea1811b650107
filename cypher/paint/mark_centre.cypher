// name: mark_centre
// mode: write
// doc: Label one synset Centre, and no other.
// param: wnid WNID the synset
// try: :param {wnid: 'n02084071'}
OPTIONAL MATCH (before:Concept&Centre)
REMOVE before:Centre
WITH count(*) AS removed
MATCH (s:Synset {wnid: $wnid})
SET s:Centre
