// name: any_node
// mode: read
// doc: One row where the database holds a node of any kind, else none.
// grain: one row, or none
// returns: labels LIST<STRING>
MATCH (n)
RETURN labels(n) AS labels
LIMIT 1
