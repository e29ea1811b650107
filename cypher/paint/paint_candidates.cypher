// name: paint_candidates
// mode: write
// doc: Label the classes of the universe that are neither Training nor Unseen Candidate.
// param: universe CLASS_SET the universe
// try: :param {universe: 'imagenet-fall11'}
MATCH (:ClassSet {name: $universe})<-[:IN_SET]-(c)
WHERE NOT c:Training AND NOT c:Unseen
SET c:Candidate
