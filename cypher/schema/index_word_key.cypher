// name: index_word_key
// mode: schema
// doc: Look-ups of words, case ignored, by their key (the text in lower case).
CREATE INDEX index_word_key IF NOT EXISTS
FOR (n:Word) ON (n.key)
