// name: painted
// mode: read
// doc: The split that is painted, and how many synsets have each role.
// grain: one row per role
// returns: split STRING, role STRING, classes INTEGER
// order: role
UNWIND ['Unseen', 'Training', 'Candidate', 'Ancestor', 'Centre'] AS role
MATCH (s:$(role))
WITH role, count(s) AS classes
OPTIONAL MATCH (split:Painted)
RETURN split.name AS split, role, classes
ORDER BY role
