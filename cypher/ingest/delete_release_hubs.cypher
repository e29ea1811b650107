// name: delete_release_hubs
// mode: write
// doc: Remove the release hierarchy's hubs.
MATCH (hub:ReleaseHub)
DETACH DELETE hub
