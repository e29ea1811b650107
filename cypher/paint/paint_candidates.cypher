// name: paint_candidates
// mode: write
// doc: Label the classes of the universe that are neither Training nor Unseen Candidate.
// param: name CLASS_SET the universe
// try: :param {name: 'imagenet-fall11'}
MATCH (:ClassSet {name: $name})<-[:IN_SET]-(c)
WHERE NOT c:Training AND NOT c:Unseen
SET c:Candidate
