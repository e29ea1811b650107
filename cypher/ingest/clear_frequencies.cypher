// name: clear_frequencies
// mode: write
// doc: Forget all word frequencies: unknown is absent, not 0.
MATCH (w:Word)
WHERE w.frequency IS NOT NULL
REMOVE w.frequency
