// name: mark_centre
// mode: write
// doc: Label the synset that a picture is about Centre.
// param: wnid WNID the synset
// try: :param {wnid: 'n02084071'}
MATCH (s:Synset {wnid: $wnid})
SET s:Centre
