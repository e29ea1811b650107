// name: renew_sources
// mode: write
// doc: Times of loading as times, which an earlier version stored as texts.
MATCH (source:Source)
WHERE source.loaded_at IS NOT NULL
SET source.loaded_at = datetime(toString(source.loaded_at))
