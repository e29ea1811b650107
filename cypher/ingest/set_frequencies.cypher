// name: set_frequencies
// mode: write
// doc: Occurrences of word labels in a corpus.
// param: rows LIST<MAP> the rows: text, frequency
// try: :param {rows: [{text: 'dog', frequency: 12}]}
UNWIND $rows AS row
MATCH (w:Word {text: row.text})
SET w.frequency = row.frequency
