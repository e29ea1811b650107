// name: paint_unseen
// mode: write
// doc: Label the classes of a split that are not Training Unseen, and its own node Painted.
// param: split CLASS_SET the split
// try: :param {split: 'hops-1'}
MATCH (split:ClassSet {name: $split})
SET split:Painted
WITH split
MATCH (split)<-[:IN_SET]-(c)
WHERE NOT c:Training
SET c:Unseen
