// name: painted
// mode: read
// doc: The split that is painted, and how many synsets have each role.
// grain: one row per role
// returns: split STRING, role STRING, classes INTEGER
// order: role
MATCH (split:ClassSet&Painted)
MATCH (s:Concept&(Unseen|Training|Candidate|Ancestor|Centre))
UNWIND labels(s) AS role
WITH split, role, count(*) AS classes
WHERE role IN ['Unseen', 'Training', 'Candidate', 'Ancestor', 'Centre']
RETURN split.name AS split, role, classes
ORDER BY role
