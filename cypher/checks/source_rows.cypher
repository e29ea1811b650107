// name: source_rows
// mode: read
// doc: Sources whose rows are not as many in the graph as were loaded.
// grain: one row per source; 0 rows is healthy
// returns: name STRING, loaded INTEGER, found INTEGER
// order: name
MATCH (source:Source)
WITH source,
     CASE source.kind
       WHEN 'wordnet' THEN
         count { (:Synset) } + count { (:Word) } + count { ()-[:HYPERNYM]->() }
         + count { ()-[:INSTANCE_HYPERNYM]->() } + count { ()-[:HAS_LABEL]->() }
       WHEN 'populations' THEN count { (s:Synset) WHERE s.population IS NOT NULL }
       WHEN 'frequencies' THEN count { (w:Word) WHERE w.frequency IS NOT NULL }
       WHEN 'hierarchy' THEN count { ()-[:RELEASE_PARENT]->() }
       WHEN 'relations' THEN
         count { ()-[:MEMBER_MERONYM|PART_MERONYM|SUBSTANCE_MERONYM|ANTONYM|TOPIC|REGION]->() }
     END AS found
WHERE found <> source.rows
RETURN source.name AS name, source.rows AS loaded, found
ORDER BY name
