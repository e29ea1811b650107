// name: see_hypernyms
// page: 2 Which ways lead to the root?
// mode: read
// doc: Look at: every way from a synset up to entity, the root.
// grain: one path per way up
// param: wnid WNID the synset
// vary: hierarchy = HYPERNYM|INSTANCE_HYPERNYM
// returns: p PATH
// try: :param {wnid: 'n02110958'} pug: two ways, which meet at animal

// 40 edges: WordNet is 19 high, so nothing is cut off, and with a bound the search is breadth first
MATCH p = (:Synset {wnid: $wnid})-[:HYPERNYM|INSTANCE_HYPERNYM*1..40]->(:Synset {wnid: 'n00001740'})
RETURN p
