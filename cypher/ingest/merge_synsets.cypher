// name: merge_synsets
// mode: write
// doc: Noun synsets: created, or their properties brought up to date. Populations stay.
// param: rows LIST<MAP> the rows: wnid, name, words, gloss, lexname
// try: :param {rows: [{wnid: 'n02084071', name: 'dog.n.01', words: [], gloss: '', lexname: ''}]}
UNWIND $rows AS row
MERGE (s:Synset {wnid: row.wnid})
SET s:Concept, s.name = row.name, s.words = row.words, s.gloss = row.gloss,
    s.lexname = row.lexname, s.word = row.words[0]
