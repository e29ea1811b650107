// name: paint_words
// mode: write
// doc: Give synsets of a database that an earlier version loaded their first word, a caption.
MATCH (s:Synset)
WHERE s.word IS NULL
SET s.word = s.words[0]
