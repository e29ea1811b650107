// name: merge_instance_hypernyms
// mode: write
// doc: Instance-hypernym edges (WordNet's @i pointer), child to parent.
// param: rows LIST<MAP> the rows: child, parent
// try: :param {rows: [{child: 'n02084071', parent: 'n02083346'}]}
UNWIND $rows AS row
MATCH (child:Synset {wnid: row.child})
MATCH (parent:Synset {wnid: row.parent})
MERGE (child)-[:INSTANCE_HYPERNYM]->(parent)
