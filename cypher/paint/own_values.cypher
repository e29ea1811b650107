// name: own_values
// mode: read
// doc: The split asked for, else the painted one, hops-1 or the first, and what goes with it.
// grain: one row; none where no split is stored
// param: about STRING the split that is asked for, or an empty text
// returns: split STRING, train STRING, valid STRING, unseen WNID, windows LIST<STRING>
// try: :param {about: ''}
MATCH (s:ClassSet)-[:TRAIN]->(train)
WITH s, train
ORDER BY s.name = $about DESC, s:Painted DESC, s.name = 'hops-1' DESC, s.name
LIMIT 1
OPTIONAL MATCH (s)-[:UNIVERSE]->(universe)
OPTIONAL MATCH (c)-[:IN_SET]->(s)
WITH s, train, universe, min(c.wnid) AS unseen
// the first and the last window of a series by structural ratio, NAME-001, NAME-002, …
OPTIONAL MATCH (w:ClassSet {window_by: 'ratio'})
WITH s, train, universe, unseen, w
ORDER BY w.window_number
WITH s, train, universe, unseen, EXISTS { (w)-[:UNIVERSE]->(s) } AS of_it,
     left(w.name, size(w.name) - size(last(split(w.name, '-')))) AS series,
     collect(w.name) AS names
ORDER BY of_it DESC, series
LIMIT 1
RETURN s.name AS split, train.name AS train, universe.name AS valid, unseen,
       CASE WHEN names <> [] THEN [names[0], names[-1]] END AS windows
