// name: merge_words
// mode: write
// doc: Words: the distinct texts that label synsets.
// param: texts LIST<STRING> word labels, spaces between the parts
// try: :param {texts: ['dog', 'polar bear']}
UNWIND $texts AS text
MERGE (:Word {text: text})
