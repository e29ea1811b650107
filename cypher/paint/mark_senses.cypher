// name: mark_senses
// mode: write
// doc: Label the synsets that one word names Sense: their captions are names.
// param: wnids LIST<WNID> the synsets
// try: :param {wnids: ['n02012849']}
UNWIND $wnids AS wnid
MATCH (s:Synset {wnid: wnid})
SET s:Sense
