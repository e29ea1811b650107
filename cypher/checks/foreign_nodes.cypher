// name: foreign_nodes
// mode: read
// doc: Nodes that graphzsl did not make: it needs a database for itself.
// grain: one row per combination of labels; 0 rows is healthy
// returns: labels LIST<STRING>, nodes INTEGER, example MAP
// order: labels
MATCH (n)
WHERE CASE
        WHEN n:Synset THEN n.lexname IS NULL
        WHEN n:Word THEN NOT EXISTS { (n)<-[:HAS_LABEL]-() }
        WHEN n:ReleaseHub THEN NOT EXISTS { (n)-[:RELEASE_PARENT]-() }
        WHEN n:ClassSet THEN n.kind IS NULL
        WHEN n:Source THEN n.status IS NULL
        ELSE true
      END
RETURN labels(n) AS labels, count(n) AS nodes, properties(head(collect(n))) AS example
ORDER BY labels
