// name: create_release_hubs
// mode: write
// doc: Nodes of the release hierarchy that are not WordNet synsets (fall11, fa11misc).
// param: names LIST<STRING> hubs
// try: :param {names: ['fa11misc']}
UNWIND $names AS name
MERGE (:ReleaseHub {wnid: name})
