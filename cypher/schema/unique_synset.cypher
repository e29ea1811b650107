// name: unique_synset
// mode: schema
// doc: One synset per wnid; look-ups by wnid use its index.
CREATE CONSTRAINT unique_synset IF NOT EXISTS
FOR (n:Synset) REQUIRE n.wnid IS UNIQUE
