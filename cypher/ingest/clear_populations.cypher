// name: clear_populations
// mode: write
// doc: Forget all populations: unknown is absent, not 0.
MATCH (s:Synset)
WHERE s.population IS NOT NULL
REMOVE s.population
