// name: missing_class_sets
// mode: read
// doc: Class sets whose training classes or universe are no class set any more.
// grain: one row per class set and role; 0 rows is healthy
// returns: class_set STRING, role STRING, missing STRING
// order: class_set, role
MATCH (class_set:ClassSet)
UNWIND [['train', class_set.train], ['universe', class_set.universe]] AS named
WITH class_set, named[0] AS role, named[1] AS missing
WHERE missing IS NOT NULL
      AND CASE role
            WHEN 'train' THEN NOT EXISTS { (class_set)-[:TRAIN]->(:ClassSet {name: missing}) }
            ELSE NOT EXISTS { (class_set)-[:UNIVERSE]->(:ClassSet {name: missing}) }
          END
RETURN class_set.name AS class_set, role, missing
ORDER BY class_set, role
