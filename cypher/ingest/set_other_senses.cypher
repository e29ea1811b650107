// name: set_other_senses
// mode: write
// doc: How many verb, adjective and adverb senses a word has besides its noun senses; absent where it has none.
// param: rows LIST<MAP> text, other_senses
// try: :param {rows: [{text: 'dog', other_senses: 1}]}
UNWIND $rows AS row
MATCH (w:Word {text: row.text})
SET w.other_senses = row.other_senses
