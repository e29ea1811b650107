// name: index_word_search
// mode: schema
// doc: Full-text search in words, English endings ignored.
CREATE FULLTEXT INDEX index_word_search IF NOT EXISTS
FOR (n:Word) ON EACH [n.text]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}}
