// name: mark_ends
// mode: write
// doc: Label the synsets in which the ways of a picture end End.
// param: wnids LIST<WNID> the synsets
// try: :param {wnids: ['n00001740']}
UNWIND $wnids AS wnid
MATCH (s:Synset {wnid: wnid})
SET s:End
