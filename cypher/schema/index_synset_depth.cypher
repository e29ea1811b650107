// name: index_synset_depth
// mode: schema
// doc: Look-ups of synsets by depth.
CREATE INDEX index_synset_depth IF NOT EXISTS
FOR (n:Synset) ON (n.depth)
