// name: put_source
// mode: write
// doc: What was loaded, from which file, with which checksum; 'loading' until its last row is in.
// param: name STRING what was loaded
// param: properties MAP kind, sha256, status, loaded_at, …
// try: :param {name: 'wordnet', properties: {kind: 'wordnet', status: 'loading'}}
MERGE (source:Source {name: $name})
// = and not +=: what an earlier load said must not stay
SET source = $properties, source.name = $name
