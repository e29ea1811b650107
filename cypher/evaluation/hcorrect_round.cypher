// name: hcorrect_round
// mode: read
// doc: One shell of hCorrectSets: valid labels $radius hops from each label; whether it has nodes.
// grain: one row per label whose shell is not empty
// param: wnids LIST<WNID> the synsets; those whose sets are short of k
// param: valid CLASS_SET the valid labels
// param: radius INTEGER 1.. the shell, in hops; the same number as max_hops
// vary: hierarchy = HYPERNYM|INSTANCE_HYPERNYM
// vary: max_hops = 2
// returns: wnid WNID, shell INTEGER, members LIST<WNID>
// ref: Frome et al. 2013, DeViSE, appendix A.3
// try: :param {wnids: ['n02084071'], valid: 'ilsvrc2012', radius: 2}
UNWIND $wnids AS wnid
MATCH (c:Synset {wnid: wnid})
MATCH p = (c)-[:HYPERNYM|INSTANCE_HYPERNYM*1..2]-(v)
// back along the edge that it came by: not 2 hops away but 0
WHERE v <> c
WITH wnid, v, min(length(p)) AS hops
WHERE hops = $radius
// a shell without nodes ends the search, one without valid labels does not
WITH wnid, count(v) AS shell,
     collect(
       CASE WHEN EXISTS { (v)-[:IN_SET]->(:ClassSet {name: $valid}) } THEN v.wnid END
     ) AS members
RETURN wnid, shell, members
