// name: await_indexes
// mode: read
// doc: Wait until every index is online: one made over a full graph is filled first, at most 300 s.
// grain: one row
// returns: online BOOLEAN
CALL db.awaitIndexes(300)
RETURN true AS online
