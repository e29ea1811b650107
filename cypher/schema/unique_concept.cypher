// name: unique_concept
// mode: schema
// doc: One concept per wnid, synset or hub: one MATCH finds what stands in a hierarchy.
CREATE CONSTRAINT unique_concept IF NOT EXISTS
FOR (n:Concept) REQUIRE n.wnid IS UNIQUE
