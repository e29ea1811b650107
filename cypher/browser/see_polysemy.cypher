// name: see_polysemy
// page: 6 Which classes does this word name?
// mode: read
// doc: Look at: a word in any case, the synsets that it names, and what each is a kind of.
// grain: one path per synset and hypernym
// param: text WORD the word
// vary: hierarchy = HYPERNYM|INSTANCE_HYPERNYM
// returns: p PATH
// try: :param {text: 'crane'} crane
MATCH p = (:Word {key: toLower($text)})<-[:HAS_LABEL]-(:Synset)
          -[:HYPERNYM|INSTANCE_HYPERNYM]->(:Synset)
RETURN p
