// name: create_release_edges
// mode: write
// doc: Edges of ImageNet's release hierarchy, child to parent; both ends are synsets or hubs.
// param: rows LIST<MAP> the rows: child, parent
// try: :param {rows: [{child: 'n02084071', parent: 'fa11misc'}]}
UNWIND $rows AS row
MATCH (child:Concept {wnid: row.child})
MATCH (parent:Concept {wnid: row.parent})
CREATE (child)-[:RELEASE_PARENT]->(parent)
