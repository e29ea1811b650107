// name: paint_candidates
// mode: write
// doc: Label the classes of the universe that are neither Unseen nor Training Candidate.
// param: name CLASS_SET the universe
// try: :param {name: 'imagenet-fall11'}
MATCH (:ClassSet {name: $name})<-[:IN_SET]-(c)
WHERE NOT c:Unseen AND NOT c:Training
SET c:Candidate
