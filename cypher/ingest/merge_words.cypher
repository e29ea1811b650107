// name: merge_words
// mode: write
// doc: Words: the distinct texts that label synsets, each with its key, the text in lower case.
// param: texts LIST<STRING> the words, spaces between the parts
// try: :param {texts: ['dog', 'polar bear']}
UNWIND $texts AS text
MERGE (w:Word {text: text})
SET w.key = toLower(text)
