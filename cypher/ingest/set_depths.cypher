// name: set_depths
// mode: write
// doc: Fewest hypernym or instance-hypernym edges from each synset up to entity.
// param: rows LIST<MAP> the rows: wnid, depth
// try: :param {rows: [{wnid: 'n02084071', depth: 8}]}
UNWIND $rows AS row
MATCH (s:Synset {wnid: row.wnid})
SET s.depth = row.depth
