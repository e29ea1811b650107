// name: link_class_set
// mode: write
// doc: Edges TRAIN and UNIVERSE of a class set, and to it, as the properties of these names say.
// param: class_set STRING the class set
// try: :param {class_set: 'mine'}
MATCH (of:ClassSet)
WHERE $class_set IN [of.name, of.train, of.universe]
CALL (of) {
  MATCH (train:ClassSet {name: of.train})
  MERGE (of)-[:TRAIN]->(train)
}
CALL (of) {
  MATCH (universe:ClassSet {name: of.universe})
  MERGE (of)-[:UNIVERSE]->(universe)
}
