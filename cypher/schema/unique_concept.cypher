// name: unique_concept
// mode: schema
// doc: One concept per wnid, be it a synset or a hub: what stands in a hierarchy is found by one MATCH.
CREATE CONSTRAINT unique_concept IF NOT EXISTS
FOR (n:Concept) REQUIRE n.wnid IS UNIQUE
