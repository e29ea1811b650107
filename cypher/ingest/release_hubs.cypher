// name: release_hubs
// mode: read
// doc: The hubs of the release hierarchy that the database has.
// grain: one row per hub
// returns: name STRING
// order: name
MATCH (hub:ReleaseHub)
RETURN hub.wnid AS name
ORDER BY name
