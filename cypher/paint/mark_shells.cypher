// name: mark_shells
// mode: write
// doc: Label a class Centre, and its hCorrectSet by hops: Shell1 to Shell4, Shell5 from five on.
// param: wnid WNID the class; it must be a valid label
// param: valid CLASS_SET the valid labels
// param: k INTEGER 1..299 how many labels there must be
// vary: hierarchy = HYPERNYM|INSTANCE_HYPERNYM
// vary: max_hops = 20
// ref: Frome et al. 2013, DeViSE, appendix A.3
// try: :param {wnid: 'n02084071', valid: 'imagenet-fall11', k: 22}

// others may have nodes of these labels
OPTIONAL MATCH (before:Centre|Shell1|Shell2|Shell3|Shell4|Shell5)
WHERE before:Concept
REMOVE before:Centre:Shell1:Shell2:Shell3:Shell4:Shell5
WITH count(*) AS removed
MATCH (c:Synset {wnid: $wnid})-[:IN_SET]->(valid:ClassSet {name: $valid})
SET c:Centre
WITH c, valid
// the smallest length per end lets the planner search breadth first, every node once
MATCH q = (c)-[:HYPERNYM|INSTANCE_HYPERNYM*0..20]-(v)
WITH c, valid, v, min(length(q)) AS hops
WHERE EXISTS { (v)-[:IN_SET]->(valid) }
WITH c, hops, collect(v) AS shell
ORDER BY hops
WITH c, collect({hops: hops, members: shell}) AS shells
// a shell is added while the shells before it hold fewer than k
UNWIND [i IN range(0, size(shells) - 1)
        WHERE reduce(n = 0, shell IN shells[..i] | n + size(shell.members)) < $k
        | shells[i]] AS shell
UNWIND shell.members AS v
WITH v, shell.hops AS hops
FOREACH (_ IN CASE WHEN hops = 1 THEN [1] END | SET v:Shell1)
FOREACH (_ IN CASE WHEN hops = 2 THEN [1] END | SET v:Shell2)
FOREACH (_ IN CASE WHEN hops = 3 THEN [1] END | SET v:Shell3)
FOREACH (_ IN CASE WHEN hops = 4 THEN [1] END | SET v:Shell4)
FOREACH (_ IN CASE WHEN hops >= 5 THEN [1] END | SET v:Shell5)
