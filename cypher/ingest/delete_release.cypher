// name: delete_release
// mode: write
// doc: Remove the release hierarchy's edges.
MATCH ()-[edge:RELEASE_PARENT]->()
DELETE edge
