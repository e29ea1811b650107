// name: merge_labels
// mode: write
// doc: Which word labels which synset: its rank there, its sense's number, tagged count and name.
// param: rows LIST<MAP> the rows: wnid, text, rank, sense_number, sense_count, name
// try: :param {rows: [{wnid: 'n02134084', text: 'polar bear', rank: 2, name: 'polar_bear.n.01'}]}
UNWIND $rows AS row
MATCH (s:Synset {wnid: row.wnid})
MATCH (w:Word {text: row.text})
MERGE (s)-[label:HAS_LABEL]->(w)
SET label.rank = row.rank,
    label.sense_number = row.sense_number,
    label.sense_count = row.sense_count,
    label.name = row.name
