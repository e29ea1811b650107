// name: paint_unseen
// mode: write
// doc: Label the classes of a split Unseen, and its own node Painted.
// param: name CLASS_SET the split
// try: :param {name: 'hops-1'}
MATCH (split:ClassSet {name: $name})
SET split:Painted
WITH split
MATCH (split)<-[:IN_SET]-(c)
SET c:Unseen
