// name: merge_labels
// mode: write
// doc: Which word labels which synset: its rank there, its sense number, that sense's tagged count.
// param: rows LIST<MAP> the rows: wnid, text, rank, sense_number, sense_count
// try: :param {rows: [{wnid: 'n02084071', text: 'dog', rank: 1, sense_number: 1, sense_count: 42}]}
UNWIND $rows AS row
MATCH (s:Synset {wnid: row.wnid})
MATCH (w:Word {text: row.text})
MERGE (s)-[label:HAS_LABEL]->(w)
SET label.rank = row.rank,
    label.sense_number = row.sense_number,
    label.sense_count = row.sense_count
