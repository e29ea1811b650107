// name: unique_class_set
// mode: schema
// doc: One class set per name.
CREATE CONSTRAINT unique_class_set IF NOT EXISTS
FOR (n:ClassSet) REQUIRE n.name IS UNIQUE
