// name: paint_populations
// mode: write
// doc: Label synsets by their images: Images1 (1 to 299), Images300 (to 999), Images1000 (more).

// others of before stay where no painting removed them, and others may have nodes of these labels
OPTIONAL MATCH (before:Concept&(Images1|Images300|Images1000))
REMOVE before:Images1:Images300:Images1000
WITH count(*) AS removed
MATCH (s:Synset)
WHERE s.population > 0
FOREACH (_ IN CASE WHEN s.population < 300 THEN [1] END | SET s:Images1)
FOREACH (_ IN CASE WHEN 300 <= s.population < 1000 THEN [1] END | SET s:Images300)
FOREACH (_ IN CASE WHEN s.population >= 1000 THEN [1] END | SET s:Images1000)
