// name: paint_unseen
// mode: write
// doc: Label the classes of a split that are not Training Unseen, and its own node Painted.
// param: name CLASS_SET the split
// try: :param {name: 'hops-1'}
MATCH (split:ClassSet {name: $name})
SET split:Painted
WITH split
MATCH (split)<-[:IN_SET]-(c)
WHERE NOT c:Training
SET c:Unseen
