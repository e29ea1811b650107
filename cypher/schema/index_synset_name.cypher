// name: index_synset_name
// mode: schema
// doc: Look-ups of synsets by name (dog.n.01).
CREATE INDEX index_synset_name IF NOT EXISTS
FOR (n:Synset) ON (n.name)
