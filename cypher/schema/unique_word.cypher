// name: unique_word
// mode: schema
// doc: One word per text; look-ups by text use its index.
CREATE CONSTRAINT unique_word IF NOT EXISTS
FOR (n:Word) REQUIRE n.text IS UNIQUE
