// name: merge_hypernyms
// mode: write
// doc: Hypernym edges (WordNet's @ pointer), child to parent.
// param: rows LIST<MAP> the rows: child, parent
// try: :param {rows: [{child: 'n02084071', parent: 'n02083346'}]}
UNWIND $rows AS row
MATCH (child:Synset {wnid: row.child})
MATCH (parent:Synset {wnid: row.parent})
MERGE (child)-[:HYPERNYM]->(parent)
