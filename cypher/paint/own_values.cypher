// name: own_values
// mode: read
// doc: The split asked for, else the painted one, hops-1 or the first, and what goes with it.
// grain: one row; none where no split is stored
// param: about STRING the split that is asked for, or an empty text
// returns: split STRING, train STRING, valid STRING, unseen WNID, windows LIST<STRING>
// try: :param {about: ''}
MATCH (s:ClassSet)
WHERE EXISTS { (:ClassSet {name: s.train}) }
WITH s
ORDER BY s.name = $about DESC, s:Painted DESC, s.name = 'hops-1' DESC, s.name
LIMIT 1
OPTIONAL MATCH (universe:ClassSet {name: s.universe})
OPTIONAL MATCH (c)-[:IN_SET]->(s)
WITH s, universe, min(c.wnid) AS unseen
// the first and the last window of a series by structural ratio, NAME-001, NAME-002, …
OPTIONAL MATCH (w:ClassSet)
WHERE w.windows_of IS NOT NULL AND w.parameters CONTAINS '"by": "ratio"'
      AND w.name =~ '.+-[0-9]{3,}'
WITH s, universe, unseen, w, last(split(w.name, '-')) AS number
ORDER BY toInteger(number)
WITH s, universe, unseen, w.windows_of = s.name AS of_it,
     left(w.name, size(w.name) - size(number)) AS series, collect(w.name) AS names
ORDER BY of_it DESC, series
LIMIT 1
RETURN s.name AS split, s.train AS train, universe.name AS valid, unseen,
       CASE WHEN names <> [] THEN [names[0], names[-1]] END AS windows
