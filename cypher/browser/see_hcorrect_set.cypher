// name: see_hcorrect_set
// page: 4 What is an hCorrectSet, shell by shell?
// mode: read
// doc: Look at: the hCorrectSet of a class, whole shells of valid labels until k are there.
// grain: one path per label; none when the class is not a valid label
// param: wnid WNID the synset; it must be a valid label
// param: valid CLASS_SET the valid labels
// param: k INTEGER 1..299 the list length
// vary: hierarchy = HYPERNYM|INSTANCE_HYPERNYM
// vary: max_hops = 20
// returns: p PATH
// ref: Frome et al. 2013, DeViSE, appendix A.3
// try: :param {wnid: 'n02084071', valid: 'imagenet-fall11', k: 2} dog, k = 2: the first shell
// try: :param {wnid: 'n02084071', valid: 'imagenet-fall11', k: 22} dog, k = 22: the second, too
// try: :param {wnid: 'n04536866', valid: 'ilsvrc2012', k: 5} violin among the 1,000, k = 5
MATCH (c:Synset {wnid: $wnid})-[:IN_SET]->(valid:ClassSet {name: $valid})
// the smallest length per end lets the planner search breadth first, every node once
MATCH q = (c)-[:HYPERNYM|INSTANCE_HYPERNYM*0..20]-(v)
WITH c, valid, v, min(length(q)) AS hops
WHERE EXISTS { (v)-[:IN_SET]->(valid) }
WITH c, hops, collect(v) AS shell
ORDER BY hops
WITH c, collect(shell) AS shells
// a shell is added while the shells before it hold fewer than k
UNWIND [i IN range(0, size(shells) - 1)
        WHERE reduce(n = 0, shell IN shells[..i] | n + size(shell)) < $k | shells[i]] AS shell
UNWIND [v IN shell WHERE v <> c] AS v
MATCH p = shortestPath((c)-[:HYPERNYM|INSTANCE_HYPERNYM*..20]-(v))
RETURN p
