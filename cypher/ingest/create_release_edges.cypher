// name: create_release_edges
// mode: write
// doc: Edges of ImageNet's release hierarchy, child to parent; both ends are synsets or hubs.
// param: rows LIST<MAP> child, parent
// try: :param {rows: [{child: 'n02084071', parent: 'fa11misc'}]}
UNWIND $rows AS row
OPTIONAL MATCH (child_synset:Synset {wnid: row.child})
OPTIONAL MATCH (child_hub:ReleaseHub {wnid: row.child})
OPTIONAL MATCH (parent_synset:Synset {wnid: row.parent})
OPTIONAL MATCH (parent_hub:ReleaseHub {wnid: row.parent})
WITH coalesce(child_synset, child_hub) AS child, coalesce(parent_synset, parent_hub) AS parent
CREATE (child)-[:RELEASE_PARENT]->(parent)
