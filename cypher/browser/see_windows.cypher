// name: see_windows
// page: 9 How do windows of structural ratio differ?
// mode: read
// doc: Look at: 4 classes per window (`graphzsl split windows`) and training classes next to them.
// grain: one path per class of a window and training class next to it
// param: windows LIST<CLASS_SET> made by `graphzsl split windows hops-1 --by ratio --store ratio`
// param: train CLASS_SET the training classes
// vary: hierarchy = HYPERNYM|INSTANCE_HYPERNYM
// vary: classes = 4
// returns: member PATH, p PATH
// ref: Hascoet et al. 2019, figure 9
// try: :param {windows: ['ratio-001', 'ratio-015'], train: 'ilsvrc2012'} first and last
UNWIND $windows AS name
CALL (*) {
  MATCH (window:ClassSet {name: name})<-[:IN_SET]-(c)
  WITH window, c
  ORDER BY c.wnid
  LIMIT 4
  MATCH member = (window)<-[:IN_SET]-(c)
  OPTIONAL MATCH p = (c)-[:HYPERNYM|INSTANCE_HYPERNYM]-(t)
  WHERE EXISTS { (t)-[:IN_SET]->(:ClassSet {name: $train}) }
  RETURN member, p
}
RETURN member, p
