// name: set_other_senses
// mode: write
// doc: How many verb, adjective and adverb senses a word has beside its noun senses; absent for 0.
// param: rows LIST<MAP> the rows: text, other_senses
// try: :param {rows: [{text: 'dog', other_senses: 1}]}
UNWIND $rows AS row
MATCH (w:Word {text: row.text})
SET w.other_senses = row.other_senses
