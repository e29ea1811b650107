// name: words_starting
// mode: read
// doc: The words that start with the given letters, case ignored: where near words are looked for.
// grain: one row per word
// param: start STRING the first letters
// returns: text STRING
// order: text
// try: :param {start: 'cra'}
MATCH (w:Word)
WHERE w.key STARTS WITH toLower($start)
RETURN w.text AS text
ORDER BY text
