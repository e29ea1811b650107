// name: set_depths
// mode: write
// doc: Fewest and most hypernym or instance-hypernym edges from each synset up to entity.
// param: rows LIST<MAP> the rows: wnid, depth, max_depth
// try: :param {rows: [{wnid: 'n02084071', depth: 8, max_depth: 13}]}
UNWIND $rows AS row
MATCH (s:Synset {wnid: row.wnid})
SET s.depth = row.depth, s.max_depth = row.max_depth
