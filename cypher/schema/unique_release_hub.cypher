// name: unique_release_hub
// mode: schema
// doc: One hub of the ImageNet release hierarchy per name.
CREATE CONSTRAINT unique_release_hub IF NOT EXISTS
FOR (n:ReleaseHub) REQUIRE n.wnid IS UNIQUE
