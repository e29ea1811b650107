// name: see_polysemy
// mode: read
// doc: Look at: a word (case ignored), the synsets that it names, and their hypernyms.
// grain: one path per synset and hypernym
// param: text WORD the word
// vary: hierarchy = HYPERNYM|INSTANCE_HYPERNYM
// returns: p PATH
// try: :param {text: 'crane'}
MATCH p = (:Word {key: toLower($text)})<-[:HAS_LABEL]-(:Synset)
          -[:HYPERNYM|INSTANCE_HYPERNYM]->(:Synset)
RETURN p
