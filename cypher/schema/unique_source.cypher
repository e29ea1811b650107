// name: unique_source
// mode: schema
// doc: One source record per name.
CREATE CONSTRAINT unique_source IF NOT EXISTS
FOR (n:Source) REQUIRE n.name IS UNIQUE
