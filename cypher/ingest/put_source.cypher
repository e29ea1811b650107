// name: put_source
// mode: write
// doc: What was loaded, from which file, with which checksum; 'loading' until its last row is in.
// param: source STRING the source
// param: properties MAP the properties: kind, sha256, status, …
// try: :param {source: 'wordnet', properties: {kind: 'wordnet', status: 'loading'}}
MERGE (source:Source {name: $source})
// = and not +=: what an earlier load said must not stay
SET source = $properties, source.name = $source, source.loaded_at = datetime()
