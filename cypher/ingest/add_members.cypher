// name: add_members
// mode: write
// doc: Members of a class set, with their position in its list.
// param: class_set STRING the class set
// param: rows LIST<MAP> the rows: wnid, position (from 0)
// try: :param {class_set: 'mine', rows: [{wnid: 'n02084071', position: 0}]}
MATCH (class_set:ClassSet {name: $class_set})
UNWIND $rows AS row
MATCH (s:Synset {wnid: row.wnid})
CREATE (s)-[:IN_SET {position: row.position}]->(class_set)
