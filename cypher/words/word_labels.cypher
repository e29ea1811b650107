// name: word_labels
// mode: read
// doc: All word labels.
// grain: one row per word
// returns: text STRING
// order: text
// try: :param {}
MATCH (w:Word)
RETURN w.text AS text
ORDER BY text
