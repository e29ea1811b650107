// name: index_synset_gloss
// mode: schema
// doc: Full-text search in glosses, English endings ignored.
CREATE FULLTEXT INDEX index_synset_gloss IF NOT EXISTS
FOR (n:Synset) ON EACH [n.gloss]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}}
