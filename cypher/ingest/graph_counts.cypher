// name: graph_counts
// mode: read
// doc: Sizes of the graph, from the database's own counters.
// grain: one row per kind of node or edge
// returns: element STRING, total INTEGER
CALL () {
  MATCH (n:Synset)
  RETURN 'synsets' AS element, count(n) AS total
  UNION ALL
  MATCH (n:Word)
  RETURN 'words' AS element, count(n) AS total
  UNION ALL
  MATCH (n:ClassSet)
  RETURN 'class_sets' AS element, count(n) AS total
  UNION ALL
  MATCH ()-[edge:HYPERNYM]->()
  RETURN 'hypernyms' AS element, count(edge) AS total
  UNION ALL
  MATCH ()-[edge:INSTANCE_HYPERNYM]->()
  RETURN 'instance_hypernyms' AS element, count(edge) AS total
  UNION ALL
  MATCH ()-[edge:RELEASE_PARENT]->()
  RETURN 'release_parents' AS element, count(edge) AS total
  UNION ALL
  MATCH ()-[edge:HAS_LABEL]->()
  RETURN 'labels' AS element, count(edge) AS total
}
RETURN element, total
