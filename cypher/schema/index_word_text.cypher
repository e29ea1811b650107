// name: index_word_text
// mode: schema
// doc: Parts of words: CONTAINS and ENDS WITH on their text.
CREATE TEXT INDEX index_word_text IF NOT EXISTS
FOR (n:Word) ON (n.text)
