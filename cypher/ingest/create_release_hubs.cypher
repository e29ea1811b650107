// name: create_release_hubs
// mode: write
// doc: Nodes of the release hierarchy that are not WordNet synsets (fall11, fa11misc).
// param: hubs LIST<STRING> the hubs
// try: :param {hubs: ['fa11misc']}
UNWIND $hubs AS name
MERGE (hub:ReleaseHub {wnid: name})
SET hub:Concept, hub.name = name
