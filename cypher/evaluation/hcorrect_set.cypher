// name: hcorrect_set
// mode: read
// doc: hCorrectSet of a class: whole shells of valid labels until k are there.
// grain: one row; none when the class is not a valid label
// param: wnid WNID the synset; it must be a valid label
// param: valid CLASS_SET the valid labels
// param: k INTEGER 1.. the list length
// vary: hierarchy = HYPERNYM|INSTANCE_HYPERNYM
// vary: max_hops = 20
// returns: size INTEGER, radius INTEGER, exhausted BOOLEAN, cut BOOLEAN
// returns: members LIST<WNID>, names LIST<STRING>
// ref: Frome et al. 2013, DeViSE, appendix A.3
// try: :param {wnid: 'n02084071', valid: 'imagenet-fall11', k: 5}
MATCH (c:Synset {wnid: $wnid})-[:IN_SET]->(valid:ClassSet {name: $valid})
// the smallest length per end lets the planner search breadth first, every node once
MATCH p = (c)-[:HYPERNYM|INSTANCE_HYPERNYM*0..20]-(v)
WITH valid, v, min(length(p)) AS hops
ORDER BY hops, v.wnid
WITH hops,
     collect(
       CASE WHEN EXISTS { (v)-[:IN_SET]->(valid) } THEN {wnid: v.wnid, name: v.name} END
     ) AS shell
ORDER BY hops
WITH collect(shell) AS shells, 20 AS max_hops
// shell number i is added while the shells before it hold fewer than k
WITH shells, max_hops,
     [i IN range(0, size(shells) - 1)
      WHERE reduce(n = 0, shell IN shells[..i] | n + size(shell)) < $k] AS added
WITH last(added) AS radius, size(shells) <= max_hops AS whole,
     reduce(all = [], i IN added | all + shells[i]) AS correct
RETURN size(correct) AS size, radius, size(correct) < $k AND whole AS exhausted,
       size(correct) < $k AND NOT whole AS cut,
       [v IN correct | v.wnid] AS members, [v IN correct | v.name] AS names
