// name: polysemy
// mode: read
// doc: How many labels and classes of a set share a word, by every reading of it; case ignored.
// grain: one row per unit (label, single-word label, class)
// param: class_set CLASS_SET the class set
// returns: unit STRING, total INTEGER, other_classes INTEGER, other_synsets INTEGER
// returns: any_part_of_speech INTEGER
// order: unit
// ref: Hascoet et al. 2019, section 4.2.2 (half of the labels, 38 % of the classes)
// ref: Frome et al. 2013, appendix A.2
// try: :param {class_set: 'imagenet-fall11'}
MATCH (w:Word)<-[:HAS_LABEL]-(s:Synset)
WITH w.key AS label, collect(DISTINCT s) AS synsets,
     max(coalesce(w.other_senses, 0)) AS other_senses
WITH NOT label CONTAINS ' ' AS single, size(synsets) > 1 AS shared,
     size(synsets) > 1 OR other_senses > 0 AS any,
     [s IN synsets WHERE EXISTS { (s)-[:IN_SET]->(:ClassSet {name: $class_set}) } | s.wnid] AS mine
WHERE size(mine) > 0
WITH collect({single: single, shared: shared, any: any, mine: mine, visual: size(mine) > 1}) AS rows
CALL (rows) {
  UNWIND rows AS row
  RETURN 'label' AS unit, count(row) AS total,
         sum(CASE WHEN row.visual THEN 1 ELSE 0 END) AS other_classes,
         sum(CASE WHEN row.shared THEN 1 ELSE 0 END) AS other_synsets,
         sum(CASE WHEN row.any THEN 1 ELSE 0 END) AS any_part_of_speech
  UNION ALL
  UNWIND rows AS row
  WITH row WHERE row.single
  RETURN 'single-word label' AS unit, count(row) AS total,
         sum(CASE WHEN row.visual THEN 1 ELSE 0 END) AS other_classes,
         sum(CASE WHEN row.shared THEN 1 ELSE 0 END) AS other_synsets,
         sum(CASE WHEN row.any THEN 1 ELSE 0 END) AS any_part_of_speech
  UNION ALL
  UNWIND rows AS row
  UNWIND row.mine AS wnid
  WITH wnid, any(x IN collect(row.visual) WHERE x) AS visual,
       any(x IN collect(row.shared) WHERE x) AS synsets, any(x IN collect(row.any) WHERE x) AS any
  RETURN 'class' AS unit, count(wnid) AS total,
         sum(CASE WHEN visual THEN 1 ELSE 0 END) AS other_classes,
         sum(CASE WHEN synsets THEN 1 ELSE 0 END) AS other_synsets,
         sum(CASE WHEN any THEN 1 ELSE 0 END) AS any_part_of_speech
}
RETURN unit, total, other_classes, other_synsets, any_part_of_speech
ORDER BY unit
