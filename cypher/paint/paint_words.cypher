// name: paint_words
// mode: write
// doc: Give synsets of a database that was loaded by an earlier version their first word, a caption.
MATCH (s:Synset)
WHERE s.word IS NULL
SET s.word = s.words[0]
