// name: graph_counts
// mode: read
// doc: Sizes of the graph, from the database's own counters.
// grain: one row per kind of node or edge
// returns: element STRING, total INTEGER
CALL () {
  // WITH: where nothing matches, a count beside a text would be no row, and alone it is 0
  MATCH (n:Synset)
  WITH count(n) AS total
  RETURN 'synsets' AS element, total
  UNION ALL
  MATCH (n:Word)
  WITH count(n) AS total
  RETURN 'words' AS element, total
  UNION ALL
  MATCH (n:ClassSet)
  WITH count(n) AS total
  RETURN 'class_sets' AS element, total
  UNION ALL
  MATCH ()-[edge:HYPERNYM]->()
  WITH count(edge) AS total
  RETURN 'hypernyms' AS element, total
  UNION ALL
  MATCH ()-[edge:INSTANCE_HYPERNYM]->()
  WITH count(edge) AS total
  RETURN 'instance_hypernyms' AS element, total
  UNION ALL
  MATCH ()-[edge:RELEASE_PARENT]->()
  WITH count(edge) AS total
  RETURN 'release_parents' AS element, total
  UNION ALL
  MATCH ()-[edge:HAS_LABEL]->()
  WITH count(edge) AS total
  RETURN 'labels' AS element, total
}
RETURN element, total
