// name: unknown_words
// mode: read
// doc: Which of the given texts label no synset.
// grain: one row per unknown text, in the order given
// param: texts LIST<STRING> the words, to be looked up
// returns: text STRING
// try: :param {texts: ['dog', 'dgo']}
UNWIND $texts AS text
OPTIONAL MATCH (w:Word {text: text})
WITH text, w
WHERE w IS NULL
RETURN text
