// name: create_relations
// mode: write
// doc: Edges of WordNet's other pointers between noun synsets, which are no part of a hierarchy.
// param: rows LIST<MAP> the rows: type, wnid, other; word, other_word of a pointer between words
// try: :param {rows: [{type: 'PART_MERONYM', wnid: 'n02958343', other: 'n02670683'}]}
UNWIND $rows AS row
MATCH (s:Synset {wnid: row.wnid})
MATCH (o:Synset {wnid: row.other})
WITH row, s, o, row {.word, .other_word} AS words
FOREACH (_ IN CASE WHEN row.type = 'MEMBER_MERONYM' THEN [1] END |
  CREATE (s)-[edge:MEMBER_MERONYM]->(o) SET edge = words)
FOREACH (_ IN CASE WHEN row.type = 'PART_MERONYM' THEN [1] END |
  CREATE (s)-[edge:PART_MERONYM]->(o) SET edge = words)
FOREACH (_ IN CASE WHEN row.type = 'SUBSTANCE_MERONYM' THEN [1] END |
  CREATE (s)-[edge:SUBSTANCE_MERONYM]->(o) SET edge = words)
FOREACH (_ IN CASE WHEN row.type = 'ANTONYM' THEN [1] END |
  CREATE (s)-[edge:ANTONYM]->(o) SET edge = words)
FOREACH (_ IN CASE WHEN row.type = 'TOPIC' THEN [1] END |
  CREATE (s)-[edge:TOPIC]->(o) SET edge = words)
FOREACH (_ IN CASE WHEN row.type = 'REGION' THEN [1] END |
  CREATE (s)-[edge:REGION]->(o) SET edge = words)
