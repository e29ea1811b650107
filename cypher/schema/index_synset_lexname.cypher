// name: index_synset_lexname
// mode: schema
// doc: Look-ups of synsets by lexicographer file (noun.animal).
CREATE INDEX index_synset_lexname IF NOT EXISTS
FOR (n:Synset) ON (n.lexname)
